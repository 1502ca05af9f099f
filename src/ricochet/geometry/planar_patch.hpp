// Where two convex outlines of a planar scene touch, or would: as find_patch (patch.hpp) in the plane z = 0.
//
// The normal lies in the plane. A patch has two points where edges face each other, else one; on_a and on_b have z = 0.
// Poses are those of bodies that move in the plane: positions with z = 0, rotations about z.
//
// The axis is the normal of an edge of B or of A, whichever separates most (faces of the Minkowski difference of two
// polygons have no other normals), or, for outlines that are apart with corners closest, the direction between these.
// The overlap of the two edges that look along it has two ends, each a corner of one outline above an edge of the
// other. Names, tolerances and preferences are those of patches in space.
#pragma once

#include "ricochet/geometry/convex_outline.hpp"
#include "ricochet/geometry/patch.hpp"

namespace ricochet::geometry {

// False if they are further apart than `reach` (m, may be infinite). Only points with gap <= reach are given.
bool find_planar_patch(const ConvexOutline& a, const Pose& pose_of_a, const ConvexOutline& b, const Pose& pose_of_b,
                       double reach, Patch& patch);

// The smallest gap: the distance, negative if they overlap.
double planar_distance(const ConvexOutline& a, const Pose& pose_of_a, const ConvexOutline& b, const Pose& pose_of_b);

}  // namespace ricochet::geometry
