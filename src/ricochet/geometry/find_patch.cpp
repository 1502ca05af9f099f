#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ricochet/geometry/closest_points.hpp"
#include "ricochet/geometry/closest_segments.hpp"
#include "ricochet/geometry/curved_axis.hpp"
#include "ricochet/geometry/patch.hpp"
#include "ricochet/geometry/patch_clipping.hpp"
#include "ricochet/geometry/patch_reduction.hpp"
#include "ricochet/geometry/separating_axes.hpp"
#include "ricochet/geometry/support_polygon.hpp"

namespace ricochet::geometry {

namespace {

Placement placement(const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b, const Pose& pose_of_b,
                    const Matrix3& rotation_of_b) {
  const Matrix3 rotation_of_a = pose_of_a.rotation.matrix();
  const Vector3 between = (pose_of_a.position - pose_of_b.position) + rotation_of_a * a.middle();
  return {rotation_of_b.transpose() * rotation_of_a, rotation_of_b.transpose() * between - b.middle()};
}

// All in axes of B, from its middle, and for the cores: radii are taken off at the end.
class PatchSearch {
 public:
  PatchSearch(const ConvexSolid& a, const ConvexSolid& b, const Placement& place, double reach)
      : a_(a), b_(b), place_(place), radii_(a.radius() + b.radius()), reach_(reach + radii_) {
    const double size = place.position.norm() + a.bounding_radius() + b.bounding_radius();
    tolerances_.rounding = kPreference * size;
    tolerances_.same_corner = kSameCorner * std::min(a.bounding_radius(), b.bounding_radius());
  }

  bool run() {
    const bool is_mesh = b_.kind() == SolidKind::triangle;
    if (is_mesh && b_.core().faces[0].normal.dot(place_.position) < 0) return is_held_below() && hold();
    if (a_.is_curved() || b_.is_curved()) return with_curved_side();
    if (!find_axis()) return false;
    if (axis_.source != AxisSource::none) find_corners();
    if (axis_.source == AxisSource::none || (axis_.separation > 0 && !is_distance())) {
      return is_mesh ? towards_closest_point_of_mesh() : towards_closest_points();
    }
    if (is_mesh && overlap_.count == 0) set_axis_to_face_of_mesh();
    // The preferred axis may be worse than the best by twice the rounding; then the corner of the best is there.
    if (!is_mesh && !reaches(axis_.separation + 4 * tolerances_.rounding)) add_closest_after_parting();
    return overlap_.count > 0;
  }

  void write(const Pose& pose_of_b, const Matrix3& rotation_of_b, Patch& patch) const {
    std::array<int, kMaxPatchPoints> chosen{};
    const bool has_rim = (a_.is_curved() && on_a_.count >= 3) || (b_.is_curved() && on_b_.count >= 3);
    patch.count = choose_corners(overlap_, has_rim ? 6 : 4, tolerances_.rounding, radii_, chosen);
    patch.normal = rotation_of_b * axis_.normal;
    patch.normal_from_a = axis_.source == AxisSource::face_of_a ||
                          (axis_.source == AxisSource::points && on_a_.count >= 3 && on_b_.count < 3);
    for (int i = 0; i < patch.count; ++i) {
      const OverlapCorner& corner = overlap_.corners[chosen[i]];
      const Vector3 on_b = overlap_.on_b(corner) + b_.radius() * axis_.normal;
      PatchPoint& point = patch.points[i];
      point.feature_a = corner.feature_a;
      point.feature_b = corner.feature_b;
      point.gap = corner.gap - radii_;
      point.on_b = pose_of_b.position + rotation_of_b * (b_.middle() + on_b);
      point.on_a = point.on_b + point.gap * patch.normal;
    }
    std::sort(patch.points.begin(), patch.points.begin() + patch.count, [](const PatchPoint& p, const PatchPoint& q) {
      return std::pair(p.feature_a, p.feature_b) < std::pair(q.feature_a, q.feature_b);
    });
  }

 private:
  bool find_axis() {
    if (a_.kind() == SolidKind::box && b_.kind() == SolidKind::box) {
      return find_box_axis(a_.half_extents(), b_.half_extents(), place_, reach_, axis_);
    }
    return find_separating_axis(a_.core(), b_.core(), place_, reach_, axis_);
  }

  void find_corners() {
    find_support_polygon(a_, -place_.turn_back(axis_.normal), place_, on_a_);
    find_support_polygon(b_, axis_.normal, Placement{}, on_b_);
    find_overlap(on_a_, on_b_, axis_.normal, reach_, tolerances_, overlap_);
  }

  // True if the separation along the axis is the distance: points are that far apart. Ends of parallel segments do not
  // show that, being next to the other segment by up to their angle.
  bool is_distance() const {
    return reaches(axis_.separation) &&
           (axis_.source != AxisSource::edges || on_a_.count > 2 || on_b_.count > 2 ||
            (overlap_.corners[0].feature_a == on_a_.feature && overlap_.corners[0].feature_b == on_b_.feature));
  }

  // True if some corner is as deep as this.
  bool reaches(double separation) const {
    return std::any_of(overlap_.corners.begin(), overlap_.corners.begin() + overlap_.count,
                       [&](const OverlapCorner& corner) { return corner.gap <= separation + tolerances_.rounding; });
  }

  void add(const Vector3& on_b, double gap, int feature_a, int feature_b) {
    const Vector3 from_origin = on_b - overlap_.origin;
    if (!(gap <= reach_)) return;
    // Of corners with one name the deepest stays: this one.
    int place = 0;
    while (place < overlap_.count &&
           (overlap_.corners[place].feature_a != feature_a || overlap_.corners[place].feature_b != feature_b))
      ++place;
    if (place == static_cast<int>(overlap_.corners.size())) return;
    overlap_.count = std::max(overlap_.count, place + 1);
    overlap_.corners[place] = {overlap_.axis_x.dot(from_origin),
                               overlap_.axis_y.dot(from_origin),
                               gap,
                               overlap_.normal.dot(from_origin),
                               feature_a,
                               feature_b,
                               false};
  }

  int feature_at(const SupportPolygon& polygon, const Vector3& point) const {
    for (int i = 0; i < polygon.count; ++i) {
      if ((polygon.corners[i] - point).squaredNorm() <= tolerances_.same_corner * tolerances_.same_corner) {
        return polygon.vertices[i];
      }
    }
    return polygon.feature;
  }

  bool set_axis_to_closest_points(ClosestPoints& closest) {
    const Vector3 guess = axis_.source == AxisSource::none ? place_.position : axis_.normal;
    closest = find_closest_points(a_, b_, place_, guess);
    if (closest.distance > 0 && !a_.is_curved() && !b_.is_curved()) refine(closest);
    if (!(closest.distance <= reach_)) return false;
    if (closest.distance > 0) {
      axis_ = {AxisSource::points, closest.normal, closest.distance};
    } else if (axis_.source == AxisSource::none) {
      axis_ = {AxisSource::points, direction_between_touching_cores(), 0};
    }
    return true;
  }

  // Faces that are parallel but for a very small angle make thin simplices, in which closest points are lost by more
  // than rounding: seen from support points that are closer. Then the edges of these faces are tried one by one.
  void refine(ClosestPoints& closest) {
    const Vector3 lowest = place_.apply(a_.core_support(-place_.turn_back(closest.normal)));
    const double bound = closest.normal.dot(lowest - b_.core_support(closest.normal));
    if (closest.distance - bound <= tolerances_.rounding) return;
    find_support_polygon(a_, -place_.turn_back(closest.normal), place_, on_a_);
    find_support_polygon(b_, closest.normal, Placement{}, on_b_);
    for (int i = 0; i < std::max(1, on_a_.edge_count()); ++i) {
      for (int j = 0; j < std::max(1, on_b_.edge_count()); ++j) {
        const Vector3& from_a = on_a_.corners[i];
        const Vector3& to_a = on_a_.corners[on_a_.next(i)];
        const Vector3& from_b = on_b_.corners[j];
        const Vector3& to_b = on_b_.corners[on_b_.next(j)];
        const SegmentPoints found = closest_on_segments(from_a, to_a, from_b, to_b);
        const Vector3 on_a = from_a + found.part_a * (to_a - from_a);
        const Vector3 on_b = from_b + found.part_b * (to_b - from_b);
        const double distance = (on_a - on_b).norm();
        if (!(distance > 0 && distance < closest.distance)) continue;
        closest = {distance, (on_a - on_b) / distance, on_a, on_b};
      }
    }
  }

  bool towards_closest_points() {
    ClosestPoints closest;
    if (!set_axis_to_closest_points(closest)) return false;
    find_corners_around(closest);
    return overlap_.count > 0;
  }

  bool with_curved_side() {
    ClosestPoints closest;
    if (!find_curved_axis(a_, b_, place_, reach_, axis_, closest)) return false;
    if (axis_.source == AxisSource::none) {
      set_axis_to_face_of_mesh();
    } else if (b_.kind() != SolidKind::triangle || axis_.source == AxisSource::points) {
      find_corners_around(closest);
    } else {
      find_corners();
      if (overlap_.count == 0) set_axis_to_face_of_mesh();
    }
    return overlap_.count > 0;
  }

  void find_corners_around(const ClosestPoints& closest) {
    find_corners();
    // Nothing is closer than the closest points. Ends of nearly parallel segments seem so, where the normal is rounded.
    for (int i = 0; i < overlap_.count; ++i) {
      overlap_.corners[i].gap = std::max(overlap_.corners[i].gap, axis_.separation);
    }
    if (reaches(axis_.separation)) return;
    add(closest.on_b, axis_.separation, feature_at(on_a_, closest.on_a), feature_at(on_b_, closest.on_b));
  }

  // Where the closest normal belongs to a neighbour, this triangle still has what lies above its face.
  bool towards_closest_point_of_mesh() {
    ClosestPoints closest;
    if (!set_axis_to_closest_points(closest)) return false;
    if (b_.core().allows(axis_.normal)) {
      find_corners_around(closest);
    } else {
      set_axis_to_face_of_mesh();
    }
    return overlap_.count > 0;
  }

  void set_axis_to_face_of_mesh() {
    axis_ = {AxisSource::face_of_b, b_.core().faces[0].normal, 0};
    find_corners();
  }

  // Has the middle of A come through this triangle? Then the way back along `below` leads to it. On its border two say
  // yes, which does no harm.
  bool is_held_below() const {
    const Polytope& core = b_.core();
    const Vector3& normal = core.faces[0].normal;
    const double fall = normal.dot(b_.below());
    if (!(fall < 0)) return false;
    const double part = (normal.dot(place_.position) - core.faces[0].offset) / fall;
    if (!(part <= 1)) return false;
    const Vector3 foot = place_.position - part * b_.below();
    for (const Polytope::Edge& edge : core.edges) {
      const Vector3 along = core.vertices[edge.head] - core.vertices[edge.tail];
      const Vector3 inwards = math::cross(normal, along);
      if (inwards.dot(foot - core.vertices[edge.tail]) < -tolerances_.rounding * along.norm()) return false;
    }
    return true;
  }

  // What lies over the face, or else the deepest point alone.
  bool hold() {
    set_axis_to_face_of_mesh();
    if (overlap_.count == 0) {
      const double gap = axis_.normal.dot(on_a_.corners[0]) - b_.core().faces[0].offset;
      add(on_a_.corners[0] - gap * axis_.normal, gap, on_a_.vertices[0], b_.core().face_feature(0));
    }
    return overlap_.count > 0;
  }

  // For overlapping cores some corner is as deep as the axis says, but for rounding, as where an edge passes through a
  // corner. Then the points that are closest after the cores are moved apart along the axis stand for it.
  void add_closest_after_parting() {
    Placement apart = place_;
    const double moved = 1e-3 * (a_.bounding_radius() + b_.bounding_radius()) - axis_.separation;
    apart.position += moved * axis_.normal;
    const ClosestPoints closest = find_closest_points(a_, b_, apart, axis_.normal);
    const Vector3 on_a = closest.on_a - moved * axis_.normal;
    add(closest.on_b, axis_.separation, feature_at(on_a_, on_a), feature_at(on_b_, closest.on_b));
  }

  // Of cores without an inside (points, segments) that touch: any direction square to both parts them.
  Vector3 direction_between_touching_cores() const {
    Vector3 along = Vector3::UnitX();
    if (b_.core().vertices.size() > 1) {
      along = b_.core().vertices[1] - b_.core().vertices[0];
    } else if (a_.core().vertices.size() > 1) {
      along = place_.turn(a_.core().vertices[1] - a_.core().vertices[0]);
    }
    int least = 0;
    along.cwiseAbs().minCoeff(&least);
    return math::cross(along, Vector3::Unit(least)).normalized();
  }

  const ConvexSolid& a_;
  const ConvexSolid& b_;
  const Placement& place_;
  double radii_;
  double reach_;  // of the cores
  OverlapTolerances tolerances_;
  SeparatingAxis axis_;
  SupportPolygon on_a_;
  SupportPolygon on_b_;
  Overlap overlap_;
};

void exchange_sides(Patch& patch) {
  patch.normal = -patch.normal;
  patch.normal_from_a = !patch.normal_from_a;
  for (int i = 0; i < patch.count; ++i) {
    std::swap(patch.points[i].feature_a, patch.points[i].feature_b);
    std::swap(patch.points[i].on_a, patch.points[i].on_b);
  }
  std::sort(patch.points.begin(), patch.points.begin() + patch.count, [](const PatchPoint& p, const PatchPoint& q) {
    return std::pair(p.feature_a, p.feature_b) < std::pair(q.feature_a, q.feature_b);
  });
}

}  // namespace

bool find_patch(const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b, const Pose& pose_of_b, double reach,
                Patch& patch) {
  patch.count = 0;
  if (a.kind() == SolidKind::triangle) {
    if (b.kind() == SolidKind::triangle) return false;
    if (!find_patch(b, pose_of_b, a, pose_of_a, reach, patch)) return false;
    exchange_sides(patch);
    return true;
  }
  const Matrix3 rotation_of_b = pose_of_b.rotation.matrix();
  const Placement place = placement(a, pose_of_a, b, pose_of_b, rotation_of_b);
  const double within = reach + a.bounding_radius() + b.bounding_radius();
  if (within < 0 || place.position.squaredNorm() > within * within) return false;
  PatchSearch search(a, b, place, reach);
  if (!search.run()) return false;
  search.write(pose_of_b, rotation_of_b, patch);
  return patch.count > 0;
}

double distance(const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b, const Pose& pose_of_b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Patch patch;
  double least = infinity;
  if (!find_patch(a, pose_of_a, b, pose_of_b, infinity, patch)) return least;
  for (int i = 0; i < patch.count; ++i) least = std::min(least, patch.points[i].gap);
  return least;
}

}  // namespace ricochet::geometry
