// What the residual of cone/residual weighs and divides by, contact for contact: computed once per problem, because it
// depends on W and b but not on the impulses.
//
//   rho_i = size_i / trace(W_ii)        kg, the mass that contact i feels: the inverse of the mean eigenvalue of W_ii
//   V_i   = max |b_j| over the contacts j of the island of i         m/s, the fastest that its impulses deal with
//
// Islands (cone/islands) do not feel each other, so neither do their scales: a ball that rests beside one that is shot
// is held to its own velocities, and two independent problems in one file have the residuals that they have alone.
// A contact whose block W_ii is zero (nothing there can move) has no mass of its own and takes the rho of its island,
// sum of sizes / sum of traces (1 kg if nothing of the island can move: its residual does not depend on rho then).
#pragma once

#include <vector>

#include "ricochet/cone/islands.hpp"

namespace ricochet::cone {

class ResidualScales {
 public:
  // Does not allocate once it has seen a problem of the same size. The problem must be valid.
  void prepare(const ContactProblem& problem);

  const Islands& islands() const { return islands_; }
  double mass(int contact) const { return mass_[contact]; }    // rho_i
  double speed(int contact) const { return speed_[contact]; }  // V_i
  double impulse(int contact) const { return mass_[contact] * speed_[contact]; }

 private:
  struct IslandSums {
    double size = 0;
    double trace = 0;
    double largest_square = 0;  // of the free velocities
  };

  Islands islands_;
  std::vector<IslandSums> sums_;
  std::vector<double> mass_, speed_;
};

}  // namespace ricochet::cone
