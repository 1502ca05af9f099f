#include "ricochet/contact/contact.hpp"

#include <cmath>

namespace ricochet::contact {

ContactAxes axes_for_normal(const Vector3& normal, bool planar) {
  ContactAxes axes;
  axes.normal = normal;
  if (planar) {
    axes.tangent1 = Vector3(-normal.y(), normal.x(), 0);  // z x n
    axes.tangent2 = Vector3::UnitZ();
    return axes;
  }
  // Cross the normal with the world axis that is farthest from it.
  Vector3 helper = Vector3::UnitX();
  if (std::abs(normal.y()) < std::abs(normal.x())) helper = Vector3::UnitY();
  if (std::abs(normal.z()) < std::abs(normal.dot(helper))) helper = Vector3::UnitZ();
  axes.tangent1 = math::cross(helper, normal).normalized();
  axes.tangent2 = math::cross(normal, axes.tangent1);
  return axes;
}

}  // namespace ricochet::contact
