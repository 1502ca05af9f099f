#include "ricochet/geometry/curved_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet::geometry {

namespace {

constexpr double kNearlyTouching =
    1e-6;  // of the size: closer, closest points are too rounded to tell reach or direction without a climb
constexpr double kWellKnown = 1e-10;       // of the size: distances that are no further from their lower bound stand
constexpr double kPartingDistance = 1e-3;  // of the size: to which overlapping solids are moved apart
constexpr int kMaxClimbs = 60;
constexpr double kShrunk = 0.95;     // part to which cores are shrunk to find the direction of a shallow overlap
constexpr double kShallow = 1e-3;    // of the size: an overlap for which no other direction need be looked at
constexpr double kSameStart = 0.98;  // cosine of the angle between directions from which a climb is the same

class CurvedAxisSearch {
 public:
  CurvedAxisSearch(const ConvexSolid& a, const ConvexSolid& b, const Placement& place, SeparatingAxis& axis)
      : a_(a),
        b_(b),
        place_(place),
        back_(place.inverse()),
        size_(a.bounding_radius() + b.bounding_radius()),
        axis_(axis) {}

  bool run(double reach, ClosestPoints& closest) {
    axis_ = {};
    try_likely_directions();
    if (axis_.separation > reach) return false;
    closest = find_closest_points(a_, b_, place_, place_.position);
    SeparatingAxis between;
    if (closest.distance > 0) {
      between = {AxisSource::points, closest.normal, separation_along(a_, b_, place_, closest.normal)};
    }
    if (between.separation > reach) return false;
    // Of solids that touch, points may also be taken for the closest that are not.
    const bool is_well_known = closest.distance - between.separation <= kWellKnown * size_;
    if (is_well_known && closest.distance > kNearlyTouching * size_) {
      if (closest.distance > reach) return false;
      // A likely direction that separates as much is better known.
      if (axis_.separation < closest.distance - kPreference * size_ && b_.core().allows(closest.normal)) {
        axis_ = {AxisSource::points, closest.normal, closest.distance};
      }
      return true;
    }
    if (!climb_from_between(between, closest)) climb_from_several(closest);
    if (axis_.separation > reach) return false;
    // Where the true axis belongs to a neighbour of a triangle, the best of the others may be deep without reason.
    if (forbidden_ > axis_.separation + kPreference * size_) axis_.source = AxisSource::none;
    return true;
  }

 private:
  void offer(AxisSource source, const Vector3& direction) {
    const double length = direction.norm();
    if (!(length > 0)) return;
    const Vector3 normal = direction / length;
    const double separation = separation_along(a_, b_, place_, normal);
    if (!b_.core().allows(normal)) {
      forbidden_ = std::max(forbidden_, separation);
      return;
    }
    if (separation > axis_.separation + kPreference * size_) axis_ = {source, normal, separation};
    keep_as_start({source, normal, separation});
  }

  // Keeps the best directions, no two of them close to each other.
  void keep_as_start(const SeparatingAxis& start) {
    for (SeparatingAxis& other : starts_) {
      if (other.source == AxisSource::none || other.normal.dot(start.normal) < kSameStart) continue;
      if (start.separation > other.separation) other = start;
      return;
    }
    SeparatingAxis& worst =
        *std::min_element(starts_.begin(), starts_.end(),
                          [](const SeparatingAxis& x, const SeparatingAxis& y) { return x.separation < y.separation; });
    if (start.separation > worst.separation) worst = start;
  }

  void offer_both(const Vector3& direction) {
    offer(AxisSource::edges, direction);
    offer(AxisSource::edges, -direction);
  }

  // `turn` brings directions of the solid to axes of B, pointing from B to A; `other` is the middle of the other solid
  // in axes of this one.
  template <class Turn>
  void offer_own(const ConvexSolid& solid, AxisSource source, const Vector3& other, const Turn& turn) {
    for (const Polytope::Face& face : solid.core().faces) offer(source, turn(face.normal));
    if (!solid.is_curved()) return;
    offer(source, turn(-Vector3::UnitZ()));
    const double across = std::sqrt(other.x() * other.x() + other.y() * other.y());
    const double x = across > 0 ? other.x() / across : 1;
    const double y = across > 0 ? other.y() / across : 0;
    if (solid.kind() == SolidKind::cylinder) {
      offer(source, turn(Vector3::UnitZ()));
      offer(source, turn(Vector3(x, y, 0)));
    } else {
      const double height = 2 * solid.half_length();
      offer(source, turn(Vector3(height * x, height * y, solid.rim_radius())));
    }
  }

  // Square to the axis of a curved solid (in axes of B) and to an edge, or the axis, of the other.
  void offer_crossed(const Vector3& axis, const ConvexSolid& other, const Matrix3& turn_of_other) {
    if (other.is_curved()) return offer_both(math::cross(axis, turn_of_other.col(2)));
    if (other.kind() == SolidKind::box) {
      for (int i = 0; i < 3; ++i) offer_both(math::cross(axis, turn_of_other.col(i)));
      return;
    }
    const Polytope& core = other.core();
    for (const Polytope::Edge& edge : core.edges) {
      offer_both(math::cross(axis, turn_of_other * (core.vertices[edge.head] - core.vertices[edge.tail])));
    }
  }

  void try_likely_directions() {
    offer_own(b_, AxisSource::face_of_b, place_.position, [](const Vector3& direction) { return direction; });
    offer_own(a_, AxisSource::face_of_a, back_.position,
              [&](const Vector3& direction) { return Vector3(-place_.turn(direction)); });
    if (a_.is_curved()) offer_crossed(place_.rotation.col(2), b_, Matrix3::Identity());
    if (b_.is_curved() && !a_.is_curved()) offer_crossed(Vector3::UnitZ(), a_, place_.rotation);
  }

  // Climbs from the axis as it is, and sets it to what is reached if that is higher by more than rounding.
  void climb(SeparatingAxis& axis, ClosestPoints& closest) const {
    ClosestPoints found;
    Vector3 moved_by = Vector3::Zero();
    SeparatingAxis best = axis;
    for (int step = 0; step < kMaxClimbs; ++step) {
      Placement apart = place_;
      const Vector3 moved = (kPartingDistance * size_ - std::min(best.separation, 0.0)) * best.normal;
      apart.position += moved;
      found = find_closest_points(a_, b_, apart, best.normal);
      moved_by = moved;
      if (!(found.distance > 0) || !b_.core().allows(found.normal)) break;
      const double separation = separation_along(a_, b_, place_, found.normal);
      if (separation <= best.separation + 1e-15 * size_) break;
      const Vector3 step_of_normal = found.normal - best.normal;
      best = {AxisSource::points, found.normal, separation};
      // Further on the same way, as long as that is higher: the steps are short where the overlap is deep.
      for (double further = 1; further < 1e3; further *= 2) {
        const Vector3 normal = (found.normal + further * step_of_normal).normalized();
        const double higher = separation_along(a_, b_, place_, normal);
        if (higher <= best.separation || !b_.core().allows(normal)) break;
        best = {AxisSource::points, normal, higher};
      }
    }
    if (best.separation > axis.separation + kPreference * size_) axis = best;
    closest = found;
    closest.on_a -= moved_by;
    closest.distance = axis.separation;
    closest.normal = axis.normal;
  }

  // Climbs from the direction between closest points. Where corners, tips or rims are closest no other start will do: s
  // is nearly the same along many directions there, and steps are short. True if that leaves nothing to look for, no
  // direction separating more than points are apart.
  bool climb_from_between(SeparatingAxis between, ClosestPoints& closest) {
    const double highest = closest.distance - kPreference * size_;
    const bool is_likely_as_good = axis_.separation >= highest;
    if (between.source == AxisSource::none || is_likely_as_good || !b_.core().allows(between.normal)) return false;
    ClosestPoints found;
    climb(between, found);
    if (between.separation <= axis_.separation + kPreference * size_) return false;
    axis_ = between;
    closest = found;
    return axis_.separation >= highest;
  }

  void climb_from_several(ClosestPoints& closest) {
    climb(axis_, closest);
    // Overlapping solids have no axis that separates.
    if (axis_.separation > -kPreference * size_) return;
    const bool shallow = offer_shrunk(kShrunk) && axis_.separation > -kShallow * size_;
    if (!shallow) {
      offer_shrunk(0.7);
      offer_shrunk(0.1);
    }
    for (const SeparatingAxis& other : starts_) {
      SeparatingAxis start = other;
      const bool known = start.normal.dot(axis_.normal) > kSameStart;
      if (start.source == AxisSource::none || known || (shallow && !start_is_shrunk(start))) continue;
      ClosestPoints found;
      climb(start, found);
      if (start.separation <= axis_.separation + kPreference * size_) continue;
      axis_ = start;
      closest = found;
    }
  }

  static bool start_is_shrunk(const SeparatingAxis& start) { return start.source == AxisSource::points; }

  // The direction between the cores shrunk to a part of their size; false if they overlap all the same.
  bool offer_shrunk(double kept) {
    const ClosestPoints shrunk = find_closest_points(a_, b_, place_, place_.position, kept);
    if (!(shrunk.distance > 0)) return false;
    if (!b_.core().allows(shrunk.normal)) return true;
    keep_as_start({AxisSource::points, shrunk.normal, separation_along(a_, b_, place_, shrunk.normal)});
    return true;
  }

  const ConvexSolid& a_;
  const ConvexSolid& b_;
  const Placement& place_;
  const Placement back_;
  double size_;
  SeparatingAxis& axis_;
  std::array<SeparatingAxis, 6> starts_;
  double forbidden_ =
      -std::numeric_limits<double>::infinity();  // the largest separation that a triangle does not allow
};

}  // namespace

double separation_along(const ConvexSolid& a, const ConvexSolid& b, const Placement& place, const Vector3& normal) {
  const Vector3 lowest = place.apply(a.core_support(-place.turn_back(normal)));
  return normal.dot(lowest - b.core_support(normal));
}

bool find_curved_axis(const ConvexSolid& a, const ConvexSolid& b, const Placement& place, double reach,
                      SeparatingAxis& axis, ClosestPoints& closest) {
  return CurvedAxisSearch(a, b, place, axis).run(reach, closest);
}

}  // namespace ricochet::geometry
