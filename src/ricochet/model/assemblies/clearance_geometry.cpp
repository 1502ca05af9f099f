#include "ricochet/model/assemblies/clearance_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::model {

namespace {

std::vector<ClearanceElement> corners_of(const Clearance& clearance, bool planar) {
  std::vector<ClearanceElement> corners;
  for (int i = 0; i < (planar ? 4 : 8); ++i) {
    const Vector3 signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? -1 : 1, planar ? 0 : (i & 4) != 0 ? -1 : 1);
    corners.push_back(
        {fmt::format("corner{}", i + 1), signs.cwiseProduct(clearance.half_size), {0, signs.y(), signs.z()}});
  }
  return corners;
}

double across_axis(const Vector3& place) { return std::hypot(place.x(), place.y()); }

}  // namespace

std::vector<ClearanceElement> elements_of(const Clearance& clearance, bool planar) {
  if (clearance.type == ClearanceType::translational) return corners_of(clearance, planar);
  if (clearance.type == ClearanceType::spherical) return {{"ball", Vector3::Zero(), Vector3::Zero()}};
  if (planar) return {{"journal", Vector3::Zero(), Vector3::Zero()}};
  std::vector<ClearanceElement> elements;
  for (const char* word : {"rim", "end"}) {
    const bool is_end = word[0] == 'e';
    if (is_end && std::isinf(clearance.axial_clearance)) break;
    for (const double sign : {-1.0, 1.0}) {
      elements.push_back({fmt::format("{}{}", word, sign < 0 ? 1 : 2),
                          {0, 0, sign * clearance.half_length},
                          {0, 0, is_end ? sign : 0}});
    }
  }
  return elements;
}

ClearancePose seen_from_second(const Clearance& clearance, const Vector3& first_position,
                               const math::Quaternion& first_orientation, const Vector3& second_position,
                               const math::Quaternion& second_orientation) {
  const JointFrame &first = clearance.first_frame, &second = clearance.second_frame;
  const Vector3 apart = (first_position - second_position) + (first_orientation.rotate(first.attachment.offset) -
                                                              second_orientation.rotate(second.attachment.offset));
  const math::Quaternion axes = second_orientation * second.axes;
  return {axes.rotate_inverse(apart), axes.conjugate() * (first_orientation * first.axes)};
}

double gap_of(const Clearance& clearance, const ClearanceElement& element, const ClearancePose& pose) {
  const Vector3 place = place_of(element, pose);
  if (clearance.type == ClearanceType::spherical) return clearance.clearance - place.norm();
  if (clearance.type == ClearanceType::revolute) {
    return element.side.z() == 0 ? clearance.clearance - across_axis(place)
                                 : clearance.half_length + clearance.axial_clearance - element.side.z() * place.z();
  }
  double gap = std::numeric_limits<double>::infinity();
  for (const int i : {1, 2}) {
    if (element.side[i] == 0) continue;
    gap = std::min(gap, clearance.half_size[i] + clearance.clearance - element.side[i] * place[i]);
  }
  return gap;
}

double eccentricity(const Clearance& clearance, const ClearancePose& pose) {
  const bool is_ball = clearance.type == ClearanceType::spherical;
  return (is_ball ? pose.path.norm() : across_axis(pose.path)) / clearance.clearance;
}

double angle_of(const Clearance& clearance, const ClearancePose& pose, bool planar) {
  if (planar) return 2 * std::atan2(pose.turn.z, pose.turn.w);
  const Vector3 own = clearance.type == ClearanceType::translational ? Vector3::UnitX() : Vector3::UnitZ();
  const Vector3 seen = pose.turn.rotate(own);
  return std::atan2(math::cross(own, seen).norm(), own.dot(seen));
}

}  // namespace ricochet::model
