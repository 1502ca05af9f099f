// The step loop: clock, scheme, ledger, recorders.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ricochet/integrate/scheme.hpp"
#include "ricochet/math/threads.hpp"
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
  double max_penetration = 0;         // m, at active contacts
  double max_joint_error = 0;         // m, see JointSet::error; angles times the size of the machine
  long halved_steps = 0;              // that had to be taken in parts
  long substeps = 0;                  // those parts
  long refined_steps = 0;             // whose contacts were solved again, so that friction gave less
  int passes_max = 0;                 // of a sequence of impacts in a step; 0 without contacts
  long second_solutions = 0;          // steps whose contact problem has, or may have, more than one
  double first_second_time = 0;       // s, the end of the first of these steps
  std::string first_second_solution;  // the end of a sentence: where it moves differently
  // Newton iterations and halvings of line searches in the sub-problems of a scheme that has such.
  std::array<double, integrate::subproblem_names.size()> subproblem_iterations_sum = {}, line_searches_sum = {};
  std::array<double, integrate::subproblem_names.size()> subproblem_iterations_max = {}, line_searches_max = {};
  std::array<double, integrate::stage_names.size()> stage_seconds = {};

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("steps", self.steps);
    visitor("contacts_sum", self.contacts_sum);
    visitor("contacts_max", self.contacts_max);
    visitor("iterations_sum", self.iterations_sum);
    visitor("iterations_max", self.iterations_max);
    visitor("worst_residual", self.worst_residual);
    visitor("unconverged_steps", self.unconverged_steps);
    visitor("max_penetration", self.max_penetration);
    visitor("max_joint_error", self.max_joint_error);
    visitor("halved_steps", self.halved_steps);
    visitor("substeps", self.substeps);
    visitor("refined_steps", self.refined_steps);
    visitor("passes_max", self.passes_max);
    visitor("second_solutions", self.second_solutions);
    visitor("first_second_time", self.first_second_time);
    visitor("first_second_solution", self.first_second_solution);
    visitor("subproblem_iterations_sum", self.subproblem_iterations_sum);
    visitor("line_searches_sum", self.line_searches_sum);
    visitor("subproblem_iterations_max", self.subproblem_iterations_max);
    visitor("line_searches_max", self.line_searches_max);
    visitor("stage_seconds", self.stage_seconds);
  }
};

class Simulation {
 public:
  Simulation(const model::Model& model, const Settings& settings);

  // What a recorder sees now; valid until the next step.
  Frame frame() const;

  // One step. False if the step could not reach its tolerance and the settings do not accept that, or if it is not
  // finite; then the state is that before the step.
  bool step();

  // Runs to the end. `keep_going` is asked after every step (Ctrl-C, progress); recorders are called in order.
  RunResult run(std::span<Recorder* const> recorders, const std::function<bool(const Frame&)>& keep_going = {});
  // The same for recorders that have seen the run up to now: they are not told of a beginning.
  RunResult go_on(std::span<Recorder* const> recorders, const std::function<bool(const Frame&)>& keep_going = {});

  // The vectors q, v and a of its state stay at their place in memory while the simulation lives.
  const Snapshot& snapshot() const { return snapshot_; }
  // Continues from a snapshot of the same model and step, as if the run had never stopped. Statistics count on.
  // Throws std::invalid_argument if its vectors do not fit the model.
  void restore(const Snapshot& snapshot);
  // The run shall end at another time (s), not before the current one.
  void set_end(double end);
  const Statistics& statistics() const { return statistics_; }
  long step_count() const { return step_count_; }

  // Why the last step failed: a sentence with time, contact and residual.
  std::string worst_place(int block) const;
  std::string failure() const;

  // What a restarted run must know: the snapshot and what was counted. To be read into a new simulation of the same
  // model. See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("snapshot", self.snapshot_);
    visitor("statistics", self.statistics_);
  }

 private:
  std::string subproblem_failure(const std::string& step) const;
  void attempt(const integrate::Instant& begin, double h, integrate::Instant& end, integrate::StepReport& report);
  void attempt_in_parts(const integrate::Instant& begin, double h, int halvings, integrate::Instant& end,
                        integrate::StepReport& report);
  void check_fits(const Snapshot& snapshot) const;
  void count();  // adds the last step to the statistics
  void count_second_solution();
  void count_stages();                                                      // and the time that its stages took
  void count_seconds(const integrate::StepReport& report, int counts_for);  // as many steps, if it was timed

  const model::Model& model_;
  Settings settings_;
  math::Threads threads_;
  mechanics::Equations equations_;
  contact::ContactSet contact_set_;
  std::unique_ptr<integrate::Scheme> scheme_;
  mechanics::State initial_state_;
  Snapshot snapshot_;
  integrate::Instant next_;
  integrate::StepReport report_;
  Statistics statistics_;
  long next_timed_step_ = 0;
  long step_count_ = 0;
};

}  // namespace ricochet::simulation
