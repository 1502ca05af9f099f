// io/sweep_sample: a sample has the numbers of a run, whatever goes wrong is told, and little memory is enough.
#include "ricochet/io/sweep_sample.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "io/output_test_support.hpp"
#include "io/scene_test_support.hpp"
#include "ricochet/io/result_recorder.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::io {
namespace {

const std::string portrait_output = "output: {every: 3, portraits: {both: [along, gap]}}\nexpect:";

TEST(SweepSample, HasTheNumbersOfARun) {
  const auto make_case = [] { return test::slide_case("expect:", portrait_output); };
  const SweepSample sample = run_sample(7, make_case, 100);
  EXPECT_EQ(sample.number, 7);
  EXPECT_EQ(sample.status, SweepSample::Status::completed) << sample.reason;
  EXPECT_EQ(sample.steps, 1000);
  EXPECT_EQ(sample.time, 1);
  EXPECT_GT(sample.wall_seconds, 0);

  const test::TemporaryDirectory folder;
  const study::Case run_case = make_case();
  ResultRecorder recorder(folder.path(), run_case);
  std::array<simulation::Recorder*, 1> recorders = {&recorder};
  const study::CaseResult result = study::run_case(run_case, recorders);
  EXPECT_EQ(sample.state_hash, result.state_hash);
  ASSERT_EQ(sample.probes.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(sample.probes[i].name, recorder.probe_summaries()[i].name);
    EXPECT_EQ(sample.probes[i].first, recorder.probe_summaries()[i].first);
    EXPECT_EQ(sample.probes[i].last, recorder.probe_summaries()[i].last);
    EXPECT_EQ(sample.probes[i].min, recorder.probe_summaries()[i].min);
    EXPECT_EQ(sample.probes[i].max, recorder.probe_summaries()[i].max);
  }
  ASSERT_EQ(sample.facts.size(), 2u);
  EXPECT_EQ(sample.facts[0].found, result.facts[0].found);

  ASSERT_EQ(sample.histories.size(), 3u) << "two probes and a portrait";
  for (const study::Trajectory& history : sample.histories) {
    EXPECT_GE(history.time.size(), 25u) << "at least a row of each bucket";
    EXPECT_LE(history.time.size(), 110u);
    EXPECT_EQ(history.time.back(), 1);
  }
  EXPECT_EQ(sample.histories[0].values[0].back(), sample.probes[0].last);
  ASSERT_EQ(sample.histories[2].values.size(), 2u);
  EXPECT_EQ(sample.histories[2].values[0].back(), sample.probes[0].last);
  EXPECT_EQ(sample.histories[2].values[1].back(), sample.probes[1].last);
}

TEST(SweepSample, KeepsNoHistoriesThatAreNotDrawn) {
  EXPECT_TRUE(run_sample(
                  0, [] { return test::slide_case(); }, 0)
                  .histories.empty());
}

TEST(SweepSample, ASceneThatIsRefusedIsTold) {
  const SweepSample sample = run_sample(
      3, [] { return test::slide_case("", "", {"bodies.block.mass=-1"}); }, 100);
  EXPECT_EQ(sample.status, SweepSample::Status::refused);
  EXPECT_NE(sample.reason.find("must be greater than 0"), std::string::npos) << sample.reason;
  EXPECT_TRUE(sample.probes.empty());
}

TEST(SweepSample, AStepThatFailsIsTold) {
  const auto make_case = [] { return test::slide_case("sin(t)", "\"t > 0.5 ? 1/(t - t) : 0\""); };
  const SweepSample sample = run_sample(3, make_case, 100);
  EXPECT_EQ(sample.status, SweepSample::Status::stopped);
  EXPECT_NEAR(sample.time, 0.5, 2e-3);
  EXPECT_FALSE(sample.reason.empty());
  EXPECT_EQ(sample.probes.size(), 2u) << "what it was until then";
}

TEST(SweepSample, SurvivesAnArchive) {
  const SweepSample sample = run_sample(
      5, [] { return test::slide_case("expect:", portrait_output); }, 30);
  std::string bytes, again;
  simulation::ByteWriter writer(bytes);
  writer("sample", sample);
  SweepSample copy;
  simulation::ByteReader reader(bytes);
  reader("sample", copy);
  EXPECT_TRUE(reader.done());
  simulation::ByteWriter second(again);
  second("sample", copy);
  EXPECT_TRUE(bytes == again);
  EXPECT_EQ(copy.state_hash, sample.state_hash);
  EXPECT_EQ(copy.facts[1].fact, sample.facts[1].fact);
  EXPECT_EQ(copy.histories[2].values, sample.histories[2].values);
}

}  // namespace
}  // namespace ricochet::io
