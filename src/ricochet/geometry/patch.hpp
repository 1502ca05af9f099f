// Where two convex solids touch, or would.
//
//   bool found = find_patch(a, pose_of_a, b, pose_of_b, reach, patch);
//
// A patch has one unit normal, from B towards A, and up to a few pairs of points, one above the other along it:
// on_a - on_b = gap normal. The smallest gap is the true distance of the solids while they are apart, and minus the
// smallest translation that parts them when they overlap. No state, no margin, no allocation: what is found depends on
// nothing but the arguments.
//
// How it is found. (1) The axis: separating axes for polytopes (separating_axes.hpp); where these only bound the
// distance, because vertices are closest, and for curved sides, closest points of the cores (closest_points.hpp). (2)
// What of each solid lies outermost along the axis: a face, an edge, a vertex (support_polygon.hpp). (3) The overlap of
// the two, seen along the axis: its corners are the points (patch_clipping.hpp), of more than four the four outermost
// and the deepest (patch_reduction.hpp).
//
// Identity. A corner of the overlap is a vertex of A on B's face, a vertex of B on A's face, or a crossing of two
// edges, and is named by these two features: the same whichever solid the normal comes from, and the same for edges
// that cross alone. Corners closer together than 1e-5 of the smaller solid are one, with the name of a vertex of A
// if there is one, then of B. So two equal boxes one upon the other keep their four names when one is moved by a
// millionth, which a bare cut of faces does not.
//
// Accuracy: gaps to about 1e-15 of the size of the pair (the tests ask for 1e-12); of cylinders and cones, where no
// face, axis or edge gives the normal, to 1e-10 and, when they overlap, a millionth of the overlap. Everything is
// homogeneous in length: solids and places scaled by a power of two give the same patch scaled, bit for bit.
//
// A triangle (of a mesh) has one side. It touches only solids whose middle is on that side (or has come through, where
// the surface holds what has: ConvexSolid::below), and only along
// normals between its own and those of its neighbours: bodies that slide over a flat mesh never feel its edges. Points
// where a solid merely leaves one triangle for the next are left out. Two triangles do not touch.
#pragma once

#include <array>

#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/geometry/pose.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::geometry {

struct PatchPoint {
  int feature_a = 0;  // see ConvexSolid::feature_name
  int feature_b = 0;
  Vector3 on_a = Vector3::Zero();  // m, common axes
  Vector3 on_b = Vector3::Zero();
  double gap = 0;  // m, normal . (on_a - on_b)
};

// Four outermost points and the deepest; of rims six and the deepest. Where some are open, as many of those that touch.
inline constexpr int kMaxPatchPoints = 13;

struct Patch {
  Vector3 normal = Vector3::Zero();  // unit, from B towards A, common axes
  bool normal_from_a = false;  // it is the normal of a face of A and turns with it; else it is taken to turn with B
  int count = 0;
  std::array<PatchPoint, kMaxPatchPoints> points;  // of which `count` are set, sorted by their features
};

// False if the solids are further apart than `reach` (m, may be infinite). Only points with gap <= reach are given.
bool find_patch(const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b, const Pose& pose_of_b, double reach,
                Patch& patch);

// The smallest gap: the distance, negative if they overlap; infinite where a triangle and a solid cannot touch.
double distance(const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b, const Pose& pose_of_b);

}  // namespace ricochet::geometry
