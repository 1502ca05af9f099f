#include "ricochet/contact/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ricochet::contact {

namespace {

// Numbered by the signs of x, y, z (bits 0, 1, 2); in the plane by x and y with z = 0.
std::vector<Feature> corners(const model::BoxShape& box, bool planar) {
  std::vector<Feature> corners;
  for (int i = 0; i < (planar ? 4 : 8); ++i) {
    const Vector3 signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    Vector3 corner = signs.cwiseProduct(box.half_extents);
    if (planar) corner.z() = 0;
    corners.push_back({corner, 0});
  }
  return corners;
}

// The lowest point first, so that a cylinder rolling on its side has the features 0 and 6.
void add_rim(double height, double radius, std::vector<Feature>& rims) {
  for (int sixth = 0; sixth < 6; ++sixth) {
    rims.push_back({Vector3(0, 0, height), radius, FeatureKind::rim, Vector3::UnitZ(), sixth});
  }
}

std::vector<Feature> local_features(const model::Shape& shape, bool planar) {
  if (const auto* box = std::get_if<model::BoxShape>(&shape)) return corners(*box, planar);
  if (const auto* cylinder = std::get_if<model::CylinderShape>(&shape)) {
    if (planar) return {{Vector3::Zero(), cylinder->radius}};
    std::vector<Feature> rims;
    for (const double end : {-cylinder->half_length, cylinder->half_length}) add_rim(end, cylinder->radius, rims);
    return rims;
  }
  if (const auto* cone = std::get_if<model::ConeShape>(&shape)) {
    if (planar) return {{Vector3::Zero(), cone->radius}};
    std::vector<Feature> features;
    add_rim(-0.5 * cone->height, cone->radius, features);
    features.push_back({Vector3(0, 0, 0.5 * cone->height), 0});
    return features;
  }
  if (const auto* capsule = std::get_if<model::CapsuleShape>(&shape)) {
    return {{Vector3(0, 0, -capsule->half_length), capsule->radius},
            {Vector3(0, 0, capsule->half_length), capsule->radius}};
  }
  if (const auto* polyhedron = std::get_if<model::PolyhedronShape>(&shape)) {
    std::vector<Feature> vertices;
    for (const Vector3& vertex : polyhedron->vertices) vertices.push_back({vertex, 0});
    return vertices;
  }
  if (const auto* sphere = std::get_if<model::SphereShape>(&shape)) return {{Vector3::Zero(), sphere->radius}};
  if (model::is_holder(shape)) return {};
  return {{Vector3::Zero(), 0}};
}

std::string local_name(const model::Shape& shape, int feature, int count) {
  if (std::holds_alternative<model::BoxShape>(shape)) return fmt::format("corner{}", feature);
  if (std::holds_alternative<model::PolyhedronShape>(shape)) return fmt::format("vertex{}", feature);
  if (std::holds_alternative<model::CapsuleShape>(shape)) return fmt::format("end{}", feature);
  if (std::holds_alternative<model::ConeShape>(shape) && feature == 6) return "apex";
  const bool has_rims =
      std::holds_alternative<model::CylinderShape>(shape) || std::holds_alternative<model::ConeShape>(shape);
  if (has_rims && count > 1) {
    return feature % 6 == 0 ? fmt::format("rim{}.low", feature / 6)
                            : fmt::format("rim{}.leg{}", feature / 6, feature % 6);
  }
  return std::string(model::shape_name(shape));
}

// Vertices above each other are one in the plane.
void drop_repeated(std::vector<Feature>& features) {
  std::vector<Feature> kept;
  for (const Feature& feature : features) {
    const bool repeated = std::any_of(kept.begin(), kept.end(), [&](const Feature& other) {
      return other.offset == feature.offset && other.radius == feature.radius;
    });
    if (!repeated) kept.push_back(feature);
  }
  features = std::move(kept);
}

}  // namespace

std::vector<Feature> features_of(const model::ShapePart& part, bool planar) {
  std::vector<Feature> features = local_features(part.shape, planar);
  for (Feature& feature : features) {
    feature.offset = part.position + part.orientation.rotate(feature.offset);
    feature.axis = part.orientation.rotate(feature.axis);
    feature.material = part.material;
    feature.channel = part.channel;
    if (planar) feature.offset.z() = 0;
  }
  if (planar) drop_repeated(features);
  return features;
}

std::vector<Feature> features_of(const model::Body& body, bool planar) {
  std::vector<Feature> all;
  for (const model::ShapePart& part : body.parts) {
    const std::vector<Feature> features = features_of(part, planar);
    all.insert(all.end(), features.begin(), features.end());
  }
  return all;
}

std::string name_in_body(const model::Body& body, int part, const std::string& feature) {
  const model::ShapePart& owner = body.parts[part];
  if (owner.channel != 0) return owner.name;
  const auto own =
      std::count_if(body.parts.begin(), body.parts.end(), [](const auto& other) { return other.channel == 0; });
  return own == 1 ? feature : fmt::format("{}.{}", owner.name, feature);
}

std::string feature_name(const model::Body& body, bool planar, int feature) {
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    const int count = static_cast<int>(features_of(body.parts[i], planar).size());
    if (feature < count) {
      return name_in_body(body, static_cast<int>(i), local_name(body.parts[i].shape, feature, count));
    }
    feature -= count;
  }
  return fmt::format("feature{}", feature);
}

}  // namespace ricochet::contact
