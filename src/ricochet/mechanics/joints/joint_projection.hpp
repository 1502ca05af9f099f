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
// Far from closed a step may be too long: it is halved until the error shrinks. Near it, every step is a full one.
#pragma once

#include <memory>

#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {

// How far the positions of a state are known, m: 1e-12 of the size of the machine, and a few units in the last place
// of positions far from the origin. Joints that are open by less are closed.
double position_rounding(const Equations& equations, const State& state);

class JointProjection {
 public:
  struct Result {
    double energy = 0;    // J, change of kinetic and potential energy
    double moved = 0;     // root of J s^2: |dq|_M
    double velocity = 0;  // root of J: |dv|_M
    int iterations = 0;   // of the positions
    double error = 0;     // m, of the largest row after it; angles count with the size of the machine
    bool closed = true;   // whether that is rounding
  };

  // Moves q and v of the state, whose time is that of the end of the step. Its angles are brought up to date.
  Result project(const Equations& equations, State& state);
  // The positions alone, and the angles.
  Result project_position(const Equations& equations, State& state);
  // The velocities alone.
  Result project_velocity(const Equations& equations, State& state);

 private:
  std::unique_ptr<linalg::EffectiveMass> matrix_;
  linalg::BlockSparseMatrix rows_;
  VectorX right_, change_, moved_;
};

}  // namespace ricochet::mechanics
