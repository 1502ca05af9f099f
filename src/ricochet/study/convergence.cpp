#include "ricochet/study/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "ricochet/study/run_jobs.hpp"

namespace ricochet::study {

namespace {

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
  plan.steps = whole_multiples(logarithmic_steps(largest, smallest, count), plan.reference_step);
  return plan;
}

std::vector<double> whole_multiples(const std::vector<double>& steps, double unit) {
  std::vector<double> result;
  for (const double step : steps) {
    const double whole = unit * std::max(1.0, std::round(step / unit));
    if (result.empty() || whole < result.back()) result.push_back(whole);
  }
  return result;
}

std::vector<double> logarithmic_steps(double largest, double smallest, int count) {
  std::vector<double> steps;
  steps.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    steps.push_back(i == 0           ? largest
                    : i == count - 1 ? smallest
                                     : largest * std::pow(smallest / largest, i / (count - 1.0)));
  }
  return steps;
}

bool Convergence::complete() const {
  const auto completed = [](const StudyRun& run) { return run.completed; };
  return std::all_of(runs.begin(), runs.end(), completed) && (!reference || reference->completed);
}

bool Convergence::interrupted() const {
  const auto stopped = [](const StudyRun& run) { return run.interrupted; };
  return std::any_of(runs.begin(), runs.end(), stopped) || (reference && reference->interrupted);
}

bool Convergence::touches() const {
  return std::any_of(runs.begin(), runs.end(), [](const StudyRun& run) { return run.contacts_max > 0; });
}

long planned_steps(const Case& study_case, const ConvergenceTask& task) {
  long sum = 0;
  for (const double step : task.steps) sum += steps_of(study_case, step);
  if (needs_reference_run(task)) sum += steps_of(study_case, task.reference_step);
  return sum;
}

namespace {

// One of the runs, and its distances so far.
struct ComparedSteps {
  PausedRun run;
  std::vector<DistanceSum> sums;   // one per probe
  std::vector<double> last;        // row
  std::vector<bool> interpolated;  // one per probe

  ComparedSteps(const Case& study_case, double step, const std::vector<int>& probes)
      : run(study_case, step, probes), sums(probes.size()), last(probes.size()), interpolated(probes.size()) {}

  // Takes the rows that `reference` has reached; null if nobody needs it, or if it failed. The others wait for the next
  // part of it.
  void compare(const ConvergenceTask& task, const Trajectory* reference, bool is_last_part, double end) {
    Trajectory& rows = run.rows();
    if (rows.time.empty()) return;
    for (std::size_t probe = 0; probe < sums.size(); ++probe) last[probe] = rows.values[probe].back();
    const Trajectory none;
    TrajectoryWalk walk(reference != nullptr ? *reference : none);
    const double reached = reference == nullptr      ? rows.time.back()
                           : reference->time.empty() ? -1
                                                     : reference->time.back();
    std::size_t row = 0;
    for (; row < rows.time.size(); ++row) {
      const double time = rows.time[row];
      if (time > end * (1 + 1e-9) || (time > reached && !is_last_part)) break;
      walk.go_to(std::min(time, reached));
      for (std::size_t probe = 0; probe < sums.size(); ++probe) {
        const bool known = probe < task.truth.size() && task.truth[probe];
        sums[probe].add(rows.values[probe][row], known ? task.truth[probe](time) : walk.value(probe));
        if (!known && walk.is_between_rows()) interpolated[probe] = true;
      }
    }
    const auto remove = [row](std::vector<double>& list) {
      list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(row));
    };
    remove(rows.time);
    for (std::vector<double>& list : rows.values) remove(list);
  }
};

// All runs go through the time of the case in parts, side by side: while the runs are compared with one part of the
// reference, the reference computes the next. So memory is bounded, and no thread is left alone with the longest run.
void go_side_by_side(const Case& study_case, const ConvergenceTask& task, PausedRun* reference,
                     std::vector<std::unique_ptr<ComparedSteps>>& runs) {
  constexpr long rows_per_part = 1 << 16, least_parts = 16;
  const double end = study_case.settings.end;
  const double finest = reference != nullptr ? task.reference_step : task.steps.back();
  const long parts = std::max(least_parts, steps_of(study_case, finest) / rows_per_part + 1);
  const auto end_of = [&](long part) {
    return part + 1 == parts ? std::numeric_limits<double>::infinity()
                             : end * static_cast<double>(part + 1) / static_cast<double>(parts);
  };
  const int first = reference != nullptr ? 1 : 0;
  Trajectory ready;  // the part of the reference that the runs are compared with
  for (long part = 0; part < parts + first; ++part) {
    const long compared = part - first;  // the part in which the runs are
    const bool lost = reference == nullptr || (reference->is_over() && !reference->result().completed);
    run_jobs(static_cast<int>(runs.size()) + first, task.threads, [&](int job) {
      if (job < first) {
        reference->advance(end_of(std::min(part, parts - 1)), task.keep_going);
        return;
      }
      if (compared < 0) return;
      ComparedSteps& each = *runs[runs.size() - 1 - static_cast<std::size_t>(job - first)];  // the finest first
      each.run.advance(end_of(compared), task.keep_going);
      each.compare(task, lost ? nullptr : &ready, compared + 1 == parts, end);
    });
    if (reference == nullptr) continue;
    // The next part begins where this one ends.
    Trajectory& computed = reference->rows();
    Trajectory joint;
    joint.values.resize(computed.values.size());
    if (!computed.time.empty()) {
      joint.time.push_back(computed.time.back());
      for (std::size_t i = 0; i < joint.values.size(); ++i) joint.values[i].push_back(computed.values[i].back());
    }
    if (part + 1 < parts + first) ready = std::exchange(computed, std::move(joint));
  }
}

}  // namespace

Convergence converge(const Case& study_case, const ConvergenceTask& task) {
  std::unique_ptr<PausedRun> reference;
  if (needs_reference_run(task)) {
    reference = std::make_unique<PausedRun>(study_case, task.reference_step, task.probes);
  }
  std::vector<std::unique_ptr<ComparedSteps>> runs;
  for (const double step : task.steps) runs.push_back(std::make_unique<ComparedSteps>(study_case, step, task.probes));
  go_side_by_side(study_case, task, reference.get(), runs);

  Convergence result;
  if (reference) result.reference = reference->result();
  for (const auto& each : runs) result.runs.push_back(each->run.result());
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t column = 0; column < task.probes.size(); ++column) {
    ProbeConvergence found;
    found.probe = task.probes[column];
    found.against_run = column >= task.truth.size() || !task.truth[column];
    std::vector<bool> known(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      known[i] = result.runs[i].completed && (!found.against_run || result.reference->completed);
      found.absolute = found.absolute || (known[i] && runs[i]->sums[column].truth_is_zero());
      found.interpolated = found.interpolated || (known[i] && runs[i]->interpolated[column]);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const DistanceSum& sum = runs[i]->sums[column];
      const double error = !known[i] ? unknown : found.absolute ? sum.mean_difference() : sum.error();
      found.points.push_back({task.steps[i], error});
      found.final_value.push_back(result.runs[i].completed ? runs[i]->last[column] : unknown);
    }
    const StudyRun& finest = found.against_run ? *result.reference : result.runs.back();
    // Of a reference that is zero the size of rounding is not known.
    const double rounding = found.absolute ? 0.0 : rounding_of(finest.steps);
    found.fit = fit_order(found.points, found.against_run ? task.reference_step : 0, rounding);
    result.probes.push_back(std::move(found));
  }
  return result;
}

namespace {

// The first run that did not complete, as a sentence; empty if all did.
std::string failure_of(const Convergence& found) {
  std::vector<StudyRun> runs = found.runs;
  if (found.reference) runs.insert(runs.begin(), *found.reference);
  for (const StudyRun& run : runs) {
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
