// The law of one block of a contact problem: which impulses it may have, and how they answer velocities.
//
// A contact has the components (normal, sliding, rolling, spinning), as many of them as its block is large:
//
//   size 1   r_N                              frictionless
//   size 2   r_N, r_T                         planar friction
//   size 3   r_N, r_T1, r_T2                  spatial friction
//   size 5   ..., m_R1, m_R2                  and rolling resistance: moments about the tangents against the relative
//                                             angular velocity omega_R
//   size 6   ..., m_S                         and spinning resistance: the moment about the normal against omega_S
//
//   K  = { r :  |r_T| <= mu r_N,  |m_R| <= mu_R r_N,  |m_S| <= mu_S r_N }
//   K* = { u :  u_N >= mu |u_T| + mu_R |omega_R| + mu_S |omega_S| }
//
//   K* contains  u + ( s(u), 0 )  perpendicular to  r in K,     s(u) = mu |u_T| + mu_R |omega_R| + mu_S |omega_S|.
//
// De Saxce's term s must hold every group that the cone holds (with mu |u_T| alone a rolling body would be lifted):
// then u_N >= 0, r_N >= 0, u_N r_N = 0, and every group resists its motion as strongly as it may, or does not move.
//
// A bilateral block (a joint, size 1 to 6) holds its velocity, u = 0, with any impulse: K is the whole space, K* = {0}.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "ricochet/math/projection.hpp"

namespace ricochet::cone {

inline constexpr int kLargestBlock = 6;

// The coefficients of a contact. A number stands for sliding friction alone.
struct Friction {
  double sliding = 0;   // mu, dimensionless
  double rolling = 0;   // mu_R, m: the largest rolling moment per normal force
  double spinning = 0;  // mu_S, m

  constexpr Friction() = default;
  constexpr Friction(double mu) : sliding(mu) {}  // NOLINT: most contacts have nothing else, and say so
  constexpr Friction(double mu, double mu_rolling, double mu_spinning)
      : sliding(mu), rolling(mu_rolling), spinning(mu_spinning) {}
  bool operator==(const Friction&) const = default;
};

struct BlockLaw {
  // The components start ... start + size - 1 and the coefficient that bounds them.
  struct Group {
    int start = 0;
    int size = 0;
    double coefficient = 0;
  };

  int size = 0;
  bool bilateral = false;
  Friction friction;  // what the block has no components for does not matter

  int linear_size() const { return size < 3 ? size : 3; }  // components of force: normal and sliding
  int group_count() const { return bilateral || size == 1 ? 0 : (size < 4 ? 1 : size - 3); }
  std::array<Group, 3> groups() const {
    return {{{1, linear_size() - 1, friction.sliding}, {3, 2, friction.rolling}, {5, 1, friction.spinning}}};
  }
};

// s(u).
inline double de_saxce_term(const BlockLaw& law, const double* velocity) {
  if (law.bilateral || law.size == 1) return 0;
  const double* u = velocity;
  if (law.size == 2) return law.friction.sliding * std::abs(u[1]);
  const double sliding = law.friction.sliding * std::sqrt(u[1] * u[1] + u[2] * u[2]);
  if (law.size == 3) return sliding;
  const double rolling = law.friction.rolling * std::sqrt(u[3] * u[3] + u[4] * u[4]);
  return sliding + rolling + (law.size == 6 ? law.friction.spinning * std::abs(u[5]) : 0.0);
}

// P_K in place.
inline void project_onto_law(const BlockLaw& law, double* impulse) {
  const std::span<double> block(impulse, law.size);
  if (law.bilateral) return;
  if (law.size > 3) {
    math::project_onto_rolling_cone(law.friction.sliding, law.friction.rolling, law.friction.spinning, block);
  } else {
    math::project_onto_cone(law.friction.sliding, block);
  }
}

}  // namespace ricochet::cone
