// io/row_recorder: rows at the right steps, with what happened since the row before, and what probes were over them.
// (tests/io/result_recorder_test.cpp looks at the rows of files.)
#include "ricochet/io/row_recorder.hpp"

#include <gtest/gtest.h>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

class KeptRows final : public RowRecorder {
 public:
  using RowRecorder::RowRecorder;
  std::vector<double> times;
  std::vector<std::vector<double>> kept;

 private:
  void take_row(const simulation::Frame& row, std::span<const double> values) override {
    times.push_back(row.state.time);
    kept.emplace_back(values.begin(), values.end());
  }
};

TEST(RowRecorder, RowsComeAtTheStartEveryFewStepsAndAtTheEnd) {
  const study::Case run_case = test::floor_case(3);
  test::HandMadeRun run(run_case);
  KeptRows rows(run_case);
  rows.begin(run.frame());
  for (int step = 1; step <= 8; ++step) {
    run.advance({test::floor_contact(1, Vector3(1, 0, 0))});
    rows.step(run.frame());
  }
  rows.end(run.frame(), {simulation::Outcome::completed, 1, 8, ""});
  EXPECT_EQ(rows.times, (std::vector<double>{0, 0.375, 0.75, 1}));
  EXPECT_EQ(rows.rows(), 4);
  // The column "pushed": impulses since the row before.
  for (const auto& [row, pushed] : {std::pair(0, 0.0), std::pair(1, 3.0), std::pair(2, 3.0), std::pair(3, 2.0)}) {
    EXPECT_EQ(rows.kept[static_cast<std::size_t>(row)][1], pushed);
  }
  const ProbeSummary& pushed = rows.probe_summaries()[1];
  EXPECT_EQ(pushed.name, "pushed");
  EXPECT_EQ(pushed.first, 0);
  EXPECT_EQ(pushed.last, 2);
  EXPECT_EQ(pushed.min, 0);
  EXPECT_EQ(pushed.max, 3);
}

TEST(RowRecorder, VisibleProbesAreThoseOfTheScene) {
  const study::Case run_case = test::floor_case();
  EXPECT_EQ(visible_probes(run_case.probes), (std::vector<int>{0, 2, 3, 4}));
}

}  // namespace
}  // namespace ricochet::io
