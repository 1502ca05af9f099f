#include "ricochet/contact/forms.hpp"

#include <gtest/gtest.h>

#include "model/test_models.hpp"

namespace ricochet::contact {
namespace {

TEST(Forms, BodiesOfTheSamePartsShareOne) {
  model::Model model;
  for (int i = 0; i < 5; ++i) test::add_box(model, 1, Vector3(1, 2, 3), Vector3(10 * i, 0, 0));
  test::add_box(model, 1, Vector3(1, 3, 2), Vector3(0, 10, 0));  // the same radius, another shape
  test::add_ball(model, 1, 1, Vector3(0, 20, 0));
  model.bodies[3].parts[0].material = {0};
  model.bodies[4].parts[0].position = Vector3(0, 1, 0);
  const Forms forms(model);
  EXPECT_EQ(forms.count(), 5);
  EXPECT_EQ(&forms.of_body(0), &forms.of_body(2));
  EXPECT_NE(&forms.of_body(0), &forms.of_body(5));
  EXPECT_EQ(forms.of_body(0).features.size(), 8u);
  EXPECT_DOUBLE_EQ(forms.of_body(0).radius, std::sqrt(14));
  EXPECT_DOUBLE_EQ(forms.of_body(4).radius, 1 + std::sqrt(14));
  EXPECT_EQ(forms.feature_name(5, 3), "corner3");
  EXPECT_EQ(forms.feature_name(6, 0), "sphere");
}

// All features are inside the bounding sphere.
TEST(Forms, NothingIsOutsideTheRadius) {
  model::Model model;
  math::Random random(2);
  const model::PolyhedronShape wedge{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const std::vector<model::Shape> shapes = {model::SphereShape{0.3}, model::BoxShape{Vector3(1, 2, 3)},
                                            model::CylinderShape{1, 0.5}, model::CapsuleShape{0.2, 1}, wedge};
  for (const model::Shape& shape : shapes) {
    test::add_random_frame(model, random, shape);
    model::ShapePart& part = model.bodies.back().parts[0];
    part.position = test::random_vector3(random);
    part.orientation = test::random_rotation(random);
  }
  const Forms forms(model);
  for (int body = 0; body < 5; ++body) {
    double farthest = 0;
    for (const Feature& feature : forms.of_body(body).features) {
      farthest = std::max(farthest, feature.offset.norm() + (feature.kind == FeatureKind::ball ? feature.radius : 0));
    }
    EXPECT_LE(farthest, forms.of_body(body).radius * (1 + 1e-15));
    EXPECT_GE(farthest, 0.3 * forms.of_body(body).radius);
  }
}

TEST(Forms, FacesOfOtherExtentsAreOtherForms) {
  model::Model model;
  for (const double half : {1.0, 1.0, 2.0}) {
    test::add_ball(model, 1, 1, Vector3::Zero());
    model.bodies.back().parts[0].shape = model::FaceShape{Vector2(half, 1)};
  }
  model.bodies[0].parts.push_back({model::SphereShape{0.5}, Vector3(3, 0, 0), {}, "ball"});
  model.bodies[0].parts[0].name = "face";
  const Forms forms(model);
  EXPECT_EQ(forms.count(), 3);
  EXPECT_EQ(forms.of_body(0).features_of(0).size(), 0u);
  EXPECT_EQ(forms.of_body(0).features_of(1).size(), 1u);
  EXPECT_EQ(forms.feature_name(0, forms.of_body(0).feature(0, 0)), "face.face");
  EXPECT_EQ(forms.feature_name(0, forms.of_body(0).feature(1, 0)), "ball.sphere");
  EXPECT_EQ(forms.feature_name(1, forms.of_body(1).feature(0, 0)), "face");
  EXPECT_EQ(forms.of_body(0).radius, 3.5);
  // What has no limits is not in the sphere.
  model.bodies[0].parts[0].shape = model::FaceShape{};
  EXPECT_EQ(Forms(model).of_body(0).radius, 3.5);
}

TEST(Forms, HollowsOfOtherSizesAreOtherForms) {
  model::Model model;
  const std::vector<model::Shape> shapes = {model::HollowSphereShape{1},      model::HollowSphereShape{1},
                                            model::HollowSphereShape{2},      model::HollowCylinderShape{1, 1},
                                            model::HollowCylinderShape{1, 2}, model::HollowCylinderShape{1, 2},
                                            model::HollowCylinderShape{1}};
  for (const model::Shape& shape : shapes) {
    test::add_ball(model, 1, 1, Vector3::Zero());
    model.bodies.back().parts[0].shape = shape;
  }
  EXPECT_EQ(Forms(model).count(), 5);
  EXPECT_EQ(Forms(model).of_body(6).radius, 0);  // what has no limits is not in the sphere
}

}  // namespace
}  // namespace ricochet::contact
