#include "ricochet/contact/form_part.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/test_models.hpp"

namespace ricochet::contact {
namespace {

// What touches planes has one number for both.
TEST(FormPart, FeaturesOfPlanesComeFirst) {
  struct Expected {
    model::Shape shape;
    int at_planes, others;
    std::string first, first_other;
  };
  const model::PolyhedronShape wedge{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const std::vector<Expected> all = {
      {model::BoxShape{Vector3(1, 2, 3)}, 8, 18, "corner0", "edge0"},
      {wedge, 4, 10, "vertex0", "edge0"},
      {model::CapsuleShape{1, 2}, 2, 1, "end0", "side"},
      {model::CylinderShape{1, 2}, 12, 15, "rim0.low", "rim0.arc0"},
      {model::ConeShape{1, 2}, 7, 8, "rim0.low", "rim0.arc0"},
  };
  for (const Expected& expected : all) {
    const model::ShapePart shape{expected.shape};
    const FormPart part = make_form_part(shape, false);
    EXPECT_EQ(part.plane_features, expected.at_planes);
    EXPECT_EQ(part.plane_features, static_cast<int>(features_of(shape, false).size()));
    EXPECT_EQ(part.further_features, expected.others);
    EXPECT_EQ(part.feature_name(0), expected.first);
    EXPECT_EQ(part.feature_name(part.plane_features), expected.first_other);
    EXPECT_FALSE(part.is_ball);
  }
  EXPECT_TRUE(make_form_part({model::SphereShape{1}}, false).is_ball);
  EXPECT_EQ(make_form_part({model::SphereShape{1}}, false).further_features, 0);
}

TEST(FormPart, InThePlaneItIsAnOutline) {
  model::ShapePart box{model::BoxShape{Vector3(1, 2, 3)}, Vector3(5, 0, 7)};
  const FormPart part = make_form_part(box, true);
  ASSERT_TRUE(part.outline);
  EXPECT_FALSE(part.solid);
  EXPECT_EQ(part.plane_features, 4);
  EXPECT_EQ(part.further_features, 4);
  EXPECT_LE((part.middle - Vector3(5, 0, 0)).norm(), 1e-15);
  EXPECT_NEAR(part.radius, std::sqrt(5), 1e-15);
  EXPECT_TRUE(part.is_vertex(3));
  EXPECT_TRUE(part.is_face(4));
  const FormPart disc = make_form_part({model::CylinderShape{0.5, 2}, Vector3(1, 0, 0)}, true);
  EXPECT_TRUE(disc.is_ball);
  EXPECT_EQ(disc.radius, 0.5);
  EXPECT_EQ(disc.middle, Vector3(1, 0, 0));
}

TEST(FormPart, TrianglesOfAMesh) {
  const std::vector<double> heights(4, 1.5);
  const std::vector<FormPart> parts = make_triangles(model::height_field(heights, 2, 1, 1), {3});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].material.index, 3);
  EXPECT_DOUBLE_EQ(parts[1].middle.z(), 1.5);
  EXPECT_TRUE(parts[0].is_face(6));
  EXPECT_TRUE(parts[0].is_vertex(2));
}

TEST(FormPart, AFaceHasOneFeatureAndRoomBehindIt) {
  const FormPart face = make_form_part({model::FaceShape{Vector2(3, 2)}, Vector3(1, 0, 0)}, false);
  ASSERT_TRUE(face.face);
  EXPECT_FALSE(face.is_convex());
  EXPECT_EQ(face.plane_features, 0);
  EXPECT_EQ(face.further_features, 1);
  EXPECT_EQ(face.feature_name(0), "face");
  EXPECT_EQ(face.middle, Vector3(1, 0, 0));
  EXPECT_DOUBLE_EQ(face.radius, std::sqrt(9.0 + 4 + 4));
  EXPECT_EQ(make_form_part({model::FaceShape{}}, false).radius, std::numeric_limits<double>::infinity());
}

TEST(FormPart, AHollowHasOneFeatureAndRoomAroundIt) {
  const FormPart sphere = make_form_part({model::HollowSphereShape{2}, Vector3(1, 0, 0)}, false);
  ASSERT_TRUE(sphere.hollow);
  EXPECT_TRUE(sphere.is_holder());
  EXPECT_FALSE(sphere.is_unlimited());
  EXPECT_FALSE(sphere.is_convex());
  EXPECT_EQ(sphere.plane_features, 0);
  EXPECT_EQ(sphere.further_features, 1);
  EXPECT_EQ(sphere.feature_name(0), "inside");
  EXPECT_EQ(sphere.middle, Vector3(1, 0, 0));
  EXPECT_EQ(sphere.radius, 4);
  EXPECT_TRUE(make_form_part({model::HollowCylinderShape{2}}, false).is_unlimited());
  EXPECT_FALSE(make_form_part({model::HollowCylinderShape{2, 1}}, false).is_unlimited());
  EXPECT_FALSE(make_form_part({model::HollowCylinderShape{2}}, true).is_unlimited());  // a circle
}

}  // namespace
}  // namespace ricochet::contact
