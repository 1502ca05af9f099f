#include "ricochet/model/polyhedron.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "model/test_models.hpp"
#include "model/test_polyhedra.hpp"

namespace ricochet::model {
namespace {

using testing::ElementsAre;

TEST(Polyhedron, TheExtentIsTheLongestEdgeOfTheBoundingBox) {
  EXPECT_EQ(extent({}), 0);
  EXPECT_EQ(extent(test::l_shape().vertices), 4);
  EXPECT_EQ(extent(test::transformed(test::l_shape(), 1, Vector3(-100, 7, 3)).vertices), 4);
}

TEST(Polyhedron, ClosedOnesAreAcceptedWhereverTheyLieAndHoweverLargeTheyAre) {
  math::Random random(3);
  for (const double scale : {1e-30, 1e-6, 1.0, 1e6, 1e30}) {
    const math::Quaternion turn = test::random_rotation(random);
    const Vector3 away = test::random_vector3(random, 100 * scale);
    for (const PolyhedronShape& shape : {test::corner_tetrahedron(1, 2, 3), test::octahedron(1), test::l_shape(),
                                         test::box_polyhedron(Vector3(1, 1e-6, 1e-3))}) {
      EXPECT_NO_THROW(check_closed(test::transformed(shape, scale, away, turn), "body 'x'"));
    }
  }
}

// One corner of a square, moved by d, leaves all four corners d/4 off the plane of the face.
TEST(Polyhedron, FacesNeedBePlanarOnlyWithinTheTolerance) {
  for (const double scale : {1e-10, 1.0, 1e10}) {
    PolyhedronShape cube = test::transformed(test::box_polyhedron(Vector3(0.5, 0.5, 0.5)), scale, Vector3::Zero());
    cube.vertices[0].z() -= 3 * kFlatnessTolerance * scale;
    EXPECT_NO_THROW(check_closed(cube, "body 'x'"));
    cube.vertices[0].z() -= 2 * kFlatnessTolerance * scale;
    EXPECT_THROW(check_closed(cube, "body 'x'"), std::invalid_argument);
  }
}

// Every way to spoil a polyhedron, and what the sentence must say.
TEST(PolyhedronBadInput, SaysWhatIsWrong) {
  struct Spoiled {
    std::function<void(PolyhedronShape&)> spoil;
    const char* sentence;
  };
  const std::vector<Spoiled> cases = {
      {[](PolyhedronShape& p) { p.vertices[3].y() = std::numeric_limits<double>::quiet_NaN(); },
       "vertex 3 of body 'x' must be finite"},
      {[](PolyhedronShape& p) { p = {}; }, "the polyhedron of body 'x' has no faces"},
      {[](PolyhedronShape& p) { p.faces[1].resize(2); }, "face 1 of body 'x' has 2 vertices"},
      {[](PolyhedronShape& p) { p.faces[1][0] = 8; }, "face 1 of body 'x' names vertex 8, but the 8 vertices are"},
      {[](PolyhedronShape& p) { p.faces[1][0] = -1; }, "face 1 of body 'x' names vertex -1"},
      {[](PolyhedronShape& p) { p.faces[1][0] = p.faces[1][2]; }, "face 1 of body 'x' repeats vertex 6"},
      {[](PolyhedronShape& p) { p.vertices.emplace_back(9, 9, 9); }, "vertex 8 of body 'x' belongs to no face"},
      {[](PolyhedronShape& p) { p.faces.pop_back(); }, "the surface of body 'x' is not closed: the edge between"},
      {[](PolyhedronShape& p) { p.faces.push_back(p.faces[2]); }, "faces 2 and 6 of body 'x' both pass from vertex 0"},
      {[](PolyhedronShape& p) { std::reverse(p.faces[5].begin(), p.faces[5].end()); },
       "faces 1 and 5 of body 'x' both"},
      {[](PolyhedronShape& p) { p.vertices[0].z() -= 1e-8; }, "is not planar: vertex"},
      {[](PolyhedronShape& p) { p.vertices = std::vector<Vector3>(8, Vector3(1, 2, 3)); },
       "face 0 of body 'x' has no area"},
      {[](PolyhedronShape& p) {
         for (Vector3& vertex : p.vertices) vertex.z() = 0.1 * vertex.x() + 0.3 * vertex.y();
       },
       "face 2 of body 'x' has no area"},
      {[](PolyhedronShape& p) {
         p.faces = {{0, 1, 2, 3}, {3, 2, 1, 0}};
         p.vertices.resize(4);
       },
       "the polyhedron of body 'x' encloses no volume"},
      {[](PolyhedronShape& p) {
         for (std::vector<int>& face : p.faces) std::reverse(face.begin(), face.end());
       },
       "the volume of body 'x' is negative: its faces seem to be turned inside out; list"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    PolyhedronShape polyhedron = test::box_polyhedron(Vector3(0.5, 0.5, 0.5));
    cases[i].spoil(polyhedron);
    try {
      check_closed(polyhedron, "body 'x'");
      ADD_FAILURE() << "case " << i << " (" << cases[i].sentence << ") was accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(cases[i].sentence)) << "case " << i;
    }
  }
}

// A surface that touches itself along an edge: four faces there, two in each direction.
TEST(PolyhedronBadInput, AnEdgeOfFourFacesIsRefused) {
  PolyhedronShape two = test::box_polyhedron(Vector3(1, 1, 1));
  const PolyhedronShape other = test::transformed(two, 1, Vector3(2, 2, 0));
  // Vertex 2 and 6 of the first, (1, 1, -+1), are 0 and 4 of the second.
  const int index[] = {2, 8, 9, 10, 6, 11, 12, 13};
  for (int v = 0; v < 8; ++v) {
    if (index[v] >= 8) two.vertices.push_back(other.vertices[v]);
  }
  for (std::vector<int> face : other.faces) {
    for (int& vertex : face) vertex = index[vertex];
    two.faces.push_back(face);
  }
  try {
    check_closed(two, "body 'x'");
    ADD_FAILURE() << "was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("both pass from vertex"));
  }
}

// A cube whose faces are cut into triangles, one of them through a vertex in its middle, and another along an edge with
// a vertex in the middle.
TEST(Polyhedron, CoplanarFacesAreMerged) {
  PolyhedronShape cut = test::box_polyhedron(Vector3(1, 1, 1));
  const PolyhedronShape cube = merged_coplanar_faces(cut);
  EXPECT_THAT(cube.faces, ElementsAre(ElementsAre(0, 1, 5, 4), ElementsAre(0, 3, 2, 1), ElementsAre(0, 4, 7, 3),
                                      ElementsAre(1, 2, 6, 5), ElementsAre(2, 3, 7, 6), ElementsAre(4, 5, 6, 7)));
  cut.vertices.insert(cut.vertices.begin(), Vector3(0, 0, 1));    // the middle of the top
  cut.vertices.insert(cut.vertices.begin(), Vector3(0, -1, -1));  // the middle of the edge between 0 and 1
  cut.faces = {{2, 5, 0},    {0, 5, 4}, {0, 4, 3},                // the bottom, 0 3 2 1 of the cube
               {1, 6, 7},    {1, 7, 8}, {1, 8, 9}, {1, 9, 6},     // the top
               {2, 0, 6},    {0, 3, 7}, {0, 7, 6},                // the side 0 1 5 4
               {3, 4, 8, 7}, {4, 5, 9}, {4, 9, 8}, {5, 2, 6, 9}};
  ASSERT_NO_THROW(check_closed(cut, "the cube in pieces"));
  const PolyhedronShape merged = merged_coplanar_faces(cut);
  EXPECT_EQ(merged.vertices, cube.vertices);
  EXPECT_EQ(merged.faces, cube.faces);
}

// A polygon of very many sides turns little from side to side; merged pairwise it would disappear.
TEST(Polyhedron, ACurvedSurfaceIsNotMerged) {
  std::vector<Vector2> base;
  constexpr int kSides = 2000;
  for (int i = 0; i < kSides; ++i)
    base.emplace_back(std::cos(2 * std::numbers::pi * i / kSides), std::sin(2 * std::numbers::pi * i / kSides));
  const PolyhedronShape merged = merged_coplanar_faces(test::prism(base, 0, 1));
  EXPECT_EQ(merged.vertices.size(), 2u * kSides);
  EXPECT_EQ(merged.faces.size(), 2u + kSides);
}

}  // namespace
}  // namespace ricochet::model
