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
  body.parts[0].name = "block";
  body.parts.push_back({model::SphereShape{0.5}, Vector3(0, 7, 0), {}, "head"});
  const std::vector<Feature> features = features_of(body, false);
  ASSERT_EQ(features.size(), 9u);
  EXPECT_LE((features[0].offset - Vector3(12, -1, -3)).norm(), 1e-14);
  EXPECT_EQ(features[8].offset, Vector3(0, 7, 0));
  EXPECT_EQ(features[8].radius, 0.5);
  EXPECT_EQ(feature_name(body, false, 3), "block.corner3");
  EXPECT_EQ(feature_name(body, false, 8), "head.sphere");
}

TEST(Features, OfEveryShapeHaveNames) {
  const auto names = [](const model::Shape& shape, bool planar) {
    model::Body body;
    body.parts = {{shape}};
    std::vector<std::string> result;
    for (std::size_t i = 0; i < features_of(body, planar).size(); ++i) {
      result.push_back(feature_name(body, planar, static_cast<int>(i)));
    }
    return result;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(model::PointShape{}, false), Names{"point"});
  EXPECT_EQ(names(model::CylinderShape{1, 2}, false),
            (Names{"rim0.low", "rim0.leg1", "rim0.leg2", "rim0.leg3", "rim0.leg4", "rim0.leg5", "rim1.low", "rim1.leg1",
                   "rim1.leg2", "rim1.leg3", "rim1.leg4", "rim1.leg5"}));
  EXPECT_EQ(names(model::CylinderShape{1, 2}, true), Names{"cylinder"});
  EXPECT_EQ(names(model::CapsuleShape{1, 2}, false), (Names{"end0", "end1"}));
  EXPECT_EQ(names(model::ConeShape{1, 2}, false),
            (Names{"rim0.low", "rim0.leg1", "rim0.leg2", "rim0.leg3", "rim0.leg4", "rim0.leg5", "apex"}));
  EXPECT_EQ(names(model::ConeShape{1, 2}, true), (Names{"cone"}));
  const model::PolyhedronShape tetrahedron{{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)},
                                           {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  EXPECT_EQ(names(tetrahedron, false), (Names{"vertex0", "vertex1", "vertex2", "vertex3"}));
  EXPECT_EQ(names(tetrahedron, true).size(), 3u);  // two of them lie above each other
}

TEST(Features, ACapsuleAlongZIsADiscInThePlane) {
  model::ShapePart capsule{model::CapsuleShape{0.1, 2}};
  EXPECT_EQ(features_of(capsule, true).size(), 1u);
  capsule.orientation = math::Quaternion::from_axis_angle(Vector3::UnitY(), std::acos(0.0));
  const std::vector<Feature> ends = features_of(capsule, true);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_LE((ends[1].offset - Vector3(2, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(ends[1].radius, 0.1);
}

TEST(Features, AFaceHasNone) {
  EXPECT_TRUE(features_of(model::ShapePart{model::FaceShape{}}, false).empty());
  EXPECT_TRUE(features_of(model::ShapePart{model::FaceShape{Vector2(1, 2)}}, true).empty());
}

TEST(Features, HollowsHaveNone) {
  EXPECT_TRUE(features_of(model::ShapePart{model::HollowSphereShape{1}}, false).empty());
  EXPECT_TRUE(features_of(model::ShapePart{model::HollowCylinderShape{1}}, true).empty());
}

}  // namespace
}  // namespace ricochet::contact
