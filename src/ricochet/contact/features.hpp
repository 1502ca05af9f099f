// The features of a body's shape that can touch a plane.
//
//   ball   a point with a radius around it: a point (radius 0), a sphere, the corners of a box, the vertices of a
//          polyhedron, the ends of a capsule, the apex of a cone, a disc in the plane
//   rim    a circle: the lowest point of an end of a cylinder or a cone, or one of five more at sixths of a turn from
//   it
//
// The legs of a rim are counted about the axis of the cylinder from its lowest point. The vertices of a polyhedron are
// counted as the program keeps them: those that a hull or a plane outline drops do not count.
//
// Features of a body are numbered over its parts, in order. Their names are part of the identity of a contact:
// `corner3`, `rim0.low`, `rim0.leg2`; in a body of several parts with the name of the part, `head.corner3`. A part that
// an assembly has added (another channel than 0) touches with one feature, which has the name of the part.
#pragma once

#include <string>
#include <vector>

#include "ricochet/math/types.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

enum class FeatureKind { ball, rim };

struct Feature {
  Vector3 offset = Vector3::Zero();  // m, from the node in body axes: the centre
  double radius = 0;                 // m
  FeatureKind kind = FeatureKind::ball;
  Vector3 axis = Vector3::UnitZ();  // of a rim: the normal of its plane, body axes
  int sixth = 0;                    // of a rim: sixths of a turn about the axis from the lowest point, 0 to 5
  model::MaterialId material = {};
  int channel = 0;  // of the part, see model::ShapePart; others than 0 pass through planes
};

// All features of a part, in body axes; a face and what is hollow have none: what they hold are features of others
// (ball_face.hpp, ball_hollow.hpp). In a planar scene a box has the four corners of its outline, a polyhedron the
// vertices of it, a cylinder or a cone is a disc, and a capsule along z too.
std::vector<Feature> features_of(const model::ShapePart& part, bool planar);

// All features of a body.
std::vector<Feature> features_of(const model::Body& body, bool planar);

// The name of a feature of one part in its body.
std::string name_in_body(const model::Body& body, int part, const std::string& feature);

std::string feature_name(const model::Body& body, bool planar, int feature);

}  // namespace ricochet::contact
