#include "ricochet/study/run_case.hpp"

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

Run::Run(const Case& study_case)
    : end_is_chosen_(study_case.end_is_chosen),
      facts_(study_case),
      simulation_(study_case.model, study_case.settings) {}

double Run::wall_seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - start_).count();
}

CaseResult Run::go(std::span<simulation::Recorder* const> recorders,
                   const std::function<bool(const simulation::Frame&)>& keep_going) {
  std::vector<simulation::Recorder*> all = {&facts_};
  all.insert(all.end(), recorders.begin(), recorders.end());

  CaseResult result;
  const bool restored = simulation_.snapshot().step_index > 0;
  result.run = restored ? simulation_.go_on(all, keep_going) : simulation_.run(all, keep_going);
  result.statistics = simulation_.statistics();
  result.ledger = simulation_.snapshot().ledger;
  result.facts = facts_.results();
  if (end_is_chosen_) excuse_unreached(result.facts);
  result.state_hash = simulation::state_hash(simulation_.snapshot());
  result.wall_seconds = wall_seconds();
  return result;
}

void Run::change_end(const Case& changed) {
  simulation_.set_end(changed.settings.end);
  end_is_chosen_ = changed.end_is_chosen;
  facts_.change_facts(changed.facts);
}

CaseResult run_case(const Case& study_case, std::span<simulation::Recorder* const> recorders,
                    const std::function<bool(const simulation::Frame&)>& keep_going) {
  return Run(study_case).go(recorders, keep_going);
}

}  // namespace ricochet::study
