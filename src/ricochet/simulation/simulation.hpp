// The step loop: clock, scheme, ledger, recorders.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ricochet/integrate/scheme.hpp"
#include "ricochet/simulation/frame.hpp"
#include "ricochet/simulation/recorder.hpp"
#include "ricochet/simulation/settings.hpp"
#include "ricochet/simulation/snapshot.hpp"

namespace ricochet::simulation {

// Sums over all steps of a run.
struct Statistics {
  long steps = 0;
  double contacts_sum = 0;
  int contacts_max = 0;
  double iterations_sum = 0;
  int iterations_max = 0;
  double worst_residual = 0;
  long unconverged_steps = 0;
  double max_penetration = 0;  // m, at active contacts
  std::array<double, integrate::stage_names.size()> stage_seconds = {};
};

class Simulation {
 public:
  Simulation(const model::Model& model, const Settings& settings);

  // What a recorder sees now; valid until the next step.
  Frame frame() const;

  // One step. False if the step could not reach its tolerance; then the state is that before the step.
  bool step();

  // Runs to the end. `keep_going` is asked after every step (Ctrl-C, progress); recorders are called in order.
  RunResult run(std::span<Recorder* const> recorders, const std::function<bool(const Frame&)>& keep_going = {});

  const Snapshot& snapshot() const { return snapshot_; }
  // Continues from a snapshot of the same model and step, as if the run had never stopped. Statistics count on.
  // Throws std::invalid_argument if its vectors do not fit the model.
  void restore(const Snapshot& snapshot);
  const Statistics& statistics() const { return statistics_; }
  long step_count() const { return step_count_; }

  // Why the last step failed: a sentence with time, contact and residual.
  std::string failure() const;

 private:
  void count();  // adds the last step to the statistics

  const model::Model& model_;
  Settings settings_;
  mechanics::Equations equations_;
  contact::ContactSet contact_set_;
  std::unique_ptr<integrate::Scheme> scheme_;
  mechanics::State initial_state_;
  Snapshot snapshot_;
  integrate::Instant next_;
  integrate::StepReport report_;
  Statistics statistics_;
  long step_count_ = 0;
};

}  // namespace ricochet::simulation
