// A box with edges along the axes, around something.
#pragma once

#include "ricochet/math/types.hpp"

namespace ricochet::geometry {

// lower <= upper in every component (m).
struct Bounds {
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
};

// Boxes that touch overlap, too.
inline bool overlap(const Bounds& a, const Bounds& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

// Zero where they overlap; never more than the distance of what is inside.
inline double distance(const Bounds& a, const Bounds& b) {
  return (a.lower - b.upper).cwiseMax(b.lower - a.upper).cwiseMax(0.0).norm();
}

inline Bounds enlarged(const Bounds& bounds, double margin) {
  return {bounds.lower - Vector3::Constant(margin), bounds.upper + Vector3::Constant(margin)};
}

}  // namespace ricochet::geometry
