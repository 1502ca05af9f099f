// Limits, friction and motors of joints in the contact problem of a step: blocks behind those of the contacts.
//
//   limit      size 1: the distance to the end of the range is a gap, closed at the start of the step, with the impact
//              law of the step
//   friction   size 2: Coulomb's law with coefficient 1 and a normal that feels nothing but its own impulse,
//              u_N = w p_N - w c, so that p_N = c and u_N = 0: what rubs is bounded by c = h times the capacity of the
//              joint. c depends on what the joints carry, which depends on the friction: a fixed point, see update
//   motor      the same with c = h times its largest force and u_T = a (ds/dt - speed)
//
// Rows are taken at the start of the step, like those of contacts.
#pragma once

#include <span>
#include <vector>

#include "ricochet/integrate/impact_law.hpp"
#include "ricochet/integrate/scheme.hpp"

namespace ricochet::integrate {

class JointBlocks {
 public:
  // What acts in a step whose contacts are looked for at a state: its rows then stand behind those of contacts.
  void detect(const mechanics::Equations& equations, const mechanics::State& state, const JointMemory& memory_before,
              linalg::BlockSparseMatrix& gradients);
  int count() const { return static_cast<int>(blocks_.size()); }
  bool empty() const { return blocks_.empty(); }

  // The velocity of the motors' targets in u (u = H v + w) at a time.
  void add_targets(const mechanics::JointActions& actions, double time, linalg::ReusableVector& velocity) const;
  // The first guess of the impulses, into the entries behind those of contacts.
  void recall(const JointMemory& memory, linalg::ReusableVector& impulses);
  // Impulses to remember; what carried some stays closed in the next step up to its slack (m; contact/contact_memory).
  void remember(const mechanics::JointActions& actions, const JointMemory& before,
                const linalg::ReusableVector& impulses, std::span<const double> slacks, JointMemory& after) const;

  // Friction, restitution and normals of the blocks, in a problem whose W and free velocities are known.
  // Returns a limit that is approached by more than `least` (m/s) though nothing can move it, or -1.
  int complete(const mechanics::JointActions& actions, ImpactLaw law, double theta, double least,
               const linalg::ReusableVector& velocity_before, cone::ContactProblem& problem) const;
  // Restitution of each block, for Poisson's law.
  void append_restitution(const mechanics::JointActions& actions, std::vector<double>& restitution) const;

  // The bounds of friction and motors for the impulses that joints carry (N s), in the problem; or half-way there from
  // the bounds before. Returns the largest square of the change of velocities, in the kinetic norm (J), that the change
  // of one bound can make.
  double update(const mechanics::JointActions& actions, const mechanics::State& stage, const VectorX& joint_impulses,
                double h, bool half_way, cone::ContactProblem& problem);

  // The rows along which limits, friction and motors hold a coordinate at the end of the step: those that carry an
  // impulse, did so before, and are not at their bound.
  void append_held(const linalg::BlockSparseMatrix& gradients, const linalg::ReusableVector& impulses,
                   linalg::BlockSparseMatrix& held) const;

  // What the actions did in the step: records, and works of joints and of drivers. Velocities are those of the rows, at
  // the mean of the step.
  void account(const mechanics::JointActions& actions, const linalg::ReusableVector& impulses,
               const linalg::ReusableVector& velocity_mean, double h, StepReport& report) const;
  // Positive works of limits and friction, at the two velocities of StepWorks::contact_created.
  struct Created {
    double at_mean = 0, at_stage = 0;  // J
  };
  Created created(const mechanics::JointActions& actions, const linalg::ReusableVector& impulses,
                  const linalg::ReusableVector& velocity_before, const linalg::ReusableVector& velocity_after,
                  const linalg::ReusableVector& velocity_mean) const;

 private:
  struct Block {
    int action = 0;    // as JointActions numbers them
    int side = 0;      // of limits: +1 lower, -1 upper
    int offset = 0;    // in the vectors of the problem
    double floor = 0;  // of its entry in W, 1/kg
    bool held_before = false;
    bool is_open = false;  // a limit that is closed only up to its slack
    int memory = 0;        // its place in JointMemory
    int size() const { return side != 0 ? 1 : 2; }
  };

  int first_ = 0;  // block of the problem
  std::vector<Block> blocks_;
  std::vector<double> bounds_;  // of each block, N s
  VectorX multipliers_;         // of the joints, N or N m
};

}  // namespace ricochet::integrate
