#include "ricochet/contact/possible_pairs.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

std::string complaint_about(const model::Model& model) {
  const auto impossible = find_impossible_pair(model, PairRules(model), Forms(model));
  return impossible ? fmt::format("rule{} {}", impossible->rule, impossible->sentence) : "";
}

// A prism over a notched outline.
model::PolyhedronShape notched() {
  const std::vector<Vector2> outline = {{-1, -1}, {1, -1}, {1, 1}, {0, 0}, {-1, 1}};
  model::PolyhedronShape shape;
  for (const double z : {-1.0, 1.0}) {
    for (const Vector2& point : outline) shape.vertices.emplace_back(point.x(), point.y(), z);
  }
  shape.faces = {{4, 3, 2, 1, 0}, {5, 6, 7, 8, 9}};
  for (int i = 0; i < 5; ++i) shape.faces.push_back({i, (i + 1) % 5, 5 + (i + 1) % 5, 5 + i});
  return shape;
}

TEST(PossiblePairsBadInput, PolyhedraThatAreNotConvexTouchPlanesOnly) {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3::Zero());
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(5, 1, 0));
  model.bodies[1].parts[0].shape = notched();
  model::validate(notched(), "body");
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0), test::body(1)}, {test::surface(0)});
  EXPECT_EQ(complaint_about(model), "");
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  EXPECT_THAT(complaint_about(model), testing::HasSubstr("rule1 pairs 'body0' (sphere) with 'body1' (polyhedron)"));
  EXPECT_THAT(complaint_about(model), testing::HasSubstr("'body1' is not convex"));
  EXPECT_THAT(complaint_about(model), testing::HasSubstr("give its shape as several of them"));
  model.contacts[1].except = {{test::body(1), test::body(0)}};
  EXPECT_EQ(complaint_about(model), "");
}

TEST(PossiblePairsBadInput, NorDoTheyTouchMeshes) {
  model::Model model;
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(5, 1, 0));
  model.bodies[0].parts[0].shape = notched();
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  const std::vector<double> heights(4, 0.0);
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(model::height_field(heights, 2, 1, 1));
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  EXPECT_THAT(complaint_about(model), testing::HasSubstr("'body0' (polyhedron) with 'surface0' (mesh)"));
}

TEST(PossiblePairsBadInput, PointsTouchLandscapesButNoMeshes) {
  model::Model model;
  test::add_point(model, 1, Vector3(0, 0, 1));
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  const std::vector<double> heights(4, 0.0);
  model::TriangleMesh mesh = model::height_field(heights, 2, 1, 1);
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(mesh);
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  EXPECT_EQ(complaint_about(model), "");
  mesh.below.setZero();
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(mesh);
  EXPECT_THAT(complaint_about(model), testing::HasSubstr("make it a small sphere"));
}

TEST(PossiblePairsBadInput, TwoPointsNeverTouch) {
  model::Model model;
  for (int i = 0; i < 2; ++i) test::add_point(model, 1, Vector3(i, 0, 0));
  test::add_ball(model, 1, 1, Vector3::Zero());
  const std::vector<model::Participant> all = {test::body(0), test::body(1), test::body(2)};
  test::add_contact(model, {test::body(2)}, all);
  EXPECT_EQ(complaint_about(model), "");
  test::add_contact(model, all, all);
  EXPECT_THAT(complaint_about(model), testing::HasSubstr("rule1 pairs 'body0' (point) with 'body1' (point)"));
}

TEST(PossiblePairsBadInput, FacesHoldPointsBallsAndCornersOnly) {
  const auto complaint_with = [](const model::Shape& shape, bool face_first = true) {
    model::Model model;
    for (const bool is_face : {face_first, !face_first}) {
      test::add_box(model, 1, Vector3(1, 1, 1), Vector3::Zero());
      if (is_face) model.bodies.back().parts[0].shape = model::FaceShape{Vector2(1, 1)};
      if (!is_face) model.bodies.back().parts[0].shape = shape;
    }
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    return complaint_about(model);
  };
  for (const model::Shape& shape :
       std::vector<model::Shape>{model::PointShape{}, model::SphereShape{1}, model::BoxShape{Vector3(1, 1, 1)},
                                 model::CapsuleShape{1, 1}, notched()}) {
    EXPECT_EQ(complaint_with(shape), "");
    EXPECT_EQ(complaint_with(shape, false), "");
  }
  EXPECT_EQ(complaint_with(model::FaceShape{}),
            "rule0 pairs 'body0' (face) with 'body1' (face): a face holds points, balls and corners of bodies; two "
            "faces pass through each other");
  EXPECT_EQ(complaint_with(model::ConeShape{1, 1}, false),
            "rule0 pairs 'body0' (cone) with 'body1' (face): a face holds points, balls and corners, and 'body0' has a "
            "rim, which would pass through it");
  EXPECT_THAT(complaint_with(model::CylinderShape{1, 1}), testing::HasSubstr("'body1' has a rim"));
}

TEST(PossiblePairsBadInput, FacesAndSurfacesPassThroughEachOther) {
  model::Model model;
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3::Zero());
  model.bodies[0].parts[0].shape = model::FaceShape{};
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  EXPECT_EQ(complaint_about(model),
            "rule0 pairs 'body0' (face) with 'surface0' (plane): a face holds points, balls and corners of bodies; "
            "surfaces pass through it");
  const std::vector<double> heights(4, 0.0);
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(model::height_field(heights, 2, 1, 1));
  EXPECT_THAT(complaint_about(model), testing::HasSubstr("'surface0' (mesh): a face holds"));
  // Another part of the body touches it.
  model.bodies[0].parts.push_back({model::SphereShape{1}, Vector3::Zero(), {}, "ball"});
  EXPECT_EQ(complaint_about(model), "");
  model.surfaces[0].mesh = nullptr;
  EXPECT_EQ(complaint_about(model), "");
}

TEST(PossiblePairsBadInput, HollowsHoldPointsBallsAndCornersOnly) {
  const auto complaint_with = [](const model::Shape& shape, const model::Shape& hollow) {
    model::Model model;
    for (int i = 0; i < 2; ++i) test::add_box(model, 1, Vector3(1, 1, 1), Vector3::Zero());
    model.bodies[0].parts[0].shape = hollow;
    model.bodies[1].parts[0].shape = shape;
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    return complaint_about(model);
  };
  for (const model::Shape& hollow :
       std::vector<model::Shape>{model::HollowSphereShape{2}, model::HollowCylinderShape{2}}) {
    for (const model::Shape& shape : std::vector<model::Shape>{model::PointShape{}, model::SphereShape{1},
                                                               model::BoxShape{Vector3(1, 1, 1)}, notched()}) {
      EXPECT_EQ(complaint_with(shape, hollow), "");
    }
  }
  EXPECT_EQ(complaint_with(model::CylinderShape{1, 1}, model::HollowSphereShape{1}),
            "rule0 pairs 'body0' (hollow-sphere) with 'body1' (cylinder): a hollow sphere holds points, balls and "
            "corners, and 'body1' has a rim, which would pass through it");
  EXPECT_EQ(
      complaint_with(model::SphereShape{0.6}, model::HollowSphereShape{0.5}),
      "rule0 pairs 'body0' (hollow-sphere) with 'body1' (sphere): 'body1' has the radius 0.6 m and does not go into a "
      "hollow sphere of 0.5 m");
  EXPECT_EQ(complaint_with(model::FaceShape{}, model::HollowCylinderShape{1}),
            "rule0 pairs 'body0' (hollow-cylinder) with 'body1' (face): a hollow cylinder holds points, balls and "
            "corners of bodies; two such shapes pass through each other");
}

}  // namespace
}  // namespace ricochet::contact
