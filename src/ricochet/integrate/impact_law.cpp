#include "ricochet/integrate/impact_law.hpp"

#include <algorithm>

namespace ricochet::integrate {

Vector3 impact_offset(ImpactLaw impact, double theta, const model::ContactCoefficients& law,
                      const Vector3& velocity_before) {
  const double approach = std::min(velocity_before[0], 0.0);
  switch (impact) {
    case ImpactLaw::newton: {
      const double e = law.tangential_restitution;
      return {law.restitution * approach, e * velocity_before[1], e * velocity_before[2]};
    }
    case ImpactLaw::fremond: {
      const double a = 1 / theta - 1;
      Vector3 offset = a * velocity_before;
      offset[0] += (1 + law.restitution - 1 / theta) * approach;
      return offset;
    }
    case ImpactLaw::poisson:
      break;
  }
  return Vector3::Zero();
}

double resistance_offset(ImpactLaw impact, double theta) { return impact == ImpactLaw::fremond ? 1 / theta - 1 : 0; }

double largest_dissipative_theta(double restitution) { return 1 / (1 + restitution); }

}  // namespace ricochet::integrate
