// What a correction of positions leaves alone.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sunken_stack.hpp"

namespace ricochet::integrate {
namespace {

using test::sunken_stack;

// A tall box that tips over its edge does so in the same way beside a stack that is corrected.
TEST(MoreauJeanPositions, NothingHappensToWhatIsBeside) {
  const Vector3 half(0.05, 0.4, 0.05);
  const math::Quaternion leaning = math::exponential(Vector3(0, 0, -0.29));
  const double lowest = (leaning.matrix().cwiseAbs() * half).y() - 1e-6;
  std::vector<VectorX> ways;
  for (const bool with_stack : {false, true}) {
    model::Model model = sunken_stack(with_stack ? 4 : 0, 1e-3, false);
    const int box = static_cast<int>(model.bodies.size());
    test::add_box(model, 1, half, Vector3(5, lowest, 0), leaning);
    test::put_on_ground(model, {0.8, 0, 0});
    test::Runner run(model, {.h = 1e-3, .solver = {.tolerance = 1e-8}});
    VectorX way(3 * 600);
    double projected = 0;
    for (int step = 0; step < 600; ++step) {
      projected += std::abs(run.step().works.projection);
      way.segment<3>(3 * step) = run.position(box);
    }
    EXPECT_EQ(projected > 0, with_stack);
    ways.push_back(way);
  }
  EXPECT_LE((ways[0] - ways[1]).lpNorm<Eigen::Infinity>(), 1e-14);
  EXPECT_LT(ways[0].tail<3>().y(), 0.25);
}

// A disc with a motor beside a box that has sunk: an island of what acts in a joint alone.
TEST(MoreauJeanPositions, MotorsBesideAreLeftAlone) {
  model::Model model = sunken_stack(1, 1e-3, false);
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = Vector3(5, 5, 0);
  test::add_body(model, node, 2, model::PointShape{}, Vector3(0.25, 0.25, 0.5).asDiagonal());
  model::Joint joint;
  joint.name = "joint";
  joint.type = model::JointType::revolute;
  joint.first = {{{}, Vector3(5, 5, 0)}, model::axes_along(Vector3::UnitZ())};
  joint.second = {{{1}, Vector3::Zero()}, model::axes_along(Vector3::UnitZ())};
  model.joints.push_back(joint);
  model::JointMotor motor;
  motor.coordinate = {{0}, 0};
  motor.speed = math::TimeFunction::constant(6);
  motor.largest = 2;  // N m: it takes 1.5 s
  model.joint_motors.push_back(motor);
  test::Runner run(model, {.h = 1e-3, .solver = {.tolerance = 1e-8}});
  double projected = 0;
  for (int step = 0; step < 1000; ++step) projected += run.step().works.projection;
  EXPECT_GT(projected, 0);
  EXPECT_NEAR(run.now.state.v[11], 4, 1e-9);
}

}  // namespace
}  // namespace ricochet::integrate
