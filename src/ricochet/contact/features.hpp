// The features of a body's shape that can touch: points, each with a radius around it. A point is one of radius zero, a
// sphere its centre with its radius, a box its corners.
//
// Features of a body are numbered over its parts, in order. Their names are part of the identity of a contact:
// `corner3`, `sphere`; in a body of several parts `part1.corner3`.
#pragma once

#include <string>
#include <vector>

#include "ricochet/math/types.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

struct Feature {
  Vector3 offset = Vector3::Zero();  // m, from the node in body axes
  double radius = 0;                 // m
};

// All features of a part, in body axes. In a planar scene a box has the four corners of its outline.
std::vector<Feature> features_of(const model::ShapePart& part, bool planar);

// All features of a body.
std::vector<Feature> features_of(const model::Body& body, bool planar);

std::string feature_name(const model::Body& body, bool planar, int feature);

}  // namespace ricochet::contact
