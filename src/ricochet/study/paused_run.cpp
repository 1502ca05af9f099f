#include "ricochet/study/paused_run.hpp"

#include <chrono>
#include <exception>

namespace ricochet::study {

namespace {

simulation::Settings settings_with(const Case& study_case, double step) {
  simulation::Settings settings = study_case.settings;
  settings.step = step;
  settings.step_function.reset();  // a step that varies in the scene does not vary in the study
  settings.threads = 1;            // there are as many runs as threads already
  return settings;
}

}  // namespace

PausedRun::PausedRun(const Case& study_case, double step, const std::vector<int>& probes)
    : case_(study_case), probes_(probes) {
  result_.step = step;
  rows_.values.resize(probes.size());
  try {
    simulation_ = std::make_unique<simulation::Simulation>(study_case.model, settings_with(study_case, step));
  } catch (const std::exception& error) {
    result_.failure = error.what();
    over_ = true;
  }
}

void PausedRun::advance(double until, const std::function<bool()>& keep_going) {
  if (over_ || (begun_ && simulation_->snapshot().instant.state.time >= until)) return;
  const auto start = std::chrono::steady_clock::now();
  bool asked_to_stop = false;
  const auto go_on = [&](const simulation::Frame& frame) {
    asked_to_stop = keep_going && !keep_going();
    return !asked_to_stop && frame.state.time < until;
  };
  try {
    const std::vector<simulation::Recorder*> recorders = {this};
    const simulation::RunResult run =
        begun_ ? simulation_->go_on(recorders, go_on) : simulation_->run(recorders, go_on);
    begun_ = true;
    result_.steps = run.steps;
    result_.contacts_max = simulation_->statistics().contacts_max;
    switch (run.outcome) {
      case simulation::Outcome::completed:
        over_ = result_.completed = true;
        break;
      case simulation::Outcome::interrupted:  // by the user, or because this piece is done
        over_ = result_.interrupted = asked_to_stop;
        if (asked_to_stop) result_.failure = "interrupted";
        break;
      case simulation::Outcome::failed:
        over_ = true;
        result_.failure = run.reason;
        break;
    }
  } catch (const std::exception& error) {
    over_ = true;
    result_.failure = error.what();
  }
  result_.wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void PausedRun::step(const simulation::Frame& frame) {
  case_.probes.evaluate(frame, probes_, row_);
  rows_.time.push_back(frame.state.time);
  for (std::size_t i = 0; i < row_.size(); ++i) rows_.values[i].push_back(row_[i]);
}

long steps_of(const Case& study_case, double step) { return simulation::step_count(settings_with(study_case, step)); }

}  // namespace ricochet::study
