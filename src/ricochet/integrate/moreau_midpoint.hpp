// Moreau's midpoint rule (Flores, Leine & Glocker 2010, eqs 36-44 and sec. 5.3), explicit but for the impulses:
//
//   q_M = q_A + h v_A/2,     t_M = t_A + h/2,     contacts: those with g(q_M, t_M) <= 0,
//   M(q_M) (v_E - v_A) = h f(t_M, q_M, v_A) + H^T(q_M) p,
//   u_E + e u_A (with u_A of either sign) and p satisfy the Coulomb-Signorini law, u = H(q_M) v + w(t_M),
//   q_E = q_M + h v_E/2.
//
// It is the theta scheme of integrate/moreau_jean at theta = 1/2 with everything taken at q_M: one solve per step
// whatever forces are like; between impacts of second order, and of first where forces depend on velocities, because
// they are taken with v_A; stable for steps that are small against the periods of springs. Energy is not conserved to
// the last digit: what the scheme itself gives or takes is in the ledger
// (`numerical`). Joints keep their rates at q_M and are closed at the end of the step, as there.
#pragma once

#include "ricochet/integrate/moreau_jean.hpp"

namespace ricochet::integrate {

struct MoreauMidpointOptions {
  Projection projection = Projection::position;
};

class MoreauMidpoint final : public MoreauJean {
 public:
  MoreauMidpoint(const MoreauMidpointOptions& options, const cone::SolveOptions& solve_options)
      : MoreauJean(theta_options(options), solve_options) {}

 private:
  static MoreauJeanOptions theta_options(const MoreauMidpointOptions& options) {
    MoreauJeanOptions result;
    result.evaluation = Evaluation::midpoint;
    result.theta = 0.5;
    result.impact = ImpactLaw::newton;
    result.projection = options.projection;
    return result;
  }
};

}  // namespace ricochet::integrate
