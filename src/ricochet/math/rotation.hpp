// Rotations: unit quaternions, the exponential map of SO(3), its logarithm and its tangent operators.
//
// Conventions. R maps body components to world components, x_world = R x_body. An increment psi (radians, body
// components) is applied on the right: R exp(psi~), where psi~ is the skew matrix with psi~ x = psi cross x. The body
// angular velocity Omega is defined by dR/dt = R Omega~. Quaternions are stored w x y z; q and -q are the same
// rotation.
//
// For R = exp(psi~) and theta = |psi|:
//
//   quaternion            q       = ( cos(theta/2),  sin(theta/2)/theta psi )
//   right tangent         T(psi)  = I - (1 - cos theta)/theta^2 psi~ + (theta - sin theta)/theta^3 psi~^2
//                         Omega   = T(psi) dpsi/dt                     (body angular velocity)
//   left tangent          T(-psi) = T(psi)^T = R T(psi),  omega = T(-psi) dpsi/dt    (world angular velocity)
//   inverse right tangent T^-1    = I + 1/2 psi~ + (1 - (theta/2) cot(theta/2))/theta^2 psi~^2
//
// The coefficients cancel near theta = 0 and are replaced there by their power series. The inverse tangents are
// singular at theta = 2 pi only, so nothing special happens at pi. Source for the formulas: J. Solà, J. Deray, D.
// Atchuthan, "A micro Lie theory for state estimation in robotics" (2018), appendix B.
#pragma once

#include <cmath>

#include "ricochet/math/types.hpp"

namespace ricochet::math {

inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(), a.x() * b.y() - a.y() * b.x()};
}

// The matrix a~ with a~ b = a cross b.
inline Matrix3 skew(const Vector3& a) {
  Matrix3 result;
  result << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return result;
}

// A rotation when its norm is one; rotate, rotate_inverse and matrix assume that it is. The default is the identity.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;

  static Quaternion identity() { return {}; }
  static Quaternion from_matrix(const Matrix3& rotation);  // of a rotation matrix; the result has w >= 0 and norm one
  static Quaternion from_axis_angle(const Vector3& axis, double angle);  // any axis but zero (std::invalid_argument)

  Vector3 vector_part() const { return {x, y, z}; }
  Quaternion conjugate() const { return {w, -x, -y, -z}; }  // the inverse rotation
  double norm() const;                                      // without overflow or underflow
  Quaternion normalized() const;                            // NaN if the norm is zero or not finite

  // R b: body components to world components. In full, because this is called more often than anything else.
  Vector3 rotate(const Vector3& body) const {
    const double b0 = body[0], b1 = body[1], b2 = body[2];
    const double t0 = 2.0 * (y * b2 - z * b1), t1 = 2.0 * (z * b0 - x * b2), t2 = 2.0 * (x * b1 - y * b0);
    return {b0 + w * t0 + (y * t2 - z * t1), b1 + w * t1 + (z * t0 - x * t2), b2 + w * t2 + (x * t1 - y * t0)};
  }
  Vector3 rotate_inverse(const Vector3& world) const { return conjugate().rotate(world); }  // R^T b
  Matrix3 matrix() const {                                                                  // R
    Matrix3 r;
    r(0, 0) = 1.0 - 2.0 * (y * y + z * z);
    r(1, 1) = 1.0 - 2.0 * (x * x + z * z);
    r(2, 2) = 1.0 - 2.0 * (x * x + y * y);
    r(0, 1) = 2.0 * (x * y - w * z);
    r(1, 0) = 2.0 * (x * y + w * z);
    r(0, 2) = 2.0 * (x * z + w * y);
    r(2, 0) = 2.0 * (x * z - w * y);
    r(1, 2) = 2.0 * (y * z - w * x);
    r(2, 1) = 2.0 * (y * z + w * x);
    return r;
  }
};

// The composition: the matrix of a * b is the product of the matrices.
inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// exp(psi~). Below half a radian (the increment of a time step) no trigonometric function and no root is needed.
Quaternion exponential(const Vector3& rotation_vector);
Matrix3 exponential_matrix(const Vector3& rotation_vector);

// The rotation vector with length in [0, pi]. The same, bit for bit, for q and -q; q need not be normalised. At exactly
// pi, where psi and -psi are the same rotation, the first component that is not zero is positive.
Vector3 logarithm(const Quaternion& q);
Vector3 logarithm(const Matrix3& rotation);

Matrix3 right_tangent(const Vector3& rotation_vector);
Matrix3 left_tangent(const Vector3& rotation_vector);
Matrix3 right_tangent_inverse(const Vector3& rotation_vector);  // |psi| < 2 pi
Matrix3 left_tangent_inverse(const Vector3& rotation_vector);   // |psi| < 2 pi

// q exp(increment), normalised again: after any number of steps the norm is one to rounding.
Quaternion advance(const Quaternion& q, const Vector3& increment);

}  // namespace ricochet::math
