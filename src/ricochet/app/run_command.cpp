#include <fmt/format.h>

#include <algorithm>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/fact_table.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/app/progress_bar.hpp"
#include "ricochet/app/scene_choice.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/result_directory.hpp"
#include "ricochet/io/result_recorder.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/summary.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::app {

namespace {

std::string run_text(const study::Case& scene, const study::CaseResult& result) {
  const simulation::Statistics& all = result.statistics;
  const simulation::Ledger& energy = result.ledger;
  const double steps = static_cast<double>(std::max(all.steps, 1L));
  std::string text =
      fmt::format("{}: {} steps to t = {:.6g} s in {} ({:.3g} steps per second)\n", scene.id, result.run.steps,
                  result.run.time, duration_text(result.wall_seconds), steps / result.wall_seconds);
  text += fmt::format("  contacts    {:.3g} on average, {} at most; deepest penetration {:.3g} m\n",
                      all.contacts_sum / steps, all.contacts_max, all.max_penetration);
  text += fmt::format("  solver      {:.3g} iterations on average, {} at most; worst residual {:.2g}\n",
                      all.iterations_sum / steps, all.iterations_max, all.worst_residual);
  text += fmt::format(
      "  energy      {:.6g} J at the start, {:.6g} J at the end; loads gave {:.4g} J, contacts, dampers and the scheme "
      "took {:.4g} J; {:.1g} J unexplained\n",
      energy.initial, energy.total(), energy.work_loads, energy.initial + energy.work_loads - energy.total(),
      energy.closing_error());
  if (energy.contact_created > 1e-6 * energy.scale) {
    text += fmt::format(
        "  notice      contacts created {:.3g} J: Newton's impact law can do that where contacts are coupled\n",
        energy.contact_created);
  }
  return text;
}

int exit_code(const study::CaseResult& result) {
  switch (result.run.outcome) {
    case simulation::Outcome::failed:
      return exit_not_reached;
    case simulation::Outcome::interrupted:
      return exit_interrupted;
    case simulation::Outcome::completed:
      break;
  }
  return study::fails(result.facts) ? exit_expectation_failed : exit_done;
}

}  // namespace

int run_command(const RunOptions& options) {
  const SceneChoice choice = choose_scene(options.scene, options.variant);
  const io::Scene scene = io::read_scene(choice.path, options.overrides, choice.variant);
  const study::Case& run_case = scene.run_case;
  if (!options.quiet) {
    for (const std::string& notice : notices_of(scene)) say(fmt::format("notice: {}\n", notice));
  }
  io::ResultDirectory directory(options.out.empty() ? "out/" + run_case.id : options.out);
  io::ResultRecorder recorder(directory.partial(), run_case);
  simulation::Recorder* const recorders[] = {&recorder};
  ProgressBar progress(!options.quiet);
  const study::CaseResult result = study::run_case(run_case, recorders, [&](const simulation::Frame& frame) {
    progress.update(frame);
    return !interrupted();
  });
  progress.clear();
  io::write_summary(directory.file("summary.json"),
                    {run_case, result.run, result.statistics, result.ledger, result.state_hash, result.wall_seconds,
                     recorder.probe_summaries(), result.facts});
  if (options.report) io::write_report(directory.partial());
  directory.finish();

  if (!options.quiet) {
    say(run_text(run_case, result));
    say(fact_table(result.facts));
    say(fmt::format("  results     {}\n", directory.target().string()));
  }
  if (result.run.outcome != simulation::Outcome::completed) {
    complain(result.run.reason + ".");
  } else if (options.quiet) {
    for (const study::FactResult& fact : result.facts) {
      if (study::fails(fact)) complain(fmt::format("the fact '{}' does not hold: {}.", fact.fact, fact.detail));
    }
  }
  return exit_code(result);
}

}  // namespace ricochet::app
