// A time scheme: from one instant to the next. One scheme per file pair; all share this interface.
#pragma once

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/contact/contact_memory.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/integrate/step_report.hpp"
#include "ricochet/math/threads.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::integrate {

// What a scheme integrates: equations of motion and contacts of one model.
struct System {
  const mechanics::Equations& equations;
  const contact::ContactSet& contacts;
};

// What limits, friction and motors of joints had in the last step (integrate/joint_blocks); empty before the first.
struct JointMemory {
  VectorX impulses;  // N s: of both ends of each limit, then of frictions and motors
  VectorX slack;     // m, of the ends of limits: see contact/contact_memory

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("impulses", self.impulses);
    visitor("slack", self.slack);
  }
};

// Accelerations that a scheme goes on from; empty before the first step, and for schemes that have none.
struct AccelerationMemory {
  VectorX smooth;       // m/s^2, rad/s^2: of the motion without contacts
  VectorX algorithmic;  // what the generalized-alpha method makes of it
  VectorX multipliers;  // N or N m, of joints in that motion

  bool empty() const { return smooth.size() == 0; }
  // To be called when positions, velocities or the bodies themselves have been changed from outside.
  void clear() {
    smooth.resize(0);
    algorithmic.resize(0);
    multipliers.resize(0);
  }

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("smooth", self.smooth);
    visitor("algorithmic", self.algorithmic);
    visitor("multipliers", self.multipliers);
  }
};

// All that a step must know of the past.
struct Instant {
  mechanics::State state;
  contact::ContactMemory memory;
  JointMemory joint_memory;
  AccelerationMemory accelerations;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("state", self.state);
    visitor("memory", self.memory);
    visitor("joint_memory", self.joint_memory);
    visitor("accelerations", self.accelerations);
  }
};

// The contact problem of a step and what was found for it; null if the step did not get that far.
struct StepProblem {
  const cone::ContactProblem* problem = nullptr;
  const linalg::ReusableVector* impulses = nullptr;
};

class Scheme {
 public:
  Scheme() = default;
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;
  virtual ~Scheme() = default;

  // Goes from `begin` over the duration h (s) and writes only `end` and `report`, so that a failed step can be
  // repeated. A failure is told by report.status, never by a silent acceptance.
  virtual void step(const System& system, const Instant& begin, double h, Instant& end, StepReport& report) = 0;

  // True if a step that does not converge may be taken in parts: see simulation/simulation.
  virtual bool may_be_halved() const { return false; }

  // From now on the contact solver may take ten times as many iterations, or not: the last resort of a step that is in
  // parts already.
  virtual void be_patient(bool /*patient*/) {}

  // Steps may use these threads from now on; they must outlive the scheme. Results stay the same, bit for bit.
  virtual void use(const math::Threads& /*threads*/) {}

  // Of the last step, also if it failed; of several in one step, the last. Valid until the next step.
  virtual StepProblem last_problem() const { return {}; }
};

// What comes to rest is left with less and less of its velocity, step after step: far below anything that matters, but
// processors are slow with the smallest numbers, and these do not scale with units.
inline void drop_next_to_nothing(VectorX& velocity) {
  constexpr double nothing = 1e-250;  // m/s or rad/s
  velocity = (velocity.array().abs() < nothing).select(0.0, velocity);
}

}  // namespace ricochet::integrate
