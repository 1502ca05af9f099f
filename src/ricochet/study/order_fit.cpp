#include "ricochet/study/order_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace ricochet::study {

namespace {

struct FittedLine {
  double slope = std::numeric_limits<double>::quiet_NaN();
  double at_zero = std::numeric_limits<double>::quiet_NaN();  // log(error) where log(h) = 0
};

// Through the logarithms of the errors, divided by 1 - (h_ref/h)^order.
FittedLine fit_line(std::span<const ErrorPoint> points, double reference_step, double order) {
  double count = 0, mean_x = 0, mean_y = 0;
  const auto log_error = [&](const ErrorPoint& point) {
    const double share = reference_step > 0 ? std::pow(reference_step / point.step, order) : 0.0;
    return std::log(point.error / (1 - share));
  };
  for (const ErrorPoint& point : points) {
    count += 1;
    mean_x += std::log(point.step);
    mean_y += log_error(point);
  }
  if (count < 2) return {};
  mean_x /= count;
  mean_y /= count;
  double xx = 0, xy = 0;
  for (const ErrorPoint& point : points) {
    const double x = std::log(point.step) - mean_x;
    xx += x * x;
    xy += x * (log_error(point) - mean_y);
  }
  return {xy / xx, mean_y - xy / xx * mean_x};
}

}  // namespace

double rounding_of(long steps) {
  return 64 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(std::max(steps, 1L)));
}

OrderFit fit_order(std::span<const ErrorPoint> points, double reference_step, double rounding) {
  const auto tells = [rounding](const ErrorPoint& point) {
    return point.error > rounding && std::isfinite(point.error);
  };
  std::vector<ErrorPoint> telling;
  std::copy_if(points.begin(), points.end(), std::back_inserter(telling), tells);
  OrderFit fit;
  fit.points = static_cast<int>(telling.size());
  fit.plain_order = fit_line(telling, 0, 1).slope;
  double order = 1;
  // The correction is weak: the iteration converges by a factor of order h_ref/h. An order that is not positive has no
  // reference that would be better.
  for (int i = 0; i < 30; ++i) order = std::max(fit_line(telling, reference_step, order).slope, 1e-3);
  const FittedLine line = fit_line(telling, reference_step, order);
  fit.order = line.slope;
  fit.factor = std::exp(line.at_zero);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const ErrorPoint &large = points[i], &small = points[i + 1];
    const bool known = tells(large) && tells(small);
    fit.pairs.push_back(known ? std::log(large.error / small.error) / std::log(large.step / small.step)
                              : std::numeric_limits<double>::quiet_NaN());
  }
  return fit;
}

}  // namespace ricochet::study
