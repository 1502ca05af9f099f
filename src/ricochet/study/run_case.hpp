// Runs one case and judges its facts: what `ricochet run`, `resume` and `validate` have in common.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ricochet/simulation/ledger.hpp"
#include "ricochet/simulation/recorder.hpp"
#include "ricochet/simulation/simulation.hpp"
#include "ricochet/study/case.hpp"
#include "ricochet/study/fact_observer.hpp"
#include "ricochet/study/fact_result.hpp"

namespace ricochet::study {

struct CaseResult {
  simulation::RunResult run;
  simulation::Statistics statistics;
  simulation::Ledger ledger;      // at the end
  std::vector<FactResult> facts;  // one per fact of the case, in their order
  std::string state_hash;         // of the last snapshot, see simulation::state_hash
  double wall_seconds = 0;        // from the model to the end of the last recorder, all parts of a resumed run together
};

// A case that is being run: a simulation and the facts that watch it. All that it remembers can be stored and restored
// (see `visit`), so that a run may end in one process and go on in another, bit for bit.
class Run {
 public:
  // `study_case` must outlive the run. Throws what the model and the facts throw.
  explicit Run(const Case& study_case);

  // Recorders are called in their order, after the facts have seen the frame. `keep_going` is asked after every step;
  // if it says no, the run is interrupted. Throws what the recorders throw; a step that cannot go on is not an
  // exception but result.run. In a run that was restored the recorders are not told of a beginning: they must have been
  // restored, too.
  CaseResult go(std::span<simulation::Recorder* const> recorders = {},
                const std::function<bool(const simulation::Frame&)>& keep_going = {});

  // Another end of the same case: time.end, and the facts as they read for it. Throws std::invalid_argument if the run
  // is beyond that end already.
  void change_end(const Case& changed);

  const simulation::Simulation& simulation() const { return simulation_; }

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    double wall_seconds = self.wall_seconds();
    visitor("wall_seconds", wall_seconds);
    if constexpr (!std::is_const_v<Self>) self.earlier_seconds_ = wall_seconds;
    visitor("simulation", self.simulation_);
    visitor("facts", self.facts_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  double wall_seconds() const;

  Clock::time_point start_ = Clock::now();
  double earlier_seconds_ = 0;  // of the run before it was restored
  bool end_is_chosen_ = false;
  FactObserver facts_;
  simulation::Simulation simulation_;
};

// The whole of it.
CaseResult run_case(const Case& study_case, std::span<simulation::Recorder* const> recorders = {},
                    const std::function<bool(const simulation::Frame&)>& keep_going = {});

}  // namespace ricochet::study
