// Where the first side of a clearance joint is in the second, and how far from touching it.
#pragma once

#include <string>
#include <vector>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/assemblies/clearance.hpp"

namespace ricochet::model {

// What of the first side touches: a corner, the journal, a rim or an end of it, the ball.
struct ClearanceElement {
  std::string name;
  Vector3 place = Vector3::Zero();  // m, of its middle, in the first frame
  Vector3 side = Vector3::Zero();   // of a corner and an end: the signs s of the directions in which it can touch
};

// Corners are counted as in Flores et al. (2010): 1 behind and up, 2 ahead and up, 3 and 4 below; 5 to 8 the same on
// the other side (z < 0) of a slider in space.
std::vector<ClearanceElement> elements_of(const Clearance& clearance, bool planar);

// The first frame seen from the second.
struct ClearancePose {
  Vector3 path = Vector3::Zero();  // m, its origin
  math::Quaternion turn;           // its axes to those of the second
};

ClearancePose seen_from_second(const Clearance& clearance, const Vector3& first_position,
                               const math::Quaternion& first_orientation, const Vector3& second_position,
                               const math::Quaternion& second_orientation);

inline Vector3 place_of(const ClearanceElement& element, const ClearancePose& pose) {
  return pose.path + pose.turn.rotate(element.place);
}

double gap_of(const Clearance& clearance, const ClearanceElement& element, const ClearancePose& pose);  // m

// How far the middle is off, in parts of the clearance: 1 where an aligned journal, a ball touches. For journals and
// balls.
double eccentricity(const Clearance& clearance, const ClearancePose& pose);

// How far the first is turned: in the plane about z, in space the angle between the axes of the two frames (rad).
double angle_of(const Clearance& clearance, const ClearancePose& pose, bool planar);

}  // namespace ricochet::model
