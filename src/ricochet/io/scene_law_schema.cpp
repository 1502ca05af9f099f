#include "ricochet/io/scene_law_schema.hpp"

#include "ricochet/model/coefficient.hpp"

namespace ricochet::io {

// `absence`: where the coefficients come from that are not written.
std::vector<Field> law_fields(const std::string& absence) {
  return {
      optional_without_default("friction", number().at_least(0).with_scope(Scope::speed), absence,
                               "Coulomb friction coefficient μ; `speed` is the speed of slip at the start of a step "
                               "(m/s)."),
      optional_without_default("restitution", number().between(0, 1).with_scope(Scope::speed), absence,
                               "Coefficient of restitution e_N of the normal velocity (`poisson`: of the normal "
                               "impulse); `speed` is the speed of approach at the start of a step (m/s)."),
      optional_without_default("tangential_restitution", number().between(-1, 1), absence,
                               "Coefficient of restitution e_T of the tangential velocity, for the impact law "
                               "`newton`."),
      optional_without_default("rolling", number("m").at_least(0), absence,
                               "Resistance to rolling: the moment about the tangents is at most so many times the "
                               "normal force, against the relative angular velocity."),
      optional_without_default("spinning", number("m").at_least(0), absence,
                               "Resistance to spinning: the same about the normal."),
      optional_without_default(
          "spinning_law", choice({model::spinning_law_names.begin(), model::spinning_law_names.end()}), "`independent`",
          "`contensou`: sliding friction and resistance to spinning share one bound, "
          "|r_T|²/friction² + m_S²/spinning² ≤ r_N²; what slides fast spins freely."),
  };
}

}  // namespace ricochet::io
