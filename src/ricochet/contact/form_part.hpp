// A convex part of a body as a collider: a solid in space, an outline in the plane, placed in the axes of the body; or
// a face or something hollow, which hold balls. A triangle of a mesh is one, too, placed in the world.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/contact/ball_face.hpp"
#include "ricochet/contact/ball_hollow.hpp"
#include "ricochet/contact/features.hpp"
#include "ricochet/geometry/convex_outline.hpp"
#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

struct FormPart {
  Vector3 center = Vector3::Zero();  // m, from the node in its axes: the origin of solid or outline
  math::Quaternion orientation = {};
  Vector3 middle = Vector3::Zero();  // m, likewise: of the sphere that holds all of it
  double radius = 0;                 // m, of that sphere; infinite: a face or a bore without limits
  bool is_ball = false;              // it is that sphere, or a disc in the plane; of radius 0: a point
  std::shared_ptr<const geometry::ConvexSolid> solid;      // in space; null: not convex
  std::shared_ptr<const geometry::ConvexOutline> outline;  // in the plane
  std::optional<FaceOfBody> face;                          // then it is neither, and not convex
  std::optional<HollowOfBody> hollow;                      // likewise
  model::MaterialId material = {};
  int channel = 0;  // see model::ShapePart

  // Features, numbered as solid or outline does: first those with which it touches planes, too.
  int plane_features = 0;
  int further_features = 0;

  // Does it hold the balls of others, rather than touch with features of its own?
  bool is_holder() const { return face.has_value() || hollow.has_value(); }
  bool is_unlimited() const { return (face && !face->has_limits()) || (hollow && !hollow->is_bounded); }
  bool is_convex() const { return solid != nullptr || outline != nullptr; }
  geometry::Bounds bounds(const geometry::Pose& pose) const {
    return outline ? outline->bounds(pose) : solid->bounds(pose);
  }
  std::string feature_name(int feature) const {
    if (is_holder()) return face ? "face" : "inside";
    return outline ? outline->feature_name(feature) : solid->feature_name(feature);
  }
  // A place rather than a line or a face; and what gives contacts its normal: a face, in the plane an edge.
  bool is_vertex(int feature) const;
  bool is_face(int feature) const;
};

FormPart make_form_part(const model::ShapePart& part, bool planar);
std::vector<FormPart> make_triangles(const model::TriangleMesh& mesh, model::MaterialId material);

}  // namespace ricochet::contact
