// Limits, friction and motors along the coordinates of joints (model/joint_action): what a scheme needs of them to put
// them into its contact problem. Every action has a row along its coordinate s,
//
//   row    a dG_s,    velocity    a ds/dt      (m/s)
//
// with the arm a = 1 for translations and the size of the machine for angles, so that all rows have one unit and their
// impulses are N s. Actions are numbered limits first, then frictions, then motors.
#pragma once

#include <vector>

#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/mechanics/joints/joint_set.hpp"

namespace ricochet::mechanics {

class JointActions {
 public:
  // Throws std::invalid_argument with a sentence for coordinates that joints do not have, limits in the wrong order,
  // friction that depends on what the joint carries where nothing rubs, and numbers out of range. `joints` must outlive
  // this object. `arm` (m) as above.
  JointActions(const model::Model& model, const JointSet& joints, double arm);

  int limits() const { return static_cast<int>(limits_.size()); }
  int frictions() const { return static_cast<int>(frictions_.size()); }
  int motors() const { return static_cast<int>(motors_.size()); }
  int count() const { return limits() + frictions() + motors(); }

  const model::JointLimit& limit(int i) const { return limits_[i]; }
  const model::JointMotor& motor(int i) const { return motors_[i]; }
  model::JointCoordinate coordinate(int action) const;
  double arm(int action) const;  // 1 or the size of the machine

  double value(int action, const State& state) const;  // s, m or rad
  // How far a limit is from its lower (+1) or upper (-1) end, in m: a (s - lower) or a (upper - s).
  double gap(int limit, int side, const State& state) const;

  // The largest force (N) that friction may have along its row. `lambda`: the multipliers of all joints, N and N m.
  double capacity(int friction, const State& state, const VectorX& lambda) const;

 private:
  double normal_force(const model::JointFriction& friction, const State& state, const VectorX& lambda) const;

  const JointSet* joints_ = nullptr;
  double size_ = 1;
  std::vector<model::JointLimit> limits_;
  std::vector<model::JointFriction> frictions_;
  std::vector<model::JointMotor> motors_;
  std::vector<model::JointType> types_;  // of all joints
};

}  // namespace ricochet::mechanics
