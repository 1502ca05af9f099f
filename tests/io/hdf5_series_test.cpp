// io/hdf5_series: datasets that grow by rows.
#include <gtest/gtest.h>

#include <cmath>

#include "io/output_test_support.hpp"
#include "ricochet/io/hdf5_file.hpp"

namespace ricochet::io {
namespace {

using test::TemporaryDirectory;

// Rows are buffered by chunks of 64 kB: the lengths lie on both sides of one and several chunks.
TEST(Hdf5Series, ComeBack) {
  const TemporaryDirectory folder;
  for (const int rows : {0, 1, 2730, 2731, 8191, 8192, 8193, 20'000}) {
    std::vector<double> numbers, table;
    std::vector<std::int64_t> integers;
    {
      Hdf5File file = Hdf5File::create(folder / "series.h5");
      auto number = file.make_series<double>("/number");
      auto row = file.make_series<double>("/group/row", {3});
      auto block = file.make_series<double>("/group/block", {500, 20});  // more than a chunk: one row per chunk
      auto integer = file.make_series<std::int64_t>("/integer");
      auto empty = file.make_series<double>("/empty", {0, 3});
      auto text = file.make_text_series("/text", 10);
      for (int i = 0; i < rows; ++i) {
        numbers.push_back(0.1 * i);
        integers.push_back(i);
        const std::vector<double> three = {1.0 * i, 2.0 * i, 3.0 * i};
        table.insert(table.end(), three.begin(), three.end());
        number.append(numbers.back());
        row.append(three);
        integer.append(i);
        empty.append(std::vector<double>{});
        if (i % 1000 == 0) text.append("text " + std::to_string(i));
        if (i % 5000 == 0) block.append(std::vector<double>(10'000, i));
        if (i % 3000 == 7) file.flush();  // in the middle of a chunk
      }
      EXPECT_EQ(row.rows(), rows);
      file.close();
    }
    const Hdf5File file = Hdf5File::open(folder / "series.h5");
    EXPECT_EQ(file.read_doubles("/number"), numbers);
    EXPECT_EQ(file.read_doubles("/group/row"), table);
    EXPECT_EQ(file.shape("/group/row"), (Hdf5File::Shape{rows, 3}));
    EXPECT_EQ(file.read_integers("/integer"), integers);
    EXPECT_EQ(file.shape("/empty"), (Hdf5File::Shape{rows, 0, 3}));
    EXPECT_EQ(file.shape("/group/block"), (Hdf5File::Shape{(rows + 4999) / 5000, 500, 20}));
    const std::vector<std::string> texts = file.read_texts("/text");
    ASSERT_EQ(texts.size(), static_cast<std::size_t>((rows + 999) / 1000));
    EXPECT_TRUE(texts.empty() || texts.back() == "text " + std::to_string(1000 * (texts.size() - 1)));
  }
}

TEST(Hdf5Series, ManyRowsAtOnce) {
  const TemporaryDirectory folder;
  std::vector<double> values(3 * 10'001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sqrt(static_cast<double>(i));
  Hdf5File file = Hdf5File::create(folder / "many.h5");
  auto series = file.make_series<double>("/values", {3});
  series.append(std::span(values).first(3 * 17));
  series.append(std::span(values).subspan(3 * 17));
  EXPECT_THROW(series.append(std::span(values).first(4)), std::invalid_argument);
  EXPECT_THROW(file.write("/short", values, {2, 2}), std::invalid_argument);
  file.close();
  EXPECT_EQ(Hdf5File::open(folder / "many.h5").read_doubles("/values"), values);
}

TEST(Hdf5Series, Texts) {
  const TemporaryDirectory folder;
  Hdf5File file = Hdf5File::create(folder / "texts.h5");
  auto series = file.make_text_series("/texts", 5);
  auto nothing = file.make_text_series("/nothing", 0);
  series.append("");
  series.append("12345");
  series.append("\xc2\xb5");
  nothing.append("");
  EXPECT_THROW(series.append("123456"), std::invalid_argument);
  file.close();
  const Hdf5File read = Hdf5File::open(folder / "texts.h5");
  EXPECT_EQ(read.read_texts("/texts"), (std::vector<std::string>{"", "12345", "\xc2\xb5"}));
  EXPECT_EQ(read.read_texts("/nothing"), std::vector<std::string>{""});
}

TEST(Hdf5Series, SmoothDataShrink) {
  const TemporaryDirectory folder;
  Hdf5File file = Hdf5File::create(folder / "smooth.h5");
  auto series = file.make_series<double>("/time");
  for (int i = 0; i < 100'000; ++i) series.append(i * 0x1p-10);
  file.close();
  EXPECT_LT(std::filesystem::file_size(folder / "smooth.h5"), 800'000u / 5);
}

}  // namespace
}  // namespace ricochet::io
