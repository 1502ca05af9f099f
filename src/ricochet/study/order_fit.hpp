// The order at which errors fall with the step.
//
// If the error is |C| h^p, the order p is the slope of log(error) over log(h); with errors that scatter (an impact
// falls anywhere in its step) it is that of the line of least squares through all points.
//
// Where a run with a small step h_ref stands in for the truth, it has an error of its own: if y(h) = y + C h^p, then
// |y(h) - y(h_ref)| = |C| h^p (1 - (h_ref/h)^p). The fit divides by the last factor, with the p that it gives itself.
#pragma once

#include <span>
#include <vector>

namespace ricochet::study {

struct ErrorPoint {
  double step = 0;   // s
  double error = 0;  // relative; NaN: unknown
};

struct OrderFit {
  double order = 0;           // corrected for the error of the reference; NaN with fewer than two points
  double plain_order = 0;     // of the errors as they are
  double factor = 0;          // C of the line C h^order
  int points = 0;             // that tell something
  std::vector<double> pairs;  // from a point to the next: the slope between them; NaN where one of both tells nothing
};

// `reference_step` is zero if the truth is known. An error that is unknown, or not above `rounding`, tells nothing
// about the order.
OrderFit fit_order(std::span<const ErrorPoint> points, double reference_step, double rounding = 0);

// What rounding may do to a relative error in so many steps: it walks at random, sqrt(steps) times the 2e-16 of one
// operation, of which a step has some dozens that matter.
double rounding_of(long steps);

}  // namespace ricochet::study
