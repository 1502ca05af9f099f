// Closing joints: positions and velocities are brought on the constraints by small changes in the mass metric.
//
//   positions    Gauss-Newton: the smallest |dq|_M with G dq = -g, again and again until g(q) = 0
//   velocities   the smallest |dv|_M with G (v + dv) + g_t = 0: one solve
//
// A theta scheme keeps the rates of joints at the stage, G(q_theta) v_theta + g_t = 0. What it leaves at the end of a
// step, g(q_1) of the order h^3 and G(q_1) v_1 + g_t of the order h^2, is removed so that nothing drifts (E. Hairer &
// G. Wanner, Solving Ordinary Differential Equations II, sec. VII.2); the change of energy is told, and has a line of
// its own in the ledger. The sum of the steps of Gauss-Newton is the smallest change but for terms of second order: see
// nearest_placement for machines that are far from closed.
//
// What contacts hold at that moment is left alone if that is possible, H dq = 0 and H dv = 0 for the rows given: a foot
// that sticks must not creep because a knee is closed. The change of velocity is made by impulses G^T mu of the joints,
// which belong to what they carried in the step; those of driven joints did the work -mu . g_t.
//
// In a time step, the matrix serves the next iteration too, and then the velocities, as long as errors shrink quickly:
// near a closed position G hardly changes. What is left to do is always found with G where the machine is.
//
// Far from closed a step may be too long: it is halved until the error shrinks. Near it, every step is a full one.
#pragma once

#include <memory>

#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {

// How far the positions of a state are known, m: 1e-12 of the size of the machine, and a few units in the last place
// of positions far from the origin. Joints that are open by less are closed.
double position_rounding(const Equations& equations, const State& state);

// Nothing is held.
inline const linalg::BlockSparseMatrix& no_rows() {
  static const linalg::BlockSparseMatrix none;
  return none;
}

class JointProjection {
 public:
  struct Result {
    double energy = 0;    // J, change of kinetic and potential energy
    double moved = 0;     // root of J s^2: |dq|_M
    double velocity = 0;  // root of J: |dv|_M
    int iterations = 0;   // of the positions
    double error = 0;     // m, of the largest row after it; angles count with the size of the machine
    bool closed = true;   // whether that is rounding
    double drivers = 0;   // J, work of driven joints that changed the velocities: part of the energy above
  };

  // Moves q and v of the state, whose time is that of the end of the step. Its angles are brought up to date. `held`:
  // rows of relative velocities that shall stay as they are.
  Result project(const Equations& equations, State& state, const linalg::BlockSparseMatrix& held = no_rows());
  // The positions alone, and the angles: until rounding lets nothing be gained any more.
  Result project_position(const Equations& equations, State& state, const linalg::BlockSparseMatrix& held = no_rows());
  // The positions alone, of a state next to one that has been closed before: its matrix may serve, unless this is the
  // first of its kind.
  Result close_again(const Equations& equations, State& state, bool first);
  // The velocities alone.
  Result project_velocity(const Equations& equations, State& state, const linalg::BlockSparseMatrix& held = no_rows());
  // mu of the last change of velocities, N s or N m s.
  const VectorX& impulses() const { return impulses_; }

 private:
  enum class Care { to_the_last_bit, quickly };  // quickly: 1e-14 of the size, with few matrices
  Result close(const Equations& equations, State& state, const linalg::BlockSparseMatrix& held, Care care);
  void factorise(const Equations& equations, const State& state, const linalg::BlockSparseMatrix& held);
  // change_ = the smallest change with rows of joints times it = right_, and held rows times it = 0.
  void solve(const Equations& equations);

  std::unique_ptr<linalg::EffectiveMass> matrix_;
  double contraction_ = 1;  // of the error, in the last step that the matrix gave
  linalg::BlockSparseMatrix rows_, joint_rows_;
  linalg::ReusableVector all_right_;
  VectorX right_, change_, moved_, impulses_, rates_;
};

}  // namespace ricochet::mechanics
