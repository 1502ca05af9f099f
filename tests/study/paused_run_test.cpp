#include "ricochet/study/paused_run.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "ricochet/study/run_case.hpp"
#include "study/sliding_case.hpp"

namespace ricochet::study {
namespace {

constexpr double for_ever = std::numeric_limits<double>::infinity();

TEST(PausedRun, RecordsEveryStep) {
  const Case study = sliding_case();
  const std::vector<int> probes = {1, 0};
  PausedRun run(study, 2e-3, probes);
  run.advance(for_ever, {});
  EXPECT_TRUE(run.is_over());
  EXPECT_TRUE(run.result().completed);
  EXPECT_EQ(run.result().steps, steps_of(study, 2e-3));
  EXPECT_GT(run.result().contacts_max, 0);
  const Trajectory& rows = run.rows();
  ASSERT_EQ(rows.time.size(), 251u);
  ASSERT_EQ(rows.values.size(), 2u);
  EXPECT_EQ(rows.values[1].front(), sliding_speed);
  EXPECT_NEAR(rows.value_at(1, sliding_stop / 2), sliding_speed / 2, 0.02);
  EXPECT_NEAR(rows.values[0].back(), sliding_speed * sliding_stop / 2, 0.01);
}

TEST(PausedRun, AStepThatVariesIsReplacedToo) {
  Case study = sliding_case();
  study.settings.step_function = math::TimeFunction(math::Expression::parse("1e-3 + 1e-3*t"));
  const std::vector<int> probes = {0};
  EXPECT_EQ(steps_of(study, 2e-3), 250);
  PausedRun run(study, 2e-3, probes);
  run.advance(for_ever, {});
  EXPECT_EQ(run.result().steps, 250);
}

TEST(PausedRun, PiecesMakeTheSameRun) {
  const Case study = sliding_case();
  const std::vector<int> probes = {0, 1, 2};
  PausedRun whole(study, 1e-3, probes), pieces(study, 1e-3, probes);
  whole.advance(for_ever, {});
  for (double until = 0; !pieces.is_over(); until += 0.0123) {
    pieces.advance(until, {});
    const std::size_t rows = pieces.rows().time.size();
    EXPECT_GE(pieces.rows().time.back(), std::min(until, study.settings.end * (1 - 1e-12)));
    pieces.advance(until, {});  // it is there already
    EXPECT_EQ(pieces.rows().time.size(), rows);
  }
  EXPECT_EQ(pieces.rows().time, whole.rows().time);
  EXPECT_EQ(pieces.rows().values, whole.rows().values);
  EXPECT_EQ(pieces.result().steps, whole.result().steps);
}

TEST(PausedRun, ANoEndsItForGood) {
  const Case study = sliding_case();
  const std::vector<int> probes = {0};
  PausedRun run(study, 1e-3, probes);
  int steps = 0;
  run.advance(for_ever, [&] { return ++steps < 10; });
  EXPECT_TRUE(run.is_over());
  EXPECT_TRUE(run.result().interrupted);
  EXPECT_FALSE(run.result().completed);
  EXPECT_EQ(run.result().failure, "interrupted");
  run.advance(for_ever, {});
  EXPECT_EQ(run.result().steps, 10);
}

TEST(PausedRun, AFailureIsSaid) {
  Case study = sliding_case();
  study.model.loads.push_back({"bad", {{0}, Vector3::Zero()}, {}, {}});
  study.model.loads[0].force[0] = math::TimeFunction(math::Expression::parse("1/(t - t)"));
  const std::vector<int> probes = {0};
  PausedRun run(study, 1e-3, probes);
  run.advance(for_ever, {});
  EXPECT_TRUE(run.is_over());
  EXPECT_FALSE(run.result().interrupted);
  EXPECT_NE(run.result().failure.find("t = 0"), std::string::npos) << run.result().failure;
}

}  // namespace
}  // namespace ricochet::study
