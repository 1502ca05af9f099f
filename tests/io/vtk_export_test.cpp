// io/vtk_export: the files, read back, show the bodies and contacts of the result; nothing foreign is overwritten.
#include "ricochet/io/vtk_export.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "io/drawn_model.hpp"
#include "io/vtk_reader.hpp"
#include "ricochet/io/result_file.hpp"

namespace ricochet::io {
namespace {

using test::ReadVtk;
using ::testing::HasSubstr;

// Five rows of 0.125 s. The hammer moves by one metre per row along x and turns about z; contacts from the second row
// on.
void write_moving_rows(const test::TemporaryDirectory& folder) {
  const study::Case run_case = test::drawn_case();
  test::HandMadeRun run(run_case);
  run.state.v[5] = 2;  // rad/s about z
  const integrate::ContactRecord contact = test::floor_contact(0, Vector3(3, 0.5, 0));
  ResultFile file(folder / "result.h5", run_case, {});
  file.add_identity("contact");
  for (int row = 0; row < 5; ++row) {
    std::vector<RowContact> list;
    if (row > 0) list.push_back({&contact, 0});
    file.write_row(run.frame(), list, {});
    run.advance({});
  }
  file.close();
}

TEST(VtkExport, BodiesAreWhereTheRowsPutThem) {
  const test::TemporaryDirectory folder;
  write_moving_rows(folder);
  const VtkExport done = export_vtk(folder.path(), folder / "vtk", 0);
  EXPECT_EQ(done.frames, 5u);
  EXPECT_EQ(done.rows, 5u);
  const std::vector<std::pair<double, std::string>> list = test::read_pvd(folder / "vtk" / "bodies.pvd");
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(list[4].first, 0.5);
  const ReadVtk first(folder / "vtk" / list[0].second), last(folder / "vtk" / list[4].second);
  // At t = 0 the bob, which is a sphere, is not there; at 0.5 s it is.
  EXPECT_EQ(first.points(), 8u + 4 + 4);
  EXPECT_GT(last.points(), 100u);
  EXPECT_EQ(first.triangles(), 12u + 4 + 4);
  const std::vector<double> start = first.array("Points"), end = last.array("Points");
  EXPECT_NEAR(start[0], 1 + 1 - 0.5, 1e-12);  // the lowest corner of the box: node, place of the part, half its extent
  EXPECT_NEAR(start[1], 2 - 0.25, 1e-12);
  EXPECT_NEAR(end[0] - start[0], 4, 1e-12);
  // v + omega x r, with r from the origin of the body, which itself moves with omega x (0.5, 0, 0)
  const std::vector<double> velocity = first.array("velocity");
  EXPECT_NEAR(velocity[0], -2 * -0.25, 1e-6);
  EXPECT_NEAR(velocity[1], 2 * 0.5, 1e-6);
  const std::vector<double> body = first.array("body");
  EXPECT_EQ(std::set<double>(body.begin(), body.end()), (std::set<double>{0, 2}));
  EXPECT_EQ(first.names(), (std::vector<std::string>{"hammer", "bob", "twin"}));
}

TEST(VtkExport, ContactsAndSurfaces) {
  const test::TemporaryDirectory folder;
  write_moving_rows(folder);
  export_vtk(folder.path(), folder / "vtk", 3);  // rows 0, 2, 4
  const auto list = test::read_pvd(folder / "vtk" / "contacts.pvd");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(ReadVtk(folder / "vtk" / list[0].second).points(), 0u);
  const ReadVtk contacts(folder / "vtk" / list[2].second);
  ASSERT_EQ(contacts.points(), 1u);
  EXPECT_EQ(contacts.array("Points"), (std::vector<double>{0, 0, 0.5}));
  EXPECT_EQ(contacts.array("normal"), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(contacts.array("impulse")[1], 6.0);  // of two rows
  EXPECT_EQ(contacts.array("status"), std::vector<double>{1});
  EXPECT_EQ(contacts.array("body_b"), std::vector<double>{2});

  const auto surfaces = test::read_pvd(folder / "vtk" / "surfaces.pvd");
  ASSERT_EQ(surfaces.size(), 3u);  // one is driven
  const ReadVtk moved(folder / "vtk" / surfaces[2].second);
  EXPECT_EQ(moved.triangles(), 2u + 1 + 2);
  EXPECT_EQ(moved.names(), (std::vector<std::string>{"floor", "slope", "table"}));
  EXPECT_EQ(moved.array("surface"), (std::vector<double>{0, 0, 1, 2, 2}));
  const std::vector<double> points = moved.array("Points");
  EXPECT_NEAR(points[2], -1, 1e-12);                  // the floor
  EXPECT_NEAR(points[points.size() - 1], -1, 1e-12);  // the table, from -2 upwards with 2 m/s for half a second
}

TEST(VtkExport, ReplacesAnOlderExportAndNothingElse) {
  const test::TemporaryDirectory folder;
  write_moving_rows(folder);
  export_vtk(folder.path(), folder / "vtk", 0);
  export_vtk(folder.path(), folder / "vtk", 2);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "vtk")) ++files;
  EXPECT_EQ(files, 3u * 2 + 3);
  test::put_file(folder / "vtk" / "thesis.txt", "mine");
  EXPECT_THROW(export_vtk(folder.path(), folder / "vtk", 2), OutputError);
  EXPECT_EQ(test::file_text(folder / "vtk" / "thesis.txt"), "mine");
}

std::string vtk_complaint(const std::filesystem::path& from, const std::filesystem::path& to) {
  try {
    export_vtk(from, to, 0);
  } catch (const OutputError& error) {
    return std::string("output: ") + error.what();
  } catch (const FileError& error) {
    return std::string("file: ") + error.what();
  }
  return "none";
}

TEST(VtkExportBadInput, WhatCannotBeReadOrWritten) {
  const test::TemporaryDirectory folder;
  EXPECT_THAT(vtk_complaint(folder.path(), folder / "vtk"), HasSubstr("file: "));
  EXPECT_THAT(vtk_complaint(folder.path(), folder / "vtk"), HasSubstr("made from a result directory"));
  EXPECT_FALSE(std::filesystem::exists(folder / "vtk"));
  test::put_file(folder / "result.h5", "not HDF5");
  EXPECT_THAT(vtk_complaint(folder.path(), folder / "vtk"), HasSubstr("file: "));
  write_moving_rows(folder);
  test::put_file(folder / "taken", "");
  EXPECT_THAT(vtk_complaint(folder.path(), folder / "taken"), HasSubstr("output: "));
  EXPECT_THAT(vtk_complaint(folder.path(), folder / "taken" / "vtk"), HasSubstr("output: "));
  Hdf5File old = Hdf5File::create(folder / "result.h5");
  old.write_number("/format", 1);
  old.write("/time", std::vector<double>{0});
  old.close();
  EXPECT_THAT(vtk_complaint(folder.path(), folder / "vtk"), HasSubstr("has no geometry"));
}

}  // namespace
}  // namespace ricochet::io
