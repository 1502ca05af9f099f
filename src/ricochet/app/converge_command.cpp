#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <thread>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/app/progress_bar.hpp"
#include "ricochet/app/step_choice.hpp"
#include "ricochet/io/convergence_output.hpp"
#include "ricochet/io/scene_choice.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/study_directory.hpp"
#include "ricochet/io/text_output.hpp"

namespace ricochet::app {

namespace {

// Sentences that the numbers need beside them.
std::vector<std::string> notes_of(const ChosenStudy& study, const study::Convergence& found) {
  std::vector<std::string> notes;
  if (found.reference) {
    notes.push_back(fmt::format(
        "errors are against the run with the step {:.4g} s, a {:.3g}th of the smallest; the orders allow for the error "
        "that it has itself",
        study.task.reference_step, study.task.steps.back() / study.task.reference_step));
  }
  if (std::any_of(found.probes.begin(), found.probes.end(), [](const auto& probe) { return probe.interpolated; })) {
    notes.emplace_back(
        "steps are not multiples of that of the reference, which is interpolated linearly at the times of the runs");
  }
  if (found.touches() && static_cast<int>(study.task.steps.size()) < study::credible_steps) {
    notes.push_back(fmt::format(
        "there are contacts and only {} steps: impacts fall anywhere in a step and scatter the error, so that an order "
        "is to be believed from {} steps in two decades on",
        study.task.steps.size(), study::credible_steps));
  }
  return notes;
}

std::string order_text(const study::OrderFit& fit) {
  return std::isnan(fit.order) ? std::string("none") : fmt::format("{:.3f}", fit.order);
}

std::string number_text(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

std::string probe_table(const std::string& name, const std::string& truth, const study::ProbeConvergence& probe) {
  std::string text = fmt::format("{}: order {}{}{}\n", name, order_text(probe.fit),
                                 truth.empty() ? "" : fmt::format(", against {}", truth),
                                 probe.absolute ? ", absolute errors because the reference is zero" : "");
  text += fmt::format("  {:>12}  {:>12}  {:>7}  {:>16}\n", "step (s)", "error", "slope", "last");
  for (std::size_t i = 0; i < probe.points.size(); ++i) {
    const double slope = i == 0 ? std::nan("") : probe.fit.pairs[i - 1];
    text +=
        fmt::format("  {:>12.5g}  {:>12}  {:>7}  {:>16.9g}\n", probe.points[i].step, number_text(probe.points[i].error),
                    std::isnan(slope) ? "-" : fmt::format("{:.2f}", slope), probe.final_value[i]);
  }
  return text;
}

// One line per probe, where all points would be too many.
std::string order_table(const study::Case& run_case, const study::Convergence& found) {
  std::size_t width = 5;
  for (const auto& probe : found.probes) width = std::max(width, run_case.probes.name(probe.probe).size());
  std::string text = fmt::format("  {:<{}}  {:>7}  {:>6}  {:>11}  {:>11}  {:>15}\n", "probe", width, "order", "points",
                                 "first error", "last error", "slopes");
  for (const study::ProbeConvergence& probe : found.probes) {
    std::vector<double> slopes;
    std::copy_if(probe.fit.pairs.begin(), probe.fit.pairs.end(), std::back_inserter(slopes),
                 [](double slope) { return !std::isnan(slope); });
    const auto [least, most] = std::minmax_element(slopes.begin(), slopes.end());
    text += fmt::format("  {:<{}}  {:>7}  {:>6}  {:>11}  {:>11}  {:>15}\n", run_case.probes.name(probe.probe), width,
                        order_text(probe.fit), probe.fit.points, number_text(probe.points.front().error),
                        number_text(probe.points.back().error),
                        slopes.empty() ? "-" : fmt::format("{:.2f} to {:.2f}", *least, *most));
  }
  return text;
}

study::Convergence compute(const study::Case& run_case, study::ConvergenceTask& task, bool quiet) {
  ProgressBar progress(!quiet);
  std::mutex mutex;  // of the progress
  std::atomic<long> steps = 0;
  const double total = static_cast<double>(std::max(1L, study::planned_steps(run_case, task)));
  task.keep_going = [&] {
    const double done = std::min(1.0, static_cast<double>(++steps) / total);
    if (const std::unique_lock lock(mutex, std::try_to_lock); lock) {
      progress.update(done, fmt::format("{} runs", task.steps.size()));
    }
    return !interrupted();
  };
  return study::converge(run_case, task);
}

}  // namespace

int converge_command(const ConvergeOptions& options) {
  const io::SceneChoice choice = io::choose_scene(options.scene, options.variant);
  const io::Scene scene = io::read_scene(choice.path, options.overrides, choice.variant);
  const study::Case& run_case = scene.run_case;
  ChosenStudy study = choose_study(options, run_case);
  study.task.threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const std::string out = options.out.empty() ? fmt::format("out/{}-converge", run_case.id) : options.out;
  io::prepare_study_directory(out, "converge.json");
  std::optional<io::TextOutput> json;  // opened first, so that nothing is computed in vain
  if (!options.json.empty()) json.emplace(options.json);

  const study::Convergence found = compute(run_case, study.task, options.quiet);
  const io::ConvergenceStudy result{run_case, study.task, found, study.truth, notes_of(study, found)};
  io::write_convergence(out, result);
  if (json) {
    json->buffer() += io::convergence_json(result);
    json->close();
  }

  if (!options.quiet) {
    say(fmt::format("{}: {} runs to t = {:g} s with steps from {:g} s to {:g} s\n", run_case.id,
                    study.task.steps.size(), run_case.settings.end, study.task.steps.front(), study.task.steps.back()));
    constexpr std::size_t told_in_full = 3;  // probes
    if (found.probes.size() <= told_in_full) {
      for (std::size_t i = 0; i < found.probes.size(); ++i) {
        say(probe_table(run_case.probes.name(found.probes[i].probe), study.truth[i], found.probes[i]));
      }
    } else {
      say(order_table(run_case, found));
    }
    for (const std::string& note : result.notes) say(fmt::format("  note: {}\n", note));
    say(fmt::format("  results     {}\n", out));
  }
  if (found.interrupted()) {
    complain("interrupted; what was computed until then is written.");
    return exit_interrupted;
  }
  if (found.reference && !found.reference->completed) {
    complain(fmt::format("the reference, with the step {:g} s, did not complete: {}.", found.reference->step,
                         found.reference->failure));
  }
  for (const study::StudyRun& run : found.runs) {
    if (!run.completed)
      complain(fmt::format("the run with the step {:g} s did not complete: {}.", run.step, run.failure));
  }
  return found.complete() ? exit_done : exit_not_reached;
}

}  // namespace ricochet::app
