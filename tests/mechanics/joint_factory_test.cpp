#include "ricochet/mechanics/joints/joint_factory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "mechanics/joint_checks.hpp"

namespace ricochet::mechanics {
namespace {

using model::JointType;
using testing::HasSubstr;

// Two bodies joined by a hinge and a third that is a point.
struct HingeCase {
  model::Model model;
  std::vector<model::Joint> joints;
  HingeCase() {
    test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
    test::add_box(model, 1, Vector3::Ones(), Vector3(1, 0, 0));
    test::add_point(model, 1, Vector3(0, 2, 0));
    model::Joint hinge;
    hinge.name = "knee";
    hinge.type = JointType::revolute;
    hinge.first.attachment.node = {0};
    hinge.second.attachment = {{1}, Vector3(-1, 0, 0)};
    joints = {hinge};
  }
  Joint make(int index = 0) const { return make_joint(model, joints, {index}, DofMap(model)); }
};

// What is said when a hinge is spoilt.
std::string complaint(const std::function<void(HingeCase&)>& spoil, int index = 0) {
  HingeCase setup;
  spoil(setup);
  try {
    setup.make(index);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(JointFactory, MakesAHinge) {
  const Joint joint = HingeCase().make();
  EXPECT_EQ(joint.rows(), 5);
  EXPECT_EQ(joint.nodes(), 2);
  EXPECT_EQ(joint.node(0), 0);
  EXPECT_EQ(joint.node(1), 1);
  EXPECT_EQ(joint.columns(), 12);
  EXPECT_EQ(joint.column(1), 6);
  EXPECT_EQ(joint.coordinate_count(), 1);
  EXPECT_FALSE(joint.depends_on_time());
}

TEST(JointFactory, CountsCoordinates) {
  constexpr std::array<int, 12> counts = {0, 1, 2, 2, 1, 3, 0, 1, 2, 2, 2, 1};
  for (const JointType type : test::all_joint_types()) {
    EXPECT_EQ(coordinate_count(type), counts[static_cast<std::size_t>(type)]) << name_of(type);
  }
}

TEST(JointFactoryBadInput, Frames) {
  EXPECT_THAT(complaint([](HingeCase&) {}), "no complaint");
  EXPECT_THAT(complaint([](HingeCase& c) { c.joints[0].first.attachment.node = {7}; }),
              "revolute joint 'knee': names a node that does not exist");
  EXPECT_THAT(complaint([](HingeCase& c) { c.joints[0].first.attachment.node = {-2}; }), HasSubstr("does not exist"));
  EXPECT_THAT(complaint([](HingeCase& c) { c.joints[0].first.attachment.node = {1}; }), HasSubstr("same node"));
  EXPECT_THAT(complaint([](HingeCase& c) {
                c.joints[0].first.attachment.node = {};
                c.joints[0].second.attachment.node = {};
              }),
              HasSubstr("fixed in the world"));
  EXPECT_THAT(complaint([](HingeCase& c) { c.joints[0].second.attachment.offset.x() = NAN; }), HasSubstr("finite"));
  EXPECT_THAT(complaint([](HingeCase& c) { c.joints[0].second.axes.w = 1.1; }), HasSubstr("unit quaternion"));
  EXPECT_THAT(complaint([](HingeCase& c) {
                c.joints[0].second.attachment = {{2}, Vector3::Zero()};
              }),
              HasSubstr("is a point and has no axes"));
  EXPECT_THAT(complaint([](HingeCase& c) {
                c.joints[0].type = JointType::ball;
                c.joints[0].second.attachment = {{2}, Vector3::UnitX()};
              }),
              HasSubstr("without an offset"));
}

TEST(JointFactoryBadInput, WrongBranch) {
  const auto turned = [](JointType type, const Vector3& axis, double angle) {
    return complaint([&](HingeCase& c) {
      c.joints[0].type = type;
      c.joints[0].pitch = 1;
      c.joints[0].second.axes = math::Quaternion::from_axis_angle(axis, angle);
    });
  };
  for (const auto type : {JointType::revolute, JointType::cylindrical, JointType::planar, JointType::screw}) {
    EXPECT_THAT(turned(type, Vector3::UnitX(), M_PI), HasSubstr("90 degrees"));
    EXPECT_THAT(turned(type, Vector3::UnitX(), 1.5), "no complaint");
    EXPECT_THAT(turned(type, Vector3::UnitZ(), M_PI), "no complaint");
  }
  for (const auto type : {JointType::prismatic, JointType::fixed}) {
    EXPECT_THAT(turned(type, Vector3::UnitZ(), 1.6), HasSubstr("90 degrees"));
    EXPECT_THAT(turned(type, Vector3::UnitZ(), 1.5), "no complaint");
  }
  EXPECT_THAT(turned(JointType::universal, Vector3::UnitY(), M_PI / 2), HasSubstr("parallel"));
  EXPECT_THAT(turned(JointType::universal, Vector3::UnitY(), 1), "no complaint");
}

TEST(JointFactoryBadInput, Numbers) {
  const auto function = test::joint_time_function("t");
  EXPECT_THAT(complaint([&](HingeCase& c) { c.joints[0].target = function; }), HasSubstr("no target"));
  for (const double pitch : {0.0, std::numeric_limits<double>::infinity(), double(NAN)}) {
    EXPECT_THAT(complaint([&](HingeCase& c) {
                  c.joints[0].type = JointType::screw;
                  c.joints[0].pitch = pitch;
                }),
                HasSubstr("pitch"));
  }
  EXPECT_THAT(complaint([](HingeCase& c) { c.joints[0].type = JointType::distance; }), HasSubstr("coincide"));
  EXPECT_THAT(complaint([&](HingeCase& c) {
                c.joints[0].type = JointType::distance;
                c.joints[0].second.attachment.offset.setZero();
                c.joints[0].target = function;
              }),
              HasSubstr("must be positive"));
}

TEST(JointFactoryBadInput, Relations) {
  const auto related = [](JointType type, model::JointCoordinate first, model::JointCoordinate second, double ratio) {
    return complaint(
        [&](HingeCase& c) {
          model::Joint slider = c.joints[0];
          slider.name = "slider";
          slider.type = JointType::prismatic;
          model::Joint relation;
          relation.name = "relation";
          relation.type = type;
          relation.coupled = {first, second};
          relation.ratio = ratio;
          c.joints = {c.joints[0], slider, relation};
        },
        2);
  };
  const model::JointCoordinate angle{{0}, 0}, slide{{1}, 0};
  EXPECT_EQ(related(JointType::coupler, angle, slide, 1), "no complaint");
  EXPECT_EQ(related(JointType::gear, angle, angle, 1), "no complaint");
  EXPECT_EQ(related(JointType::drive, slide, {}, 0), "no complaint");
  EXPECT_THAT(related(JointType::gear, angle, slide, 1), HasSubstr("is not an angle: use a coupler"));
  EXPECT_THAT(related(JointType::coupler, angle, {}, 1), HasSubstr("names a joint that does not exist"));
  EXPECT_THAT(related(JointType::coupler, angle, {{3}, 0}, 1), HasSubstr("names a joint that does not exist"));
  EXPECT_THAT(related(JointType::coupler, angle, {{2}, 0}, 1), HasSubstr("has no coordinates of its own"));
  EXPECT_THAT(related(JointType::coupler, angle, {{1}, 1}, 1),
              HasSubstr("prismatic joint 'slider' has 1 coordinate, and number 1 is not one of them"));
  EXPECT_THAT(related(JointType::coupler, angle, {{1}, -1}, 1), HasSubstr("number -1"));
  EXPECT_THAT(related(JointType::coupler, angle, slide, 0), HasSubstr("ratio"));
  EXPECT_THAT(related(JointType::coupler, angle, slide, NAN), HasSubstr("ratio"));
}

TEST(JointAxes, AlongADirection) {
  math::Random random(141);
  for (int i = 0; i < 50; ++i) {
    const Vector3 axis = test::random_vector3(random);
    EXPECT_LE((model::axes_along(axis).rotate(Vector3::UnitZ()) - axis.normalized()).norm(), 1e-14);
  }
  EXPECT_LE((model::axes_along(Vector3(0, 0, 3)).matrix() - Matrix3::Identity()).norm(), 1e-15);
  EXPECT_LE((model::axes_along(Vector3(0, 0, -1)).rotate(Vector3::UnitZ()) + Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_LE((model::axes_along(Vector3(3, 4, 0)).rotate(Vector3::UnitY()) - Vector3::UnitZ()).norm(), 1e-15);
}

}  // namespace
}  // namespace ricochet::mechanics
