// io/study_directory: a study takes an empty place or that of an earlier one, and nothing else.
#include "ricochet/io/study_directory.hpp"

#include <gtest/gtest.h>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

const std::string study_start = R"({"format":1,"program":"ricochet","version":"x"})";

TEST(StudyDirectory, IsMadeWithItsParents) {
  const test::TemporaryDirectory folder;
  prepare_study_directory(folder / "a/b", "converge.json");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b"));
  EXPECT_NO_THROW(prepare_study_directory(folder / "a/b", "converge.json")) << "it is empty";
}

TEST(StudyDirectory, AnEarlierStudyIsReplaced) {
  const test::TemporaryDirectory folder;
  test::put_file(folder / "converge.json", study_start);
  test::put_file(folder / "converge.csv", "probe\n");
  EXPECT_NO_THROW(prepare_study_directory(folder.path(), "converge.json"));
  EXPECT_THROW(prepare_study_directory(folder.path(), "compare.json"), OutputError) << "a study of another kind";
}

TEST(StudyDirectoryBadInput, WhatIsNotOursStays) {
  const test::TemporaryDirectory folder;
  test::put_file(folder / "thesis.tex", "years of work");
  EXPECT_THROW(prepare_study_directory(folder.path(), "converge.json"), OutputError);
  test::put_file(folder / "converge.json", "{}");
  EXPECT_THROW(prepare_study_directory(folder.path(), "converge.json"), OutputError);
  EXPECT_THROW(prepare_study_directory(folder / "thesis.tex", "converge.json"), OutputError) << "a file";
  EXPECT_EQ(test::file_text(folder / "thesis.tex"), "years of work");
}

}  // namespace
}  // namespace ricochet::io
