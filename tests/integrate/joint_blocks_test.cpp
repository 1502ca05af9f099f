// Limits, friction and motors of joints, against closed forms.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

constexpr double kGravity = 10;  // m/s^2

void add_solid(model::Model& model, double mass, const Matrix3& inertia, const Vector3& position) {
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = position;
  test::add_body(model, node, mass, model::PointShape{}, inertia);
}

model::Joint planar_joint(model::JointType type, const Vector3& at_second, const Vector3& axis) {
  model::Joint joint;
  joint.name = "joint";
  joint.type = type;
  joint.first = {{{}, Vector3::Zero()}, model::axes_along(axis)};
  joint.second = {{{0}, at_second}, model::axes_along(axis)};
  return joint;
}

// A rod of 1 m and 3 kg along x, hinged at its left end: inertia 1 kg m^2 about the hinge.
model::Model rod_on_a_hinge() {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -kGravity, 0);
  add_solid(model, 3, Vector3(1, 1, 0.25).asDiagonal(), Vector3(0.5, 0, 0));
  model.joints.push_back(planar_joint(model::JointType::revolute, Vector3(-0.5, 0, 0), Vector3::UnitZ()));
  return model;
}

// A disc of 2 kg and 0.5 kg m^2 on a shaft through its centre.
model::Model disc_on_a_shaft(double speed) {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -kGravity, 0);
  add_solid(model, 2, Vector3(0.25, 0.25, 0.5).asDiagonal(), Vector3::Zero());
  model.nodes[0].angular_velocity = Vector3(0, 0, speed);
  model.joints.push_back(planar_joint(model::JointType::revolute, Vector3::Zero(), Vector3::UnitZ()));
  return model;
}

// 2 kg on a guide along x.
model::Model slide(double speed) {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -kGravity, 0);
  add_solid(model, 2, Vector3(0.25, 0.25, 0.5).asDiagonal(), Vector3::Zero());
  model.nodes[0].velocity = Vector3(speed, 0, 0);
  model.joints.push_back(planar_joint(model::JointType::prismatic, Vector3::Zero(), Vector3::UnitX()));
  return model;
}

TEST(JointBlocks, ARodReboundsFromItsStopUnderEveryImpactLaw) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::fremond, ImpactLaw::poisson}) {
    for (const double restitution : {0.0, 0.4, 1.0}) {
      model::Model model = rod_on_a_hinge();
      model::JointLimit limit;
      limit.coordinate = {{0}, 0};
      limit.lower = -1;
      limit.restitution = restitution;
      model.joint_limits.push_back(limit);
      test::Runner run(model, {.h = 1e-3, .scheme = {.theta = 0.5, .impact = law}});
      bool hit = false;
      for (int i = 0; i < 1'000 && !hit; ++i) {
        const double before = run.angular_velocity(0).z();
        run.step();
        ASSERT_LE(std::abs(run.closing_error), 1e-11);  // of 15 J
        hit = run.report.joint_actions[0].force > 0;
        if (!hit) continue;
        // Energy of the fall: w^2/2 J = m g sin(1)/2, and the angle is overshot by at most one step.
        EXPECT_NEAR(before, -std::sqrt(3 * kGravity * std::sin(1.0)), 0.01);
        // The hinge turns the rod a little when it closes again; Poisson's impulse does not know of the weight.
        const double weight = law == ImpactLaw::poisson ? 1.5 * kGravity * 1e-3 : 0;
        EXPECT_NEAR(run.angular_velocity(0).z(), -restitution * before, 1e-5 * std::abs(before) + weight);
        const double lost = 0.5 * before * before * (1 - restitution * restitution);
        EXPECT_NEAR(run.report.works.joints, -lost, 0.02 * 0.5 * before * before);  // gravity acts in the step as well
      }
      EXPECT_TRUE(hit);
      EXPECT_LE(run.report.works.contact_created, 1e-12);
    }
  }
}

TEST(JointBlocks, ARodRestsOnItsStop) {
  for (const bool upper : {false, true}) {
    model::Model model = rod_on_a_hinge();
    if (upper) model.gravity = -model.gravity;
    model::JointLimit limit;
    limit.coordinate = {{0}, 0};
    (upper ? limit.upper : limit.lower) = 0;
    model.joint_limits.push_back(limit);
    test::Runner run(model, {.h = 1e-3});
    for (int i = 0; i < 1'000; ++i) {
      run.step();
      ASSERT_NEAR(run.report.joint_actions[0].force, (upper ? -1 : 1) * 0.5 * 3 * kGravity, 1e-9) << i;
    }
    EXPECT_LE(run.velocity(0).norm(), 1e-12);
    EXPECT_LE((run.position(0) - Vector3(0.5, 0, 0)).norm(), 1e-12);
  }
}

// The shaft carries the weight: the torque of friction is coefficient radius m g, and a constant comes to it.
TEST(JointBlocks, FrictionStopsADisc) {
  model::Model model = disc_on_a_shaft(4);
  model::JointFriction friction;
  friction.coordinate = {{0}, 0};
  friction.coefficient = 0.3;
  friction.radius = 0.1;
  friction.constant = 0.2;
  model.joint_frictions.push_back(friction);
  const double torque = 0.3 * 0.1 * 2 * kGravity + 0.2;
  test::Runner run(model, {.h = 1e-3});
  for (int i = 1; i <= 3'000; ++i) {
    run.step();
    const double expected = std::max(4 - torque / 0.5 * 1e-3 * i, 0.0);
    ASSERT_NEAR(run.angular_velocity(0).z(), expected, 1e-9) << i;
    ASSERT_LE(run.report.works.joints, 0);
  }
  EXPECT_NEAR(run.report.joint_actions[0].force, 0, 1e-9);  // nothing to hold any more
}

// A guide of length b that is pushed beside its axis: friction grows with the push, F (1 - 2 mu a/b) is left, and
// beyond a = b/(2 mu) it jams however strong the push.
TEST(JointBlocks, AGuideThatIsPushedBesideItsAxisMayJam) {
  for (const double offset : {0.05, 0.4, 0.6}) {
    model::Model model = slide(0);
    model.gravity.setZero();
    model::JointFriction friction;
    friction.coordinate = {{0}, 0};
    friction.coefficient = 0.5;
    friction.length = 0.5;
    model.joint_frictions.push_back(friction);
    model::Load load;
    load.point = {{0}, Vector3(0, offset, 0)};
    load.force = {math::TimeFunction::constant(7), {}, {}};
    model.loads.push_back(load);
    test::Runner run(model, {.h = 1e-2});
    run.steps(100);
    const double left = std::max(1 - 2 * 0.5 * offset / 0.5, 0.0);
    EXPECT_NEAR(run.velocity(0).x(), 7.0 * left / 2, 1e-9) << offset;
  }
}

TEST(JointBlocks, FrictionOfASlideFollowsTheWeight) {
  model::Model model = slide(3);
  model::JointFriction friction;
  friction.coordinate = {{0}, 0};
  friction.coefficient = 0.25;
  model.joint_frictions.push_back(friction);
  test::Runner run(model, {.h = 1e-3});
  run.steps(500);
  EXPECT_NEAR(run.velocity(0).x(), 3 - 0.25 * kGravity * 0.5, 1e-10);
  EXPECT_NEAR(run.report.joint_actions[0].force, -0.25 * 2 * kGravity, 1e-9);
  run.steps(1'000);
  EXPECT_NEAR(run.velocity(0).x(), 0, 1e-12);
}

// Full torque until the speed is reached, then as much as the friction takes.
TEST(JointBlocks, AMotorRunsUpAndHoldsItsSpeed) {
  model::Model model = disc_on_a_shaft(0);
  model::JointFriction friction;
  friction.coordinate = {{0}, 0};
  friction.constant = 0.5;
  model.joint_frictions.push_back(friction);
  model::JointMotor motor;
  motor.coordinate = {{0}, 0};
  motor.speed = math::TimeFunction::constant(6);
  motor.largest = 2;
  model.joint_motors.push_back(motor);
  test::Runner run(model, {.h = 1e-3});
  double given = 0;
  for (int i = 1; i <= 3'000; ++i) {
    run.step();
    given += run.report.works.drivers;
    ASSERT_NEAR(run.angular_velocity(0).z(), std::min((2 - 0.5) / 0.5 * 1e-3 * i, 6.0), 1e-9) << i;
    ASSERT_LE(std::abs(run.closing_error), 1e-12 * run.energy_scale);
  }
  EXPECT_NEAR(run.report.joint_actions[1].force, 0.5, 1e-9);
  EXPECT_NEAR(run.report.joint_actions[0].force, -0.5, 1e-9);
  EXPECT_NEAR(run.report.joint_actions[1].power, 3, 1e-9);
  // 2 s at the mean speed 3 with 2 N m, then 1 s with 0.5 N m at 6 rad/s.
  EXPECT_NEAR(given, 2 * 2 * 3 + 0.5 * 6, 1e-6);
}

// A drive leaves its coordinate no response at all; friction along it is what the drive must give.
TEST(JointBlocks, ADriveCarriesTheFrictionOfItsJoint) {
  model::Model model = disc_on_a_shaft(3);
  model::Joint drive;
  drive.name = "drive";
  drive.type = model::JointType::drive;
  drive.coupled[0] = {{0}, 0};
  drive.target = math::TimeFunction(math::Expression::parse("3*t"));
  model.joints.push_back(drive);
  model::JointFriction friction;
  friction.coordinate = {{0}, 0};
  friction.coefficient = 0.2;
  friction.radius = 0.05;
  model.joint_frictions.push_back(friction);
  test::Runner run(model, {.h = 1e-3});
  for (int i = 0; i < 200; ++i) {
    run.step();
    const double torque = 0.2 * 0.05 * 2 * kGravity;
    ASSERT_NEAR(run.report.joints[1].effort, torque, 1e-9);
    ASSERT_NEAR(run.report.joint_actions[0].force, -torque, 1e-9);
    ASSERT_NEAR(run.report.works.drivers, torque * 3 * 1e-3, 1e-11);
    ASSERT_NEAR(run.angular_velocity(0).z(), 3, 1e-12);
  }
}

}  // namespace
}  // namespace ricochet::integrate
