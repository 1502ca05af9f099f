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
    double sum = 0;
    for (int node = 0; node < map.nodes(); ++node) {
      const int start = map.v_start(node);
      for (int k = 0; k < map.v_size(node); ++k) {
        if (!map.is_free(start + k)) continue;
        const double mass = k < 3 ? equations_.node_mass(node) : equations_.node_inertia(node)(k - 3, k - 3);
        if (mass > 0) sum += momentum[start + k] * momentum[start + k] / mass;
      }
    }
    return sum;
  }
  double operator()(const VectorX& momentum) const { return std::sqrt(squared(momentum)); }

 private:
  const mechanics::Equations& equations_;
};

}  // namespace ricochet::integrate
