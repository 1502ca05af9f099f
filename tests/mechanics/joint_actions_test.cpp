// What limits, friction and motors of joints tell a scheme, and what they refuse.
#include "ricochet/mechanics/joints/joint_actions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/test_models.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {
namespace {

// One body on one joint to the world, at the origin, axis z.
model::Model one_joint(model::JointType type) {
  model::Model model;
  model::Node node;
  node.kind = model::NodeKind::frame;
  test::add_body(model, node, 1, model::PointShape{}, Vector3(1, 1.5, 2).asDiagonal());
  model::Joint joint;
  joint.name = "hinge";
  joint.type = type;
  joint.second.attachment.node = {0};
  joint.pitch = 0.1;
  model.joints.push_back(joint);
  return model;
}

template <class Action>
std::string complaint(model::JointType type, std::vector<Action> model::Model::*actions, const Action& action) {
  model::Model model = one_joint(type);
  (model.*actions).push_back(action);
  try {
    const Equations equations(model);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(JointActions, GapsAndArms) {
  model::Model model = one_joint(model::JointType::cylindrical);
  model.joint_limits.push_back({{{0}, 0}, -0.5, 0.75, 0});
  model.joint_limits.push_back({{{0}, 1}, -1, 2, 0});
  model.nodes[0].position = Vector3(0, 0, 0.25);
  const DofMap map(model);
  const JointSet joints(model, map, 0);
  const JointActions actions(model, joints, 4);
  State state = initial_state(model, map);
  state.angles.setZero(joints.coordinates());
  EXPECT_DOUBLE_EQ(actions.gap(0, 1, state), 0.75);
  EXPECT_DOUBLE_EQ(actions.gap(0, -1, state), 0.5);
  EXPECT_DOUBLE_EQ(actions.gap(1, 1, state), 4);
  EXPECT_DOUBLE_EQ(actions.gap(1, -1, state), 8);
}

// The rows of a prismatic joint along z: forces along x and y, then torques.
TEST(JointActions, AGuideCarriesForcesAndMoments) {
  model::Model model = one_joint(model::JointType::prismatic);
  model.joint_frictions.push_back({{{0}, 0}, 0.5, 0, 0, 1});
  model.joint_frictions.push_back({{{0}, 0}, 0.5, 0, 2, 0});
  const DofMap map(model);
  const JointSet joints(model, map, 0);
  const JointActions actions(model, joints, 4);
  State state = initial_state(model, map);
  state.angles.setZero(joints.coordinates());
  VectorX lambda = VectorX::Zero(joints.rows());
  lambda[0] = 3;
  lambda[1] = 4;
  EXPECT_NEAR(actions.capacity(0, state, lambda), 1 + 0.5 * 5, 1e-14);
  EXPECT_NEAR(actions.capacity(1, state, lambda), 0.5 * 5, 1e-14);
  lambda.setZero();
  lambda[2] = 6;  // a moment across the axis: two forces 3 at the ends of 2 m
  EXPECT_NEAR(actions.capacity(0, state, lambda), 1, 1e-14);
  EXPECT_NEAR(actions.capacity(1, state, lambda), 0.5 * 6, 1e-14);
  lambda[2] = 0;
  lambda[4] = 6;  // about the axis
  EXPECT_NEAR(actions.capacity(1, state, lambda), 0, 1e-14);
}

TEST(JointActions, AScrewRubsUnderItsAxialForceAndAPinDoesNot) {
  for (const auto type : {model::JointType::screw, model::JointType::cylindrical}) {
    model::Model model = one_joint(type);
    model.joint_frictions.push_back({{{0}, 1}, 0.5, 0.01, 0, 0});
    const DofMap map(model);
    const JointSet joints(model, map, 0);
    const JointActions actions(model, joints, 1);
    State state = initial_state(model, map);
    state.angles.setZero(joints.coordinates());
    VectorX lambda = VectorX::Zero(joints.rows());
    lambda[0] = 3;
    if (type == model::JointType::screw) lambda[4] = 4;
    EXPECT_NEAR(actions.capacity(0, state, lambda), 0.005 * (type == model::JointType::screw ? 5 : 3), 1e-14);
  }
}

TEST(JointActionsBadInput, SentencesSayWhatIsWrong) {
  using model::JointType;
  using testing::HasSubstr;
  const auto limits = &model::Model::joint_limits;
  const auto frictions = &model::Model::joint_frictions;
  const auto motors = &model::Model::joint_motors;
  using Limit = model::JointLimit;
  using Friction = model::JointFriction;
  EXPECT_EQ(complaint(JointType::revolute, limits, Limit{{{0}, 0}, -1, 1, 0.5}), "");
  EXPECT_THAT(complaint(JointType::revolute, limits, Limit{{{0}, 0}, 1, 1, 0}), HasSubstr("not below its upper end"));
  EXPECT_THAT(complaint(JointType::revolute, limits, Limit{{{0}, 0}, -1, 1, 1.5}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(complaint(JointType::revolute, limits, Limit{{{0}, 1}, -1, 1, 0}), HasSubstr("there is no coordinate 1"));
  EXPECT_THAT(complaint(JointType::ball, limits, Limit{{{0}, 0}, -1, 1, 0}), HasSubstr("has no coordinates"));
  EXPECT_THAT(complaint(JointType::revolute, frictions, Friction{{{0}, 0}, 0.1, 0, 0, 0}),
              HasSubstr("only with a radius"));
  EXPECT_THAT(complaint(JointType::revolute, frictions, Friction{{{0}, 0}, -0.1, 1, 0, 0}), HasSubstr("not negative"));
  EXPECT_THAT(complaint(JointType::prismatic, frictions, Friction{{{0}, 0}, 0.1, 1, 0, 0}), HasSubstr("translation"));
  EXPECT_THAT(complaint(JointType::revolute, frictions, Friction{{{0}, 0}, 0.1, 1, 1, 0}), HasSubstr("angle"));
  EXPECT_THAT(complaint(JointType::revolute, motors, model::JointMotor{{{0}, 0}, {}, -1}), HasSubstr("largest force"));
}

}  // namespace
}  // namespace ricochet::mechanics
