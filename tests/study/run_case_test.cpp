#include "ricochet/study/run_case.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "ricochet/simulation/archive.hpp"
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

// Stops a run, stores it, and lets another one go on: facts of all kinds come out as if nothing had happened.
TEST(RunCase, AStoredRunGoesOn) {
  Case study_case = sliding_case_with_facts();
  for (const Take take : {Take::first, Take::last, Take::min, Take::max, Take::mean, Take::range, Take::integral}) {
    Fact fact;
    fact.name = "take";
    fact.probe = 1;
    fact.take = take;
    fact.over = {{0.1005, 0.45}};
    study_case.facts.push_back(fact);
    fact.over.reset();
    study_case.facts.push_back(fact);
  }
  for (const double time : {0.0503, 0.2, 0.3337}) {
    Fact fact;
    fact.name = "at";
    fact.probe = 1;
    fact.take = Take::at;
    fact.at = time;
    study_case.facts.push_back(fact);
  }
  const CaseResult whole = run_case(study_case);
  for (const long stop : {1L, 50L, 51L, 100L, 101L, 333L, 334L, 399L, 400L, 401L, 500L}) {
    std::string bytes;
    study::Run first(study_case);
    first.go({}, [&](const simulation::Frame& frame) {
      if (frame.step_index == stop) {
        simulation::ByteWriter writer(bytes);
        writer("run", std::as_const(first));
      }
      return frame.step_index < stop + 5;
    });
    study::Run second(study_case);
    simulation::ByteReader reader(bytes);
    reader("run", second);
    EXPECT_TRUE(reader.done());
    EXPECT_EQ(second.simulation().snapshot().step_index, stop);
    StepCounter counter;
    simulation::Recorder* const recorders[] = {&counter};
    const CaseResult rest = second.go(recorders);
    EXPECT_EQ(counter.begins, 0);
    EXPECT_EQ(counter.steps, 500 - stop);
    EXPECT_EQ(rest.state_hash, whole.state_hash);
    EXPECT_EQ(rest.statistics.steps, 500);
    EXPECT_GT(rest.wall_seconds, 0);
    for (std::size_t i = 0; i < whole.facts.size(); ++i) {
      EXPECT_EQ(rest.facts[i].found, whole.facts[i].found) << i << " stopped after " << stop;
      EXPECT_EQ(rest.facts[i].detail, whole.facts[i].detail);
    }
  }
}

}  // namespace
}  // namespace ricochet::study
