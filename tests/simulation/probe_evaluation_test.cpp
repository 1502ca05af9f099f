// The values of probe sources, one by one, in a frame made by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "ricochet/simulation/probe.hpp"
#include "simulation/probe_model.hpp"

namespace ricochet::simulation {
namespace {

double value(const ProbeScene& scene, const std::string& text) {
  std::string why;
  const std::optional<ProbeSource> source = parse_probe_source(scene.model, text, &why);
  EXPECT_TRUE(source) << text << ": " << why;
  return source ? evaluate(*source, scene.frame()) : std::numeric_limits<double>::quiet_NaN();
}

Vector3 vector(const ProbeScene& scene, const std::string& text) {
  return {value(scene, text + ".x"), value(scene, text + ".y"), value(scene, text + ".z")};
}

// The block has moved to (1, 2, 4), turned by 90 degrees about z: body x points to world y.
ProbeScene moved_scene() {
  ProbeScene scene;
  const double c = std::sqrt(0.5);
  scene.coordinates(0) << 1, 2, 4, c, 0, 0, c;
  scene.velocities(0) << 3, 4, 12, 0.1, 0.2, 0.3;
  scene.accelerations(0) << -1, -2, -3, 0.4, 0.5, 0.6;
  scene.coordinates(3) << 5, 6, 7;
  scene.velocities(3) << -1, 2, -2;
  scene.accelerations(3) << 2, 3, 6;
  scene.state.time = 0.75;
  return scene;
}

void expect_near(const Vector3& found, const Vector3& expected) {
  EXPECT_LE((found - expected).norm(), 1e-14) << found.transpose() << " instead of " << expected.transpose();
}

TEST(ProbeEvaluation, Translation) {
  const ProbeScene scene = moved_scene();
  EXPECT_EQ(vector(scene, "block.position"), Vector3(1, 2, 4));
  EXPECT_EQ(vector(scene, "block.displacement"), Vector3(1, 2, 1));
  EXPECT_EQ(vector(scene, "block.velocity"), Vector3(3, 4, 12));
  EXPECT_DOUBLE_EQ(value(scene, "block.velocity.norm"), 13);
  EXPECT_EQ(vector(scene, "block.acceleration"), Vector3(-1, -2, -3));
  EXPECT_EQ(vector(scene, "mass.position"), Vector3(5, 6, 7));
  EXPECT_EQ(vector(scene, "mass.displacement"), Vector3(2, 0, 4));
  EXPECT_DOUBLE_EQ(value(scene, "mass.velocity.norm"), 3);
  EXPECT_DOUBLE_EQ(value(scene, "mass.acceleration.norm"), 7);
  EXPECT_EQ(vector(scene, "anchor.position"), Vector3(7, 8, 9));
  EXPECT_EQ(value(scene, "anchor.displacement.norm"), 0);
  EXPECT_EQ(value(scene, "time"), 0.75);
}

TEST(ProbeEvaluation, Rotation) {
  const ProbeScene scene = moved_scene();
  EXPECT_EQ(vector(scene, "block.angular_velocity"), Vector3(0.1, 0.2, 0.3));
  expect_near(vector(scene, "block.angular_velocity_world"), Vector3(-0.2, 0.1, 0.3));
  EXPECT_EQ(vector(scene, "block.angular_acceleration"), Vector3(0.4, 0.5, 0.6));
  expect_near(vector(scene, "block.rotation_vector"), Vector3(0, 0, std::numbers::pi / 2));
  EXPECT_DOUBLE_EQ(value(scene, "block.rotation_vector.norm"), std::numbers::pi / 2);
  for (const std::string quantity :
       {"angular_velocity", "angular_velocity_world", "angular_acceleration", "rotation_vector"}) {
    EXPECT_EQ(value(scene, "mass." + quantity + ".norm"), 0) << quantity;
  }
}

TEST(ProbeEvaluation, MaterialPoints) {
  const ProbeScene scene = moved_scene();
  expect_near(vector(scene, "block@[0.5,0,0].position"), Vector3(1, 2.5, 4));
  // At t = 0 the block was not turned and at (0, 0, 3).
  expect_near(vector(scene, "block@[0.5,0,0].displacement"), Vector3(0.5, 2.5, 1));
  // v + R (Omega x r) with Omega x r = (0, 0.15, -0.1)
  expect_near(vector(scene, "block@[0.5,0,0].velocity"), Vector3(3 - 0.15, 4, 12 - 0.1));
  EXPECT_EQ(vector(scene, "block@[0.5,0,0].angular_velocity"), Vector3(0.1, 0.2, 0.3));
  EXPECT_EQ(vector(scene, "mass@[0,0,0].velocity"), Vector3(-1, 2, -2));
  EXPECT_EQ(vector(scene, "block@[0,0,0].acceleration"), Vector3(-1, -2, -3));
}

// The acceleration of a material point is the derivative of its velocity along the motion of the body.
TEST(ProbeEvaluation, AccelerationOfAMaterialPointIsTheRateOfItsVelocity) {
  const double h = 1e-5;
  const auto later = [&](double t) {
    ProbeScene scene = moved_scene();
    const VectorX begin = scene.state.q;
    const VectorX velocity = scene.state.v;
    const VectorX mean = velocity + 0.5 * t * scene.state.a;
    scene.state.v = velocity + t * scene.state.a;
    mechanics::advance(scene.equations.map(), begin, mean, t, scene.state.q);
    return vector(scene, "block@[0.5,-0.7,0.2].velocity");
  };
  const Vector3 rate = (later(h) - later(-h)) / (2 * h);
  const Vector3 found = vector(moved_scene(), "block@[0.5,-0.7,0.2].acceleration");
  EXPECT_LE((found - rate).norm(), 1e-8) << found.transpose() << " instead of " << rate.transpose();
}

TEST(ProbeEvaluation, GapsAreThoseOfTheState) {
  ProbeScene scene;
  scene.coordinates(1).head(3) << 0, 2, 0;
  scene.coordinates(2).head(3) << 0, 5, 0;
  scene.coordinates(3) << 1, 0, 0;
  scene.coordinates(0).head(3) << -1, 9, 0;
  EXPECT_DOUBLE_EQ(value(scene, "contact.ground.gap"), 2.5);  // of ball-1 at y = 2 with radius 0.5 over y = -1
  EXPECT_DOUBLE_EQ(value(scene, "contact.ground.ball-2.floor.gap"), 5.75);
  EXPECT_DOUBLE_EQ(value(scene, "contact.ground.floor.ball-2.gap"), 5.75);
  EXPECT_DOUBLE_EQ(value(scene, "contact.balls.gap"), 2.25);
  EXPECT_DOUBLE_EQ(value(scene, "contact.balls.ball-2.ball-1.gap"), 2.25);
  EXPECT_DOUBLE_EQ(value(scene, "contact.side-wall.gap"), 0.9);  // a corner of the block
  EXPECT_DOUBLE_EQ(value(scene, "contact.side-wall.mass.wall.gap"), 3);
}

TEST(ProbeEvaluation, NoActiveContact) {
  const ProbeScene scene;
  for (const std::string source : {"count", "status", "relative_velocity.normal", "relative_velocity.tangent",
                                   "impulse.normal", "impulse.t1", "work.normal", "work.tangential"}) {
    EXPECT_EQ(value(scene, "contact.ground." + source), 0) << source;
    EXPECT_EQ(value(scene, "contact.ground.block.floor." + source), 0) << source;
  }
}

ProbeScene touching_scene() {
  ProbeScene scene;
  integrate::ContactRecord& corner_1 = scene.add_contact({0, 0, 1, 4, 0}, {2, 3, 4}, {0.1, 0.3, 0.4});
  corner_1.status = cone::ContactStatus::stick;
  corner_1.work_normal = 10;
  corner_1.work_tangential = -1;
  integrate::ContactRecord& corner_2 = scene.add_contact({0, 0, 2, 4, 0}, {5, -6, 8}, {0.2, 5, 12});
  corner_2.status = cone::ContactStatus::slip;
  corner_2.work_normal = 20;
  corner_2.work_tangential = -2;
  integrate::ContactRecord& ball = scene.add_contact({0, 1, 0, 4, 0}, {3, 1, 0}, {0.3, 7, 24});
  ball.status = cone::ContactStatus::stick;
  ball.work_normal = 40;
  ball.work_tangential = -4;
  scene.add_contact({1, 1, 0, 2, 0}, {100, 50, 20}, {0.4, 0.5, 0.6}).status = cone::ContactStatus::open;
  return scene;
}

TEST(ProbeEvaluation, ContactsOfARule) {
  const ProbeScene scene = touching_scene();
  EXPECT_EQ(value(scene, "contact.ground.count"), 3);
  EXPECT_EQ(value(scene, "contact.ground.status"), 2);
  EXPECT_EQ(value(scene, "contact.ground.impulse.normal"), 10);
  EXPECT_EQ(value(scene, "contact.ground.impulse.t1"), -2);
  EXPECT_EQ(value(scene, "contact.ground.impulse.t2"), 12);
  EXPECT_DOUBLE_EQ(value(scene, "contact.ground.impulse.tangent"), 5 + 10 + 1);
  EXPECT_EQ(value(scene, "contact.ground.work.normal"), 70);
  EXPECT_EQ(value(scene, "contact.ground.work.tangential"), -7);
  // Of the contact with the largest normal impulse.
  EXPECT_EQ(value(scene, "contact.ground.relative_velocity.normal"), 0.2);
  EXPECT_EQ(value(scene, "contact.ground.relative_velocity.t1"), 5);
  EXPECT_EQ(value(scene, "contact.ground.relative_velocity.t2"), 12);
  EXPECT_DOUBLE_EQ(value(scene, "contact.ground.relative_velocity.tangent"), 13);

  EXPECT_EQ(value(scene, "contact.balls.count"), 1);
  EXPECT_EQ(value(scene, "contact.balls.status"), 0);
  EXPECT_EQ(value(scene, "contact.balls.impulse.normal"), 100);
  EXPECT_EQ(value(scene, "contact.side-wall.count"), 0);
}

TEST(ProbeEvaluation, ContactsOfAPair) {
  const ProbeScene scene = touching_scene();
  EXPECT_EQ(value(scene, "contact.ground.block.floor.count"), 2);
  EXPECT_EQ(value(scene, "contact.ground.floor.block.impulse.normal"), 7);
  EXPECT_EQ(value(scene, "contact.ground.ball-1.floor.status"), 1);
  EXPECT_EQ(value(scene, "contact.ground.ball-1.floor.relative_velocity.t2"), 24);
  EXPECT_EQ(value(scene, "contact.ground.ball-2.floor.count"), 0);
  EXPECT_EQ(value(scene, "contact.balls.ball-2.ball-1.work.normal"), 0);
  EXPECT_EQ(value(scene, "contact.balls.ball-2.ball-1.impulse.t2"), 20);
}

TEST(ProbeEvaluation, VelocityOfEqualImpulsesIsTheFirst) {
  ProbeScene scene;
  scene.add_contact({0, 0, 1, 4, 0}, {0, 0, 0}, {1, 0, 0});
  scene.add_contact({0, 0, 2, 4, 0}, {0, 0, 0}, {2, 0, 0});
  EXPECT_EQ(value(scene, "contact.ground.relative_velocity.normal"), 1);
}

// The block described in a frame whose origin is 0.5 m along its own x from the node.
TEST(ProbeEvaluation, BodiesAreSeenAtTheirOrigin) {
  ProbeScene scene = moved_scene();
  scene.model.bodies[0].origin = Vector3(0.5, 0, 0);
  expect_near(vector(scene, "block.position"), Vector3(1, 2.5, 4));
  expect_near(vector(scene, "block@[1,0,0].position"), Vector3(1, 3.5, 4));
  // The body turns with 0.3 about z: a point 0.5 m along the world's y moves with -0.15 along x (and 0.2 about body y).
  expect_near(vector(scene, "block.velocity"), Vector3(3 - 0.15, 4, 12 - 0.1));
}

// A body on a shaft along the world's z, 2 m above the origin of the joint, turned by 0.5 and moving.
TEST(ProbeEvaluation, Joints) {
  model::Model model;
  model.nodes.emplace_back().kind = model::NodeKind::frame;
  model.bodies.push_back({"body", {0}, 1, Matrix3::Identity()});
  model::Joint shaft;
  shaft.name = "shaft";
  shaft.type = model::JointType::cylindrical;
  shaft.second.attachment.node = {0};
  model.joints.push_back(shaft);
  model.joint_springs.push_back({{{0}, 0}, 10, 2, math::TimeFunction::constant(5)});
  model.joint_springs.push_back({{{0}, 1}, 3, 0, math::TimeFunction(math::Expression::parse("1 + t"))});
  model.joint_springs.push_back({{{0}, 0}, 1, 0, {}});
  const mechanics::Equations equations(model);
  const contact::ContactSet contact_set(model, equations.map());
  const mechanics::State initial = equations.initial_state();
  mechanics::State state = initial;
  const math::Quaternion turned = math::Quaternion::from_axis_angle(Vector3::UnitZ(), 0.5);
  state.q << 0.25, 0, 2, turned.w, turned.x, turned.y, turned.z;
  state.v << 0, 0, 3, 0, 0, 4;
  state.time = 0.25;
  Ledger ledger;
  integrate::StepReport report;
  const Frame frame{model, equations, contact_set, initial, state, ledger, report, report.contacts, 0, 1};
  const auto joint_probe = [&](const char* text) { return evaluate(parse_probe_source(model, text).value(), frame); };
  EXPECT_NEAR(joint_probe("joint.shaft.coordinate"), 2, 1e-15);
  EXPECT_NEAR(joint_probe("joint.shaft.coordinate.1"), 0.5, 1e-15);
  EXPECT_NEAR(joint_probe("joint.shaft.speed.0"), 3, 1e-15);
  EXPECT_NEAR(joint_probe("joint.shaft.speed.1"), 4, 1e-15);
  EXPECT_NEAR(joint_probe("joint.shaft.spring"), 10 * (5 - 2) - 2 * 3 - 2, 1e-14);
  EXPECT_NEAR(joint_probe("joint.shaft.spring.1"), 3 * (1 + 0.25 - 0.5), 1e-14);
  EXPECT_NEAR(joint_probe("joint.shaft.error"), 0.25, 1e-15);
  EXPECT_EQ(joint_probe("joint.shaft.force.x"), 0);  // before the first step
  report.joints = {{Vector3(1, -2, 2), Vector3(3, 5, 7)}};
  EXPECT_EQ(joint_probe("joint.shaft.force.y"), -2);
  EXPECT_EQ(joint_probe("joint.shaft.force.norm"), 3);
  EXPECT_EQ(joint_probe("joint.shaft.torque.z"), 7);
}

TEST(ProbeEvaluation, Drivers) {
  ProbeScene scene = moved_scene();
  model::Driver slide{"slide", {0}, {}, model::DrivenTranslation{}, {}};
  slide.translation->components = {false, true, false};
  model::Driver spin{"spin", {0}, {}, {}, model::DrivenRotation{}};
  spin.rotation->axis = Vector3::UnitX();  // the world's y, as the block has turned
  model::Driver belt{"belt", {}, {0}, model::DrivenTranslation{}, model::DrivenRotation{}};
  belt.rotation->axis = Vector3::UnitX();
  scene.model.drivers = {slide, spin, belt};
  EXPECT_EQ(value(scene, "driver.slide.power"), 0);  // before the first step
  scene.report.drivers = {{Vector3(1, -2, 2), Vector3(3, 5, 7), 11},
                          {Vector3(1, -2, 2), Vector3(3, 5, 7), 13},
                          {Vector3(1, -2, 2), Vector3(3, 5, 7), 17}};
  EXPECT_EQ(value(scene, "driver.slide.power"), 11);
  EXPECT_EQ(value(scene, "driver.belt.power"), 17);
  EXPECT_EQ(vector(scene, "driver.spin.force"), Vector3(1, -2, 2));
  EXPECT_EQ(vector(scene, "driver.spin.torque"), Vector3(3, 5, 7));
  EXPECT_EQ(value(scene, "driver.slide.force.norm"), 3);
  EXPECT_EQ(value(scene, "driver.slide.force"), -2);
  EXPECT_EQ(value(scene, "driver.belt.force"), 3);
  EXPECT_NEAR(value(scene, "driver.spin.torque"), 5, 1e-14);
  EXPECT_EQ(value(scene, "driver.belt.torque"), 3);
}

TEST(ProbeEvaluation, EnergyAndSolver) {
  ProbeScene scene;
  scene.ledger.kinetic = 1;
  scene.ledger.potential = 2;
  scene.ledger.strain = 4;
  scene.ledger.initial = 8;
  scene.ledger.work_loads = 16;
  scene.ledger.dissipated_damping = 32;
  scene.ledger.contact_normal = 64;
  scene.ledger.contact_tangential = 128;
  scene.ledger.contact_created = 256;
  scene.ledger.numerical = 512;
  scene.ledger.scale = 1024;
  scene.report.solver.iterations = 17;
  scene.report.solver.residual = 1e-9;
  EXPECT_EQ(value(scene, "energy.kinetic"), 1);
  EXPECT_EQ(value(scene, "energy.potential"), 2);
  EXPECT_EQ(value(scene, "energy.strain"), 4);
  EXPECT_EQ(value(scene, "energy.total"), 3);
  EXPECT_EQ(value(scene, "energy.closing_error"), 3 - 8 - (16 - 32 + 64 + 128 + 512));
  EXPECT_EQ(value(scene, "energy.initial"), 8);
  EXPECT_EQ(value(scene, "energy.work_loads"), 16);
  EXPECT_EQ(value(scene, "energy.dissipated_damping"), 32);
  EXPECT_EQ(value(scene, "energy.contact_normal"), 64);
  EXPECT_EQ(value(scene, "energy.contact_tangential"), 128);
  EXPECT_EQ(value(scene, "energy.contact_created"), 256);
  EXPECT_EQ(value(scene, "energy.numerical"), 512);
  EXPECT_EQ(value(scene, "energy.scale"), 1024);
  EXPECT_EQ(value(scene, "solver.iterations"), 17);
  EXPECT_EQ(value(scene, "solver.residual"), 1e-9);
}

}  // namespace
}  // namespace ricochet::simulation
