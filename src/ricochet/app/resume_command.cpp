#include <fmt/format.h>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/execution.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/scene_notices.hpp"
#include "ricochet/io/scene_reader.hpp"

namespace ricochet::app {

namespace {

// The scene as it was run, from the text that the checkpoint carries.
io::Scene stored_scene(const io::CheckpointInfo& info, int threads) {
  io::Scene scene = io::read_scene_text(info.scene_text, info.scene_path, info.overrides, info.variant);
  scene.run_case.settings.accept_unconverged = info.accept_unconverged;
  scene.run_case.settings.threads = threads;
  scene.run_case.checkpoint_every = info.every;
  return scene;
}

void refuse_early_end(const study::Run& run, const study::Case& changed, const std::string& end) {
  const simulation::Snapshot& now = run.simulation().snapshot();
  if (simulation::step_count(changed.settings) >= now.step_index) return;
  throw io::InputError(
      {std::make_shared<const std::string>("--end " + end), 0, 0},
      fmt::format("the checkpoint is at t = {:.9g} s, so the run cannot end before that", now.instant.state.time));
}

}  // namespace

int resume_command(const ResumeOptions& options) {
  const io::Checkpoint checkpoint(options.checkpoint);
  checkpoint.check_scene();
  std::optional<io::ResumedDirectory> source(options.checkpoint);
  io::RowLogReader rows = checkpoint.rows();

  io::CheckpointInfo info = checkpoint.info();
  info.accept_unconverged |= options.accept_unconverged;
  if (options.checkpoint_every > 0) info.every = options.checkpoint_every;
  const io::Scene scene = stored_scene(info, options.threads);
  study::Run run(scene.run_case);
  checkpoint.restore(run);

  io::Scene changed;  // with another end
  if (!options.end.empty()) {
    std::erase_if(info.overrides, [](const std::string& text) { return text.starts_with("time.end="); });
    info.overrides.push_back("time.end=" + options.end);
    changed = stored_scene(info, options.threads);
    refuse_early_end(run, changed.run_case, options.end);
    run.change_end(changed.run_case);
  }
  const io::Scene& final_scene = options.end.empty() ? scene : changed;
  if (!options.quiet) {
    for (const std::string& notice : io::notices_of(final_scene)) say(fmt::format("notice: {}\n", notice));
  }

  io::ResultDirectory directory(source->target(info.target));
  info.target = directory.target().string();
  info.sources.push_back(source->path().string());
  io::ResultRecorder recorder(directory.partial(), scene.run_case, true);
  recorder.replay(rows, run.simulation().frame());
  checkpoint.restore(recorder);
  std::optional<io::CheckpointWriter> checkpoints(std::in_place, directory.partial(), info);
  checkpoints->write(run, recorder);  // from now on this directory stands on its own
  io::ProblemDump dump(directory.partial(), final_scene.run_case.id, {});
  const int exit_code =
      execute({final_scene.run_case, run, directory, recorder, checkpoints, info, dump, options.quiet, info.report});
  source.reset();
  for (const std::string& partial : info.sources) io::remove_partial_directory(partial);
  return exit_code;
}

}  // namespace ricochet::app
