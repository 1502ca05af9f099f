#include "ricochet/mechanics/joints/frame_pair.hpp"

namespace ricochet::mechanics {

FramePair::FramePair(const DofMap& map, const model::JointFrame& first, const model::JointFrame& second)
    : sides_{make_side(map, first), make_side(map, second)} {}

FramePair::Side FramePair::make_side(const DofMap& map, const model::JointFrame& frame) {
  Side side;
  side.node = frame.attachment.node.index;
  side.axes = frame.axes.normalized();
  side.turned_axes = !side.axes.vector_part().isZero(0);
  side.to_joint = side.axes.matrix().transpose();
  side.point = frame.attachment.offset;
  if (side.node >= 0) {
    side.turns = map.is_frame(side.node);
    side.q_start = map.q_start(side.node);
    side.v_start = map.v_start(side.node);
    if (!side.turns) side.point.setZero();
  }
  side.to_joint_arm = side.to_joint * math::skew(side.point);
  return side;
}

FramePair::Placed FramePair::place(const Side& side, const State& state) {
  Placed placed;
  if (side.node < 0) return placed;
  placed.position = state.q.segment<3>(side.q_start);
  placed.velocity = state.v.segment<3>(side.v_start);
  if (side.turns) {
    const int start = side.q_start + 3;
    placed.rotation = {state.q[start], state.q[start + 1], state.q[start + 2], state.q[start + 3]};
    placed.angular_velocity = state.v.segment<3>(side.v_start + 3);
  }
  return placed;
}

// What is not turned need not be multiplied: joints of the world, and axes along those of the body, are common.
math::Quaternion FramePair::axes_in_world(const Side& side, const Placed& at) {
  if (!side.turns) return side.axes;
  return side.turned_axes ? at.rotation * side.axes : at.rotation;
}

Vector3 FramePair::arm_in_world(const Side& side, const Placed& at) {
  return side.turns ? at.rotation.rotate(side.point) : side.point;
}

RelativePose FramePair::relative_pose(const Side& a, const Placed& at_a, const Side& b, const Placed& at_b) {
  RelativePose pose;
  const math::Quaternion axes_a = axes_in_world(a, at_a);
  const Vector3 between = (at_b.position - at_a.position) + (arm_in_world(b, at_b) - arm_in_world(a, at_a));
  pose.y = axes_a.rotate_inverse(between);
  pose.rotation = axes_a.conjugate() * axes_in_world(b, at_b);
  pose.axes = pose.rotation.matrix();
  return pose;
}

RelativePose FramePair::pose(const State& state) const {
  return relative_pose(sides_[0], place(sides_[0], state), sides_[1], place(sides_[1], state));
}

math::Quaternion FramePair::world_axes(const State& state, int side) const {
  return axes_in_world(sides_[side], place(sides_[side], state));
}

// With alpha = Q_A^T Omega_A:  dy/dt = A^T dd/dt - alpha x y.
Vector6 FramePair::relative_velocity(const Placed& at_a, const Placed& at_b, const RelativePose& pose) const {
  const auto& [a, b] = sides_;
  const math::Quaternion axes_a = axes_in_world(a, at_a);
  const Vector3 alpha = a.axes.rotate_inverse(at_a.angular_velocity);
  const Vector3 between = (at_b.velocity - at_a.velocity) +
                          at_b.rotation.rotate(math::cross(at_b.angular_velocity, b.point)) -
                          at_a.rotation.rotate(math::cross(at_a.angular_velocity, a.point));
  Vector6 z;
  z.head<3>() = axes_a.rotate_inverse(between) - math::cross(alpha, pose.y);
  z.tail<3>() = b.axes.rotate_inverse(at_b.angular_velocity) - pose.rotation.rotate_inverse(alpha);
  return z;
}

Vector6 FramePair::velocity(const State& state) const {
  const Placed at_a = place(sides_[0], state), at_b = place(sides_[1], state);
  return relative_velocity(at_a, at_b, relative_pose(sides_[0], at_a, sides_[1], at_b));
}

// With c = a + Q_A y and A^T R_B = P Q_B^T:  Q_A^T c~ = Q_A^T a~ + y~ Q_A^T,   A^T R_B b~ = P Q_B^T b~.
RelativePose FramePair::gradient(const State& state, Gradient& j, bool with_rotation) const {
  const auto& [a, b] = sides_;
  const Placed at_a = place(a, state), at_b = place(b, state);
  const RelativePose pose = relative_pose(a, at_a, b, at_b);
  j.setZero();
  const Matrix3 to_a = axes_in_world(a, at_a).matrix().transpose();
  if (a.node >= 0) j.block<3, 3>(0, 0) = -to_a;
  if (a.turns) {
    j.block<3, 3>(0, 3) = a.to_joint_arm + math::skew(pose.y) * a.to_joint;
    if (with_rotation) j.block<3, 3>(3, 3).noalias() = -pose.axes.transpose() * a.to_joint;
  }
  if (b.node >= 0) j.block<3, 3>(0, 6) = to_a;
  if (b.turns) {
    j.block<3, 3>(0, 9).noalias() = -pose.axes * b.to_joint_arm;
    if (with_rotation) j.block<3, 3>(3, 9) = b.to_joint;
  }
  return pose;
}

// At constant v and Omega:  d2y/dt2 = A^T d2d/dt2 - 2 alpha x dy/dt - alpha x (alpha x y), where d2d/dt2 has only the
// centripetal parts R Omega x (Omega x point);  dw/dt = -(dP/dt)^T alpha = w x (P^T alpha).
Vector6 FramePair::bias(const State& state) const {
  const auto& [a, b] = sides_;
  const Placed at_a = place(a, state), at_b = place(b, state);
  const RelativePose pose = relative_pose(a, at_a, b, at_b);
  const Vector6 z = relative_velocity(at_a, at_b, pose);
  const Vector3 alpha = a.axes.rotate_inverse(at_a.angular_velocity);
  const auto centripetal = [](const Placed& at, const Vector3& point) -> Vector3 {
    return at.rotation.rotate(math::cross(at.angular_velocity, math::cross(at.angular_velocity, point)));
  };
  const Vector3 acceleration = centripetal(at_b, b.point) - centripetal(at_a, a.point);
  Vector6 bias;
  bias.head<3>() = (at_a.rotation * a.axes).rotate_inverse(acceleration) - 2.0 * math::cross(alpha, z.head<3>()) -
                   math::cross(alpha, math::cross(alpha, pose.y));
  bias.tail<3>() = math::cross(z.tail<3>(), pose.rotation.rotate_inverse(alpha));
  return bias;
}

// With the wrench (m, n), f = Q_A m the force and s = R_A^T R_B Q_B n the torque in the body axes of A, and
// g = R_B^T R_A f the force in those of B:
//
//   J^T (m, n) = ( -R_A f,  -c x f - s,  R_A f,  b x g + Q_B n )
//
// and the increments are, with psi the body rotations and T = R_A^T R_B,
//
//   d(R_A f) = -R_A f~ psi_A
//   dc       = R_A^T (dx_B - dx_A) - T b~ psi_B + c~ psi_A
//   ds       = s~ psi_A - T (Q_B n)~ psi_B
//   dg       = g~ psi_B - T^T f~ psi_A
void FramePair::wrench_tangent(const State& state, const Vector6& wrench, Tangent& k) const {
  const auto& [a, b] = sides_;
  const Placed at_a = place(a, state), at_b = place(b, state);
  const RelativePose pose = relative_pose(a, at_a, b, at_b);
  const Matrix3 rotation_a = at_a.rotation.matrix();
  const Matrix3 between = (at_a.rotation.conjugate() * at_b.rotation).matrix();  // T
  const Vector3 c = a.point + a.axes.rotate(pose.y);
  const Vector3 force_a = a.axes.rotate(wrench.head<3>());
  const Vector3 torque_b = b.axes.rotate(wrench.tail<3>());
  const Vector3 torque_a = between * torque_b;
  const Vector3 force_b = between.transpose() * force_a;
  const Matrix3 f = math::skew(force_a);
  k.setZero();
  if (a.turns) {
    const Matrix3 turned_force = rotation_a * f;
    k.block<3, 3>(0, 3) = turned_force;
    k.block<3, 3>(3, 3) = f * math::skew(c) - math::skew(torque_a);
    if (a.node >= 0) k.block<3, 3>(3, 0) = -f * rotation_a.transpose();
    if (b.node >= 0) {
      k.block<3, 3>(6, 3) = -turned_force;
      k.block<3, 3>(3, 6) = f * rotation_a.transpose();
    }
    if (b.turns) {
      k.block<3, 3>(3, 9) = -f * between * math::skew(b.point) + between * math::skew(torque_b);
      k.block<3, 3>(9, 3) = -math::skew(b.point) * between.transpose() * f;
    }
  }
  if (b.turns) k.block<3, 3>(9, 9) = math::skew(b.point) * math::skew(force_b);
}

}  // namespace ricochet::mechanics
