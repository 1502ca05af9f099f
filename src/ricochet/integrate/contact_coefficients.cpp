#include "ricochet/integrate/contact_coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ricochet::integrate {

namespace {

std::string coefficient_complaint(const std::string& contact, const char* what, const model::Coefficient& coefficient,
                                  double speed, double value, const char* must) {
  return fmt::format(
      "the {} '{}' of contact {} is {} at the speed {:.9g} m/s, but it must {}. Change the function, for instance "
      "with min and max",
      what, coefficient.text(), contact, std::isnan(value) ? "not a number" : fmt::format("{:.9g}", value), speed,
      must);
}

}  // namespace

bool evaluate_coefficients(const contact::ContactSet& set, const std::vector<contact::Contact>& contacts,
                           const linalg::ReusableVector& velocity_before,
                           std::vector<model::ContactCoefficients>& coefficients, std::string& complaint) {
  coefficients.clear();
  Eigen::Index start = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const model::ContactLaw& law = set.law(contacts[i]);
    const contact::ContactBlock& block = set.block(contacts[i]);
    const Vector3 before = block.linear_part(velocity_before.data() + start);
    start += block.size;
    model::ContactCoefficients& at = coefficients.emplace_back();
    at.tangential_restitution = law.tangential_restitution;
    at.rolling = law.rolling;
    at.spinning = law.spinning;
    at.coupled = law.is_coupled();
    if (law.friction.is_constant() && law.restitution.is_constant()) {  // checked when the model was
      at.friction = law.friction.at(0);
      at.restitution = law.restitution.at(0);
      continue;
    }
    const double slip = before.tail<2>().norm();
    const double approach = std::max(-before[0], 0.0);
    at.friction = law.friction.at(slip);
    at.restitution = law.restitution.at(approach);
    if (!model::is_friction(at.friction)) {
      complaint = coefficient_complaint(set.name(contacts[i].key), "friction", law.friction, slip, at.friction,
                                        "be finite and not negative");
      return false;
    }
    if (!model::is_restitution(at.restitution)) {
      complaint = coefficient_complaint(set.name(contacts[i].key), "restitution", law.restitution, approach,
                                        at.restitution, "lie between 0 and 1");
      return false;
    }
  }
  return true;
}

cone::Friction friction_of(const model::ContactCoefficients& coefficients) {
  cone::Friction friction(coefficients.friction, coefficients.rolling, coefficients.spinning);
  friction.coupled = coefficients.coupled;
  return friction;
}

}  // namespace ricochet::integrate
