// The placement nearest to a given one in which all joints are closed.
//
// Every node may be moved by one motion d from where it stands, x + d_x and R exp(d_R~); eliminated components stay. Of
// all motions that close the joints the smallest in the mass metric is wanted:
//
//   minimise f(d) = 1/2 d^T M d     such that     g(q (+) d) = 0
//
// Two moves alternate. Gauss-Newton closes the joints (joint_projection). Then the machine slides along them, down the
// slope of f:
//
//   M t - G^T lambda = -df/dq,  G t = 0,        with  df/dq = T^-T(d_R) J d_R  for rotations (T: right tangent)
//
// Joints whose rows are straight (G constant) let the first slide arrive; those that curve with the radius r leave
// |d|/r of the way for the next one: a linkage that is 1 % off takes about ten. A slide that does not bring the machine
// nearer is halved. After a hundred it is near enough, and `slope` tells what could still be gained (machines of many
// short links that are off by a good part of a link). The minimum is a local one, as everything that is found by small
// steps.
#pragma once

#include "ricochet/mechanics/joints/joint_projection.hpp"

namespace ricochet::mechanics {

class NearestPlacement {
 public:
  struct Result {
    bool closed = true;  // else the state is as near to closed as Gauss-Newton came
    double error = 0;    // m, of the largest row; angles count with the size of the machine
    double moved = 0;    // root of J s^2: |d|_M
    double slope = 0;    // root of J s^2: |t|_M where it stopped
    int slides = 0;
  };

  // Moves q of the state; its angles are brought up to date, its velocities stay.
  Result find(const Equations& equations, State& state);

 private:
  bool slide(const Equations& equations, const VectorX& from, State& state, Result& result);
  void measure_motion(const DofMap& map, const VectorX& from, const VectorX& q);

  JointProjection projection_;
  std::unique_ptr<linalg::EffectiveMass> matrix_;
  linalg::BlockSparseMatrix rows_;
  VectorX motion_;   // d
  VectorX descent_;  // -df/dq, then t
  double moved_squared_ = 0, slope_squared_ = 0;
};

}  // namespace ricochet::mechanics
