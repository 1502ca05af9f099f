#include "ricochet/study/run_case.hpp"

#include <gtest/gtest.h>

#include "study/sliding_case.hpp"

namespace ricochet::study {
namespace {

class StepCounter : public simulation::Recorder {
 public:
  void begin(const simulation::Frame&) override { ++begins; }
  void step(const simulation::Frame&) override { ++steps; }
  void end(const simulation::Frame&, const simulation::RunResult& result) override { outcome = result.outcome; }
  int begins = 0, steps = 0;
  simulation::Outcome outcome = simulation::Outcome::failed;
};

TEST(RunCase, ToTheEnd) {
  const Case study_case = sliding_case_with_facts();
  StepCounter first, second;
  std::vector<simulation::Recorder*> recorders = {&first, &second};
  const CaseResult result = run_case(study_case, recorders);
  EXPECT_EQ(result.run.outcome, simulation::Outcome::completed);
  EXPECT_EQ(result.run.steps, 500);
  EXPECT_EQ(result.statistics.steps, 500);
  EXPECT_NEAR(result.ledger.contact_tangential, -0.5 * 3 * sliding_speed * sliding_speed, 1e-9);
  EXPECT_EQ(result.facts.size(), 3u);
  EXPECT_FALSE(fails(result.facts));
  EXPECT_EQ(result.state_hash.size(), 16u);
  EXPECT_GT(result.wall_seconds, 0);
  for (const StepCounter* counter : {&first, &second}) {
    EXPECT_EQ(counter->begins, 1);
    EXPECT_EQ(counter->steps, 500);
    EXPECT_EQ(counter->outcome, simulation::Outcome::completed);
  }
}

TEST(RunCase, SameInputSameBits) {
  Case study_case = sliding_case_with_facts();
  const std::string hash = run_case(study_case).state_hash;
  EXPECT_EQ(run_case(study_case).state_hash, hash);
  study_case.model.nodes[0].velocity.x() += 1e-15;
  study_case.settings.end = 0.3;  // still sliding
  const std::string other = run_case(study_case).state_hash;
  EXPECT_NE(other, hash);
}

TEST(RunCase, Interrupted) {
  const Case study_case = sliding_case_with_facts();
  const CaseResult result =
      run_case(study_case, {}, [](const simulation::Frame& frame) { return frame.step_index < 10; });
  EXPECT_EQ(result.run.outcome, simulation::Outcome::interrupted);
  EXPECT_EQ(result.run.steps, 10);
  EXPECT_EQ(result.facts[0].status, FactResult::Status::not_reached);
}

TEST(RunCase, WithoutFacts) {
  const Case study_case = sliding_case();
  EXPECT_TRUE(run_case(study_case).facts.empty());
}

}  // namespace
}  // namespace ricochet::study
