#include "ricochet/contact/sphere_sphere.hpp"

#include "ricochet/contact/features.hpp"
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
  const auto sphere = [](const model::Body& body, const Feature& feature) {
    return Sphere{mechanics::MaterialPoint({body.node, feature.offset}), feature.radius,
                  feature.offset.cwiseAbs().maxCoeff()};
  };
  const std::vector<Feature> features_a = features_of(body_a, planar_);
  const std::vector<Feature> features_b = features_of(body_b, planar_);
  for (std::size_t i = 0; i < features_a.size(); ++i) {
    for (std::size_t j = 0; j < features_b.size(); ++j) {
      pairs_.push_back({{rule, participant_a, static_cast<int>(i), participant_b, static_cast<int>(j)},
                        sphere(body_a, features_a[i]),
                        sphere(body_b, features_b[j])});
    }
  }
}

double SphereSpherePairs::gap(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const Vector3 between = pair.a.center.position(map_, state) - pair.b.center.position(map_, state);
  return between.norm() - (pair.a.radius + pair.b.radius);
}

Vector3 SphereSpherePairs::point(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const Vector3 centre_b = pair.b.center.position(map_, state);
  const Vector3 between = pair.a.center.position(map_, state) - centre_b;
  const double distance = between.norm();
  // Half way between the two surfaces.
  return centre_b + 0.5 * (distance + pair.b.radius - pair.a.radius) * normal_between(between, distance);
}

void SphereSpherePairs::detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const {
  for (int index = 0; index < size(); ++index) {
    const auto& [key, a, b] = pairs_[index];
    const Vector3 centre_a = a.center.position(map_, state);
    const Vector3 centre_b = b.center.position(map_, state);
    const double radii = a.radius + b.radius;
    const Vector3 between = centre_a - centre_b;
    const double rounding = gap_rounding(centre_a, centre_b, radii + a.offset + b.offset);
    const double limit = reach + radii + rounding;
    const double squared = between.squaredNorm();
    if (squared > limit * limit) continue;
    const double distance = std::sqrt(squared);
    const Vector3 normal = normal_between(between, distance);
    Contact& contact = contacts.emplace_back();
    contact.key = key;
    contact.pair = index;
    contact.gap = distance - radii;
    contact.gap_rounding = rounding;
    contact.axes = axes_for_normal(normal, planar_);
    contact.node_a = {a.center.node()};
    contact.node_b = {b.center.node()};
    contact.arm_a = a.center.arm(map_, state) - a.radius * normal;
    contact.arm_b = b.center.arm(map_, state) + b.radius * normal;
    contact.point = point(index, state);
  }
}

}  // namespace ricochet::contact
