// Shapes of bodies: from a scene to parts with their masses.
#pragma once

#include <vector>

#include "ricochet/io/checked.hpp"
#include "ricochet/model/mass_properties.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

struct BodyShape {
  std::vector<model::ShapePart> parts;  // in the frame of description
  model::MassProperties mass;           // likewise
};

// The keys `shape`, `parts`, `mass`, `density` of a body. Throws InputError.
BodyShape read_body_shape(const Entry& body, const model::Model& model);

// The radius (m) of a sphere around the origin of a body, in planar scenes of a circle, that holds its shape or all of
// its parts. Masses and materials are not looked at.
double read_body_radius(const Entry& body, bool planar);

}  // namespace ricochet::io
