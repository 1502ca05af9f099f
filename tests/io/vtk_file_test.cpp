// io/vtk_file: arrays, cells and names come back as they were given.
#include "ricochet/io/vtk_file.hpp"

#include <gtest/gtest.h>

#include "io/vtk_reader.hpp"

namespace ricochet::io {
namespace {

test::ReadVtk read_back(const VtkPolyData& data) {
  const test::TemporaryDirectory folder;
  test::put_file(folder / "data.vtp", vtk_text(data));
  return test::ReadVtk(folder / "data.vtp");
}

TEST(VtkFile, TrianglesWithValues) {
  VtkPolyData data;
  data.points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1e-300};
  data.triangles = {0, 1, 2, 1, 3, 2};
  data.point_data.push_back({"heat", 1, {1, 2, 3, 4.5}});
  data.cell_data.push_back({"part", 1, {7, 8}, true});
  data.names = {"a", "\xc2\xb5"};
  const test::ReadVtk read = read_back(data);
  EXPECT_EQ(read.points(), 4u);
  EXPECT_EQ(read.triangles(), 2u);
  EXPECT_EQ(read.array("Points"), data.points);
  EXPECT_EQ(read.array("heat"), data.point_data[0].values);
  EXPECT_EQ(read.array("part"), data.cell_data[0].values);
  EXPECT_EQ(read.names(), data.names);
  const std::string text = vtk_text(data);
  EXPECT_NE(text.find("NumberOfVerts=\"0\""), std::string::npos);
}

TEST(VtkFile, PointsAloneAreVertices) {
  VtkPolyData data;
  data.points = {1, 2, 3, 4, 5, 6};
  EXPECT_NE(vtk_text(data).find("NumberOfVerts=\"2\""), std::string::npos);
  EXPECT_EQ(read_back(data).array("connectivity"), (std::vector<double>{0, 1}));
  EXPECT_EQ(read_back(data).array("offsets"), (std::vector<double>{1, 2}));
  EXPECT_EQ(read_back({}).points(), 0u);
}

TEST(VtkFile, ACollectionListsItsTimes) {
  const test::TemporaryDirectory folder;
  const std::vector<VtkEntry> entries = {{0, "a.vtp"}, {0.1, "b.vtp"}};
  test::put_file(folder / "all.pvd", vtk_collection_text(entries));
  const auto read = test::read_pvd(folder / "all.pvd");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].first, 0.1);
  EXPECT_EQ(read[1].second, "b.vtp");
}

}  // namespace
}  // namespace ricochet::io
