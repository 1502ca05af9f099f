// io/result_geometry: a machine is drawn from the file as it would be from the model, and damaged files are refused.
#include "ricochet/io/result_geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "io/drawn_model.hpp"
#include "model/clearance_models.hpp"
#include "ricochet/io/result_file.hpp"
#include "ricochet/model/machine_size.hpp"
#include "ricochet/model/tessellation.hpp"

namespace ricochet::io {
namespace {

using ::testing::HasSubstr;

ResultGeometry written_and_read(const study::Case& run_case) {
  const test::TemporaryDirectory folder;
  ResultFile written(folder / "result.h5", run_case, {});
  written.close();
  return read_geometry(Hdf5File::open(folder / "result.h5"));
}

TEST(ResultGeometry, HasEverythingThatIsDrawn) {
  const ResultGeometry geometry = written_and_read(test::drawn_case());
  EXPECT_FALSE(geometry.planar);
  EXPECT_EQ(geometry.gravity, Vector3(0, 0, -10));
  ASSERT_EQ(geometry.bodies.size(), 3u);
  EXPECT_EQ(geometry.bodies[0].name, "hammer");
  EXPECT_EQ(geometry.bodies[1].appears, 0.25);
  EXPECT_EQ(geometry.bodies[1].disappears, 0.75);
  EXPECT_TRUE(std::isinf(geometry.bodies[0].disappears));
  ASSERT_EQ(geometry.parts.size(), 4u);
  EXPECT_EQ(geometry.parts[0].shape, "box");
  EXPECT_EQ(geometry.parts[0].name, "head");
  EXPECT_EQ(geometry.parts[0].size, Vector3(0.5, 0.25, 0.125));
  EXPECT_EQ(geometry.parts[0].position, Vector3(0.5, 0, 0));  // from the origin of the body, not from its node
  EXPECT_EQ(geometry.parts[1].shape, "polyhedron");
  EXPECT_DOUBLE_EQ(geometry.parts[1].orientation.z, std::sin(0.5));
  EXPECT_EQ(geometry.parts[2].size, Vector3(0.25, 0, 0));
  ASSERT_EQ(geometry.surfaces.size(), 3u);
  EXPECT_EQ(geometry.surfaces[0].mesh, -1);
  EXPECT_EQ(geometry.surfaces[1].mesh, 1);
  EXPECT_EQ(geometry.surfaces[2].point, Vector3(0, 0, -2));
  ASSERT_EQ(geometry.springs.size(), 1u);
  EXPECT_EQ(geometry.springs[0].start.body, -1);
  EXPECT_EQ(geometry.springs[0].start.point, Vector3(0, 0, 9));
  EXPECT_EQ(geometry.springs[0].end.body, 0);
  EXPECT_EQ(geometry.springs[0].end.point, Vector3(0.5, 1, 1));
  ASSERT_EQ(geometry.joints.size(), 1u);
  EXPECT_EQ(geometry.joints[0].type, "revolute");
  EXPECT_EQ(geometry.joints[0].first.point, Vector3(0.25, 0, 0));
  EXPECT_NEAR((geometry.joints[0].first_axes.rotate(Vector3::UnitZ()) - Vector3::UnitX()).norm(), 0, 1e-15);
  EXPECT_EQ(geometry.joints[0].second.body, -1);
}

TEST(ResultGeometry, BodiesOfOneFormShareTheirMesh) {
  const ResultGeometry geometry = written_and_read(test::drawn_case());
  ASSERT_EQ(geometry.meshes.size(), 2u);  // the wedge of two bodies, and the slope
  EXPECT_EQ(geometry.parts[1].mesh, geometry.parts[3].mesh);
  EXPECT_EQ(geometry.meshes[0].vertices.size(), 4u);
  EXPECT_EQ(geometry.meshes[0].triangles.size(), 4u);
  EXPECT_EQ(geometry.meshes[1].vertices[2], Vector3(0, 4, 1));
}

TEST(ResultGeometry, SurfacesOfPartsAreThoseOfTheModel) {
  const model::Model model = test::drawn_model();
  const ResultGeometry geometry = written_and_read(test::drawn_case());
  std::size_t index = 0;
  for (const model::Body& body : model.bodies) {
    for (const model::ShapePart& part : body.parts) {
      const model::TriangleMesh expected =
          model::placed(model::tessellated(part.shape), part.position - body.origin, part.orientation);
      const model::TriangleMesh found = part_surface(geometry, geometry.parts[index++]);
      EXPECT_EQ(found.vertices, expected.vertices);
      EXPECT_EQ(found.triangles, expected.triangles);
    }
  }
}

TEST(ResultGeometry, EveryShapeComesBack) {
  study::Case run_case = test::drawn_case();
  const std::vector<model::Shape> shapes = {model::PointShape{},           model::SphereShape{2},
                                            model::BoxShape{{1, 2, 3}},    model::CylinderShape{1, 2},
                                            model::CapsuleShape{0.5, 0.2}, model::ConeShape{1, 3}};
  std::vector<model::ShapePart>& parts = run_case.model.bodies[0].parts;
  parts.clear();
  for (const model::Shape& shape : shapes) parts.push_back({shape});
  run_case.model.bodies[0].origin = Vector3::Zero();
  const ResultGeometry geometry = written_and_read(run_case);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_EQ(part_surface(geometry, geometry.parts[i], 8).vertices, model::tessellated(shapes[i], 8).vertices);
  }
}

// Journal and bearing are seen; the corners of a slider are not, for its body is.
TEST(ResultGeometry, ClearanceJointsAreDrawn) {
  const auto shapes = [](model::ClearanceType type) {
    std::vector<std::string> result;
    const model::Model model = ricochet::test::with_clearance(ricochet::test::between_boxes(type, 0.125), true);
    for (const GeometryPart& part : geometry_of(model).parts) result.push_back(part.shape);
    return result;
  };
  EXPECT_EQ(shapes(model::ClearanceType::revolute),
            (std::vector<std::string>{"box", "sphere", "box", "hollow-cylinder"}));
  EXPECT_EQ(shapes(model::ClearanceType::translational), (std::vector<std::string>{"box", "box", "face", "face"}));
}

TEST(ResultGeometry, AnEmptyModel) {
  study::Case run_case;
  const ResultGeometry geometry = written_and_read(run_case);
  EXPECT_TRUE(geometry.bodies.empty());
  EXPECT_TRUE(geometry.parts.empty());
  EXPECT_TRUE(geometry.meshes.empty());
}

// Writes the geometry with one dataset of another content.
std::string refusal_of(const std::string& name, const std::function<void(Hdf5File&)>& replace) {
  const test::TemporaryDirectory folder;
  {
    ResultFile written(folder / "result.h5", test::drawn_case(), {});
    written.close();
  }
  const Hdf5File whole = Hdf5File::open(folder / "result.h5");
  Hdf5File changed = Hdf5File::create(folder / "changed.h5");
  const auto copy = [&](auto& self, const std::string& group) -> void {
    for (const std::string& entry : whole.list(group.empty() ? "/" : group)) {
      const std::string path = group + "/" + entry;
      if (path == name) continue;
      if (path == "/geometry/parts" || path == "/geometry/meshes" || path == "/geometry/springs" ||
          path == "/geometry/joints") {
        self(self, path);
      } else if (path == "/geometry/planar") {
        changed.write_number(path, whole.read_integer(path));
      } else if (entry == "names" || entry == "name" || entry == "shape" || entry == "types") {
        changed.write(path, whole.read_texts(path));
      } else if (entry == "body" || entry == "mesh" || entry.ends_with("_body") || entry.ends_with("_start") ||
                 entry == "triangles") {
        changed.write(path, whole.read_integers(path), whole.shape(path));
      } else {
        changed.write(path, whole.read_doubles(path), whole.shape(path));
      }
    }
  };
  copy(copy, "/geometry");
  for (const char* path : {"/bodies/names", "/surfaces/names"}) changed.write(path, whole.read_texts(path));
  for (const char* path : {"/bodies/appears", "/bodies/disappears", "/surfaces/point", "/surfaces/normal"}) {
    changed.write(path, whole.read_doubles(path), whole.shape(path));
  }
  if (name != "/surfaces/mesh") changed.write("/surfaces/mesh", whole.read_integers("/surfaces/mesh"));
  if (replace) replace(changed);
  changed.close();
  try {
    read_geometry(Hdf5File::open(folder / "changed.h5"));
  } catch (const FileError& error) {
    return error.what();
  }
  return "none";
}

TEST(ResultGeometryBadInput, WhatDoesNotFitIsRefused) {
  using Integers = std::vector<std::int64_t>;
  using Numbers = std::vector<double>;
  const auto with = [](const std::string& name, const auto& values) {
    return refusal_of(name, [&](Hdf5File& file) { file.write(name, values); });
  };
  EXPECT_EQ(refusal_of("", {}), "none");  // the copy itself is good
  EXPECT_THAT(refusal_of("/geometry/parts/body", {}), HasSubstr("there is no /geometry/parts/body"));
  EXPECT_THAT(with("/geometry/parts/body", Integers{0, 0, 1, 3}), HasSubstr("/geometry/parts/body points to"));
  EXPECT_THAT(with("/geometry/parts/body", Integers{0, 0, 1, -1}), HasSubstr("/geometry/parts/body points to"));
  EXPECT_THAT(with("/geometry/parts/mesh", Integers{0, 0, 1, 2}), HasSubstr("/geometry/parts/mesh points to"));
  EXPECT_THAT(with("/geometry/parts/mesh", Integers{0, 0}), HasSubstr("has 2 values where 4 are expected"));
  EXPECT_THAT(with("/geometry/parts/size", Numbers(12, std::nan(""))), HasSubstr("not finite"));
  EXPECT_THAT(with("/geometry/parts/quaternion", Numbers(3)), HasSubstr("has 3 values where 16"));
  EXPECT_THAT(with("/surfaces/mesh", Integers{-1, 7, -1}), HasSubstr("/surfaces/mesh points to"));
  EXPECT_THAT(with("/geometry/springs/end_body", Integers{5}), HasSubstr("end_body points to"));
  EXPECT_THAT(with("/geometry/joints/first_axes", Numbers(3)), HasSubstr("first_axes has 3 values where 4"));
  EXPECT_THAT(with("/geometry/meshes/vertex_start", Integers{0, 9, 7}), HasSubstr("does not divide"));
  EXPECT_THAT(with("/geometry/meshes/vertex_start", Integers{0, 7}), HasSubstr("do not fit"));
  EXPECT_THAT(with("/geometry/meshes/triangles", Integers(15, 6)), HasSubstr("triangles points to"));
}

TEST(ResultGeometry, AFaceIsDrawnAsAPlateOfFiniteSize) {
  study::Case run_case = test::drawn_case();
  run_case.model.bodies[0].parts = {{model::FaceShape{Vector2(1, 2)}}, {model::FaceShape{}}};
  run_case.model.bodies[0].origin = Vector3::Zero();
  const double size = model::machine_size(run_case.model);
  const ResultGeometry geometry = written_and_read(run_case);
  EXPECT_EQ(geometry.parts[0].shape, "face");
  const double depth = run_case.model.planar ? 0.5 : size;
  EXPECT_EQ(part_surface(geometry, geometry.parts[0]).vertices,
            model::drawn_face({Vector2(1, 2)}, Vector2(size, depth)).vertices);
  EXPECT_EQ(part_surface(geometry, geometry.parts[1]).vertices, model::drawn_face({}, Vector2(size, depth)).vertices);
}

TEST(ResultGeometry, HollowShapesAreDrawnAsTheirInnerWalls) {
  study::Case run_case = test::drawn_case();
  run_case.model.bodies[0].parts = {{model::HollowSphereShape{2}}, {model::HollowCylinderShape{1}}};
  run_case.model.bodies[0].origin = Vector3::Zero();
  const double size = run_case.model.planar ? 0.5 : model::machine_size(run_case.model);
  const ResultGeometry geometry = written_and_read(run_case);
  EXPECT_EQ(geometry.parts[0].shape, "hollow-sphere");
  EXPECT_EQ(part_surface(geometry, geometry.parts[0]).vertices, model::drawn_hollow({2}).vertices);
  EXPECT_EQ(part_surface(geometry, geometry.parts[1]).vertices,
            model::drawn_hollow(model::HollowCylinderShape{1}, size).vertices);
}

}  // namespace
}  // namespace ricochet::io
