// io/text_output: text arrives, or the error is noticed.
#include "ricochet/io/text_output.hpp"

#include <gtest/gtest.h>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

TEST(TextOutput, TextArrives) {
  const test::TemporaryDirectory folder;
  TextOutput output(folder / "a.txt");
  std::string expected;
  for (int i = 0; i < 100'000; ++i) {
    output.buffer() += "line\n";
    expected += "line\n";
    output.drain();
    EXPECT_LT(output.buffer().size(), 100'000u);
  }
  output.flush();
  EXPECT_EQ(test::file_text(folder / "a.txt"), expected);
  output.buffer() += "end";
  output.close();
  output.close();
  EXPECT_EQ(test::file_text(folder / "a.txt"), expected + "end");
  write_text_file(folder / "a.txt", "short");
  EXPECT_EQ(test::file_text(folder / "a.txt"), "short");
}

TEST(TextOutputBadInput, FullDisk) {
  EXPECT_THROW(write_text_file("/dev/full", "text"), WriteError);
  TextOutput output("/dev/full");
  output.buffer() = "text";
  EXPECT_THROW(output.flush(), WriteError);
}

TEST(TextOutputBadInput, PlacesThatCannotBeWritten) {
  const test::TemporaryDirectory folder;
  EXPECT_THROW(write_text_file("/proc/none.json", "text"), OutputError);
  EXPECT_THROW(write_text_file(folder.path(), "text"), OutputError);
  EXPECT_THROW(write_text_file("", "text"), OutputError);
}

}  // namespace
}  // namespace ricochet::io
