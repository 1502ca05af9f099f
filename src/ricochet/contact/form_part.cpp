#include "ricochet/contact/form_part.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ricochet/geometry/mesh_triangles.hpp"

namespace ricochet::contact {

namespace {

using geometry::ConvexOutline;
using geometry::ConvexSolid;
using geometry::SolidKind;

using Solid = std::shared_ptr<const ConvexSolid>;
Solid keep(ConvexSolid solid) { return std::make_shared<const ConvexSolid>(std::move(solid)); }

// One overload per shape, so that a new one cannot be forgotten. Null for a polyhedron that is not convex, and for
// what holds balls.
struct MakeSolid {
  Solid operator()(const model::PointShape& /*point*/) const { return keep(ConvexSolid::sphere(0)); }
  Solid operator()(const model::SphereShape& sphere) const { return keep(ConvexSolid::sphere(sphere.radius)); }
  Solid operator()(const model::BoxShape& box) const { return keep(ConvexSolid::box(box.half_extents)); }
  Solid operator()(const model::CylinderShape& cylinder) const {
    return keep(ConvexSolid::cylinder(cylinder.radius, cylinder.half_length));
  }
  Solid operator()(const model::CapsuleShape& capsule) const {
    return keep(ConvexSolid::capsule(capsule.radius, capsule.half_length));
  }
  Solid operator()(const model::ConeShape& cone) const { return keep(ConvexSolid::cone(cone.radius, cone.height)); }
  Solid operator()(const model::PolyhedronShape& polyhedron) const {
    try {
      return keep(ConvexSolid::polyhedron(polyhedron.vertices, polyhedron.faces));
    } catch (const std::invalid_argument&) {  // planes do not mind
      return nullptr;
    }
  }
  Solid operator()(const model::FaceShape& /*face*/) const { return nullptr; }
  Solid operator()(const model::HollowSphereShape& /*hollow*/) const { return nullptr; }
  Solid operator()(const model::HollowCylinderShape& /*hollow*/) const { return nullptr; }
};

int feature_count(const ConvexSolid& solid) {
  if (solid.kind() == SolidKind::cylinder) return 27;  // see convex_solid.hpp
  if (solid.kind() == SolidKind::cone) return 15;
  const geometry::Polytope& core = solid.core();
  return static_cast<int>(core.vertices.size() + core.edges.size() + core.faces.size());
}

// The first number that is not one of a corner.
int first_edge(const ConvexOutline& outline) {
  if (outline.count() < 2) return 1;
  int first = outline.edge_feature(0);
  for (int i = 1; i < outline.count(); ++i) first = std::min(first, outline.edge_feature(i));
  return first;
}

void set_solid(const model::ShapePart& part, FormPart& made) {
  made.center = part.position;
  made.orientation = part.orientation;
  made.solid = std::visit(MakeSolid{}, part.shape);
  made.middle = made.center;
  if (!made.solid) return;
  made.middle += made.orientation.rotate(made.solid->middle());
  made.radius = made.solid->bounding_radius();
  made.is_ball = made.solid->kind() == SolidKind::sphere;
  made.further_features = std::max(0, feature_count(*made.solid) - made.plane_features);
}

// The outline of what touches planes, in the axes of the body.
void set_outline(const std::vector<Feature>& features, FormPart& made) {
  const double radius = features.front().radius;
  const auto in_plane = [](const Feature& feature) { return Vector2(feature.offset.head<2>()); };
  const auto keep_outline = [&](ConvexOutline outline) {
    made.outline = std::make_shared<const ConvexOutline>(std::move(outline));
  };
  if (features.size() == 1) {
    made.center = features.front().offset;
    keep_outline(ConvexOutline::disc(radius));
  } else if (radius > 0) {
    keep_outline(ConvexOutline::capsule(radius, in_plane(features[0]), in_plane(features[1])));
  } else {
    std::vector<Vector2> corners;
    corners.reserve(features.size());
    for (const Feature& feature : features) corners.push_back(in_plane(feature));
    keep_outline(ConvexOutline::hull(corners));
  }
  made.is_ball = features.size() == 1;
  made.middle = made.center;
  made.middle.head<2>() += made.outline->middle();
  made.radius = made.outline->bounding_radius();
  made.plane_features = first_edge(*made.outline);
  made.further_features = made.outline->count() > 2 ? made.outline->count() : made.outline->count() - 1;
}

}  // namespace

bool FormPart::is_vertex(int feature) const {
  if (outline) return feature < plane_features;
  return !solid->is_curved() && feature < static_cast<int>(solid->core().vertices.size());
}

bool FormPart::is_face(int feature) const {
  if (outline) return feature >= plane_features;
  const geometry::Polytope& core = solid->core();
  return !solid->is_curved() && feature >= static_cast<int>(core.vertices.size() + core.edges.size());
}

FormPart make_form_part(const model::ShapePart& part, bool planar) {
  const std::vector<Feature> features = features_of(part, planar);
  FormPart made;
  made.material = part.material;
  made.channel = part.channel;
  made.plane_features = static_cast<int>(features.size());
  set_solid(part, made);
  if (const auto* face = std::get_if<model::FaceShape>(&part.shape)) {
    made.face = make_face(*face, part.position, part.orientation, planar);
    made.radius = face_radius(*made.face, planar);
    made.further_features = 1;
  }
  if (const auto* sphere = std::get_if<model::HollowSphereShape>(&part.shape)) {
    made.hollow = make_hollow(*sphere, part.position, planar);
  } else if (const auto* cylinder = std::get_if<model::HollowCylinderShape>(&part.shape)) {
    made.hollow = make_hollow(*cylinder, part.position, part.orientation, planar);
  }
  if (made.hollow) {
    made.middle = made.hollow->core.center;
    made.radius = hollow_radius(*made.hollow);
    made.further_features = 1;
  }
  if (planar && made.solid) {
    made.solid = nullptr;
    made.center = Vector3::Zero();
    made.orientation = {};
    set_outline(features, made);
  }
  // What is not convex has its features all the same.
  for (const Feature& feature : features) {
    if (!made.is_convex()) made.radius = std::max(made.radius, (feature.offset - made.middle).norm() + feature.radius);
  }
  return made;
}

std::vector<FormPart> make_triangles(const model::TriangleMesh& mesh, model::MaterialId material) {
  std::vector<FormPart> parts;
  for (ConvexSolid& triangle : geometry::mesh_triangles(mesh.vertices, mesh.triangles, mesh.below)) {
    FormPart& part = parts.emplace_back();
    part.solid = keep(std::move(triangle));
    part.middle = part.solid->middle();
    part.radius = part.solid->bounding_radius();
    part.material = material;
  }
  return parts;
}

}  // namespace ricochet::contact
