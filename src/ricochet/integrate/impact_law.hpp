// The impact law of a time step: which combination of the velocities before and after obeys Coulomb-Signorini.
//
// A cone solver finds p and u_1 such that u = u_1 + offset(u_0) and p obey Coulomb-Signorini (cone/contact_problem).
// The offset is the law, with a = 1/theta - 1 (Acary & Collins-Craft 2024):
//
//   newton    ( e_N min(u_N0, 0),                            e_T u_T0 )      eqs 58 and 61-63
//   fremond   ( a u_N0 + (1 + e_N - 1/theta) min(u_N0, 0),   a u_T0 )        eqs 72-85: the mean velocity u_theta obeys
//   poisson   ( 0,                                           0 )             an impulse instead, see poisson_impact
//
// (Frémond's law is homogeneous in u, so it is divided by theta: the Delassus matrix is that of Newton's law.)
//
// Which law is right?
//  - newton is the classical one. A sliding direction that reverses during an impact can create energy, at any theta:
//    Kane's paradox. With e_T = 0 a sticking impact ends without slip.
//  - fremond never creates energy if theta <= 1/(1 + e_N), friction included, contact by contact; without sliding and
//    with e_N = 1, theta = 1/2 it conserves. Stick means u_Ttheta = 0: at theta = 1/2 the tangential velocity is
//    *reversed*, and a block that has come to rest keeps a velocity of the order of g h which flips its sign in every
//    step while its position rests (look at displacements, or at a mean of two rows). e_T is not used.
//  - poisson: the impulse of decompression is e_N times that of compression. Rebounds then start at contacts that were
//    loaded, whether they approached or not; with one coefficient for all and without friction it is Newton's law. It
//    may create energy with friction.
//
// At u_N0 > 0 (a contact closed at the start of a step that is opening already) there is nothing to give back, hence
// the minimum: with e_N u_N0 itself an impulse at such a contact would do positive work.
#pragma once

#include <array>

#include "ricochet/math/types.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::integrate {

enum class ImpactLaw { newton, fremond, poisson };
inline constexpr std::array<const char*, 3> impact_law_names = {"newton", "fremond", "poisson"};

// m/s; components n, t1, t2.
Vector3 impact_offset(ImpactLaw impact, double theta, const model::ContactCoefficients& law,
                      const Vector3& velocity_before);

// The same for what resists rolling and spinning, as a multiple of the relative angular velocity before: nothing gives
// it back, so the offset is a omega_0 with Frémond's law and nothing with the others.
double resistance_offset(ImpactLaw impact, double theta);

// The largest theta at which Frémond's law is known not to create energy with this coefficient: 1/(1 + e_N).
double largest_dissipative_theta(double restitution);

}  // namespace ricochet::integrate
