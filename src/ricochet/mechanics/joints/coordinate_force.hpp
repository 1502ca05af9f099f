// A force along one coordinate of a joint (a torque, if it is an angle), whoever determines it: a spring
// (joints/joint_springs) or a law of the user (joints/joint_efforts).
//
// With s the coordinate, g = ds/dq its gradient, D = dg/dq and the force Q(t, s, s') along it,
//
//   f = Q g,      -df/dv = c g g^T,      -df/dq = k g g^T + c g (D^T v)^T - Q D,      k = -dQ/ds,   c = -dQ/ds'.
#pragma once

#include <stdexcept>
#include <string_view>

#include "ricochet/mechanics/joints/joint_set.hpp"

namespace ricochet::mechanics {

class CoordinateForce {
 public:
  // `target` as in make_coordinate_row. The joints, which count turns, must outlive it.
  CoordinateForce(const model::Model& model, model::JointCoordinate coordinate, const math::TimeFunction& target,
                  const DofMap& map, const JointSet& joints);

  const Joint& row() const { return row_; }  // s
  bool couples_nodes() const { return row_.nodes() > 1; }

  double value(const State& state) const;                                   // of the joint's own coordinate, m or rad
  double speed(const State& state) const { return row_.speeds(state)[0]; }  // s', m/s or rad/s

  void add_force(const State& state, double force, VectorX& to) const;
  // matrix += damping_factor (-df/dv) + stiffness_factor (-df/dq).
  void add_tangents(const State& state, double force, double stiffness, double damping, double damping_factor,
                    double stiffness_factor, linalg::EffectiveMass& matrix) const;

  // False if the joint turns by half a turn or more in a step: its turns cannot be counted then.
  bool turns_can_be_counted(const State& state, double h) const;
  // To be thrown about that; the sentence begins with `who`.
  static std::runtime_error too_fast(std::string_view who, double h);

 private:
  const JointSet* joints_;
  model::JointCoordinate coordinate_;
  Joint row_;
};

}  // namespace ricochet::mechanics
