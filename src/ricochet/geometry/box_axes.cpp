// The fifteen axes of two boxes: those of B, those of A, and the cross products (separating_axes.hpp).
#include <cmath>

#include "ricochet/geometry/separating_axes.hpp"

namespace ricochet::geometry {

namespace {

constexpr double kSmallBoxSine = 1e-3;
constexpr double kParallelBoxSine = 1e-14;

// s(n) of boxes for any unit n: never more than there is.
double box_separation(const Vector3& half_a, const Vector3& half_b, const Placement& place, const Vector3& normal) {
  return normal.dot(place.position) - half_a.dot(place.turn_back(normal).cwiseAbs()) - half_b.dot(normal.cwiseAbs());
}

}  // namespace

bool find_box_axis(const Vector3& half_extents_a, const Vector3& half_extents_b, const Placement& place, double reach,
                   SeparatingAxis& axis) {
  const Vector3& position = place.position;
  const Matrix3 absolute = place.rotation.cwiseAbs();
  // Of outer radii, as for other polytopes: less than the error that a patch along the axis may have (find_patch.cpp).
  const double preference = kPreference * (half_extents_a.norm() + half_extents_b.norm());
  axis = {};

  const Vector3 reach_of_a = absolute * half_extents_a;  // along the axes of B
  int best = 0;
  Vector3 separation = position.cwiseAbs() - half_extents_b - reach_of_a;
  for (int i = 1; i < 3; ++i) {
    if (separation[i] > separation[best] + preference) best = i;
  }
  if (separation.maxCoeff() > reach) return false;
  const bool above = position[best] >= 0;
  axis.source = AxisSource::face_of_b;
  axis.separation = separation[best];
  axis.normal = (above ? 1.0 : -1.0) * Vector3::Unit(best);

  const Vector3 position_in_a = place.turn_back(position);
  const Vector3 reach_of_b = absolute.transpose() * half_extents_b;
  separation = position_in_a.cwiseAbs() - half_extents_a - reach_of_b;
  for (int i = 0; i < 3; ++i) {
    if (separation[i] > reach) return false;
    if (!(separation[i] > axis.separation + preference)) continue;
    const bool ahead = position_in_a[i] >= 0;
    axis = {AxisSource::face_of_a, (ahead ? 1.0 : -1.0) * place.rotation.col(i), separation[i]};
  }

  for (int i = 0; i < 3; ++i) {  // edges of A along its axis i
    const int i1 = (i + 1) % 3;
    const int i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {  // edges of B along its axis j
      // a_i x b_j has the components of a_i turned by a quarter about j; |a_i x b_j|^2 = 1 - (a_i.b_j)^2.
      const int j1 = (j + 1) % 3;
      const int j2 = (j + 2) % 3;
      const double r1 = place.rotation(j1, i);
      const double r2 = place.rotation(j2, i);
      const double square = r1 * r1 + r2 * r2;
      const double distance = r2 * position[j1] - r1 * position[j2];
      const double extents = half_extents_a[i1] * absolute(j, i2) + half_extents_a[i2] * absolute(j, i1) +
                             half_extents_b[j1] * std::abs(r2) + half_extents_b[j2] * std::abs(r1);
      const double scaled = std::abs(distance) - extents;  // times the sine
      // Most axes are worse than a face: seen without a root.
      const double bar = axis.separation + preference;
      const bool worse = bar >= 0 ? scaled <= 0 : scaled < 0 && scaled * scaled >= bar * bar * square;
      if (worse && square > kSmallBoxSine * kSmallBoxSine) continue;
      if (!(square > kParallelBoxSine * kParallelBoxSine)) continue;
      const double sine = std::sqrt(square);
      Vector3 normal = Vector3::Zero();
      normal[j1] = (distance >= 0 ? 1.0 : -1.0) * r2 / sine;
      normal[j2] = (distance >= 0 ? -1.0 : 1.0) * r1 / sine;
      double apart = scaled / sine;
      if (sine < kSmallBoxSine) apart = box_separation(half_extents_a, half_extents_b, place, normal);
      if (apart > reach) return false;
      if (apart > bar) axis = {AxisSource::edges, normal, apart};
    }
  }
  return true;
}

}  // namespace ricochet::geometry
