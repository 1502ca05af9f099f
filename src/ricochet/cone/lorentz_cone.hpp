// The algebra of the cone  x_0 >= |(x_1, x_2)|  that interior-point methods need (Alizadeh & Goldfarb, "Second-order
// cone programming", Math. Program. 95, 2003; the scaling of Nesterov & Todd, SIAM J. Optim. 8, 1998).
//
// All points are inside the cone unless something else is said.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/math/types.hpp"

namespace ricochet::cone {

// x_0^2 - |x_1,2|^2, without cancellation of squares.
inline double lorentz_square(const Vector3& x) {
  const double length = x.tail<2>().norm();
  return (x[0] - length) * (x[0] + length);
}

inline bool is_inside_lorentz(const Vector3& x) { return x[0] > 0 && x[0] * x[0] > x[1] * x[1] + x[2] * x[2]; }

// x o y = (x.y, x_0 y_1,2 + y_0 x_1,2): zero for points of the cone and its dual exactly if they are complementary.
inline Vector3 lorentz_product(const Vector3& x, const Vector3& y) {
  Vector3 result;
  result[0] = x.dot(y);
  result.tail<2>() = x[0] * y.tail<2>() + y[0] * x.tail<2>();
  return result;
}

// The q with x o q = y.
inline Vector3 lorentz_quotient(const Vector3& x, const Vector3& y) {
  Vector3 result;
  result[0] = (x[0] * y[0] - x.tail<2>().dot(y.tail<2>())) / lorentz_square(x);
  result.tail<2>() = (y.tail<2>() - result[0] * x.tail<2>()) / x[0];
  return result;
}

// The largest t for which x + t d is in the cone, infinity if it never leaves it.
inline double lorentz_step(const Vector3& x, const Vector3& d) {
  // (x + t d) has the square a t^2 + 2 b t + c, which is positive at t = 0.
  const double a = d[0] * d[0] - d.tail<2>().squaredNorm();
  const double b = x[0] * d[0] - x.tail<2>().dot(d.tail<2>());
  const double c = lorentz_square(x);
  double step = d[0] < 0 ? -x[0] / d[0] : std::numeric_limits<double>::infinity();
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return step;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  for (const double root : {a != 0 ? q / a : -1.0, q != 0 ? c / q : -1.0}) {
    if (root > 0) step = std::min(step, root);
  }
  return step;
}

// The point of the cone that is nearest to any x.
inline Vector3 project_onto_lorentz(const Vector3& x) {
  const double length = x.tail<2>().norm();
  if (length <= x[0]) return x;
  if (length <= -x[0]) return Vector3::Zero();
  Vector3 result;
  result[0] = 0.5 * (x[0] + length);
  result.tail<2>() = result[0] / length * x.tail<2>();
  return result;
}

// The symmetric matrix F with F x = F^-1 z. F^2 has the eigenvalues stretch^2 l, stretch^2 and stretch^2 / l.
struct LorentzScaling {
  double stretch = 1;        // the fourth root of the ratio of the squares of z and x
  Vector3 axis = {1, 0, 0};  // its square is 1

  LorentzScaling() = default;
  LorentzScaling(const Vector3& x, const Vector3& z) {
    const double x_square = lorentz_square(x), z_square = lorentz_square(z);
    const Vector3 x_unit = x / std::sqrt(x_square), z_unit = z / std::sqrt(z_square);
    axis = z_unit;
    axis[0] += x_unit[0];
    axis.tail<2>() -= x_unit.tail<2>();
    axis /= std::sqrt(2 * (1 + x_unit.dot(z_unit)));
    stretch = std::sqrt(std::sqrt(z_square / x_square));
  }

  Vector3 apply(const Vector3& x) const { return stretch * turn(axis, x); }  // F x
  Vector3 undo(const Vector3& x) const {                                     // F^-1 x
    return turn({axis[0], -axis[1], -axis[2]}, x) / stretch;
  }

  // (F^2 + shift)^-1, from its eigenvalues: those of F^2 may differ by more than double precision holds.
  Matrix3 inverse_square(double shift) const {
    const double length = axis.tail<2>().norm(), square = stretch * stretch;
    const double l = (axis[0] + length) * (axis[0] + length);
    const Eigen::Vector2d along = length > 0 ? Eigen::Vector2d(axis.tail<2>() / length) : Eigen::Vector2d(1, 0);
    const Vector3 with(1, along[0], along[1]), against(1, -along[0], -along[1]), across(0, -along[1], along[0]);
    return 0.5 / (square * l + shift) * with * with.transpose() +
           0.5 / (square / l + shift) * against * against.transpose() +
           1 / (square + shift) * across * across.transpose();
  }

 private:
  static Vector3 turn(const Vector3& axis, const Vector3& x) {
    const double across = axis.tail<2>().dot(x.tail<2>());
    Vector3 result;
    result[0] = axis[0] * x[0] + across;
    result.tail<2>() = x.tail<2>() + (x[0] + across / (1 + axis[0])) * axis.tail<2>();
    return result;
  }
};

}  // namespace ricochet::cone
