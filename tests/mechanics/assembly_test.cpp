// Assembly: bodies beside their joints are brought on them, those on them are not touched.
#include "ricochet/mechanics/joints/assembly.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/assembly_models.hpp"
#include "mechanics/joint_checks.hpp"
#include "ricochet/mechanics/joints/joint_projection.hpp"

namespace ricochet::mechanics {
namespace {

bool same_bits(const model::Model& a, const model::Model& b) {
  bool same = true;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const model::Node &first = a.nodes[i], &second = b.nodes[i];
    same = same && first.position == second.position && first.velocity == second.velocity &&
           first.angular_velocity == second.angular_velocity && first.orientation.w == second.orientation.w &&
           first.orientation.vector_part() == second.orientation.vector_part();
  }
  for (std::size_t i = 0; i < a.joints.size(); ++i)
    same = same && a.joints[i].target.has_value() == b.joints[i].target.has_value();
  return same;
}

double assembly_error(const model::Model& model) {
  const Equations equations(model);
  return equations.joints().error(equations.initial_state(), equations.size());
}

// G v + g_t at the start, the largest, with angles times the size.
double rate_error(const model::Model& model) {
  const Equations equations(model);
  const State state = equations.initial_state();
  VectorX rates;
  equations.joints().rates(0, rates);
  linalg::BlockSparseMatrix gradients;
  equations.joints().gradients(state, gradients);
  gradients.multiply_add(state.v, rates);
  return rates.lpNorm<Eigen::Infinity>();
}

// Two masses of 1 and 3 kg on a rod that is 8 mm longer than their distance: they go apart by 6 and 2 mm.
TEST(Assembly, MassesOnARodMoveInverselyToTheirMasses) {
  model::Model model;
  const int light = test::add_point(model, 1, Vector3(0, 0, 0)), heavy = test::add_point(model, 3, Vector3(0, 1, 0));
  model.joints.push_back(test::rod_between(light, heavy, 1.008));
  const Assembly assembly = assemble(model);
  ASSERT_EQ(assembly.report.status, AssemblyStatus::done);
  EXPECT_LE((assembly.model.nodes[0].position - Vector3(0, -0.006, 0)).norm(), 1e-15);
  EXPECT_LE((assembly.model.nodes[1].position - Vector3(0, 1.002, 0)).norm(), 1e-15);
  EXPECT_TRUE(assembly.report.moved);
  EXPECT_FALSE(assembly.report.changed_velocity);
  EXPECT_EQ(assembly.report.position.owner, 0);
  EXPECT_NEAR(assembly.report.position.value, 0.008, 1e-15);
  EXPECT_EQ(assembly.report.most_moved.body, light);
  EXPECT_NEAR(assembly.report.most_moved.distance, 0.006, 1e-15);
  EXPECT_EQ(owner_name(model, 0), "rod01");
}

// A pendulum that moves along its rod as well loses just that part of its velocity.
TEST(Assembly, APendulumLosesItsRadialVelocity) {
  model::Model model;
  test::add_point(model, 2, Vector3(0.6, -0.8, 0), Vector3(4, 3, 1) + 0.02 * Vector3(0.6, -0.8, 0));
  model.joints.push_back(test::joint_between(model::JointType::distance, "rod", {}, {{0}, Vector3::Zero()}));
  const Assembly assembly = assemble(model);
  ASSERT_EQ(assembly.report.status, AssemblyStatus::done);
  EXPECT_LE((assembly.model.nodes[0].velocity - Vector3(4, 3, 1)).norm(), 1e-15);
  EXPECT_EQ(assembly.model.nodes[0].position, model.nodes[0].position);
  EXPECT_FALSE(assembly.report.moved);
  EXPECT_TRUE(assembly.report.changed_velocity);
  EXPECT_NEAR(assembly.report.velocity.value, 0.02, 1e-15);
  EXPECT_NEAR(assembly.report.velocity.part, 0.02 / model.nodes[0].velocity.norm(), 1e-15);
  EXPECT_EQ(assembly.report.most_changed.velocity_before, model.nodes[0].velocity);
  EXPECT_EQ(assembly.report.most_changed.velocity_after, assembly.model.nodes[0].velocity);
  EXPECT_FALSE(assembly.model.joints[0].target) << "nothing was moved, so the rod is as long as it is";
}

// A linkage beside its joints by 1 %, in the plane and, with redundant equations, in space. In space its axes must stay
// parallel, so it is displaced as a whole as well as in the plane.
TEST(AssemblyProperty, AFourBarCloses) {
  math::Random random(3);
  for (const bool planar : {true, false}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      model::Model model = test::four_bar(planar);
      test::displace(model, random, 0.01);
      for (model::Node& node : model.nodes) node.angular_velocity.z() = random.normal();
      const Assembly assembly = assemble(model, {.position = 0.05, .velocity = 1});
      ASSERT_EQ(assembly.report.status, AssemblyStatus::done);
      EXPECT_LE(assembly_error(assembly.model), 1e-13);
      EXPECT_LE(rate_error(assembly.model), 1e-13);
      EXPECT_LE(std::sqrt(assembly.report.most_moved.mean_square), 0.03);
      EXPECT_TRUE(same_bits(assemble(assembly.model).model, assembly.model)) << "what is assembled is closed";
    }
  }
}

// Every type of joint, between frames, points and the world.
TEST(AssemblyProperty, EveryJointCloses) {
  math::Random random(12);
  for (const model::JointType type : test::all_joint_types()) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto sides = repeat % 3 == 0   ? test::JointSides::both_frames
                         : repeat % 3 == 1 ? test::JointSides::first_in_world
                                           : test::JointSides::second_in_world;
      test::JointCase made = test::random_joint_case(type, sides, random);
      made.model.joints = made.joints;
      for (model::Joint& joint : made.model.joints) {  // relations as they were before
        const Equations equations(made.model);
        const auto index = static_cast<int>(&joint - made.model.joints.data());
        if (model::has_target(joint.type) && !joint.target) joint.target = equations.joints().joint(index).target();
      }
      ASSERT_LE(assembly_error(made.model), 1e-12) << name_of(type);
      test::displace(made.model, random, 0.01);
      const Assembly assembly = assemble(made.model, {.position = 0.2, .velocity = 1});
      ASSERT_EQ(assembly.report.status, AssemblyStatus::done) << name_of(type) << repeat;
      EXPECT_LE(assembly_error(assembly.model), 1e-13 * assembly.report.size) << name_of(type);
      EXPECT_LE(rate_error(assembly.model), 1e-12) << name_of(type);
      EXPECT_GT(assembly.report.position.part, kWrittenDigits);
    }
  }
}

TEST(Assembly, WhatFitsIsNotTouched) {
  model::Model model = test::four_bar(true);
  EXPECT_TRUE(same_bits(assemble(model, {0, 0}).model, model));
  // A thousandth of a millionth of a millionth of its size is rounding.
  model.nodes[1].position.x() += 3e-13;
  const Assembly untouched = assemble(model, {0, 0});
  EXPECT_EQ(untouched.report.status, AssemblyStatus::done);
  EXPECT_TRUE(same_bits(untouched.model, model));
  model.nodes[1].position.x() += 3e-12;
  EXPECT_EQ(assemble(model, {0, 0}).report.status, AssemblyStatus::open_too_far);
  const Assembly moved = assemble(model);
  EXPECT_TRUE(moved.report.moved);
  EXPECT_LT(moved.report.position.part, kWrittenDigits);
  EXPECT_FALSE(same_bits(moved.model, model));
}

// Two machines in one model, the second beside its joints: the first keeps every bit, though its errors of rounding
// are not zero, and though both hang on one fixed body. So does a body that will appear later.
TEST(Assembly, OnlyTheMachineThatIsOpenMoves) {
  model::Model model;
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.fixed = {true, true, true, true, true, true};
  const int ground = test::add_body(model, node, 1, model::SphereShape{0.1}, Matrix3::Identity());
  const auto add_pendulum = [&](const Vector3& top, double off) {
    const int bar = test::add_bar(model, 1, top, top + Vector3(0.3, -0.7, 0));
    model.nodes[bar].angular_velocity = Vector3(0, 0, 1);
    const Vector3 arm(-0.5 * Vector3(0.3, -0.7, 0).norm(), 0, 0);
    model.nodes[bar].velocity = math::cross(Vector3::UnitZ(), model.nodes[bar].orientation.rotate(-arm));
    model.nodes[bar].position.x() += off;
    model.joints.push_back(
        test::joint_between(model::JointType::revolute, "hinge" + std::to_string(bar), {{ground}, top}, {{bar}, arm}));
    return bar;
  };
  const int closed = add_pendulum({0.1, 0.2, 0}, 1e-16), open = add_pendulum({1.1, 0.7, 0}, 0.005);
  const int late = test::add_point(model, 1, Vector3(5, 5, 0), Vector3(1, 2, 3));
  model.bodies[late].appears = 1;
  const Assembly assembly = assemble(model);
  ASSERT_EQ(assembly.report.status, AssemblyStatus::done);
  const auto same = [&](int index) {
    model::Model a, b;
    a.nodes = {model.nodes[index]};
    b.nodes = {assembly.model.nodes[index]};
    return same_bits(a, b);
  };
  EXPECT_TRUE(same(ground));
  EXPECT_TRUE(same(closed));
  EXPECT_TRUE(same(late));
  EXPECT_FALSE(same(open));
  EXPECT_EQ(assembly.report.most_moved.body, open);
  EXPECT_LE(assembly_error(assembly.model), 1e-14);
}

// A rod without a target is as long as the model places its ends, and a gear keeps its phase, when other joints move
// them.
TEST(Assembly, RelationsAreThoseOfTheModelAsGiven) {
  model::Model model = test::four_bar(true);
  const int wheel = test::add_box(model, 1, {0.1, 0.1, 0.1}, Vector3(-0.4, 0, 0));
  model.joints.push_back(
      test::joint_between(model::JointType::revolute, "shaft", {{}, {-0.4, 0, 0}}, {{wheel}, Vector3::Zero()}));
  model::Joint gear;
  gear.name = "gear";
  gear.type = model::JointType::gear;
  gear.coupled = {model::JointCoordinate{{4}, 0}, model::JointCoordinate{{0}, 0}};
  gear.ratio = -2;
  model.joints.push_back(gear);
  const int bob = test::add_point(model, 1, Vector3(0.2, -0.5, 0));
  model.joints.push_back(
      test::joint_between(model::JointType::distance, "string", {{2}, {0.1, 0, 0}}, {{bob}, Vector3::Zero()}));
  test::add_spring(model, {{0}, {0.1, 0, 0}}, {{1}, Vector3::Zero()}, 10, 0, 0.3);
  math::Random random(5);
  test::displace(model, random, 0.004);
  const Equations before(model);
  const double length = before.joints().joint(6).target().value(0), phase = before.joints().joint(5).target().value(0);
  const Assembly assembly = assemble(model, {.position = 0.02});
  ASSERT_EQ(assembly.report.status, AssemblyStatus::done);
  ASSERT_TRUE(assembly.model.joints[5].target);
  ASSERT_TRUE(assembly.model.joints[6].target);
  EXPECT_FALSE(assembly.model.joints[0].target);
  EXPECT_EQ(assembly.model.joints[5].target->value(0), phase);
  EXPECT_EQ(assembly.model.joints[6].target->value(0), length);
  EXPECT_LE(assembly_error(assembly.model), 1e-14);
  // Angles count from where they did: both have changed, by what the gear says.
  const State start = Equations(assembly.model).initial_state(), as_given = before.initial_state();
  const auto turned = [&](int joint) {
    return before.joints().coordinates_of(joint, start)[0] - before.joints().coordinates_of(joint, as_given)[0];
  };
  EXPECT_GT(std::abs(turned(0)), 1e-5);
  EXPECT_NEAR(turned(4), -2 * turned(0), 1e-14);
}

// The slider is driven and the wall fixed: only the bar between them can give way.
TEST(Assembly, DrivenAndFixedComponentsNeverMove) {
  model::Model model;
  model.planar = true;
  const int slider = test::add_point(model, 1, Vector3(0, 0, 0));
  const int wall = test::add_box(model, 1, {0.1, 0.1, 0.1}, Vector3(2, 0, 0));
  const int bar = test::add_bar(model, 1e6, Vector3(0.004, 0.003, 0), Vector3(1.999, 0, 0));
  model.nodes[wall].fixed = {true, true, false, false, false, true};
  model::Driver driver = test::driver(slider, -1, 0, 0.5);
  model.drivers.push_back(driver);
  const double half = 0.5 * Vector3(1.995, -0.003, 0).norm();
  model.joints.push_back(
      test::joint_between(model::JointType::ball, "left", {{slider}, Vector3::Zero()}, {{bar}, {-half, 0, 0}}));
  model::Joint slot =
      test::joint_between(model::JointType::cylindrical, "slot", {{wall}, Vector3::Zero()}, {{bar}, {half, 0, 0}});
  slot.first.axes = slot.second.axes = model::axes_along(Vector3::UnitX());
  model.joints.push_back(slot);
  model.nodes[bar].velocity = Vector3(0.499, 0, 0);
  const Assembly assembly = assemble(model);
  ASSERT_EQ(assembly.report.status, AssemblyStatus::done);
  for (const int index : {slider, wall}) {
    EXPECT_EQ(assembly.model.nodes[index].position, model.nodes[index].position);
    EXPECT_EQ(assembly.model.nodes[index].velocity, model.nodes[index].velocity);
  }
  EXPECT_LE(assembly_error(assembly.model), 1e-15);
  EXPECT_NEAR(assembly.model.nodes[bar].velocity.x(), 0.5, 1e-15);
  EXPECT_EQ(assembly.report.most_moved.body, bar);
}

// The same machine in other units gives the same bits.
TEST(AssemblyProperty, UnitsDoNotMatter) {
  model::Model model = test::four_bar(false), large = model;
  math::Random random(8);
  test::displace(model, random, 0.01);
  large = model;
  constexpr double length = 1024, mass = 0.125;
  for (model::Node& node : large.nodes) node.position *= length;
  for (model::Body& body : large.bodies) {
    body.mass *= mass;
    body.inertia *= mass * length * length;
  }
  for (model::Joint& joint : large.joints) {
    joint.first.attachment.offset *= length;
    joint.second.attachment.offset *= length;
  }
  model::Model assembled = assemble(model, {.position = 0.1}).model;
  const model::Model assembled_large = assemble(large, {.position = 0.1}).model;
  EXPECT_FALSE(same_bits(assembled, model));
  for (model::Node& node : assembled.nodes) node.position *= length;
  EXPECT_TRUE(same_bits(assembled, assembled_large));
}

// A crank with a motor that starts at speed: what the machine must do follows, if it may.
TEST(Assembly, AMotorThatStartsAtSpeed) {
  model::Model model = test::four_bar(true);
  model::Joint motor;
  motor.name = "motor";
  motor.type = model::JointType::drive;
  motor.coupled[0] = {{0}, 0};
  const double angle = Equations(model).initial_state().angles[0];
  motor.target = test::joint_time_function(fmt::format("{:.17g} + 3*t", angle));
  model.joints.push_back(motor);
  const Assembly refused = assemble(model);
  EXPECT_EQ(refused.report.status, AssemblyStatus::velocities_too_far);
  EXPECT_EQ(refused.report.velocity.owner, 4);
  EXPECT_EQ(refused.report.velocity.value, 3);
  EXPECT_EQ(refused.report.velocity.unit, JointUnit::angle);
  EXPECT_EQ(refused.report.velocity.part, 1);
  EXPECT_TRUE(same_bits(refused.model, model));
  const Assembly assembly = assemble(model, {.velocity = 1});
  ASSERT_EQ(assembly.report.status, AssemblyStatus::done);
  EXPECT_NEAR(assembly.model.nodes[0].angular_velocity.z(), 3, 1e-14);
  EXPECT_LE(rate_error(assembly.model), 1e-14);
  EXPECT_EQ(assembly.report.most_changed_given.body, -1) << "none was given";
  // A motor that starts from rest as good as is not in the way of anybody.
  model.joints.back().target = test::joint_time_function(fmt::format("{:.17g} + 1e-9*t + t^2", angle));
  EXPECT_EQ(assemble(model).report.status, AssemblyStatus::done);
  EXPECT_EQ(assemble(model, {0.01, 0}).report.status, AssemblyStatus::velocities_too_far);
}

TEST(AssemblyBadInput, WhatCannotBeIsRefused) {
  // No triangle has sides of 1, 1 and 2.02.
  model::Model triangle;
  test::add_point(triangle, 1, Vector3(0, 0, 0));
  test::add_point(triangle, 2, Vector3(1, 0.02, 0));
  test::add_point(triangle, 1, Vector3(2, 0, 0));
  triangle.joints = {test::rod_between(0, 1, 1), test::rod_between(1, 2, 1), test::rod_between(0, 2, 2.02)};
  const Assembly open = assemble(triangle, {.position = 0.1});
  EXPECT_EQ(open.report.status, AssemblyStatus::cannot_be_closed);
  EXPECT_GE(open.report.remaining.value, 0.02 / 3 - 1e-9);
  EXPECT_LE(open.report.remaining.value, 0.02);
  EXPECT_TRUE(same_bits(open.model, triangle));
  EXPECT_EQ(assemble(triangle, {.position = 0.001}).report.status, AssemblyStatus::open_too_far);

  // Rods of 1 and 1 that are hardly bent: to come 1 % nearer their hinge must go aside by 14 %.
  model::Model toggle;
  test::add_point(toggle, 1, Vector3(0, 0, 0));
  test::add_point(toggle, 1, Vector3(1, 1e-3, 0));
  toggle.nodes[0].fixed = {true, true, true, true, true, true};
  toggle.joints = {test::rod_between(0, 1, 1)};
  toggle.joints.push_back(
      test::joint_between(model::JointType::distance, "other", {{1}, Vector3::Zero()}, {{}, {1.98, 0, 0}}));
  toggle.joints.back().target = math::TimeFunction::constant(1);
  const Assembly bent = assemble(toggle, {.position = 0.05});
  EXPECT_EQ(bent.report.status, AssemblyStatus::moves_too_far);
  EXPECT_NEAR(bent.report.farthest, Vector3(0.01, std::sqrt(1 - 0.99 * 0.99) - 1e-3, 0).norm(), 1e-12);
  EXPECT_EQ(bent.report.farthest_body, 1);
  EXPECT_EQ(assemble(toggle, {.position = 0.2}).report.status, AssemblyStatus::done);

  // Targets that are not numbers at the start fit nothing.
  model::Model endless = test::four_bar(true);
  model::Joint motor;
  motor.type = model::JointType::drive;
  motor.coupled[0] = {{0}, 0};
  motor.target = test::joint_time_function("1/t");
  endless.joints.push_back(motor);
  EXPECT_EQ(assemble(endless, {.position = 1}).report.status, AssemblyStatus::open_too_far);

  // A bar that is held at both ends by points that drivers take apart.
  model::Model torn;
  test::add_point(torn, 1, Vector3(0, 0, 0));
  test::add_point(torn, 1, Vector3(1, 0, 0));
  torn.drivers = {test::driver(0, -1, 0, -1), test::driver(1, -1, 1, 1)};
  torn.joints = {test::rod_between(0, 1, 1)};
  EXPECT_EQ(assemble(torn, {.velocity = 1}).report.status, AssemblyStatus::velocities_cannot_fit);
}

}  // namespace
}  // namespace ricochet::mechanics
