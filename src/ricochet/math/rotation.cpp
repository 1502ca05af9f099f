#include "ricochet/math/rotation.hpp"

#include <stdexcept>

namespace ricochet::math {

namespace {

// (1 - cos theta)/theta^2 = 1/2 (sin(theta/2)/(theta/2))^2: this form does not cancel.
double rotation_coefficient_first(double theta) {
  if (theta < 1e-8) return 0.5;
  const double ratio = std::sin(0.5 * theta) / (0.5 * theta);
  return 0.5 * ratio * ratio;
}

// (theta - sin theta)/theta^3. Below one radian the series sum (-1)^k theta^2k/(2k+3)!; nine terms reach 1e-18.
double rotation_coefficient_second(double theta) {
  const double s = theta * theta;
  if (s >= 1.0) return (theta - std::sin(theta)) / (s * theta);
  double sum = 1.0;
  for (int k = 8; k >= 1; --k) sum = 1.0 - s / ((2 * k + 2) * (2 * k + 3)) * sum;
  return sum / 6.0;
}

// (1 - (theta/2) cot(theta/2))/theta^2. Below half a radian the series sum |B_2k|/(2k)! theta^(2k-2), whose terms fall
// by 4 pi^2/theta^2 > 157 each.
double rotation_coefficient_inverse(double theta) {
  const double s = theta * theta;
  if (s >= 0.25) return (1.0 - 0.5 * theta * std::cos(0.5 * theta) / std::sin(0.5 * theta)) / s;
  return 1.0 / 12.0 +
         s * (1.0 / 720.0 +
              s * (1.0 / 30240.0 + s * (1.0 / 1209600.0 + s * (1.0 / 47900160.0 + s * (691.0 / 1307674368000.0 +
                                                                                       s * (1.0 / 74724249600.0))))));
}

// I + first a~ + second a~^2, with a~^2 = a a^T - |a|^2 I.
Matrix3 rotation_polynomial(const Vector3& a, double first, double second) {
  Matrix3 result = second * a * a.transpose();
  result.diagonal().array() += 1.0 - second * a.squaredNorm();
  return result + first * skew(a);
}

}  // namespace

// Shepperd, "Quaternion from rotation matrix", J. Guidance and Control 1 (1978): divide by the largest component, which
// is at least one half, so that nothing is lost at any angle.
Quaternion Quaternion::from_matrix(const Matrix3& rotation) {
  const Matrix3& r = rotation;
  const double trace = r.trace();
  Quaternion q;
  if (trace >= r(0, 0) && trace >= r(1, 1) && trace >= r(2, 2)) {
    q = {1.0 + trace, r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
  } else if (r(0, 0) >= r(1, 1) && r(0, 0) >= r(2, 2)) {
    q = {r(2, 1) - r(1, 2), 1.0 + r(0, 0) - r(1, 1) - r(2, 2), r(0, 1) + r(1, 0), r(0, 2) + r(2, 0)};
  } else if (r(1, 1) >= r(2, 2)) {
    q = {r(0, 2) - r(2, 0), r(0, 1) + r(1, 0), 1.0 + r(1, 1) - r(0, 0) - r(2, 2), r(1, 2) + r(2, 1)};
  } else {
    q = {r(1, 0) - r(0, 1), r(0, 2) + r(2, 0), r(1, 2) + r(2, 1), 1.0 + r(2, 2) - r(0, 0) - r(1, 1)};
  }
  if (q.w < 0.0) q = {-q.w, -q.x, -q.y, -q.z};
  return q.normalized();
}

Quaternion Quaternion::from_axis_angle(const Vector3& axis, double angle) {
  const double length = axis.stableNorm();
  if (!(length > 0.0) || !std::isfinite(length)) throw std::invalid_argument("the axis of a rotation has no direction");
  const double scale = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), axis.x() / length * scale, axis.y() / length * scale, axis.z() / length * scale};
}

double Quaternion::norm() const {
  const double square = w * w + x * x + y * y + z * z;
  if (square > 1e-200 && square < 1e200) return std::sqrt(square);
  return Eigen::Vector4d(w, x, y, z).stableNorm();
}

Quaternion Quaternion::normalized() const {
  const double length = norm();
  return {w / length, x / length, y / length, z / length};
}

Quaternion exponential(const Vector3& rotation_vector) {
  const double square = rotation_vector.squaredNorm();
  double cosine = 0.0;
  double scale = 0.0;  // sin(theta/2)/theta
  if (square < 0.25) {
    // Taylor series in s = (theta/2)^2 < 1/16: the first neglected terms are below 1e-17.
    const double s = 0.25 * square;
    cosine =
        1.0 - s * (1.0 / 2 -
                   s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320 - s * (1.0 / 3628800 - s * (1.0 / 479001600))))));
    scale = 0.5 - s * (1.0 / 12 - s * (1.0 / 240 - s * (1.0 / 10080 - s * (1.0 / 725760 - s * (1.0 / 79833600)))));
  } else {
    const double theta = std::sqrt(square);
    cosine = std::cos(0.5 * theta);
    scale = std::sin(0.5 * theta) / theta;
  }
  return {cosine, scale * rotation_vector.x(), scale * rotation_vector.y(), scale * rotation_vector.z()};
}

Matrix3 exponential_matrix(const Vector3& rotation_vector) { return exponential(rotation_vector).matrix(); }

Vector3 logarithm(const Quaternion& q) {
  double w = q.w;
  Vector3 v = q.vector_part();
  const bool negative_half_turn =
      w == 0.0 && (v.x() < 0.0 || (v.x() == 0.0 && (v.y() < 0.0 || (v.y() == 0.0 && v.z() < 0.0))));
  if (w < 0.0 || negative_half_turn) {
    w = -w;
    v = -v;
  }
  const double length = v.norm();
  // A tiny vector part: length^2 loses digits or underflows, but theta/2 = atan(length/w) is then length/w to rounding.
  if (length < 1e-8 * w) return 2.0 / w * v;
  return 2.0 * std::atan2(length, w) / length * v;
}

Vector3 logarithm(const Matrix3& rotation) { return logarithm(Quaternion::from_matrix(rotation)); }

Matrix3 right_tangent(const Vector3& rotation_vector) {
  const double theta = rotation_vector.norm();
  return rotation_polynomial(rotation_vector, -rotation_coefficient_first(theta), rotation_coefficient_second(theta));
}

Matrix3 left_tangent(const Vector3& rotation_vector) { return right_tangent(-rotation_vector); }

Matrix3 right_tangent_inverse(const Vector3& rotation_vector) {
  return rotation_polynomial(rotation_vector, 0.5, rotation_coefficient_inverse(rotation_vector.norm()));
}

Matrix3 left_tangent_inverse(const Vector3& rotation_vector) { return right_tangent_inverse(-rotation_vector); }

Quaternion advance(const Quaternion& q, const Vector3& increment) {
  const Quaternion p = q * exponential(increment);
  const double scale = 1.0 / std::sqrt(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
  return {scale * p.w, scale * p.x, scale * p.y, scale * p.z};
}

}  // namespace ricochet::math
