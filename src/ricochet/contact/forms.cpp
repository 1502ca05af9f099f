#include "ricochet/contact/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "ricochet/geometry/mesh_triangles.hpp"
#include "ricochet/math/hash.hpp"

namespace ricochet::contact {

namespace {

bool is_same(const math::Quaternion& a, const math::Quaternion& b) {
  return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

// One overload per shape, so that a new one cannot be forgotten.
struct SameShape {
  bool operator()(const model::PointShape& /*a*/, const model::PointShape& /*b*/) const { return true; }
  bool operator()(const model::SphereShape& a, const model::SphereShape& b) const { return a.radius == b.radius; }
  bool operator()(const model::BoxShape& a, const model::BoxShape& b) const { return a.half_extents == b.half_extents; }
  bool operator()(const model::CylinderShape& a, const model::CylinderShape& b) const {
    return a.radius == b.radius && a.half_length == b.half_length;
  }
  bool operator()(const model::CapsuleShape& a, const model::CapsuleShape& b) const {
    return a.radius == b.radius && a.half_length == b.half_length;
  }
  bool operator()(const model::ConeShape& a, const model::ConeShape& b) const {
    return a.radius == b.radius && a.height == b.height;
  }
  bool operator()(const model::PolyhedronShape& a, const model::PolyhedronShape& b) const {
    return a.vertices == b.vertices && a.faces == b.faces;
  }
  template <class A, class B>
  bool operator()(const A& /*a*/, const B& /*b*/) const {
    return false;
  }
};

bool is_same(const model::ShapePart& a, const model::ShapePart& b) {
  return a.position == b.position && is_same(a.orientation, b.orientation) && a.name == b.name &&
         a.material == b.material && std::visit(SameShape{}, a.shape, b.shape);
}

// All of the part is that close to its own origin.
struct BoundingRadius {
  double operator()(const model::PointShape& /*point*/) const { return 0; }
  double operator()(const model::SphereShape& sphere) const { return sphere.radius; }
  double operator()(const model::BoxShape& box) const { return box.half_extents.norm(); }
  double operator()(const model::CylinderShape& cylinder) const {
    return std::hypot(cylinder.radius, cylinder.half_length);
  }
  double operator()(const model::CapsuleShape& capsule) const { return capsule.radius + capsule.half_length; }
  double operator()(const model::ConeShape& cone) const { return std::hypot(cone.radius, 0.5 * cone.height); }
  double operator()(const model::PolyhedronShape& polyhedron) const {
    double largest = 0;
    for (const Vector3& vertex : polyhedron.vertices) largest = std::max(largest, vertex.norm());
    return largest;
  }
};

bool has_parts(const Form& form, const model::Body& body) {
  return std::equal(form.shape.parts.begin(), form.shape.parts.end(), body.parts.begin(), body.parts.end(),
                    [](const model::ShapePart& a, const model::ShapePart& b) { return is_same(a, b); });
}

// Tells most bodies with other parts from each other.
std::uint64_t hash_of(const model::Body& body) {
  math::ByteHash hash;
  for (const model::ShapePart& part : body.parts) {
    const double radius = std::visit(BoundingRadius{}, part.shape);
    hash.add(part.position.data(), sizeof(Vector3));
    hash.add(&part.orientation, sizeof(math::Quaternion));
    hash.add(&radius, sizeof(radius));
    hash.add(&part.material.index, sizeof(int));
  }
  return hash.value();
}

// Null for a polyhedron that is not convex.
struct MakeSolid {
  using Solid = std::shared_ptr<const geometry::ConvexSolid>;
  static Solid keep(geometry::ConvexSolid solid) {
    return std::make_shared<const geometry::ConvexSolid>(std::move(solid));
  }
  Solid operator()(const model::PointShape& /*point*/) const { return keep(geometry::ConvexSolid::sphere(0)); }
  Solid operator()(const model::SphereShape& sphere) const {
    return keep(geometry::ConvexSolid::sphere(sphere.radius));
  }
  Solid operator()(const model::BoxShape& box) const { return keep(geometry::ConvexSolid::box(box.half_extents)); }
  Solid operator()(const model::CylinderShape& cylinder) const {
    return keep(geometry::ConvexSolid::cylinder(cylinder.radius, cylinder.half_length));
  }
  Solid operator()(const model::CapsuleShape& capsule) const {
    return keep(geometry::ConvexSolid::capsule(capsule.radius, capsule.half_length));
  }
  Solid operator()(const model::ConeShape& cone) const {
    return keep(geometry::ConvexSolid::cone(cone.radius, cone.height));
  }
  Solid operator()(const model::PolyhedronShape& polyhedron) const {
    try {
      return keep(geometry::ConvexSolid::polyhedron(polyhedron.vertices, polyhedron.faces));
    } catch (const std::invalid_argument&) {  // planes do not mind
      return nullptr;
    }
  }
};

int feature_count(const geometry::ConvexSolid& solid) {
  if (solid.kind() == geometry::SolidKind::cylinder) return 27;
  if (solid.kind() == geometry::SolidKind::cone) return 15;
  const geometry::Polytope& core = solid.core();
  return static_cast<int>(core.vertices.size() + core.edges.size() + core.faces.size());
}

Form make_form(const model::Body& body, bool planar) {
  Form form;
  form.shape.parts = body.parts;
  for (const model::ShapePart& part : body.parts) {
    const std::vector<Feature> features = features_of(part, planar);
    FormPart& made = form.parts.emplace_back();
    made.center = part.position;
    if (planar) made.center.z() = 0;
    made.orientation = part.orientation;
    made.solid = std::visit(MakeSolid{}, part.shape);
    made.radius = made.solid ? made.solid->bounding_radius() : std::visit(BoundingRadius{}, part.shape);
    made.middle = made.center;
    if (made.solid) made.middle += made.orientation.rotate(made.solid->middle());
    made.is_ball = made.solid && made.solid->kind() == geometry::SolidKind::sphere;
    made.first_feature = static_cast<int>(form.features.size());
    made.features = static_cast<int>(features.size());
    made.material = part.material;
    form.features.insert(form.features.end(), features.begin(), features.end());
    form.radius = std::max(form.radius, made.middle.norm() + made.radius);
  }
  int next = static_cast<int>(form.features.size());
  for (FormPart& part : form.parts) {
    part.first_further_feature = next;
    if (part.solid) part.further_features = std::max(0, feature_count(*part.solid) - part.features);
    next += part.further_features;
  }
  return form;
}

std::vector<FormPart> make_mesh(const model::TriangleMesh& mesh, model::MaterialId material) {
  std::vector<FormPart> parts;
  for (geometry::ConvexSolid& triangle : geometry::mesh_triangles(mesh.vertices, mesh.triangles)) {
    FormPart& part = parts.emplace_back();
    part.solid = MakeSolid::keep(std::move(triangle));
    part.middle = part.solid->middle();
    part.radius = part.solid->bounding_radius();
    part.material = material;
  }
  return parts;
}

}  // namespace

Forms::Forms(const model::Model& model) : planar_(model.planar) {
  std::unordered_multimap<std::uint64_t, int> known;
  for (const model::Body& body : model.bodies) {
    const std::uint64_t hash = hash_of(body);
    const auto [begin, end] = known.equal_range(hash);
    const auto found =
        std::find_if(begin, end, [&](const auto& entry) { return has_parts(forms_[entry.second], body); });
    if (found != end) {
      form_of_body_.push_back(found->second);
      continue;
    }
    known.emplace(hash, count());
    form_of_body_.push_back(count());
    forms_.push_back(make_form(body, planar_));
  }
  for (const model::Surface& surface : model.surfaces) {
    std::vector<FormPart>& parts = meshes_.emplace_back();
    if (surface.mesh) parts = make_mesh(*surface.mesh, surface.material);
  }
}

std::string Forms::surface_feature_name(int surface, int feature) const {
  if (meshes_[surface].empty()) return "plane";
  const int triangle = feature / kTriangleFeatures;
  return fmt::format("triangle{}.{}", triangle,
                     meshes_[surface][triangle].solid->feature_name(feature % kTriangleFeatures));
}

std::string Forms::feature_name(int body, int feature) const {
  const Form& form = of_body(body);
  for (std::size_t i = 0; i < form.parts.size(); ++i) {
    const FormPart& part = form.parts[i];
    const int further = feature - part.first_further_feature;
    if (further < 0 || further >= part.further_features) continue;
    const std::string name = part.solid->feature_name(part.features + further);
    return form.parts.size() == 1 ? name : fmt::format("{}.{}", form.shape.parts[i].name, name);
  }
  return contact::feature_name(form.shape, planar_, feature);
}

}  // namespace ricochet::contact
