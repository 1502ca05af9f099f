// Limits, friction and motors of joints in sub-problems that hold their laws at the position and at the velocity level:
// blocks behind those of contacts.
//
//   limit      size 1    y = a (s - lower) or a (upper - s);               its rate with restitution
//   friction   size 2    y_T = a (s - s_begin); a ds/dt                    bounded by c, the capacity of the joint
//   motor      size 2    y_T = a (s - s_begin - what the target turned);   bounded by its largest force
//
// with the arm a of mechanics/joints/joint_actions. The first component of a block of size 2 carries the bound: y_N = w
// (r_N - c) is zero for r_N = c, and with coefficient 1 that bounds r_T. A force F held over a step has the impulse h F
// at the velocity level and h^2 F/2 at the position level.
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/integrate/step_report.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::integrate {

class ActionBlocks {
 public:
  struct Block {
    int action = 0;       // as JointActions numbers them
    int side = 0;         // of limits: +1 lower, -1 upper; 0 for friction and motors
    double response = 0;  // 1/kg, of the row if nodes were free
    int size() const { return side != 0 ? 1 : 2; }
  };

  // All that may act: both ends of limits, every friction and motor.
  void take_all(const mechanics::JointActions& actions);
  // Of those, limits whose multiplier is positive or whose gap is closed to `closed` (m), and all friction and motors.
  // `values` and `multipliers` begin with the entries of the first block.
  void take_active(const ActionBlocks& all, std::span<const double> values, std::span<const double> multipliers,
                   double closed);

  void clear() { blocks_.clear(); }
  int count() const { return static_cast<int>(blocks_.size()); }
  int scalars() const;
  const Block& operator[](int i) const { return blocks_[i]; }

  // Rows at a state, behind those that are there; and the coefficients.
  void append_rows(const mechanics::Equations& equations, const mechanics::State& state,
                   linalg::BlockSparseMatrix& rows);
  void append_friction(cone::ContactProblem& problem) const;
  // W of the components that carry bounds, and of coordinates that nothing but rounding lets move. `first`: block.
  void complete(int first, cone::ContactProblem& problem) const;

  // The bounds c (N s, or kg m at the position level) for what joints carry: lambda in N or N m, times `weight`.
  void set_bounds(const mechanics::JointActions& actions, const mechanics::State& state, const VectorX& multipliers,
                  double weight);

  // y at both levels, behind those of contacts: `values` begins with the entries of the first block, and so do the
  // impulses (or multipliers) at the iterate.
  void position_values(const mechanics::JointActions& actions, const mechanics::State& begin,
                       const mechanics::State& now, std::span<const double> multipliers,
                       std::span<double> values) const;
  // `values` has the rates of the rows; restitution refers to those at the start of the step.
  void velocity_values(const mechanics::JointActions& actions, double time, std::span<const double> before,
                       std::span<const double> impulses, std::span<double> values) const;

  // Means over the step, and works: of limits and friction in joints, of motors as drivers. `mean` are the rates of the
  // rows, targets included.
  void account(const mechanics::JointActions& actions, std::span<const double> impulses, std::span<const double> mean,
               double h, StepReport& report) const;

 private:
  std::vector<Block> blocks_;
  std::vector<double> bounds_;
};

}  // namespace ricochet::integrate
