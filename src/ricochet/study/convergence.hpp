// A convergence study: the same case at several steps, and the order at which its probes converge.
//
// Every run is compared with a reference at all its times up to the end of the case (trajectory.hpp has the norm), and
// the order is fitted to the errors of all steps (order_fit.hpp). The reference of a probe is a function of time where
// one is known; otherwise it is the case itself, run with a much smaller step.
//
// Impacts fall anywhere in their step, so that the error jumps from one step to the next: four halvings of a bouncing
// ball give anything from 0.76 to 1.27. An order of runs with impacts is to be believed from 20 steps in two decades
// on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/study/case.hpp"
#include "ricochet/study/fact_result.hpp"
#include "ricochet/study/order_fit.hpp"
#include "ricochet/study/paused_run.hpp"

namespace ricochet::study {

inline constexpr int credible_steps = 20;  // of runs with impacts

struct StepPlan {
  std::vector<double> steps;  // s, from the largest to the smallest
  double reference_step = 0;  // s
};

// Steps from the largest to the smallest, in ratios as equal as they can be if each is a whole multiple of the step of
// the reference: then every time of a run is one of the reference, and nothing is interpolated. The reference has about
// `finer` steps in the smallest, a whole number of them in the run. No step is longer than the run; none comes twice.
StepPlan plan_steps(double largest, double smallest, int count, double end, double finer);

// In equal ratios: what is best if nothing is compared with a run.
std::vector<double> logarithmic_steps(double largest, double smallest, int count);

// Each as near to the given one as a multiple of the unit can be; none comes twice.
std::vector<double> whole_multiples(const std::vector<double>& steps, double unit);

struct ConvergenceTask {
  std::vector<int> probes;
  std::vector<double> steps;  // s, from the largest to the smallest
  double reference_step = 0;  // s
  // One per probe: its true values over time, or nothing. The run with the reference step is made only for those
  // that have none.
  std::vector<std::function<double(double)>> truth;
  int threads = 1;  // runs at a time; results do not depend on it
  // Asked after every step of every run, perhaps by several threads at once; a no ends all runs.
  std::function<bool()> keep_going;
};

struct ProbeConvergence {
  int probe = 0;
  bool against_run = true;          // else: against its true values
  bool absolute = false;            // mean differences: the reference is zero at all times of some run
  bool interpolated = false;        // the reference was, at some times of some runs
  std::vector<ErrorPoint> points;   // one per step
  std::vector<double> final_value;  // at the last row of each run; NaN if it did not complete
  OrderFit fit;                     // of the points of completed runs
};

struct Convergence {
  std::vector<StudyRun> runs;            // one per step
  std::optional<StudyRun> reference;     // if a probe needs it
  std::vector<ProbeConvergence> probes;  // in the order of the task
  bool complete() const;                 // all runs are
  bool interrupted() const;              // one of them was
  bool touches() const;                  // some run had contacts
};

// How many time steps all the runs of a task have together.
long planned_steps(const Case& study_case, const ConvergenceTask& task);

Convergence converge(const Case& study_case, const ConvergenceTask& task);

// Judges the facts of a case that state an order. They need many runs, so the run of the case itself leaves them
// `not_applicable`. `results` are those of the case, one per fact.
void judge_orders(const Case& study_case, std::vector<FactResult>& results,
                  const std::function<bool()>& keep_going = {});

}  // namespace ricochet::study
