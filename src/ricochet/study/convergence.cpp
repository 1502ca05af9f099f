#include "ricochet/study/convergence.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ricochet/simulation/simulation.hpp"

namespace ricochet::study {

namespace {

// The probe at the end of the case run with another step; NaN and a sentence if it does not get there.
double value_at_end(const Case& study_case, int probe, double step, const std::function<bool()>& keep_going,
                    std::string& failure) {
  simulation::Settings settings = study_case.settings;
  settings.step = step;
  simulation::Simulation run(study_case.model, settings);
  const simulation::RunResult result =
      run.run({}, [&](const simulation::Frame&) { return !keep_going || keep_going(); });
  if (result.outcome != simulation::Outcome::completed) {
    failure = fmt::format("with the step {:g} s, {}", step, result.reason);
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<double> value;
  study_case.probes.evaluate(run.frame(), std::vector<int>{probe}, value);
  return value.front();
}

// Of the logarithm of the error, corrected for that of the reference if the order were as given. Points without any
// error say nothing about the order.
double slope(const std::vector<ConvergencePoint>& points, double reference_step, double order) {
  double count = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const ConvergencePoint& point : points) {
    if (!(point.error > 0)) continue;
    const double log_step = std::log(point.step),
                 log_error = std::log(point.error / (1 - std::pow(reference_step / point.step, order)));
    count += 1;
    x += log_step;
    y += log_error;
    xx += log_step * log_step;
    xy += log_step * log_error;
  }
  if (count < 2) return std::numeric_limits<double>::quiet_NaN();
  return (count * xy - x * y) / (count * xx - x * x);
}

double fitted_order(const std::vector<ConvergencePoint>& points, double reference_step) {
  double order = 1;
  for (int i = 0; i < 30; ++i) order = std::max(slope(points, reference_step, order), 1e-3);
  return slope(points, reference_step, order);
}

}  // namespace

std::vector<double> steps_between(double largest, double smallest, int count, double end) {
  std::vector<double> steps;
  for (int i = 0; i < count; ++i) {
    const double step = largest * std::pow(smallest / largest, count > 1 ? i / (count - 1.0) : 0.0);
    const double whole = end / std::max(1.0, std::round(end / step));
    if (steps.empty() || whole < steps.back()) steps.push_back(whole);
  }
  return steps;
}

Convergence converge(const Case& study_case, int probe, const std::vector<double>& steps,
                     const std::function<bool()>& keep_going) {
  Convergence result;
  const double end = study_case.settings.end;
  const double reference_step = end / std::round(4 * end / steps.back());
  result.reference = value_at_end(study_case, probe, reference_step, keep_going, result.failure);
  for (const double step : steps) {
    if (!result.failure.empty()) return result;
    const double value = value_at_end(study_case, probe, step, keep_going, result.failure);
    result.points.push_back({step, value, std::abs(value - result.reference)});
  }
  result.order = fitted_order(result.points, reference_step);
  return result;
}

void judge_orders(const Case& study_case, std::vector<FactResult>& results, const std::function<bool()>& keep_going) {
  for (std::size_t i = 0; i < study_case.facts.size(); ++i) {
    const Fact& fact = study_case.facts[i];
    if (!fact.order || !fact.not_applicable.empty()) continue;
    const double end = study_case.settings.end;
    const Convergence found =
        converge(study_case, fact.probe,
                 steps_between(fact.order->largest, fact.order->smallest, fact.order->count, end), keep_going);
    FactResult& result = results[i];
    result.found = found.order;
    const bool holds = found.failure.empty() && std::abs(found.order - fact.expected) <= fact.tolerance;
    result.status = holds ? FactResult::Status::holds : FactResult::Status::fails;
    if (!found.failure.empty()) {
      result.detail = found.failure;
    } else if (std::isnan(found.order)) {
      result.detail = "the probe does not depend on the step: there is no order";
    } else {
      result.detail = fmt::format("order {:.4g} from {} steps; the error falls from {:.3g} to {:.3g}", found.order,
                                  found.points.size(), found.points.front().error, found.points.back().error);
    }
  }
}

}  // namespace ricochet::study
