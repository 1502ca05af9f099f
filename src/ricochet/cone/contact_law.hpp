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
// and, coupled after Coulomb and Contensou, where sliding and spinning share what friction there is,
//
//   size 4   r_N, r_T1, r_T2, s               s = m_S/a with the arm a = mu_S/mu, against the speed a omega_S
//   size 6   ..., m_R1, m_R2                  and rolling resistance
//
//   K  = { r :  |r_T| <= mu r_N,  |m_R| <= mu_R r_N,  |m_S| <= mu_S r_N }
//   K* = { u :  u_N >= mu |u_T| + mu_R |omega_R| + mu_S |omega_S| }
//   coupled: |(r_T, s)| <= mu r_N in K, mu |(u_T, a omega_S)| in K*: an ellipsoid in (r_T, m_S), the usual smooth
//   approximation of the limit surface of a disc that slides and spins (R. Howe & M. Cutkosky, Int. J. Robotics
//   Research 15, 1996; the set-valued law of a disc is that of R. Leine & Ch. Glocker, Eur. J. Mech. A/Solids 22, 2003)
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
  double sliding = 0;    // mu, dimensionless
  double rolling = 0;    // mu_R, m: the largest rolling moment per normal force
  double spinning = 0;   // mu_S, m; of a coupled block it is in the arm
  bool coupled = false;  // sliding and spinning share one bound

  constexpr Friction() = default;
  constexpr Friction(double mu) : sliding(mu) {}  // NOLINT: most contacts have nothing else, and say so
  constexpr Friction(double mu, double mu_rolling, double mu_spinning)
      : sliding(mu), rolling(mu_rolling), spinning(mu_spinning) {}
  bool operator==(const Friction&) const = default;
};

struct BlockLaw {
  using Group = math::ConeGroup;

  int size = 0;
  bool bilateral = false;
  Friction friction;  // what the block has no components for does not matter

  bool is_coupled() const { return friction.coupled && size > 3 && !bilateral; }
  // Components with the unit of a force: normal, sliding, and what is coupled with it.
  int linear_size() const { return size < 3 ? size : (is_coupled() ? 4 : 3); }
  int group_count() const {
    if (bilateral || size == 1) return 0;
    if (is_coupled()) return size == 4 ? 1 : 2;
    return size < 4 ? 1 : size - 3;
  }
  std::array<Group, 3> groups() const {
    if (is_coupled()) return {{{1, 3, friction.sliding}, {4, 2, friction.rolling}, {6, 0, 0}}};
    return {{{1, linear_size() - 1, friction.sliding}, {3, 2, friction.rolling}, {5, 1, friction.spinning}}};
  }
};

// s(u).
inline double de_saxce_term(const BlockLaw& law, const double* velocity) {
  if (law.bilateral || law.size == 1) return 0;
  const double* u = velocity;
  if (law.size == 2) return law.friction.sliding * std::abs(u[1]);
  if (law.size == 3) return law.friction.sliding * std::sqrt(u[1] * u[1] + u[2] * u[2]);
  const std::array<BlockLaw::Group, 3> groups = law.groups();
  double sum = 0;
  for (int g = 0; g < law.group_count(); ++g) sum += groups[g].coefficient * groups[g].length(u);
  return sum;
}

// P_K in place.
inline void project_onto_law(const BlockLaw& law, double* impulse) {
  const std::span<double> block(impulse, law.size);
  if (law.bilateral) return;
  if (law.size > 3) {
    const std::array<BlockLaw::Group, 3> groups = law.groups();
    math::project_onto_group_cone({groups.data(), static_cast<std::size_t>(law.group_count())}, block);
  } else {
    math::project_onto_cone(law.friction.sliding, block);
  }
}

// Into K in a way that knows no units: forces and moments are not weighed against each other, as P_K would do.
inline void put_into_law(const BlockLaw& law, double* impulse) {
  if (law.bilateral || law.size <= 3) return project_onto_law(law, impulse);
  impulse[0] = math::project_onto_half_line(impulse[0]);
  const std::array<BlockLaw::Group, 3> groups = law.groups();
  for (int g = 0; g < law.group_count(); ++g) {
    const BlockLaw::Group& group = groups[g];
    const auto size = static_cast<std::size_t>(group.size);
    math::project_onto_disc(group.coefficient * impulse[0], std::span<double>(impulse + group.start, size));
  }
}

}  // namespace ricochet::cone
