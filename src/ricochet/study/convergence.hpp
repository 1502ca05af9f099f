// How the end of a run depends on its step: the same case at several steps, and the order at which a probe converges.
//
// With a reference run at a quarter of the smallest step in place of the exact solution, the error at the step h is
// e(h) = |y(h) - y(h_ref)|. The reference has an error of its own: if y(h) = y + C h^p, then e(h) = |C| h^p (1 -
// (h_ref/h)^p). The order p is the slope of log(e/(1 - (h_ref/h)^p)) over log h by least squares, found by iteration.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ricochet/study/case.hpp"
#include "ricochet/study/fact_result.hpp"

namespace ricochet::study {

struct ConvergencePoint {
  double step = 0;   // s
  double value = 0;  // of the probe at the end
  double error = 0;  // against the reference
};

struct Convergence {
  std::vector<ConvergencePoint> points;  // from the largest step to the smallest
  double reference = 0;                  // value at the reference step
  double order = 0;                      // NaN if there is no error to follow, or fewer than two points
  std::string failure;                   // a sentence if a run did not complete; then nothing else is meant
};

// Steps between the largest and the smallest in equal ratios, each such that the end is a whole number of steps.
std::vector<double> steps_between(double largest, double smallest, int count, double end);

// Runs the case at every step. `keep_going` is asked after every step of every run; a no is a failure.
Convergence converge(const Case& study_case, int probe, const std::vector<double>& steps,
                     const std::function<bool()>& keep_going = {});

// Judges the facts of a case that state an order. They need many runs, so the run of the case itself leaves them
// `not_applicable`. `results` are those of the case, one per fact.
void judge_orders(const Case& study_case, std::vector<FactResult>& results,
                  const std::function<bool()>& keep_going = {});

}  // namespace ricochet::study
