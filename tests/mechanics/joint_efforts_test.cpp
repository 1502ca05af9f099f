// Efforts along joint coordinates by user-defined laws: direction, tangents against finite differences, power, turns.
#include "ricochet/mechanics/joints/joint_efforts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "mechanics/joint_checks.hpp"
#include "mechanics/term_checks.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {
namespace {

// e = a sin(s) + b s' |s'| + c t: nonlinear in both.
class WavyEffort final : public model::EffortLaw {
 public:
  WavyEffort(double a, double b, double c) : a_(a), b_(b), c_(c) {}
  double effort(double time, double coordinate, double speed) const override {
    return a_ * std::sin(coordinate) + b_ * speed * std::abs(speed) + c_ * time;
  }
  Tangent tangent(double /*time*/, double coordinate, double speed) const override {
    return {-a_ * std::cos(coordinate), -2 * b_ * std::abs(speed)};
  }

 private:
  double a_, b_, c_;
};

TEST(JointEffortsProperty, TangentsAndPowers) {
  using model::JointType;
  math::Random random(72);
  const std::vector<JointType> types = {JointType::revolute,  JointType::universal, JointType::cylindrical,
                                        JointType::prismatic, JointType::planar,    JointType::distance,
                                        JointType::screw};
  for (int i = 0; i < 150; ++i) {
    const auto sides = static_cast<test::JointSides>(random.integer(3));
    test::JointCase made = test::random_joint_case(types[i % types.size()], sides, random);
    made.model.joints = made.joints;
    for (int k = 0; k < coordinate_count(made.joints[0].type); ++k) {
      made.model.user_efforts.push_back(
          {"effort", {{0}, k}, std::make_shared<WavyEffort>(random.normal(), random.normal(), random.normal())});
    }
    const DofMap map(made.model);
    const JointSet joints(made.model, map, 0);
    State state = initial_state(made.model, map);
    state.angles.setZero(joints.coordinates());
    joints.set_start_coordinates(state);
    advance(map, state.q, 0.2 * test::random_velocities(map, random), 1, state.q);
    joints.update_coordinates(state);
    state.time = random.uniform(0, 3);
    const auto efforts = make_joint_efforts(made.model, map, joints);
    EXPECT_EQ(efforts->dependence(), Dependence::nonlinear);
    EXPECT_EQ(efforts->couples_nodes(), sides == test::JointSides::both_frames);
    test::expect_tangents(*efforts, map, state);
    test::expect_powers(*efforts, map, state);
    test::expect_stage_excess(*efforts, map, state, state.v, 0.75, 0.05);
    EXPECT_EQ(efforts->potential(state), 0);
  }
}

// A ball on a hinge about z: a positive effort makes the angle grow. The angle counts whole turns.
TEST(JointEfforts, PushAlongTheCoordinateOverWholeTurns) {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3::Zero());
  model::Joint joint;
  joint.name = "hinge";
  joint.type = model::JointType::revolute;
  joint.second.attachment.node = {0};
  model.joints.push_back(joint);
  class Spring final : public model::EffortLaw {
    double effort(double /*time*/, double coordinate, double /*speed*/) const override { return 3 * coordinate; }
  };
  model.user_efforts.push_back({"push", {{0}, 0}, std::make_shared<Spring>()});
  const Equations equations(model);
  State state = equations.initial_state();
  for (int i = 1; i <= 30; ++i) {  // 9 rad
    advance(equations.map(), state.q, VectorX::Unit(6, 5), 0.3, state.q);
    equations.update_angles(state, 1);
  }
  VectorX force;
  equations.force(state, force);
  EXPECT_LE((force - 27 * VectorX::Unit(6, 5)).norm(), 1e-12);
  state.v[5] = 4;
  EXPECT_THAT([&] { equations.update_angles(state, 1); },
              ::testing::ThrowsMessage<std::runtime_error>(::testing::HasSubstr("push acts about a joint that turns")));
  model.user_efforts[0].coordinate.index = 1;
  EXPECT_THROW(Equations{model}, std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::mechanics
