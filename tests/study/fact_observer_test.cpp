// Facts watched during real runs, and during frames made by hand.
#include "ricochet/study/fact_observer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "ricochet/simulation/simulation.hpp"
#include "study/sliding_case.hpp"

namespace ricochet::study {
namespace {

std::vector<FactResult> observe(FactObserver& observer, const Case& study_case, long steps = -1) {
  simulation::Simulation simulation(study_case.model, study_case.settings);
  std::vector<simulation::Recorder*> recorders = {&observer};
  simulation.run(recorders, [&](const simulation::Frame& frame) { return frame.step_index != steps; });
  return observer.results();
}

TEST(FactObserver, FactsOfARun) {
  const Case study_case = sliding_case_with_facts();
  FactObserver observer(study_case);
  const std::vector<FactResult> results = observe(observer, study_case);
  ASSERT_EQ(results.size(), 3u);
  for (const FactResult& result : results) EXPECT_EQ(result.status, FactResult::Status::holds) << result.detail;
  EXPECT_EQ(results[0].fact, "stop time");
  EXPECT_NEAR(results[0].found, sliding_stop, 1.001 * study_case.settings.step);  // rounding may cost a step
  EXPECT_EQ(results[2].expected, -1e-12);
  EXPECT_FALSE(fails(results));
}

TEST(FactObserver, EveryStepCounts) {
  Case study_case = sliding_case();
  study_case.output_every = 100;
  study_case.settings.end = 0.007;
  Fact fact;
  fact.probe = add_probe(study_case, "clock", "time");
  fact.take = Take::integral;
  fact.over = std::pair(0.001, 0.003);
  study_case.facts.push_back(fact);
  fact.take = Take::at;
  fact.at = 0.0045;
  study_case.facts.push_back(fact);
  FactObserver observer(study_case);
  const std::vector<FactResult> results = observe(observer, study_case);
  EXPECT_NEAR(results[0].found, 0.5 * (9e-6 - 1e-6), 1e-18);
  EXPECT_NEAR(results[1].found, 0.0045, 1e-15);
}

TEST(FactObserver, InterruptedRun) {
  const Case study_case = sliding_case_with_facts();
  FactObserver observer(study_case);
  const std::vector<FactResult> early = observe(observer, study_case, 100);
  for (const FactResult& result : early) EXPECT_EQ(result.status, FactResult::Status::not_reached) << result.detail;
  // After the stop, the event has been seen; what needs the whole run has not.
  const std::vector<FactResult> late = observe(observer, study_case, 450);
  EXPECT_EQ(late[0].status, FactResult::Status::holds);
  EXPECT_EQ(late[1].status, FactResult::Status::not_reached);
  EXPECT_EQ(late[2].status, FactResult::Status::not_reached);
}

TEST(FactObserver, ForgetsAnEarlierRun) {
  Case study_case = sliding_case_with_facts();
  Fact fact;
  fact.probe = 1;
  fact.take = Take::max;
  study_case.facts.push_back(fact);
  fact.take = Take::integral;
  study_case.facts.push_back(fact);
  FactObserver observer(study_case);
  const std::vector<FactResult> first = observe(observer, study_case);
  EXPECT_GT(first[3].found, 0.3);
  const std::vector<FactResult> second = observe(observer, study_case);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].found, second[i].found) << i;
  for (const FactResult& result : observe(observer, study_case, 100)) {
    EXPECT_EQ(result.status, FactResult::Status::not_reached);
  }
}

TEST(FactObserver, BeforeTheRun) {
  const Case study_case = sliding_case_with_facts();
  const FactObserver observer(study_case);
  for (const FactResult& result : observer.results()) {
    EXPECT_EQ(result.status, FactResult::Status::not_reached);
    EXPECT_TRUE(std::isnan(result.found));
  }
}

TEST(FactObserverBadInput, FactsNeedProbes) {
  Case study_case = sliding_case();
  study_case.facts.emplace_back();
  EXPECT_THROW(FactObserver{study_case}, std::invalid_argument);
  study_case.facts[0].probe = study_case.probes.size();
  EXPECT_THROW(FactObserver{study_case}, std::invalid_argument);
  study_case.facts[0].probe = 0;
  EXPECT_NO_THROW(FactObserver{study_case});
}

}  // namespace
}  // namespace ricochet::study
