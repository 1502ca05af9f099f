#include "ricochet/contact/features.hpp"

#include <fmt/format.h>

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

std::vector<Feature> local_features(const model::Shape& shape, bool planar) {
  if (const auto* box = std::get_if<model::BoxShape>(&shape)) return corners(*box, planar);
  if (const auto* sphere = std::get_if<model::SphereShape>(&shape)) return {{Vector3::Zero(), sphere->radius}};
  return {{Vector3::Zero(), 0}};
}

std::string local_name(const model::Shape& shape, int feature) {
  if (std::holds_alternative<model::BoxShape>(shape)) return fmt::format("corner{}", feature);
  return std::string(model::shape_name(shape));
}

}  // namespace

std::vector<Feature> features_of(const model::ShapePart& part, bool planar) {
  std::vector<Feature> features = local_features(part.shape, planar);
  for (Feature& feature : features) feature.offset = part.position + part.orientation.rotate(feature.offset);
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

std::string feature_name(const model::Body& body, bool planar, int feature) {
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    const int count = static_cast<int>(local_features(body.parts[i].shape, planar).size());
    if (feature < count) {
      const std::string name = local_name(body.parts[i].shape, feature);
      return body.parts.size() == 1 ? name : fmt::format("part{}.{}", i, name);
    }
    feature -= count;
  }
  return fmt::format("feature{}", feature);
}

}  // namespace ricochet::contact
