// The constants of the generalized-alpha method for a spectral radius rho at infinite frequency (J. Chung & G. M.
// Hulbert, J. Appl. Mech. 60, 1993; Galvez et al., eq 5), and the formulas of one step in them:
//
//   (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) vdot_1 + alpha_f vdot_0
//   v_1 = v_0 + h (1 - gamma) a_0 + h gamma a_1
//   q_1 = q_0 moved by  h v_0 + h^2 (1/2 - beta) a_0 + h^2 beta a_1
#pragma once

namespace ricochet::integrate {

struct AlphaCoefficients {
  double alpha_m = 0, alpha_f = 0, gamma = 0, beta = 0;

  explicit AlphaCoefficients(double spectral_radius)
      : alpha_m((2 * spectral_radius - 1) / (spectral_radius + 1)),
        alpha_f(spectral_radius / (spectral_radius + 1)),
        gamma(0.5 + alpha_f - alpha_m),
        beta(0.25 * (gamma + 0.5) * (gamma + 0.5)) {}

  // d(vdot_1)/d(v_1), 1/s, and d(displacement of the step)/d(v_1), s.
  double acceleration_by_velocity(double h) const { return (1 - alpha_m) / ((1 - alpha_f) * gamma * h); }
  double displacement_by_velocity(double h) const { return h * beta / gamma; }
};

}  // namespace ricochet::integrate
