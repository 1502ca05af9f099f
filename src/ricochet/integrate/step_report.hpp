// What one time step did: status, contact records, works, solver statistics and the time spent in each named stage.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ricochet/cone/contact_status.hpp"
#include "ricochet/cone/solver.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::integrate {

enum class StepStatus {
  done,
  contact_unconverged,
  motion_unconverged,
  subproblem_unconverged,      // see StepReport::subproblems
  impacts_go_on,               // more passes of a sequence than are allowed
  joint_friction_unconverged,  // what joints carry and how they rub do not agree
  limit_blocked,               // a limit of a joint is reached, but drives or other joints hold its coordinate
  joints_open,                 // joints contradict each other, or a target has jumped
  not_finite,
  impossible,
};

enum class Stage { detect, free_motion, contact_problem, solve, update, works };
inline constexpr std::array<const char*, 6> stage_names = {"detect", "free_motion", "contact_problem",
                                                           "solve",  "update",      "works"};

// One active contact over one step (or summed over the steps of an output row). Components are (normal, t1, t2).
struct ContactRecord {
  contact::ContactKey key;
  Vector3 point = Vector3::Zero();  // m, world, at the end of the step
  contact::ContactAxes axes;        // n, t1, t2 at the start of the step: impulse and velocities are along them
  double gap_before = 0;            // m, at the start of the step
  double gap = 0;                   // m, at the end of the step
  Vector3 velocity_before = Vector3::Zero();  // m/s, relative velocity H(q_k) v_k + w
  Vector3 velocity = Vector3::Zero();         // m/s, relative velocity H(q_k) v_{k+1} + w
  Vector3 impulse = Vector3::Zero();          // N s
  Vector3 shift = Vector3::Zero();            // kg m, nu: the multiplier of the law at the position level
  // N, the mean over the step: impulse/h of a contact that carried something in the step before as well. An impact has
  // an impulse and no force.
  Vector3 force = Vector3::Zero();
  // Of contacts that resist rolling (about t1 and t2) or spinning (about n); zero where they do not.
  Vector3 spin_before = Vector3::Zero();  // rad/s, relative angular velocity
  Vector3 spin = Vector3::Zero();         // rad/s
  Vector3 moment = Vector3::Zero();       // N m s, on A
  Vector3 torque = Vector3::Zero();       // N m, the mean over the step, as `force` is
  cone::ContactStatus status = cone::ContactStatus::open;
  double work_normal = 0;      // J, done on the bodies
  double work_tangential = 0;  // J, done on the bodies
  double work_resistance = 0;  // J, done on the bodies: by moments against rolling and spinning

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("key", self.key);
    visitor("point", self.point);
    visitor("axes", self.axes);
    visitor("gap_before", self.gap_before);
    visitor("gap", self.gap);
    visitor("velocity_before", self.velocity_before);
    visitor("velocity", self.velocity);
    visitor("impulse", self.impulse);
    visitor("shift", self.shift);
    visitor("force", self.force);
    visitor("spin_before", self.spin_before);
    visitor("spin", self.spin);
    visitor("moment", self.moment);
    visitor("torque", self.torque);
    visitor("status", self.status);
    visitor("work_normal", self.work_normal);
    visitor("work_tangential", self.work_tangential);
    visitor("work_resistance", self.work_resistance);
  }
};

// Works of one step in J. `contact_*` is done on the bodies, `damping` is what dampers took (>= 0), `numerical` is the
// scheme's own change of energy, computed independently of the balance where there is a formula for it (Moreau-Jean),
// else its remainder.
struct StepWorks {
  double loads = 0;
  double drivers = 0;
  double damping = 0;
  double contact_normal = 0;
  double contact_tangential = 0;
  double contact_resistance = 0;  // by moments against rolling and spinning
  // The parts of all three that are positive: sums over contacts. Friction that drives (a conveyor) is not here: the
  // work is that of the relative velocity, and the driver has its own account.
  double contact_normal_positive = 0;
  double contact_tangential_positive = 0;
  double contact_resistance_positive = 0;
  // Energy that no real contact may give: the sum over contacts of the positive values of p . (u_before + u_after) / 2,
  // which is what the impulse did to the bodies, or of p . u_theta, to which the scheme's own dissipation comes,
  // whichever is less: if one of the two sums is zero the step has created nothing.
  double contact_created = 0;
  double numerical = 0;
  double appeared = 0;    // what bodies brought that appeared after the step, less what those took that vanished
  double projection = 0;  // what closing joints again changed: see mechanics/joints/joint_projection
  double joints = 0;      // done on the bodies by limits and friction of joints

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("loads", self.loads);
    visitor("drivers", self.drivers);
    visitor("damping", self.damping);
    visitor("contact_normal", self.contact_normal);
    visitor("contact_tangential", self.contact_tangential);
    visitor("contact_resistance", self.contact_resistance);
    visitor("contact_normal_positive", self.contact_normal_positive);
    visitor("contact_tangential_positive", self.contact_tangential_positive);
    visitor("contact_resistance_positive", self.contact_resistance_positive);
    visitor("contact_created", self.contact_created);
    visitor("numerical", self.numerical);
    visitor("appeared", self.appeared);
    visitor("projection", self.projection);
    visitor("joints", self.joints);
  }
};

// What a driver had to do in the step, as means over it.
struct DriverRecord {
  Vector3 force = Vector3::Zero();   // N, world: on the node, or on the surface
  Vector3 torque = Vector3::Zero();  // N m, world: about the node, or about the centre of the surface's rotation
  double power = 0;                  // W

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("force", self.force);
    visitor("torque", self.torque);
    visitor("power", self.power);
  }
};

// What a joint carried in the step, as means over it: on its second body, at its point (mechanics/joints/joint).
struct JointRecord {
  Vector3 force = Vector3::Zero();   // N, world
  Vector3 torque = Vector3::Zero();  // N m, world
  double effort = 0;                 // N or N m, of its last row: along the coordinate of a drive, gear or coupler

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("force", self.force);
    visitor("torque", self.torque);
    visitor("effort", self.effort);
  }
};

// What a limit, a friction or a motor of a joint did in the step, as means over it.
struct JointActionRecord {
  double force = 0;  // N or N m, along the coordinate
  double power = 0;  // W, given to the bodies

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("force", self.force);
    visitor("power", self.power);
  }
};

// The Newton iterations of one sub-problem of a step.
enum class SubproblemOutcome { solved, unconverged, not_finite };

struct SubproblemReport {
  SubproblemOutcome outcome = SubproblemOutcome::solved;
  int iterations = 0;
  int line_searches = 0;          // halvings of a step
  int passes = 0;                 // of a sequence of impacts
  double residual = 0;            // at the end, in the kinetic norm
  std::vector<double> residuals;  // of every iterate, the first guess included
  int worst_block = -1;           // of an unsolved one: the contact with the largest residual,
  int worst_row = -1;             // or the row of joints

  void clear() {
    outcome = SubproblemOutcome::solved;
    iterations = line_searches = passes = 0;
    residual = 0;
    residuals.clear();
    worst_block = worst_row = -1;
  }

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("outcome", self.outcome);
    visitor("iterations", self.iterations);
    visitor("line_searches", self.line_searches);
    visitor("passes", self.passes);
    visitor("residual", self.residual);
    visitor("residuals", self.residuals);
    visitor("worst_block", self.worst_block);
    visitor("worst_row", self.worst_row);
  }
};

enum class SubproblemLevel { smooth, position, velocity };
inline constexpr std::array<const char*, 3> subproblem_names = {"smooth", "position", "velocity"};

struct StepReport {
  StepStatus status = StepStatus::done;
  int worst_joint = -1;                          // whose limit is blocked, or which is open
  std::string impossible;                        // a sentence, if the step could not be computed at all
  std::vector<ContactRecord> contacts;           // active contacts, sorted by key
  std::vector<DriverRecord> drivers;             // one per driver of the model
  std::vector<JointRecord> joints;               // one per joint of the model
  std::vector<JointActionRecord> joint_actions;  // as mechanics::JointActions numbers them
  StepWorks works;
  cone::SolveReport solver;
  double joint_error = 0;  // m, at the end of the step: see JointSet::error; angles times the size of the machine
  // Of schemes that have sub-problems, by SubproblemLevel; iterations are sums if one is solved several times.
  std::array<SubproblemReport, subproblem_names.size()> subproblems;
  int motion_iterations = 0;
  bool refined = false;  // contacts were solved again, so that friction gave less: see integrate/friction_refinement
  // Asked for before the step: to read the clock at every stage takes a third of the smallest steps.
  bool times_stages = true;
  std::array<double, stage_names.size()> stage_seconds = {};  // zero in a step that is not timed

  // Of a step that ended before anything happened.
  void forget(StepStatus why) {
    status = why;
    contacts.clear();
    drivers.clear();
    joints.clear();
    joint_actions.clear();
    works = {};
  }

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("status", self.status);
    visitor("worst_joint", self.worst_joint);
    visitor("impossible", self.impossible);
    visitor("contacts", self.contacts);
    visitor("drivers", self.drivers);
    visitor("joints", self.joints);
    visitor("joint_actions", self.joint_actions);
    visitor("works", self.works);
    visitor("solver", self.solver);
    visitor("joint_error", self.joint_error);
    visitor("subproblems", self.subproblems);
    visitor("motion_iterations", self.motion_iterations);
    visitor("refined", self.refined);
    visitor("stage_seconds", self.stage_seconds);
  }
};

// Of a sequence of impacts in the step; 0 where there was none to take.
inline int passes(const StepReport& report) {
  return report.subproblems[static_cast<std::size_t>(SubproblemLevel::velocity)].passes;
}

}  // namespace ricochet::integrate
