#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/app/progress_bar.hpp"
#include "ricochet/app/sweep_text.hpp"
#include "ricochet/app/vary_choice.hpp"
#include "ricochet/io/document.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/sample_log.hpp"
#include "ricochet/io/scene_choice.hpp"
#include "ricochet/io/scene_notices.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/study_directory.hpp"
#include "ricochet/io/sweep_output.hpp"
#include "ricochet/io/version.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/study/process_pool.hpp"

namespace ricochet::app {

namespace {

// The scene of a sweep: its text is read once, so that all samples are of the same.
class SweptScene {
 public:
  SweptScene(const SweepOptions& options, const std::vector<study::Variation>& variations)
      : options_(options),
        variations_(variations),
        choice_(io::choose_scene(options.scene, options.variant)),
        text_(io::read_document_text(choice_.path)) {}

  const io::SceneChoice& choice() const { return choice_; }
  const std::string& text() const { return text_; }

  // With one value for each of what is varied, which come after all other overrides.
  io::Scene read(const std::vector<std::string>& values) const {
    std::vector<std::string> overrides = options_.overrides;
    for (std::size_t i = 0; i < values.size(); ++i) overrides.push_back(variations_[i].path + "=" + values[i]);
    return io::read_scene_text(text_, choice_.path, overrides, choice_.variant);
  }

  // Reads the scene with every value that can be tried beforehand; returns that of the first values. An error names
  // the --vary that it comes from.
  io::Scene read_trials() const {
    std::vector<std::vector<std::string>> trials;
    std::vector<std::string> values;
    for (const study::Variation& variation : variations_) {
      trials.push_back(trial_values(variation));
      values.push_back(trials.back().front());
    }
    io::Scene first = read_trial(values, 0);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      std::vector<std::string> other = values;
      for (std::size_t k = 1; k < trials[i].size(); ++k) {
        other[i] = trials[i][k];
        read_trial(other, i);
      }
    }
    first.run_case.overrides = options_.overrides;
    return first;
  }

 private:
  io::Scene read_trial(const std::vector<std::string>& values, std::size_t changed) const {
    try {
      return read(values);
    } catch (const io::InputError& error) {
      const auto place = [&](std::size_t i) {
        return io::Place{std::make_shared<const std::string>("--vary " + options_.variations[i])};
      };
      // Those of an override have it as their origin.
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string origin = fmt::format("--set {}={}", variations_[i].path, values[i]);
        if (error.place().origin && *error.place().origin == origin) throw io::InputError(place(i), error.sentence());
      }
      if (changed == 0 && values[0] == trial_values(variations_[0]).front()) throw;
      throw io::InputError(place(changed), fmt::format("with {}: {}", values[changed], error.what()));
    }
  }

  const SweepOptions& options_;
  const std::vector<study::Variation>& variations_;
  io::SceneChoice choice_;
  std::string text_;
};

// What became of a sample whose process has ended.
io::SweepSample sample_of(int number, const math::ChildProcess::Ending& ending) {
  io::SweepSample sample;
  if (ending.is_whole) {
    simulation::ByteReader reader(ending.answer);
    reader("sample", sample);
    return sample;
  }
  sample.number = number;
  sample.status = io::SweepSample::Status::crashed;
  sample.reason = ending.signal != 0 ? fmt::format("its process was ended by the signal {} ({}){}", ending.signal,
                                                   strsignal(ending.signal),
                                                   ending.signal == SIGKILL ? "; perhaps the memory ran out" : "")
                                     : "its process ended without a result; perhaps the memory ran out";
  return sample;
}

// Runs what is not finished yet, and adds it to the samples of the sweep.
void run_rest(const SweptScene& scene, io::Sweep& sweep, io::SampleLog& log, int threads, bool quiet) {
  std::vector<bool> is_finished(sweep.values.size(), false);
  std::size_t failures = 0;
  const auto count = [&](const io::SweepSample& sample) {
    is_finished[static_cast<std::size_t>(sample.number)] = true;
    if (sample.status != io::SweepSample::Status::completed) ++failures;
  };
  for (const io::SweepSample& sample : sweep.samples) count(sample);
  std::vector<int> rest;
  for (std::size_t i = 0; i < is_finished.size(); ++i) {
    if (!is_finished[i]) rest.push_back(static_cast<int>(i));
  }

  ProgressBar progress(!quiet);
  std::size_t done = 0;  // now, which is what tells the time to go
  study::ProcessPool pool;
  pool.processes = threads;
  pool.work = [&](int number) {
    const auto index = static_cast<std::size_t>(number);
    const auto make_case = [&] { return scene.read(sweep.values[index]).run_case; };
    std::string bytes;
    simulation::ByteWriter writer(bytes);
    const io::SweepSample sample =
        io::run_sample(number, make_case, io::sweep_plot_rows(sweep.run_case, index, sweep.values.size()));
    writer("sample", sample);
    return bytes;
  };
  pool.finished = [&](int number, const math::ChildProcess::Ending& ending) {
    io::SweepSample sample = sample_of(number, ending);
    log.append(sample);
    count(sample);
    sweep.samples.push_back(std::move(sample));
    ++done;
  };
  pool.keep_going = [&] {
    progress.update(static_cast<double>(done) / static_cast<double>(rest.size()),
                    fmt::format("{} of {} samples, {} failed", sweep.samples.size(), sweep.values.size(), failures));
    return !interrupted();
  };
  study::run_in_processes(rest, pool);
  progress.clear();
  std::sort(sweep.samples.begin(), sweep.samples.end(),
            [](const io::SweepSample& a, const io::SweepSample& b) { return a.number < b.number; });
}

int exit_code(const io::Sweep& sweep) {
  int code = exit_done;
  for (const io::SweepSample& sample : sweep.samples) {
    if (sample.status != io::SweepSample::Status::completed) return exit_not_reached;
    if (study::fails(sample.facts)) code = exit_expectation_failed;
  }
  return code;
}

}  // namespace

int sweep_command(const SweepOptions& options) {
  std::vector<study::Variation> variations;
  std::vector<std::string> paths, ranges;
  for (const std::string& text : options.variations) {
    variations.push_back(read_variation(text));
    paths.push_back(variations.back().path);
    ranges.push_back(text.substr(paths.back().size() + 1));
  }
  std::vector<std::vector<std::string>> values;
  try {
    values = study::plan_sweep(variations, options.seed);
  } catch (const std::invalid_argument& error) {
    throw io::InputError({}, fmt::format("--vary: {}", error.what()));
  }
  const SweptScene scene(options, variations);
  const io::Scene first = scene.read_trials();
  const std::filesystem::path out = options.out.empty() ? fmt::format("out/{}-sweep", first.run_case.id) : options.out;
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));

  io::Sweep sweep{first.run_case, options.overrides, paths, ranges, options.seed, std::move(values), {}};
  // An unfinished sweep is known by its log, a complete one by its table: one of both is there at every moment.
  if (!std::filesystem::exists(out / io::sample_log_name)) io::prepare_study_directory(out, "sweep.json");
  io::SampleLog log(out, {std::string(io::version()), scene.text(), scene.choice().variant, options.overrides,
                          options.variations, options.seed});
  sweep.samples = log.take_finished();
  if (!options.quiet) {
    for (const std::string& notice : io::notices_of(first)) say(fmt::format("notice: {}\n", notice));
    if (!sweep.samples.empty()) {
      say(fmt::format("notice: {} of {} samples were finished before and are taken from {}\n", sweep.samples.size(),
                      sweep.values.size(), (out / io::sample_log_name).string()));
    }
  }

  const auto start = std::chrono::steady_clock::now();
  run_rest(scene, sweep, log, threads, options.quiet);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  io::write_sweep(out, sweep);
  if (sweep.complete()) log.remove();

  if (!options.quiet) {
    say(sweep_text(sweep, threads, seconds));
    say(fmt::format("  results     {}\n", out.string()));
  }
  complain_of_samples(sweep);
  if (!sweep.complete()) {
    complain(fmt::format("interrupted; {} of {} samples are finished and kept. The same command goes on from there.",
                         sweep.samples.size(), sweep.values.size()));
    return exit_interrupted;
  }
  return exit_code(sweep);
}

}  // namespace ricochet::app
