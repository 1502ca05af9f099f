// Machines of random joints: trees and closed loops, in space, with random loads and with all that can act in joints.
// They must neither fail nor drift, and every joule must be accounted for.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

using model::JointType;

math::Quaternion orientation(const model::Model& model, model::NodeId node) {
  return node.valid() ? model.nodes[node.index].orientation : math::Quaternion{};
}

// A joint that is closed where the bodies stand, at a point and with axes of the world.
void join(model::Model& model, JointType type, model::NodeId first, model::NodeId second, const Vector3& point,
          const math::Quaternion& axes) {
  model::Joint joint;
  joint.name = "joint" + std::to_string(model.joints.size());
  joint.type = type;
  joint.pitch = 0.2;
  const auto frame = [&](model::NodeId node) -> model::JointFrame {
    const Vector3 origin = node.valid() ? model.nodes[node.index].position : Vector3::Zero();
    const math::Quaternion turn = orientation(model, node);
    return {{node, turn.rotate_inverse(point - origin)}, (turn.conjugate() * axes).normalized()};
  };
  joint.first = frame(first);
  joint.second = frame(second);
  if (type == JointType::distance) joint.second.attachment.offset += Vector3(0.3, 0.2, 0.1);
  model.joints.push_back(joint);
}

JointType random_type(math::Random& random) {
  constexpr std::array<JointType, 9> types = {JointType::ball,        JointType::revolute,  JointType::universal,
                                              JointType::cylindrical, JointType::prismatic, JointType::planar,
                                              JointType::fixed,       JointType::distance,  JointType::screw};
  return types.at(static_cast<std::size_t>(random.uniform(0, 9)) % types.size());
}

model::Model random_tree(math::Random& random, int bodies) {
  model::Model model;
  model.gravity = test::random_vector3(random, 5);
  for (int i = 0; i < bodies; ++i) {
    test::add_random_frame(model, random);
    model.nodes.back().velocity.setZero();
    model.nodes.back().angular_velocity.setZero();
    const model::NodeId parent = {static_cast<int>(random.uniform(0, i + 1)) - 1};
    join(model, random_type(random), parent, {i}, test::random_vector3(random, 2), test::random_rotation(random));
    model::Load load;
    load.name = "load" + std::to_string(i);
    load.point = {{i}, test::random_vector3(random, 0.5)};
    for (int k = 0; k < 3; ++k) {
      load.force[k] = math::TimeFunction::constant(random.uniform(-5, 5));
      load.torque[k] = math::TimeFunction::constant(random.uniform(-2, 2));
    }
    model.loads.push_back(load);
  }
  return model;
}

// Springs, limits, friction and motors along the coordinates of joints that turn or slide.
void add_actions(model::Model& model, math::Random& random) {
  for (int i = 0; i < static_cast<int>(model.joints.size()); ++i) {
    const JointType type = model.joints[i].type;
    const bool turns = type == JointType::revolute;
    if (!turns && type != JointType::prismatic) continue;
    model::JointLimit limit;
    limit.coordinate = {{i}, 0};
    limit.lower = -random.uniform(0.01, 0.2);
    limit.upper = random.uniform(0.01, 0.2);
    limit.restitution = random.uniform(0, 1);
    model.joint_limits.push_back(limit);
    model::JointFriction friction;
    friction.coordinate = {{i}, 0};
    friction.coefficient = random.uniform(0, 0.3);
    friction.constant = random.uniform(0, 0.5);
    (turns ? friction.radius : friction.length) = turns ? 0.05 : 1.0;
    model.joint_frictions.push_back(friction);
    model::JointMotor motor;
    motor.coordinate = {{i}, 0};
    motor.speed = math::TimeFunction::constant(random.uniform(-1, 1));
    motor.largest = random.uniform(0, 2);
    if (random.uniform(0, 1) < 0.5) model.joint_motors.push_back(motor);
  }
}

struct Findings {
  double joint_error = 0;    // m or rad
  double closing_error = 0;  // parts of the energy that moved
  double created = 0;        // the same
  bool failed = false;
};

Findings run_machine(const model::Model& model, const test::RunnerOptions& options, int steps) {
  test::Runner run(model, options);
  Findings found;
  // Some machines are rigid: then what the weights would give in a fall of 1 mm is the measure.
  double moved = 0, closing = 0, created = 0;
  for (const model::Body& body : model.bodies) moved += 1e-3 * body.mass * model.gravity.norm();
  for (int i = 0; i < steps; ++i) {
    const double before = run.energy();
    if (run.try_step() != StepStatus::done) {
      found.failed = true;
      return found;
    }
    std::swap(run.now, run.next);
    const StepWorks& w = run.report.works;
    closing += run.energy() - before - (w.loads + w.drivers + w.joints + w.numerical + w.projection);
    created += w.contact_created;
    moved = std::max(moved, run.equations.kinetic_energy(run.now.state) + std::abs(w.loads));
    found.joint_error = std::max(found.joint_error, run.equations.joints().error(run.now.state, 1));
  }
  found.closing_error = std::abs(closing) / moved;
  found.created = created / moved;
  return found;
}

TEST(RandomMachineProperty, TreesStayClosed) {
  math::Random random(2026);
  for (int machine = 0; machine < 40; ++machine) {
    const model::Model model = random_tree(random, 2 + machine % 7);
    const Findings found = run_machine(model, {.h = 1e-3}, 250);
    EXPECT_FALSE(found.failed) << machine;
    EXPECT_LE(found.joint_error, 1e-11) << machine;
    EXPECT_LE(found.closing_error, 1e-9) << machine;
  }
}

TEST(RandomMachineProperty, LoopsStayClosed) {
  math::Random random(2027);
  for (int machine = 0; machine < 40; ++machine) {
    model::Model model = random_tree(random, 3 + machine % 6);
    const int bodies = static_cast<int>(model.bodies.size());
    for (int extra = 0; extra <= machine % 2; ++extra) {
      const model::NodeId second = {static_cast<int>(random.uniform(0, bodies)) % bodies};
      const model::NodeId first = {static_cast<int>(random.uniform(0, second.index + 1)) - 1};
      join(model, random_type(random), first, second, test::random_vector3(random, 2), test::random_rotation(random));
    }
    const Findings found = run_machine(model, {.h = 1e-3}, 250);
    EXPECT_FALSE(found.failed) << machine;
    EXPECT_LE(found.joint_error, 1e-10) << machine;
    EXPECT_LE(found.closing_error, 1e-9) << machine;
  }
}

TEST(RandomMachineProperty, LimitsFrictionAndMotorsKeepTheLedger) {
  math::Random random(2028);
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (int machine = 0; machine < 40; ++machine) {
      model::Model model = random_tree(random, 1 + machine % 5);
      add_actions(model, random);
      const test::RunnerOptions options = {
          .h = 1e-3, .scheme = {.impact = law}, .solver = {.tolerance = 1e-10, .max_iterations = 10'000}};
      const Findings found = run_machine(model, options, 250);
      EXPECT_FALSE(found.failed) << machine;
      EXPECT_LE(found.joint_error, 1e-11) << machine;
      EXPECT_LE(found.closing_error, 1e-9) << machine;
      if (law == ImpactLaw::fremond) {
        EXPECT_LE(found.created, 1e-6) << machine;
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::integrate
