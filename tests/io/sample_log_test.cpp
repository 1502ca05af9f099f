// io/sample_log: what was written is there again, whatever moment the process was killed at; another sweep is refused.
#include "ricochet/io/sample_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

using ::testing::HasSubstr;

const SweepIdentity small_sweep = {"1.0", "ricochet: 1\n", "", {"time.end=1"}, {"parameters.mass=1,2"}, 4};

SweepSample numbered_sample(int number) {
  SweepSample sample;
  sample.number = number;
  sample.status = SweepSample::Status::completed;
  sample.probes = {{"x", 1, 2.0 * number, 0, 3}};
  sample.histories = {{{0, 1}, {{0.5, static_cast<double>(number)}}}};
  return sample;
}

std::vector<int> finished_numbers(const std::filesystem::path& directory) {
  std::vector<int> numbers;
  for (const SweepSample& sample : SampleLog(directory, small_sweep).take_finished()) {
    EXPECT_EQ(sample.probes.at(0).last, 2.0 * sample.number);
    EXPECT_EQ(sample.histories.at(0).values.at(0).at(1), sample.number);
    numbers.push_back(sample.number);
  }
  return numbers;
}

std::string log_complaint(const std::filesystem::path& directory, const SweepIdentity& identity) {
  try {
    const SampleLog log(directory, identity);
  } catch (const OutputError& error) {
    return error.what();
  }
  return "";
}

TEST(SampleLog, GoesOnWhereItWas) {
  const test::TemporaryDirectory folder;
  {
    SampleLog log(folder.path(), small_sweep);
    EXPECT_TRUE(log.take_finished().empty());
    log.append(numbered_sample(2));
    log.append(numbered_sample(0));
  }
  EXPECT_EQ(finished_numbers(folder.path()), (std::vector<int>{2, 0}));
  {
    SampleLog log(folder.path(), small_sweep);
    log.append(numbered_sample(1));
  }
  EXPECT_EQ(finished_numbers(folder.path()), (std::vector<int>{2, 0, 1}));
  SampleLog(folder.path(), small_sweep).remove();
  EXPECT_FALSE(std::filesystem::exists(folder / sample_log_name));
}

// Cut at every few bytes: each sample is there whole or not at all, and the log can be written on.
TEST(SampleLog, ATornRecordIsCutOff) {
  const test::TemporaryDirectory folder;
  {
    SampleLog log(folder.path(), small_sweep);
    log.append(numbered_sample(0));
    log.append(numbered_sample(1));
  }
  const std::string whole = test::file_text(folder / sample_log_name);
  std::size_t most = 0;
  for (std::size_t length = 0; length <= whole.size(); length += length + 5 < whole.size() ? 5 : 1) {
    test::put_file(folder / sample_log_name, whole.substr(0, length));
    const std::size_t found = finished_numbers(folder.path()).size();
    EXPECT_GE(found, most) << length;
    most = found;
    SampleLog(folder.path(), small_sweep).append(numbered_sample(7));
    EXPECT_EQ(finished_numbers(folder.path()).size(), found + 1) << length;
  }
  EXPECT_EQ(most, 2u);
  // A byte that is wrong takes the record with it.
  std::string damaged = whole;
  damaged[whole.size() - 3] ^= 1;
  test::put_file(folder / sample_log_name, damaged);
  EXPECT_EQ(finished_numbers(folder.path()), (std::vector<int>{0}));
}

TEST(SampleLogBadInput, AnotherSweepIsRefusedAndToldWhy) {
  const test::TemporaryDirectory folder;
  SampleLog(folder.path(), small_sweep).append(numbered_sample(0));
  SweepIdentity other = small_sweep;
  other.variations = {"parameters.mass=1,3"};
  EXPECT_THAT(log_complaint(folder.path(), other), HasSubstr("with other values of --vary"));
  EXPECT_THAT(log_complaint(folder.path(), other), HasSubstr("To begin anew delete this file"));
  other = small_sweep;
  other.seed = 5;
  EXPECT_THAT(log_complaint(folder.path(), other), HasSubstr("with --seed 4"));
  other.scene_text += " ";
  EXPECT_THAT(log_complaint(folder.path(), other), HasSubstr("another text of the scene, with --seed 4"));
  other = small_sweep;
  other.version = "2.0";
  EXPECT_THAT(log_complaint(folder.path(), other), HasSubstr("by ricochet 1.0"));
  other = small_sweep;
  other.overrides.clear();
  EXPECT_THAT(log_complaint(folder.path(), other), HasSubstr("with other overrides"));
  EXPECT_EQ(finished_numbers(folder.path()), (std::vector<int>{0})) << "it was left alone";
}

TEST(SampleLogBadInput, AnotherFileIsRefused) {
  const test::TemporaryDirectory folder;
  test::put_file(folder / sample_log_name, "the diary of somebody else");
  EXPECT_THAT(log_complaint(folder.path(), small_sweep), HasSubstr("is no log of a sweep"));
  EXPECT_EQ(test::file_text(folder / sample_log_name), "the diary of somebody else");
}

TEST(SampleLogBadInput, OneProcessAtATime) {
  const test::TemporaryDirectory folder;
  const SampleLog log(folder.path(), small_sweep);
  EXPECT_THAT(log_complaint(folder.path(), small_sweep), HasSubstr("another process works on this sweep"));
}

}  // namespace
}  // namespace ricochet::io
