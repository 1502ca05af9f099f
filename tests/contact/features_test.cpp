#include "ricochet/contact/features.hpp"

#include <gtest/gtest.h>

namespace ricochet::contact {
namespace {

model::Body box_body() {
  model::Body body;
  body.parts = {{model::BoxShape{Vector3(1, 2, 3)}}};
  return body;
}

TEST(Features, CornersOfABoxAreNumberedByTheirSigns) {
  const std::vector<Feature> corners = features_of(box_body(), false);
  ASSERT_EQ(corners.size(), 8u);
  EXPECT_EQ(corners[0].offset, Vector3(-1, -2, -3));
  EXPECT_EQ(corners[1].offset, Vector3(1, -2, -3));
  EXPECT_EQ(corners[2].offset, Vector3(-1, 2, -3));
  EXPECT_EQ(corners[4].offset, Vector3(-1, -2, 3));
  const std::vector<Feature> planar = features_of(box_body(), true);
  ASSERT_EQ(planar.size(), 4u);
  EXPECT_EQ(planar[3].offset, Vector3(1, 2, 0));
  EXPECT_EQ(feature_name(box_body(), false, 7), "corner7");
}

TEST(Features, OfSeveralPartsAreCountedOnAndPlaced) {
  model::Body body = box_body();
  body.parts[0].position = Vector3(10, 0, 0);
  body.parts[0].orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), std::acos(0.0));
  body.parts.push_back({model::SphereShape{0.5}, Vector3(0, 7, 0), {}});
  const std::vector<Feature> features = features_of(body, false);
  ASSERT_EQ(features.size(), 9u);
  EXPECT_LE((features[0].offset - Vector3(12, -1, -3)).norm(), 1e-14);
  EXPECT_EQ(features[8].offset, Vector3(0, 7, 0));
  EXPECT_EQ(features[8].radius, 0.5);
  EXPECT_EQ(feature_name(body, false, 3), "part0.corner3");
  EXPECT_EQ(feature_name(body, false, 8), "part1.sphere");
}

}  // namespace
}  // namespace ricochet::contact
