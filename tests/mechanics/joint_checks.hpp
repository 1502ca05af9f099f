// Random machines with one joint, and the checks that hold for every joint.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <vector>

#include "model/test_models.hpp"
#include "ricochet/mechanics/joints/joint_factory.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::mechanics::test {

using namespace ricochet::test;

inline const std::vector<model::JointType>& all_joint_types() {
  using enum model::JointType;
  static const std::vector<model::JointType> types = {ball,  revolute, universal, cylindrical, prismatic, planar,
                                                      fixed, distance, screw,     gear,        coupler,   drive};
  return types;
}

// Which sides of the joint are where.
enum class JointSides { both_frames, first_in_world, second_in_world, both_points, point_on_frame, point_in_world };

struct JointCase {
  model::Model model;                // the joint is assembled as the nodes stand
  std::vector<model::Joint> joints;  // the last one is the one to test
  double angle = 0;                  // of the pose, where the joint can turn
  double slide = 0;                  // of the pose, where the joint can slide

  Joint make(const DofMap& map) const { return make_joint(model, joints, {static_cast<int>(joints.size()) - 1}, map); }
};

inline math::TimeFunction joint_time_function(const std::string& text) {
  return math::TimeFunction(math::Expression::parse(text));
}

// The pose of the second joint frame in the first that a type allows.
inline std::pair<Vector3, math::Quaternion> allowed_pose(model::JointType type, math::Random& random, double angle,
                                                         double slide) {
  using enum model::JointType;
  const auto turn = math::Quaternion::from_axis_angle(Vector3::UnitZ(), angle);
  switch (type) {
    case ball:
      return {Vector3::Zero(), random_rotation(random)};
    case revolute:
      return {Vector3::Zero(), turn};
    case universal:
      return {Vector3::Zero(), turn * math::Quaternion::from_axis_angle(Vector3::UnitX(), random.uniform(-2, 2))};
    case prismatic:
      return {Vector3(0, 0, slide), {}};
    case planar:
      return {Vector3(slide, random.normal(), 0), turn};
    case fixed:
      return {Vector3::Zero(), {}};
    case distance:
      return {random_vector3(random, 2), random_rotation(random)};
    default:  // cylindrical, screw
      return {Vector3(0, 0, slide), turn};
  }
}

inline model::JointFrame random_joint_frame(math::Random& random, int node, bool point) {
  const Vector3 offset = random_vector3(random);
  return {{{node}, point ? Vector3(Vector3::Zero()) : offset}, random_rotation(random)};
}

// Places the node of the second frame (or, if that is the world, the second frame itself) at the given pose.
inline void assemble_second(model::Model& model, model::Joint& joint, const Vector3& y, const math::Quaternion& turn) {
  Vector3 position = joint.first.attachment.offset;
  math::Quaternion rotation = joint.first.axes;
  if (joint.first.attachment.node.valid()) {
    const model::Node& node = model.nodes[joint.first.attachment.node.index];
    const bool point = node.kind == model::NodeKind::point;
    const math::Quaternion body = point ? math::Quaternion() : node.orientation;
    position = node.position + (point ? Vector3(Vector3::Zero()) : body.rotate(joint.first.attachment.offset));
    rotation = body * joint.first.axes;
  }
  const Vector3 second_position = position + rotation.rotate(y);
  const math::Quaternion second_rotation = (rotation * turn).normalized();
  if (!joint.second.attachment.node.valid()) {
    joint.second.attachment.offset = second_position;
    joint.second.axes = second_rotation;
    return;
  }
  model::Node& node = model.nodes[joint.second.attachment.node.index];
  if (node.kind == model::NodeKind::frame) {
    node.orientation = (second_rotation * joint.second.axes.conjugate()).normalized();
    node.position = second_position - node.orientation.rotate(joint.second.attachment.offset);
  } else {
    node.position = second_position;
  }
}

// Adds two sides and a joint of a type with frames between them.
inline void add_simple_joint(JointCase& made, model::JointType type, JointSides sides, math::Random& random,
                             int first_node = -1) {
  const auto add_side = [&](bool world, bool point) {
    if (world) return -1;
    return point ? add_random_point(made.model, random) : add_random_frame(made.model, random);
  };
  using enum JointSides;
  const bool first_point = sides == both_points,
             second_point = first_point || sides == point_on_frame || sides == point_in_world;
  model::Joint joint;
  joint.name = "joint" + std::to_string(made.joints.size());
  joint.type = type;
  const int first =
      first_node >= 0 ? first_node : add_side(sides == first_in_world || sides == point_in_world, first_point);
  const int second = add_side(sides == second_in_world, second_point);
  joint.first = random_joint_frame(random, first, first_point);
  joint.second = random_joint_frame(random, second, second_point);
  made.angle = random.uniform(-3, 3);
  made.slide = random.normal();
  const auto [y, turn] = allowed_pose(type, random, made.angle, made.slide);
  assemble_second(made.model, joint, y, turn);
  if (type == model::JointType::screw) joint.pitch = random.uniform(0.1, 2);
  if (type == model::JointType::distance)
    joint.target = joint_time_function(fmt::format("{:.17g}+0.3*sin(2*t)", y.norm()));
  made.joints.push_back(joint);
}

// A random machine in which the joint is assembled at t = 0. Gears and couplers share a node between their two joints
// in half of the cases; drives follow a function of time.
inline JointCase random_joint_case(model::JointType type, JointSides sides, math::Random& random) {
  using enum model::JointType;
  JointCase made;
  if (type != gear && type != coupler && type != drive) {
    add_simple_joint(made, type, sides, random);
    return made;
  }
  model::Joint joint;
  joint.name = "relation";
  joint.type = type;
  add_simple_joint(made, type == gear ? revolute : type == coupler ? cylindrical : revolute, sides, random);
  if (type == drive) {
    joint.target = joint_time_function(fmt::format("{:.17g}+0.5*sin(3*t)", made.angle + 6 * M_PI));
  } else {
    const bool shared = sides == JointSides::both_frames && random.uniform() < 0.5;
    add_simple_joint(made, type == gear ? universal : planar, sides, random, shared ? 1 : -1);
    joint.coupled[1] = {{1}, type == gear ? 1 : 2};
    joint.ratio = random.uniform(-3, -0.2);
  }
  joint.coupled[0] = {{0}, 0};
  made.joints.push_back(joint);
  return made;
}

// The local columns of v.
inline VectorX local_velocity(const Joint& joint, const VectorX& v) {
  VectorX local(joint.columns());
  for (int i = 0; i < joint.nodes(); ++i) {
    local.segment(joint.column(i), joint.v_size(i)) = v.segment(joint.v_start(i), joint.v_size(i));
  }
  return local;
}

inline VectorX joint_value(const Joint& joint, const State& state) {
  Joint::Rows g;
  joint.value(state, joint.start_coordinates(state), g);
  return g;
}

inline MatrixX joint_gradient(const Joint& joint, const State& state) {
  Joint::Gradient g;
  joint.gradient(state, g);
  return g;
}

inline VectorX joint_curvature(const Joint& joint, const State& state) {
  Joint::Rows gamma;
  joint.curvature(state, gamma);
  return gamma;
}

// The state moved with the velocity v for the time h, angles kept within half a turn by `earlier`.
inline State advanced(const DofMap& map, const State& state, const VectorX& v, double h) {
  State result = state;
  advance(map, state.q, v, h, result.q);
  return result;
}

inline VectorX random_velocities(const DofMap& map, math::Random& random, double size = 1) {
  return VectorX::NullaryExpr(map.v_total(), [&](Eigen::Index) { return size * random.normal(); });
}

// Every derivative against central differences along the motion.
inline void expect_joint_derivatives(const Joint& joint, const DofMap& map, const State& state, math::Random& random) {
  const double small = 1e-5;
  const Joint::Coordinates earlier = joint.start_coordinates(state);
  const auto value = [&](const State& at) {
    Joint::Rows g;
    joint.value(at, earlier, g);
    return VectorX(g);
  };
  const MatrixX g = joint_gradient(joint, state);
  ASSERT_EQ(g.rows(), joint.rows());
  ASSERT_EQ(g.cols(), joint.columns());
  Joint::Rows lambda(joint.rows());
  for (double& entry : lambda) entry = random.normal();
  Joint::Tangent tangent;
  joint.tangent(state, lambda, tangent);
  const double scale = 1 + g.norm() + tangent.norm();

  // G and K column by column, in the numbering of the machine: nothing depends on a node that the joint does not name.
  MatrixX gradient = MatrixX::Zero(joint.rows(), map.v_total());
  MatrixX wide_tangent = MatrixX::Zero(map.v_total(), map.v_total());
  for (int i = 0; i < joint.nodes(); ++i) {
    gradient.middleCols(joint.v_start(i), joint.v_size(i)) = g.middleCols(joint.column(i), joint.v_size(i));
    for (int j = 0; j < joint.nodes(); ++j) {
      wide_tangent.block(joint.v_start(i), joint.v_start(j), joint.v_size(i), joint.v_size(j)) =
          tangent.block(joint.column(i), joint.column(j), joint.v_size(i), joint.v_size(j));
    }
  }
  for (int k = 0; k < map.v_total(); ++k) {
    const VectorX direction = VectorX::Unit(map.v_total(), k);
    const State plus = advanced(map, state, direction, small), minus = advanced(map, state, direction, -small);
    EXPECT_LE((gradient.col(k) - (value(plus) - value(minus)) / (2 * small)).norm(), 1e-8 * scale) << "column " << k;
    VectorX force_plus = VectorX::Zero(map.v_total()), force_minus = force_plus;
    joint.add_force(plus, lambda, force_plus);
    joint.add_force(minus, lambda, force_minus);
    EXPECT_LE((wide_tangent.col(k) - (force_plus - force_minus) / (2 * small)).norm(), 1e-7 * scale) << "column " << k;
  }
  VectorX force = VectorX::Zero(map.v_total());
  joint.add_force(state, lambda, force);
  EXPECT_LE((force - gradient.transpose() * lambda).norm(), 1e-13 * scale);

  // gamma against differences of G v at constant v, and against the tangent: lambda . gamma = v . K v.
  const VectorX v = local_velocity(joint, state.v);
  const State later = advanced(map, state, state.v, small), before = advanced(map, state, state.v, -small);
  const VectorX gamma = joint_curvature(joint, state);
  const double motion = scale * (1 + v.squaredNorm());
  EXPECT_LE((gamma - (joint_gradient(joint, later) * v - joint_gradient(joint, before) * v) / (2 * small)).norm(),
            1e-7 * motion);
  EXPECT_NEAR(gamma.dot(lambda), v.dot(tangent * v), 1e-12 * motion * (1 + lambda.norm()));

  // The explicit dependence on time.
  Joint::Rows g_t, g_tt;
  joint.time_derivatives(state.time, g_t, g_tt);
  State at_plus = state, at_minus = state;
  at_plus.time += 1e-4;
  at_minus.time -= 1e-4;
  const VectorX now = value(state), next = value(at_plus), last = value(at_minus);
  EXPECT_LE((g_t - (next - last) / 2e-4).norm(), 1e-6 * (1 + now.norm()));
  EXPECT_LE((g_tt - (next - 2 * now + last) / 1e-8).norm(), 1e-5 * (1 + now.norm()));
  EXPECT_EQ(joint.depends_on_time(), !g_t.isZero(0));

  // Coordinates, speeds and their gradients.
  const Joint::Coordinates to = joint.coordinates(later, earlier), from = joint.coordinates(before, earlier);
  const Joint::Coordinates speeds = joint.speeds(state);
  for (int i = 0; i < joint.coordinate_count(); ++i) {
    Joint::Gradient row;
    joint.coordinate_gradient(state, i, row);
    ASSERT_EQ(row.rows(), 1);
    EXPECT_NEAR(speeds[i], row.row(0).dot(v), 1e-12 * motion);
    EXPECT_NEAR(speeds[i], (to[i] - from[i]) / (2 * small), 1e-7 * motion);
  }
}

// How many independent rows the gradient has: singular values above 1e-9 of the largest, by a pivoted factorisation.
inline int joint_rank(const Joint& joint, const State& state) {
  Eigen::ColPivHouseholderQR<MatrixX> factorised(joint_gradient(joint, state));
  factorised.setThreshold(1e-9);
  return static_cast<int>(factorised.rank());
}

}  // namespace ricochet::mechanics::test
