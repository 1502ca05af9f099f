#include <fmt/format.h>

#include <filesystem>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/execution.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/io/problem_dump.hpp"
#include "ricochet/io/scene_choice.hpp"
#include "ricochet/io/scene_notices.hpp"
#include "ricochet/io/scene_reader.hpp"

namespace ricochet::app {

int run_command(const RunOptions& options) {
  std::vector<io::DumpRule> dump_rules;
  for (const std::string& text : options.dump_problem) dump_rules.push_back(io::parse_dump_rule(text));
  const io::SceneChoice choice = io::choose_scene(options.scene, options.variant);
  io::Scene scene = io::read_scene(choice.path, options.overrides, choice.variant);
  study::Case& run_case = scene.run_case;
  run_case.settings.accept_unconverged = options.accept_unconverged;
  run_case.settings.threads = options.threads;
  if (options.checkpoint_every > 0) run_case.checkpoint_every = options.checkpoint_every;
  if (!options.quiet) {
    for (const std::string& notice : io::notices_of(scene)) say(fmt::format("notice: {}\n", notice));
  }
  const bool with_checkpoints = run_case.checkpoint_every > 0;
  io::ResultDirectory directory(options.out.empty() ? "out/" + run_case.id : options.out);
  io::ResultRecorder recorder(directory.partial(), run_case, with_checkpoints);
  study::Run run(run_case);
  io::CheckpointInfo info;
  info.scene_path = std::filesystem::absolute(choice.path).string();
  info.scene_text = run_case.source_text;
  info.variant = choice.variant;
  info.overrides = run_case.overrides;
  info.target = directory.target().string();
  info.every = run_case.checkpoint_every;
  info.accept_unconverged = run_case.settings.accept_unconverged;
  info.report = options.report;
  std::optional<io::CheckpointWriter> checkpoints;
  if (with_checkpoints) checkpoints.emplace(directory.partial(), info);
  io::ProblemDump dump(directory.partial(), run_case.id, std::move(dump_rules));
  return execute({run_case, run, directory, recorder, checkpoints, info, dump, options.quiet, options.report,
                  options.trace_steps});
}

}  // namespace ricochet::app
