// io/row_log: what was synced is read back, whatever came after it; damage is noticed before the first row is used.
#include "ricochet/io/row_log.hpp"

#include <gtest/gtest.h>

#include "io/output_test_support.hpp"
#include "ricochet/io/file_error.hpp"

namespace ricochet::io {
namespace {

using test::TemporaryDirectory;

std::vector<std::string> all_rows(RowLogReader reader) {
  std::vector<std::string> rows;
  for (std::string row; reader.next(row);) rows.push_back(row);
  return rows;
}

TEST(RowLog, RowsUpToTheExtentComeBack) {
  const TemporaryDirectory folder;
  RowLog log(folder / "rows.log");
  const RowLogExtent nothing = log.sync();
  log.append("one");
  log.append("");
  log.append(std::string(200'000, 'x'));
  const RowLogExtent three = log.sync();
  log.append("four");
  const RowLogExtent four = log.sync();
  log.append("five, of which nobody knows");
  EXPECT_TRUE(all_rows({folder / "rows.log", nothing}).empty());
  EXPECT_EQ(all_rows({folder / "rows.log", three}), (std::vector<std::string>{"one", "", std::string(200'000, 'x')}));
  EXPECT_EQ(all_rows({folder / "rows.log", four}).size(), 4u);
}

TEST(RowLogBadInput, DamageIsNoticed) {
  const TemporaryDirectory folder;
  RowLogExtent extent;
  {
    RowLog log(folder / "rows.log");
    for (int i = 0; i < 20; ++i) log.append("row " + std::to_string(i));
    extent = log.sync();
  }
  const std::string bytes = test::file_text(folder / "rows.log");
  ASSERT_EQ(bytes.size(), extent.bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    test::put_file(folder / "damaged.log", damaged);
    EXPECT_THROW(RowLogReader(folder / "damaged.log", extent), FileError) << i;
    test::put_file(folder / "short.log", bytes.substr(0, i));
    EXPECT_THROW(RowLogReader(folder / "short.log", extent), FileError) << i;
  }
  EXPECT_THROW(RowLogReader(folder / "none.log", extent), FileError);
}

}  // namespace
}  // namespace ricochet::io
