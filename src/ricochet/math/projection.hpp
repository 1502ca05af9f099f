// Euclidean projections onto the convex sets of contact mechanics.
//
// Vectors are ordered (normal, tangents...), x = (x_N, x_T). The sets are
//
//   Coulomb's cone   K_mu = { r : |r_T| <= mu r_N },          admissible impulses
//   its dual cone    K*   = { u : mu |u_T| <= u_N } = K_{1/mu},  -K* is the polar cone
//   disc             D_R  = { x : |x| <= R }
//   half line        { x >= 0 }
//
// Both cones have the form { a |x_T| <= b x_N } with (a, b) = (1, mu) and (mu, 1). With t = |x_T| the projection is
//
//   x                                        if a t <= b x_N         (inside)
//   0                                        if a x_N <= -b t        (inside the polar cone)
//   s (a, b x_T/t),  s = (a x_N + b t)/(a^2 + b^2)    otherwise      (on the boundary ray)
//
// (a, b) is divided by the larger of the two first, so that mu = 0 (a half line), huge mu and mu = infinity (a half
// space) need no special case. All projections scale exactly with the vector (powers of two) and give NaN for NaN.
// A vector of size one has no tangents: both cones are then the half line.
//
// Rolling and spinning resistance bound further groups of components by the same normal impulse:
//
//   rolling cone     { r : |r_T| <= mu r_N,  |r_R| <= mu_R r_N,  |r_S| <= mu_S r_N },   r = (r_N, r_T, r_R, r_S).
//
// With t_g the norm and c_g the coefficient of group g, the normal component n of its projection minimises
// (n - x_N)^2 + sum_g max(t_g - c_g n, 0)^2 over n >= 0. The derivative is piecewise linear and grows with n:
//
//   n = max(0, (x_N + sum c_g t_g) / (1 + sum c_g^2)),   sums over the groups with t_g > c_g n,
//
// which are the first few if the groups are sorted by falling t_g / c_g. Each of them is then shrunk to c_g n.
#pragma once

#include <cmath>
#include <span>

#include "ricochet/math/types.hpp"

namespace ricochet::math {

inline double project_onto_half_line(double x) { return x < 0.0 ? 0.0 : x; }

// In place, for any number of tangents (sizes 1, 2 and 3 in practice). An empty span stays empty. mu >= 0.
void project_onto_cone(double friction, std::span<double> vector);
void project_onto_dual_cone(double friction, std::span<double> vector);

Vector3 project_onto_cone(double friction, const Vector3& vector);
Vector3 project_onto_dual_cone(double friction, const Vector3& vector);

// Components start ... start + size - 1 of a vector, bounded together by coefficient times its first component.
struct ConeGroup {
  int start = 0;
  int size = 0;
  double coefficient = 0;  // >= 0 and finite

  double length(const double* vector) const {
    const double* part = vector + start;
    if (size == 1) return std::abs(part[0]);
    double square = 0;
    for (int k = 0; k < size; ++k) square += part[k] * part[k];
    return std::sqrt(square);
  }
};

// In place: the first component with up to three groups, which must lie within the vector (std::invalid_argument).
void project_onto_group_cone(std::span<const ConeGroup> groups, std::span<double> vector);

// In place, any dimension. A radius that is zero or negative gives the centre.
void project_onto_disc(double radius, std::span<double> vector);

Vector2 project_onto_disc(double radius, const Vector2& vector);

}  // namespace ricochet::math
