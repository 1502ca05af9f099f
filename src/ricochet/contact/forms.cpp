#include "ricochet/contact/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ricochet/math/hash.hpp"
#include "ricochet/model/mass_properties.hpp"

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
  bool operator()(const model::FaceShape& a, const model::FaceShape& b) const {
    return a.half_extents == b.half_extents;
  }
  bool operator()(const model::HollowSphereShape& a, const model::HollowSphereShape& b) const {
    return a.radius == b.radius;
  }
  bool operator()(const model::HollowCylinderShape& a, const model::HollowCylinderShape& b) const {
    return a.radius == b.radius && a.half_length == b.half_length;
  }
  template <class A, class B>
  bool operator()(const A& /*a*/, const B& /*b*/) const {
    return false;
  }
};

bool is_same(const model::ShapePart& a, const model::ShapePart& b) {
  return a.position == b.position && is_same(a.orientation, b.orientation) && a.name == b.name &&
         a.material == b.material && a.channel == b.channel && std::visit(SameShape{}, a.shape, b.shape);
}

bool has_parts(const Form& form, const model::Body& body) {
  return std::equal(form.shape.parts.begin(), form.shape.parts.end(), body.parts.begin(), body.parts.end(),
                    [](const model::ShapePart& a, const model::ShapePart& b) { return is_same(a, b); });
}

// Tells most bodies with other parts from each other.
std::uint64_t hash_of(const model::Body& body) {
  math::ByteHash hash;
  for (const model::ShapePart& part : body.parts) {
    const double volume = model::volume(part.shape);
    hash.add(part.position.data(), sizeof(Vector3));
    hash.add(&part.orientation, sizeof(math::Quaternion));
    hash.add(&volume, sizeof(volume));
    hash.add(&part.material.index, sizeof(int));
  }
  return hash.value();
}

Form make_form(const model::Body& body, bool planar) {
  Form form;
  form.shape.parts = body.parts;
  for (const model::ShapePart& shape : body.parts) {
    const FormPart& part = form.parts.emplace_back(make_form_part(shape, planar));
    const std::vector<Feature> features = contact::features_of(shape, planar);
    form.first_feature.push_back(static_cast<int>(form.features.size()));
    form.features.insert(form.features.end(), features.begin(), features.end());
    if (std::isfinite(part.radius)) form.radius = std::max(form.radius, part.middle.norm() + part.radius);
  }
  int next = static_cast<int>(form.features.size());
  for (const FormPart& part : form.parts) {
    form.first_further_feature.push_back(next);
    next += part.further_features;
  }
  return form;
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
    if (surface.mesh) parts = make_triangles(*surface.mesh, surface.material);
  }
}

std::string Forms::surface_feature_name(int surface, int feature) const {
  if (meshes_[surface].empty()) return "plane";
  const int triangle = feature / kTriangleFeatures;
  return fmt::format("triangle{}.{}", triangle, meshes_[surface][triangle].feature_name(feature % kTriangleFeatures));
}

std::string Forms::feature_name(int body, int feature) const {
  const Form& form = of_body(body);
  for (std::size_t i = 0; i < form.parts.size(); ++i) {
    const FormPart& part = form.parts[i];
    const int further = feature - form.first_further_feature[i];
    if (further < 0 || further >= part.further_features) continue;
    return name_in_body(form.shape, static_cast<int>(i), part.feature_name(part.plane_features + further));
  }
  return contact::feature_name(form.shape, planar_, feature);
}

}  // namespace ricochet::contact
