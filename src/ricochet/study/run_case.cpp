#include "ricochet/study/run_case.hpp"

#include <chrono>

#include "ricochet/study/fact_observer.hpp"

namespace ricochet::study {

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
  result.state_hash = simulation::state_hash(simulation.snapshot());
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace ricochet::study
