// Closing joints again at the end of a step.
//
// A theta scheme keeps the rates of joints at the stage, G(q_theta) v_theta + g_t = 0. What it leaves at the end of the
// step, g(q_1) of the order h^3 and G(q_1) v_1 + g_t of the order h^2, is removed by the smallest change in the mass
// metric,
//
//   minimise |dq|_M  such that  g(q_1 (+) dq) = 0         (Gauss-Newton, a few solves)
//   minimise |dv|_M  such that  G (v_1 + dv) + g_t = 0    (one solve)
//
// and leaves alone, if it can, what contacts hold at that moment (H dq = 0, H dv = 0): a foot that sticks must not
// creep because a knee is closed. So nothing drifts (E. Hairer & G. Wanner, Solving Ordinary Differential Equations II,
// sec. VII.2). The change of energy is told, and has a line of its own in the ledger. The change of velocity is made by
// impulses G^T mu of the joints, which belong to what they carried in the step; those of driven joints did the work
// -mu . g_t.
#pragma once

#include <memory>

#include "ricochet/mechanics/equations.hpp"

namespace ricochet::integrate {

class JointProjection {
 public:
  struct Result {
    double energy = 0;    // J, change of kinetic and potential energy
    double moved = 0;     // root of J s^2: |dq|_M
    double velocity = 0;  // root of J: |dv|_M
    int iterations = 0;   // of the positions
    double drivers = 0;   // J, work of driven joints that changed the velocities: part of the energy above
    double error = 0;     // of the largest row, m (angles times 1 m), after it
  };

  // Moves q and v of the state, whose time is that of the end of the step. Its angles are brought up to date. `held`:
  // rows of relative velocities that shall stay as they are.
  Result project(const mechanics::Equations& equations, mechanics::State& state,
                 const linalg::BlockSparseMatrix& held = {});
  // The velocities alone.
  Result project_velocity(const mechanics::Equations& equations, mechanics::State& state,
                          const linalg::BlockSparseMatrix& held = {});
  // mu of the last change of velocities, N s or N m s.
  const VectorX& impulses() const { return impulses_; }

 private:
  // change_ = the smallest change with rows of joints times it = right_, and held rows times it = 0.
  void solve(const mechanics::Equations& equations, const mechanics::State& state,
             const linalg::BlockSparseMatrix& held);

  std::unique_ptr<linalg::EffectiveMass> matrix_;
  linalg::BlockSparseMatrix rows_;
  VectorX right_, all_right_, change_, moved_, impulses_, rates_;
};

}  // namespace ricochet::integrate
