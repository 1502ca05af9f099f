// Bodies on meshes: the triangles of a surface as colliders that stay where they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

// A flat square of 2 x n x n triangles with the edge n in the plane z = 0, and one body above it.
model::Model above_a_field(int cells, const model::Shape& shape, const Vector3& place) {
  model::Model model;
  test::add_ball(model, 1, 1, place);
  model.bodies[0].parts[0].shape = shape;
  const std::vector<double> heights((cells + 1) * (cells + 1), 0.0);
  model.surfaces.push_back({"field", Vector3::Zero(), Vector3::UnitZ()});
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(model::height_field(heights, cells + 1, 1, 1));
  test::add_contact(model, {test::body(0)}, {test::surface(0)}, {0.5});
  return model;
}

TEST(MeshContact, ABallTouchesTheTriangleBelow) {
  test::ContactCase c(above_a_field(4, model::SphereShape{0.5}, Vector3(1.7, 2.2, 0.4)));
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 1u);
  const Contact& contact = c.contacts[0];
  EXPECT_EQ(c.set.name(contact.key), "rule0:body0.sphere|field.triangle18.face0");
  EXPECT_NEAR(contact.gap, -0.1, 1e-15);
  EXPECT_LE((contact.axes.normal - Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_EQ(contact.node_a.index, 0);
  EXPECT_FALSE(contact.node_b.valid());
  EXPECT_EQ(c.set.law(contact).friction.at(0), 0.5);
  EXPECT_EQ(c.gradients.row(0).size(), 1u);
  EXPECT_NEAR(c.set.minimum_gap(c.state, 0), -0.1, 1e-15);
  EXPECT_NEAR(c.set.minimum_gap(c.state, 0, 0, 1), -0.1, 1e-15);
}

// Above a vertex six triangles meet; they are one contact.
TEST(MeshContact, AVertexIsTouchedOnce) {
  for (const Vector3& place : {Vector3(2, 2, 0.4), Vector3(2.5, 2.5, 0.4), Vector3(2, 2.5, 0.4)}) {
    test::ContactCase c(above_a_field(4, model::SphereShape{0.5}, place));
    c.detect(0);
    ASSERT_EQ(c.contacts.size(), 1u);
    EXPECT_NEAR(c.contacts[0].gap, -0.1, 1e-15);
  }
}

// Two parts of a body that touch a plane at one place are two contacts, as they are where there is no mesh.
TEST(MeshContact, WhatTouchesPlanesIsNoRepetition) {
  model::Model model = above_a_field(4, model::SphereShape{0.5}, Vector3(1.7, 2.2, 0.4));
  model.bodies[0].parts.push_back(model.bodies[0].parts[0]);
  model.bodies[0].parts[1].name = "again";
  test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
  test::add_contact(model, {test::body(0)}, {test::surface(1)});
  test::ContactCase c(model);
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 3u);  // the mesh, and the plane twice
  EXPECT_EQ(c.contacts[1].key, (ContactKey{1, 0, 0, 2, 0}));
  EXPECT_EQ(c.contacts[2].key, (ContactKey{1, 0, 1, 2, 0}));
}

// Above, on and partly beside a rough field: the smallest of all gaps, although few triangles are looked at.
TEST(MeshContactProperty, MinimumGapIsThatOfAllTriangles) {
  math::Random random(21);
  constexpr int cells = 8;
  for (int i = 0; i < 60; ++i) {
    const Vector3 place(random.uniform(0, cells), random.uniform(0, cells), random.uniform(0.2, 3));
    model::Model model = above_a_field(cells, model::SphereShape{0.4}, place);
    if (i % 2 == 0) model.bodies[0].parts[0].shape = model::BoxShape{Vector3(0.4, 0.3, 0.2)};
    std::vector<double> heights;
    for (int k = 0; k < (cells + 1) * (cells + 1); ++k) heights.push_back(random.uniform(0, 0.3));
    model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(model::height_field(heights, cells + 1, 1, 1));
    test::ContactCase c(model);
    const double found = c.set.minimum_gap(c.state, 0);
    c.detect(1e3);
    ASSERT_FALSE(c.contacts.empty());
    double expected = c.contacts[0].gap;
    for (const Contact& contact : c.contacts) expected = std::min(expected, contact.gap);
    EXPECT_NEAR(found, expected, 1e-14) << i;
    EXPECT_EQ(c.set.minimum_gap(c.state, 0, 0, 1), found);
  }
}

// What has come through a field is held to half the spacing of its heights; a mesh holds nothing from behind.
TEST(MeshContact, OnlyWhatHasComeThroughIsTouchedFromBelow) {
  model::Model model = above_a_field(4, model::SphereShape{0.5}, Vector3(1.7, 2.2, -0.4));
  test::ContactCase through(model);
  through.detect(0);
  ASSERT_EQ(through.contacts.size(), 1u);
  EXPECT_NEAR(through.contacts[0].gap, -0.9, 1e-15);
  EXPECT_NEAR(through.set.minimum_gap(through.state, 0), -0.9, 1e-15);
  EXPECT_LE((through.contacts[0].axes.normal - Vector3::UnitZ()).norm(), 1e-15);
  test::ContactCase below(above_a_field(4, model::SphereShape{0.5}, Vector3(1.7, 2.2, -0.501)));
  below.detect(1);
  EXPECT_TRUE(below.contacts.empty());
  model::TriangleMesh mesh = *model.surfaces[0].mesh;
  mesh.below.setZero();
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(mesh);
  test::ContactCase behind(model);
  behind.detect(1);
  EXPECT_TRUE(behind.contacts.empty());
}

// Wherever a box stands on the field, over however many triangles: normals are up, gaps those of its corners, the
// outermost points of contact are its corners.
TEST(MeshContactProperty, ABoxFeelsNoEdgesOfAFlatField) {
  math::Random random(9);
  for (int i = 0; i < 200; ++i) {
    const double depth = random.uniform(0, 1e-3);
    model::Model model = above_a_field(6, model::BoxShape{Vector3(0.8, 0.6, 0.5)},
                                       Vector3(random.uniform(2, 4), random.uniform(2, 4), 0.5 - depth));
    model.nodes[0].orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(0, 6));
    test::ContactCase c(model);
    c.state.v.setRandom();
    c.detect(0);
    ASSERT_GE(c.contacts.size(), 4u);
    double farthest = 0;
    for (const Contact& contact : c.contacts) {
      EXPECT_LE((contact.axes.normal - Vector3::UnitZ()).norm(), 1e-12);
      EXPECT_NEAR(contact.gap, -depth, 1e-12);
      farthest = std::max(farthest, contact.arm_a.head<2>().norm());
    }
    EXPECT_NEAR(farthest, 1, 1e-12);
    EXPECT_TRUE(std::is_sorted(c.contacts.begin(), c.contacts.end(),
                               [](const Contact& a, const Contact& b) { return a.key < b.key; }));
    test::expect_consistent_gradients(c);
  }
}

// A ridge: two roofs. A ball above the ridge touches its edge.
TEST(MeshContact, ARidgeIsAnEdge) {
  model::Model model = above_a_field(2, model::SphereShape{0.5}, Vector3(1, 0.4, 1.49));
  const std::vector<double> heights = {0, 1, 0, 0, 1, 0};
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(model::height_field(heights, 3, 1, 1));
  test::ContactCase c(model);
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 1u);
  EXPECT_NEAR(c.contacts[0].gap, -0.01, 1e-12);
  EXPECT_LE((c.contacts[0].axes.normal - Vector3::UnitZ()).norm(), 1e-12);
  EXPECT_THAT(c.set.name(c.contacts[0].key), testing::ContainsRegex("field.triangle[0-9].edge[0-2]"));
}

}  // namespace
}  // namespace ricochet::contact
