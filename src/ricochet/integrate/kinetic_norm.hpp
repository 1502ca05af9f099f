// The norm of momenta in which translations and rotations have one unit: R . M^-1 R, with the diagonal of M alone and
// without components that cannot move. Of an impulse it is twice the kinetic energy that it would give to free nodes.
#pragma once

#include <cmath>

#include "ricochet/mechanics/equations.hpp"

namespace ricochet::integrate {

class KineticNorm {
 public:
  explicit KineticNorm(const mechanics::Equations& equations) : equations_(equations) {}

  double squared(const VectorX& momentum) const {
    const mechanics::DofMap& map = equations_.map();
    const VectorX& mass = equations_.mass_diagonal();
    double sum = 0;
    for (int i = 0; i < map.v_total(); ++i) {
      if (map.is_free(i) && mass[i] > 0) sum += momentum[i] * momentum[i] / mass[i];
    }
    return sum;
  }
  double operator()(const VectorX& momentum) const { return std::sqrt(squared(momentum)); }

 private:
  const mechanics::Equations& equations_;
};

}  // namespace ricochet::integrate
