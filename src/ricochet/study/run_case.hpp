// Runs one case and judges its facts: what `ricochet run` and `ricochet validate` have in common.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ricochet/simulation/ledger.hpp"
#include "ricochet/simulation/recorder.hpp"
#include "ricochet/simulation/simulation.hpp"
#include "ricochet/study/case.hpp"
#include "ricochet/study/fact_result.hpp"

namespace ricochet::study {

struct CaseResult {
  simulation::RunResult run;
  simulation::Statistics statistics;
  simulation::Ledger ledger;      // at the end
  std::vector<FactResult> facts;  // one per fact of the case, in their order
  std::string state_hash;         // of the last snapshot, see simulation::state_hash
  double wall_seconds = 0;        // from the model to the end of the last recorder
};

// Recorders are called in their order, after the facts have seen the frame. `keep_going` is asked after every step; if
// it says no, the run is interrupted. Throws what the model, the facts and the recorders throw; a step that cannot go
// on is not an exception but result.run.
CaseResult run_case(const Case& study_case, std::span<simulation::Recorder* const> recorders = {},
                    const std::function<bool(const simulation::Frame&)>& keep_going = {});

}  // namespace ricochet::study
