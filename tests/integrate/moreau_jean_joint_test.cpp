// Joints in the theta scheme: closed, without work, of second order, also where they are redundant.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

void add_revolute(model::Model& model, model::NodeId first, const Vector3& at_first, model::NodeId second,
                  const Vector3& at_second, const Vector3& axis = Vector3::UnitZ()) {
  model::Joint joint;
  joint.name = "joint" + std::to_string(model.joints.size());
  joint.type = model::JointType::revolute;
  joint.first = {{first, at_first}, model::axes_along(axis)};
  joint.second = {{second, at_second}, model::axes_along(axis)};
  model.joints.push_back(joint);
}

// A chain of bars of 1 m and 1 kg, hinged at the origin, along x, released from rest.
model::Model hanging_chain(int bars, bool planar, const Vector3& gravity = Vector3(0, -10, 0)) {
  model::Model model;
  model.planar = planar;
  model.gravity = gravity;
  for (int i = 0; i < bars; ++i) {
    test::add_box(model, 1, Vector3(0.5, 0.05, 0.05), Vector3(i + 0.5, 0, 0));
    add_revolute(model, {i - 1}, i == 0 ? Vector3::Zero() : Vector3(0.5, 0, 0), {i}, Vector3(-0.5, 0, 0));
  }
  return model;
}

double joint_error(const test::Runner& run) { return run.equations.joints().error(run.now.state, 1); }

TEST(MoreauJeanJoint, ReactionsOfAChainAtRest) {
  for (const bool planar : {true, false}) {
    const model::Model model = hanging_chain(3, planar, Vector3(10, 0, 0));  // hangs along gravity
    test::Runner run(model, {.h = 1e-2});
    run.steps(20);
    ASSERT_EQ(run.report.joints.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      // On the bar below: it is held up against the weight of all from there on.
      EXPECT_LE((run.report.joints[i].force - Vector3(-10.0 * (3 - static_cast<double>(i)), 0, 0)).norm(), 1e-9);
      EXPECT_LE(run.report.joints[i].torque.norm(), 1e-9);
    }
    EXPECT_LE(run.velocity(2).norm(), 1e-12);
  }
}

TEST(MoreauJeanJoint, ADoublePendulumStaysClosedAndKeepsItsEnergy) {
  for (const bool planar : {true, false}) {
    test::Runner run(hanging_chain(2, planar), {.h = 1e-3});
    const double begin = run.energy();
    double scale = 0;
    for (int i = 0; i < 5'000; ++i) {
      run.step();
      scale = std::max(scale, run.equations.kinetic_energy(run.now.state));
      ASSERT_LE(joint_error(run), 1e-13) << i;
      ASSERT_LE(std::abs(run.closing_error), 1e-12 * scale) << i;
    }
    EXPECT_GT(scale, 5);
    EXPECT_LE(std::abs(run.energy() - begin), 1e-3 * scale);
  }
}

// The upper hinges of a long chain pull with the weight of all bars. That stiffness is in the matrix: without it the
// iteration takes one step in three more for every doubling, and does not converge at all for steps of 20 ms.
TEST(MoreauJeanJoint, TheWeightOfALongChainDoesNotSlowTheIteration) {
  for (const int bars : {10, 40, 160}) {
    model::Model model = hanging_chain(bars, true, Vector3(6, -8, 0));
    test::Runner run(model, {.h = 2e-2});
    int iterations = 0;
    for (int i = 0; i < 20; ++i) iterations += run.step().motion_iterations;
    EXPECT_LE(iterations, 20 * 7) << bars;
    EXPECT_LE(joint_error(run), 1e-11 * bars);
  }
}

double double_pendulum_error(double theta, int count) {
  const model::Model model = hanging_chain(2, true);
  static const VectorX reference = [&] {
    test::Runner fine(model, {.h = 1.0 / 20'480});
    fine.steps(20'480);
    return fine.now.state.q;
  }();
  test::Runner run(model, {.h = 1.0 / count, .scheme = {.theta = theta}});
  run.steps(count);
  return (run.now.state.q - reference).norm();
}

TEST(MoreauJeanJoint, OrderOfConvergence) {
  EXPECT_NEAR(std::log2(double_pendulum_error(0.5, 320) / double_pendulum_error(0.5, 640)), 2, 0.15);
  EXPECT_NEAR(std::log2(double_pendulum_error(1, 640) / double_pendulum_error(1, 1280)), 1, 0.15);
}

// A door on three hinges in one line: ten rows too many, which say nothing new.
TEST(MoreauJeanJoint, RedundantHingesDoNoHarm) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_box(model, 2, Vector3(0.5, 0.5, 0.02), Vector3(0.5, 0, 0));
  for (const double z : {-0.5, 0.0, 0.4}) {
    add_revolute(model, {}, Vector3(0, 0, z), {0}, Vector3(-0.5, 0, z));
  }
  model::Model single = model;
  single.joints.resize(1);
  test::Runner run(model, {.h = 1e-3}), plain(single, {.h = 1e-3});
  for (int i = 0; i < 2'000; ++i) {
    run.step();
    plain.step();
    ASSERT_LE(joint_error(run), 1e-12) << i;
    ASSERT_LE((run.now.state.q - plain.now.state.q).norm(), 1e-8) << i;
  }
  EXPECT_GT(std::abs(run.angular_velocity(0).z()), 0.1);
}

// A rod hinged above a plane strikes it: the contact must see the hinge. The impulse stops or reverses the tip.
TEST(MoreauJeanJoint, ContactsSeeTheConstrainedMachine) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    model::Model model;
    model.planar = true;
    model::Node node;
    const double angle = -0.5235987755982988;  // the tip of the rod touches y = -1/2
    node.kind = model::NodeKind::frame;
    node.orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), angle);
    node.position = node.orientation.rotate(Vector3(0.5, 0, 0));
    node.angular_velocity = Vector3(0, 0, -2);
    node.velocity = math::cross(node.angular_velocity, node.position);
    test::add_body(model, node, 3, model::PointShape{}, Matrix3::Identity() * 0.25);
    model.bodies[0].parts[0].position = Vector3(0.5, 0, 0);
    add_revolute(model, {}, Vector3::Zero(), {0}, Vector3(-0.5, 0, 0));
    const int ground = test::add_surface(model, Vector3(0, -0.5 + 1e-12, 0), Vector3::UnitY());
    test::add_contact(model, {test::body(0)}, {test::surface(ground)}, {0, restitution, 0});
    test::Runner run(model, {.h = 1e-5});
    run.step();
    EXPECT_NEAR(run.angular_velocity(0).z(), 2 * restitution, 1e-4);
    // Moment about the hinge: I = 1 kg m^2, arm cos(30 degrees).
    ASSERT_EQ(run.report.contacts.size(), 1U);
    EXPECT_NEAR(run.report.contacts[0].impulse[0], 2 * (1 + restitution) / std::cos(angle), 1e-3);
  }
}

}  // namespace
}  // namespace ricochet::integrate
