// Two frames and the pose of one in the other: all that a joint can see of the machine.
//
// Side A is attached at the body point a with joint axes Q_A (joint to body), side B at b with Q_B. With x, R the
// position and rotation of the nodes (identity and zero for the world; a point node does not turn):
//
//   A = R_A Q_A,  B = R_B Q_B                     the joint axes in the world
//   d = x_B + R_B b - x_A - R_A a                 from the point of A to the point of B
//   y = A^T d                                     translation, in the axes of A (m)
//   P = A^T B                                     rotation: axes of B in the axes of A
//
// The relative velocity is z = (dy/dt, w), where w is the relative angular velocity in the axes of B: dP/dt = P w~.
// It is linear in the velocities v = (v_A, Omega_A, v_B, Omega_B), z = J v, with
//
//   dy/dt = A^T (v_B - v_A) + Q_A^T c~ Omega_A - A^T R_B b~ Omega_B,     c = R_A^T (x_B + R_B b - x_A)
//   w     = Q_B^T Omega_B - P^T Q_A^T Omega_A
//
// A joint that depends on (y, P) alone cannot feel a rigid motion of the world, and every joint shares the second
// derivatives of this map. Source: the velocity and acceleration of a point in a moving frame, any textbook (e.g. E.
// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems, 1989, sections 9.2 and 9.4), written for body
// increments.
#pragma once

#include <array>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/model/joint.hpp"

namespace ricochet::mechanics {

struct RelativePose {
  Vector3 y = Vector3::Zero();         // m, in the axes of A
  math::Quaternion rotation;           // of B relative to A
  Matrix3 axes = Matrix3::Identity();  // P, the matrix of that rotation
};

class FramePair {
 public:
  // Columns: v_A, Omega_A, v_B, Omega_B. Those of the world, and the rotation of a point node, are zero. By rows,
  // because joints take rows of it.
  using Gradient = Eigen::Matrix<double, 6, 12, Eigen::RowMajor>;
  using Tangent = Eigen::Matrix<double, 12, 12>;

  FramePair() = default;
  FramePair(const DofMap& map, const model::JointFrame& first, const model::JointFrame& second);

  int node(int side) const { return sides_[side].node; }  // -1 for the world

  RelativePose pose(const State& state) const;
  Vector6 velocity(const State& state) const;  // z = J v
  // J, and the pose, which it needs; the rows of rotation may be left out and are zero then.
  RelativePose gradient(const State& state, Gradient& j, bool with_rotation = true) const;
  Vector6 bias(const State& state) const;  // (dJ/dt) v: dz/dt at zero dv/dt
  // d(J^T wrench)/dq, columns by position and body rotation increments. The wrench is a force (N, axes of A) on B at
  // its point and a torque (N m, axes of B) on B.
  void wrench_tangent(const State& state, const Vector6& wrench, Tangent& k) const;

  // The axes of one side in the world.
  math::Quaternion world_axes(const State& state, int side) const;

 private:
  struct Side {
    int node = -1;  // -1: the world
    bool turns = false;
    int q_start = 0;
    int v_start = 0;
    Vector3 point = Vector3::Zero();         // body axes, m; zero on a point node
    math::Quaternion axes;                   // joint to body
    bool turned_axes = true;                 // they are not the body axes
    Matrix3 to_joint = Matrix3::Identity();  // Q^T, the inverse of the axes
    Matrix3 to_joint_arm = Matrix3::Zero();  // Q^T point~
  };
  struct Placed {
    Vector3 position = Vector3::Zero();          // of the node
    math::Quaternion rotation;                   // of the node
    Vector3 velocity = Vector3::Zero();          // world
    Vector3 angular_velocity = Vector3::Zero();  // body
  };

  static Side make_side(const DofMap& map, const model::JointFrame& frame);
  static Placed place(const Side& side, const State& state);
  static math::Quaternion axes_in_world(const Side& side, const Placed& at);
  static Vector3 arm_in_world(const Side& side, const Placed& at);
  static RelativePose relative_pose(const Side& a, const Placed& at_a, const Side& b, const Placed& at_b);
  Vector6 relative_velocity(const Placed& at_a, const Placed& at_b, const RelativePose& pose) const;

  std::array<Side, 2> sides_;
};

}  // namespace ricochet::mechanics
