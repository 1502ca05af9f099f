// io/result_reader: rows of a result come back, whole or in pieces.
#include "ricochet/io/result_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/drawn_model.hpp"
#include "ricochet/io/result_file.hpp"

namespace ricochet::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Five rows; the second and the fourth have one and two contacts.
void write_five_rows(const std::filesystem::path& path, const study::Case& run_case) {
  test::HandMadeRun run(run_case);
  const integrate::ContactRecord first = test::floor_contact(0, Vector3(1, 2, 3));
  const integrate::ContactRecord second = test::floor_contact(1, Vector3(4, 5, 6), -0.5, -0.25);
  ResultFile file(path, run_case, {});
  file.add_identity("first");
  file.add_identity("second");
  file.write_row(run.frame(), {}, {});
  for (int row = 1; row < 5; ++row) {
    run.advance({});
    std::vector<RowContact> contacts;
    if (row == 1 || row == 3) contacts.push_back({&first, 0});
    if (row == 3) contacts.push_back({&second, 1});
    file.write_row(run.frame(), contacts, {});
  }
  file.close();
}

TEST(ResultReader, RowsInPiecesAreTheRows) {
  const test::TemporaryDirectory folder;
  write_five_rows(folder / "result.h5", test::drawn_case());
  const ResultReader reader(folder / "result.h5");
  EXPECT_EQ(reader.rows(), 5u);
  EXPECT_EQ(reader.scene_id(), "drawn");
  EXPECT_TRUE(reader.has_geometry());
  const BodyRows all = reader.body_rows(3, 0, 5);
  ASSERT_EQ(all.position.size(), 45u);
  EXPECT_EQ(all.position[0], 1.5);   // the origin, half a metre beside the node
  EXPECT_EQ(all.position[36], 5.5);  // four steps of one metre on
  for (std::size_t row = 0; row < 5; ++row) {
    const BodyRows one = reader.body_rows(3, row, row + 1);
    EXPECT_TRUE(std::equal(one.position.begin(), one.position.end(), all.position.begin() + 9 * row));
    EXPECT_TRUE(std::equal(one.quaternion.begin(), one.quaternion.end(), all.quaternion.begin() + 12 * row));
    EXPECT_TRUE(std::equal(one.velocity.begin(), one.velocity.end(), all.velocity.begin() + 18 * row));
  }
  EXPECT_TRUE(reader.body_rows(3, 2, 2).position.empty());
}

TEST(ResultReader, ContactsInPieces) {
  const test::TemporaryDirectory folder;
  write_five_rows(folder / "result.h5", test::drawn_case());
  const ResultReader reader(folder / "result.h5");
  const ContactRows later = reader.contact_rows(2, 5);
  EXPECT_THAT(later.row_start, ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(later.identity, ElementsAre(0, 1));
  EXPECT_THAT(later.body_b, ElementsAre(2, 2));
  EXPECT_THAT(later.status, ElementsAre(1, 2));
  EXPECT_THAT(later.impulse, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(reader.contact_motion(2, 5).velocity, ElementsAre(0, 0.125, 0, 0, 0.125, 0));
  EXPECT_THAT(reader.contact_motion(2, 5).work, ElementsAre(0, 0, 0, -0.5, -0.25, 0));
  EXPECT_TRUE(reader.contact_motion(2, 3).work.empty());
  EXPECT_TRUE(reader.contact_rows(0, 1).identity.empty());
  const ResultContacts all = reader.contacts();
  EXPECT_THAT(all.row_start, ElementsAre(0, 0, 1, 1, 3, 3));
  EXPECT_THAT(all.names, ElementsAre("first", "second"));
}

TEST(ResultReader, SurfacesThatDriversMove) {
  const test::TemporaryDirectory folder;
  write_five_rows(folder / "result.h5", test::drawn_case());
  const ResultReader reader(folder / "result.h5");
  EXPECT_THAT(reader.driven_surfaces(3), ElementsAre(2));
  const DrivenRows rows = reader.driven_rows(1, 3, 5);
  EXPECT_THAT(rows.point, ElementsAre(0, 0, -2 + 2 * 0.375, 0, 0, -2 + 2 * 0.5));
  EXPECT_THAT(rows.normal, ElementsAre(0, 0, 1, 0, 0, 1));
  EXPECT_THROW(reader.driven_surfaces(2), FileError);
}

TEST(ResultReaderBadInput, RowsThatAreNotThere) {
  const test::TemporaryDirectory folder;
  write_five_rows(folder / "result.h5", test::drawn_case());
  const ResultReader reader(folder / "result.h5");
  const auto message = [&](std::size_t bodies, std::size_t begin, std::size_t end) -> std::string {
    try {
      reader.body_rows(bodies, begin, end);
    } catch (const FileError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(message(3, 4, 6), HasSubstr("/bodies/position has 5 rows where 6 are expected"));
  EXPECT_THAT(message(2, 0, 1), HasSubstr("/bodies/position has 9 values where 6 are expected"));
  EXPECT_THROW(ResultReader(folder / "gone.h5"), FileError);
}

}  // namespace
}  // namespace ricochet::io
