// io/csv_writer: tables that read back exactly, and errors that are noticed.
#include "ricochet/io/csv_writer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>

#include "io/output_test_support.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::io {
namespace {

using test::TemporaryDirectory;

const std::vector<std::string> csv_two_columns = {"time", "value"};

TEST(CsvWriter, NumbersReadBackBitForBit) {
  const TemporaryDirectory folder;
  math::Random random(3);
  std::vector<double> numbers = {0.0,
                                 -0.0,
                                 0.1,
                                 1.0 / 3,
                                 1e-5,
                                 100000,
                                 1e22,
                                 std::numeric_limits<double>::max(),
                                 std::numeric_limits<double>::denorm_min(),
                                 0.1 + 0.2};
  for (int i = 0; i < 5000; ++i) numbers.push_back((random.uniform() - 0.5) * std::pow(10, 40 * random.uniform() - 20));
  CsvWriter table(folder / "a.csv", csv_two_columns);
  for (const double number : numbers) {
    table.cell(0.001).cell(number);
    table.end_row();
  }
  table.close();
  const auto rows = test::csv_cells(folder / "a.csv");
  ASSERT_EQ(rows.size(), numbers.size() + 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(rows[i + 1][0], "0.001");
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(rows[i + 1][1].c_str(), nullptr)),
              std::bit_cast<std::uint64_t>(numbers[i]));
  }
}

TEST(CsvWriter, QuotesWhereNeeded) {
  const TemporaryDirectory folder;
  const std::vector<std::string> columns = {"plain", "with,comma", "with \"quotes\"", "two\nlines"};
  CsvWriter table(folder / "a.csv", columns);
  table.cell("a:b.c|d.e").cell(std::numeric_limits<double>::infinity()).cell(std::nan("")).cell("x,y");
  table.end_row();
  table.close();
  EXPECT_EQ(test::file_text(folder / "a.csv"),
            "plain,\"with,comma\",\"with \"\"quotes\"\"\",\"two\nlines\"\na:b.c|d.e,inf,nan,\"x,y\"\n");
}

TEST(CsvWriter, RowsHaveOneCellPerColumn) {
  const TemporaryDirectory folder;
  CsvWriter table(folder / "a.csv", csv_two_columns);
  table.cell(1.0);
  EXPECT_THROW(table.end_row(), std::logic_error);
}

TEST(CsvWriter, ContactsHaveTheColumnsOfTheContract) {
  const TemporaryDirectory folder;
  const model::Model model = test::floor_model();
  const mechanics::DofMap map(model);
  const contact::ContactSet contacts(model, map);
  integrate::ContactRecord record = test::floor_contact(1, Vector3(0.5, 0.25, 0.125), -2, -3);
  record.point = Vector3(1, 2, 3);
  record.axes = {Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)};
  record.gap = 1e-9;
  record.velocity = Vector3(4, 5, 6);
  ContactsCsv table(folder / "contacts.csv");
  table.write(0.75, contacts.name(record.key), contacts, record);
  table.close();
  EXPECT_EQ(test::file_text(folder / "contacts.csv"),
            "time,contact,body_a,body_b,x,y,z,nx,ny,nz,t1x,t1y,t1z,gap,un,ut1,ut2,pn,pt1,pt2,roll1,roll2,spin,status,"
            "work_n,work_t\n"
            "0.75,ground:alpha.point|floor.plane,alpha,floor,1,2,3,0,1,0,-1,0,0,1e-09,4,5,6,0.5,0.25,0.125,0,0,0,slip,"
            "-2,-3\n");
}

TEST(CsvWriterBadInput, FullDiskIsNoticed) {
  CsvWriter short_table("/dev/full", csv_two_columns);
  EXPECT_THROW(short_table.close(), WriteError);  // all of it was still in the buffer
  CsvWriter long_table("/dev/full", csv_two_columns);
  const auto write = [&] {
    for (int i = 0; i < 100'000; ++i) {
      long_table.cell(0.1).cell(0.2);
      long_table.end_row();
    }
  };
  EXPECT_THROW(write(), WriteError);
}

TEST(CsvWriterBadInput, PlacesThatCannotBeWritten) {
  const TemporaryDirectory folder;
  EXPECT_THROW(CsvWriter(folder / "none/a.csv", csv_two_columns), OutputError);
  EXPECT_THROW(CsvWriter(folder.path(), csv_two_columns), OutputError);
}

}  // namespace
}  // namespace ricochet::io
