#include "ricochet/study/run_case.hpp"

#include <chrono>

#include "ricochet/study/fact_observer.hpp"

namespace ricochet::study {

namespace {

// Facts that need more time than the user gave the run are no failure.
void excuse_unreached(std::vector<FactResult>& facts) {
  for (FactResult& fact : facts) {
    if (fact.status != FactResult::Status::not_reached) continue;
    fact.status = FactResult::Status::not_applicable;
    fact.detail = "does not apply: the end of the run was set, and " + fact.detail;
  }
}

}  // namespace

CaseResult run_case(const Case& study_case, std::span<simulation::Recorder* const> recorders,
                    const std::function<bool(const simulation::Frame&)>& keep_going) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();

  FactObserver facts(study_case);
  std::vector<simulation::Recorder*> all = {&facts};
  all.insert(all.end(), recorders.begin(), recorders.end());

  simulation::Simulation simulation(study_case.model, study_case.settings);
  CaseResult result;
  result.run = simulation.run(all, keep_going);
  result.statistics = simulation.statistics();
  result.ledger = simulation.snapshot().ledger;
  result.facts = facts.results();
  if (study_case.end_is_chosen) excuse_unreached(result.facts);
  result.state_hash = simulation::state_hash(simulation.snapshot());
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace ricochet::study
