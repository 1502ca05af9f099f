#include "ricochet/study/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>

#include "ricochet/simulation/simulation.hpp"
#include "ricochet/study/run_jobs.hpp"

namespace ricochet::study {

namespace {

simulation::Settings settings_with(const Case& study_case, double step) {
  simulation::Settings settings = study_case.settings;
  settings.step = step;
  settings.threads = 1;  // there are as many runs as threads already
  return settings;
}

// The case with another step. An exception of the model or of a step is a failure of this run alone.
ConvergenceRun run_with(const Case& study_case, double step, const ConvergenceTask& task, Trajectory& trajectory) {
  ConvergenceRun result;
  result.step = step;
  if (task.keep_going && !task.keep_going()) {
    result.interrupted = true;
    result.failure = "interrupted";
    return result;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    TrajectoryRecorder recorder(study_case.probes, task.probes);
    simulation::Simulation simulation(study_case.model, settings_with(study_case, step));
    std::vector<simulation::Recorder*> recorders = {&recorder};
    const simulation::RunResult run =
        simulation.run(recorders, [&](const simulation::Frame&) { return !task.keep_going || task.keep_going(); });
    trajectory = recorder.take();
    result.completed = run.outcome == simulation::Outcome::completed;
    result.interrupted = run.outcome == simulation::Outcome::interrupted;
    if (!result.completed) result.failure = result.interrupted ? "interrupted" : run.reason;
    result.steps = run.steps;
    result.contacts_max = simulation.statistics().contacts_max;
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

bool needs_reference_run(const ConvergenceTask& task) {
  if (task.truth.size() < task.probes.size()) return true;
  return std::any_of(task.truth.begin(), task.truth.end(), [](const auto& function) { return !function; });
}

}  // namespace

StepPlan plan_steps(double largest, double smallest, int count, double end, double finer) {
  StepPlan plan;
  largest = std::min(largest, end);
  smallest = std::min(smallest, largest);
  plan.reference_step = end / std::round(std::max(1.0, finer) * end / smallest);
  for (const double step : logarithmic_steps(largest, smallest, count)) {
    const double whole = plan.reference_step * std::max(1.0, std::round(step / plan.reference_step));
    if (plan.steps.empty() || whole < plan.steps.back()) plan.steps.push_back(whole);
  }
  return plan;
}

std::vector<double> logarithmic_steps(double largest, double smallest, int count) {
  std::vector<double> steps;
  for (int i = 0; i < count; ++i) {
    steps.push_back(i == 0           ? largest
                    : i == count - 1 ? smallest
                                     : largest * std::pow(smallest / largest, i / (count - 1.0)));
  }
  return steps;
}

bool Convergence::complete() const {
  const auto completed = [](const ConvergenceRun& run) { return run.completed; };
  return std::all_of(runs.begin(), runs.end(), completed) && (!reference || reference->completed);
}

bool Convergence::interrupted() const {
  const auto stopped = [](const ConvergenceRun& run) { return run.interrupted; };
  return std::any_of(runs.begin(), runs.end(), stopped) || (reference && reference->interrupted);
}

bool Convergence::touches() const {
  return std::any_of(runs.begin(), runs.end(), [](const ConvergenceRun& run) { return run.contacts_max > 0; });
}

long planned_steps(const Case& study_case, const ConvergenceTask& task) {
  long sum = 0;
  for (const double step : task.steps) sum += simulation::step_count(settings_with(study_case, step));
  if (needs_reference_run(task)) sum += simulation::step_count(settings_with(study_case, task.reference_step));
  return sum;
}

Convergence converge(const Case& study_case, const ConvergenceTask& task) {
  const std::size_t count = task.steps.size();
  Convergence result;
  result.runs.resize(count);
  std::vector<Trajectory> trajectories(count);
  Trajectory reference;
  if (needs_reference_run(task)) result.reference.emplace();
  // The longest run first, so that no thread is left alone with it at the end.
  const int first = result.reference ? 1 : 0;
  run_jobs(static_cast<int>(count) + first, task.threads, [&](int job) {
    if (job < first) {
      *result.reference = run_with(study_case, task.reference_step, task, reference);
      return;
    }
    const std::size_t i = count - 1 - static_cast<std::size_t>(job - first);
    result.runs[i] = run_with(study_case, task.steps[i], task, trajectories[i]);
  });

  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const double end = study_case.settings.end;
  for (std::size_t column = 0; column < task.probes.size(); ++column) {
    ProbeConvergence found;
    found.probe = task.probes[column];
    found.against_run = column >= task.truth.size() || !task.truth[column];
    for (std::size_t i = 0; i < count; ++i) {
      const bool known = result.runs[i].completed && (!found.against_run || result.reference->completed);
      Distance from_truth{unknown};
      if (known) {
        from_truth = found.against_run ? distance(trajectories[i], column, reference, column, end)
                                       : distance(trajectories[i], column, task.truth[column], end);
      }
      found.points.push_back({task.steps[i], from_truth.error});
      found.absolute = found.absolute || from_truth.absolute;
      found.interpolated = found.interpolated || from_truth.interpolated;
      found.final_value.push_back(result.runs[i].completed ? trajectories[i].values[column].back() : unknown);
    }
    found.fit = fit_order(found.points, found.against_run ? task.reference_step : 0);
    result.probes.push_back(std::move(found));
  }
  return result;
}

namespace {

// The first run that did not complete, as a sentence; empty if all did.
std::string failure_of(const Convergence& found) {
  std::vector<ConvergenceRun> runs = found.runs;
  if (found.reference) runs.insert(runs.begin(), *found.reference);
  for (const ConvergenceRun& run : runs) {
    if (!run.completed) return fmt::format("with the step {:g} s, {}", run.step, run.failure);
  }
  return {};
}

}  // namespace

void judge_orders(const Case& study_case, std::vector<FactResult>& results, const std::function<bool()>& keep_going) {
  constexpr double finer = 4;  // the fit corrects for the error that this leaves
  for (std::size_t i = 0; i < study_case.facts.size(); ++i) {
    const Fact& fact = study_case.facts[i];
    if (!fact.order || !fact.not_applicable.empty()) continue;
    const StepPlan plan =
        plan_steps(fact.order->largest, fact.order->smallest, fact.order->count, study_case.settings.end, finer);
    ConvergenceTask task;
    task.probes = {fact.probe};
    task.steps = plan.steps;
    task.reference_step = plan.reference_step;
    task.keep_going = keep_going;
    const Convergence found = converge(study_case, task);
    const ProbeConvergence& probe = found.probes.front();
    const std::string failure = failure_of(found);
    FactResult& result = results[i];
    result.found = probe.fit.order;
    const bool holds = failure.empty() && std::abs(result.found - fact.expected) <= fact.tolerance;
    result.status = holds ? FactResult::Status::holds : FactResult::Status::fails;
    if (!failure.empty()) {
      result.detail = failure;
    } else if (std::isnan(result.found)) {
      result.detail = "the probe does not depend on the step: there is no order";
    } else {
      result.detail = fmt::format("order {:.4g} from {} steps; the error falls from {:.3g} to {:.3g}", result.found,
                                  probe.fit.points, probe.points.front().error, probe.points.back().error);
    }
  }
}

}  // namespace ricochet::study
