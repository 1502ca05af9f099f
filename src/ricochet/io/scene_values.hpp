// Values that several sections of a scene have in common: vectors, directions, orientations, functions of time, and
// points of bodies, with what a planar scene asks of them. All functions throw InputError at the place of the value.
#pragma once

#include <array>
#include <string>
#include <unordered_map>

#include "ricochet/io/checked.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

using BodyIndex = std::unordered_map<std::string, int>;

// In planar scenes only motion in the x-y plane exists: the z component must be 0.
Vector3 read_in_plane(const Entry& entry, bool planar);

// A unit vector from one of any length but zero. `read_axis`: one about which something turns, along z in the plane.
Vector3 read_direction(const Entry& entry, bool planar);
Vector3 read_axis(const Entry& entry, bool planar);

math::Quaternion read_orientation(const Entry& entry, bool planar);

// Three functions of time. In planar scenes those that must be zero are given by their first and last index.
std::array<math::TimeFunction, 3> read_functions(const Entry& entry, bool planar, int first_zero, int last_zero);

// A list of three functions or, in planar scenes, a single one about z.
std::array<math::TimeFunction, 3> read_turning_functions(const Entry& entry, bool planar);

// `{body, at}`: a point in the frame of description of a body, or of the world.
model::Attachment read_attachment(const Entry& entry, const BodyIndex& bodies, const model::Model& model);

}  // namespace ricochet::io
