#include "ricochet/contact/sphere_sphere.hpp"

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

namespace {

// Concentric spheres have no normal of their own; any fixed direction pushes them apart.
Vector3 normal_between(const Vector3& between, double distance) {
  return distance > 0 ? Vector3(between / distance) : Vector3::UnitY();
}

}  // namespace

void SphereSpherePairs::add(int rule, const model::Body& body_a, int participant_a, const model::Body& body_b,
                            int participant_b) {
  Pair pair;
  pair.key = {rule, participant_a, 0, participant_b, 0};
  pair.node_a = body_a.node;
  pair.node_b = body_b.node;
  pair.radius_a = std::get<model::SphereShape>(body_a.shape).radius;
  pair.radius_b = std::get<model::SphereShape>(body_b.shape).radius;
  pairs_.push_back(pair);
}

double SphereSpherePairs::gap(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const Vector3 between =
      mechanics::position(map_, state, pair.node_a.index) - mechanics::position(map_, state, pair.node_b.index);
  return between.norm() - (pair.radius_a + pair.radius_b);
}

Vector3 SphereSpherePairs::point(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const Vector3 centre_b = mechanics::position(map_, state, pair.node_b.index);
  const Vector3 between = mechanics::position(map_, state, pair.node_a.index) - centre_b;
  const double distance = between.norm();
  // Half way between the two surfaces.
  return centre_b + 0.5 * (distance + pair.radius_b - pair.radius_a) * normal_between(between, distance);
}

void SphereSpherePairs::detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const {
  for (int index = 0; index < size(); ++index) {
    const Pair& pair = pairs_[index];
    const Vector3 centre_a = mechanics::position(map_, state, pair.node_a.index);
    const Vector3 centre_b = mechanics::position(map_, state, pair.node_b.index);
    const double radii = pair.radius_a + pair.radius_b;
    const Vector3 between = centre_a - centre_b;
    const double rounding = gap_rounding(centre_a, centre_b, radii);
    const double limit = reach + radii + rounding;
    const double squared = between.squaredNorm();
    if (squared > limit * limit) continue;
    const double distance = std::sqrt(squared);
    const Vector3 normal = normal_between(between, distance);
    Contact& contact = contacts.emplace_back();
    contact.key = pair.key;
    contact.pair = index;
    contact.gap = distance - radii;
    contact.gap_rounding = rounding;
    contact.axes = axes_for_normal(normal, planar_);
    contact.node_a = pair.node_a;
    contact.node_b = pair.node_b;
    contact.arm_a = -pair.radius_a * normal;
    contact.arm_b = pair.radius_b * normal;
    contact.point = point(index, state);
  }
}

}  // namespace ricochet::contact
