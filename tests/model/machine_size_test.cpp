#include "ricochet/model/machine_size.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet::model {
namespace {

TEST(MachineSize, IsTheDiagonalAroundNodesAndJointPoints) {
  Model model;
  EXPECT_EQ(machine_size(model), 1);
  model.nodes.emplace_back().position = Vector3(1, 2, 3);
  EXPECT_EQ(machine_size(model), 1);
  model.nodes.emplace_back().position = Vector3(4, 6, 3);
  EXPECT_EQ(machine_size(model), 5);
  Joint joint;
  joint.first.attachment = {{}, Vector3(1, 2, -9)};
  joint.second.attachment = {{0}, Vector3(0, 0, 0)};
  model.joints.push_back(joint);
  EXPECT_EQ(machine_size(model), 13);
  Joint drive;  // has no points of its own
  drive.type = JointType::drive;
  drive.first.attachment.offset = Vector3(100, 0, 0);
  model.joints.push_back(drive);
  EXPECT_EQ(machine_size(model), 13);
}

TEST(MachineSize, OfASingleBodyIsItsReach) {
  const auto reach = [](const Shape& shape, const Vector3& place = Vector3::Zero()) {
    Model model;
    model.nodes.emplace_back().position = Vector3(9, 9, 9);
    model.bodies.emplace_back().parts = {{.shape = shape, .position = place}};
    return machine_size(model);
  };
  EXPECT_EQ(reach(PointShape{}), 1);
  EXPECT_EQ(reach(SphereShape{0.5}), 0.5);
  EXPECT_EQ(reach(SphereShape{0.5}, Vector3(0, 2, 0)), 2.5);
  EXPECT_EQ(reach(BoxShape{{1, 2, 2}}), 3);
  EXPECT_EQ(reach(CylinderShape{3, 4}), 5);
  EXPECT_EQ(reach(CapsuleShape{3, 4}), 7);
  EXPECT_EQ(reach(ConeShape{3, 8}), 5);
  EXPECT_EQ(reach(PolyhedronShape{{{0, 0, 1}, {0, 3, 4}}, {}}), 5);
  EXPECT_EQ(reach(FaceShape{}), 1);
  EXPECT_EQ(reach(FaceShape{{3, 4}}), 5);
  EXPECT_EQ(reach(HollowSphereShape{2}), 2);
  EXPECT_EQ(reach(HollowCylinderShape{2}), 2);
}

// A pin stands a clearance away from the middle of its bearing: the machine is as large as both, not as the clearance.
TEST(MachineSize, CountsWhatClearancesAreMadeOf) {
  Model model;
  for (const double height : {0.0, -1e-5}) {
    model.nodes.emplace_back().position = Vector3(0, height, 0);
    Body& body = model.bodies.emplace_back();
    body.node = {static_cast<int>(model.nodes.size()) - 1};
    ShapePart part;
    part.shape = SphereShape{0.02};
    part.position = Vector3(0, 0, 0.05);
    body.parts = {part};
  }
  EXPECT_NEAR(machine_size(model), 1e-5, 1e-18);  // balls of their own
  model.bodies[1].parts[0].channel = 1;
  EXPECT_EQ(machine_size(model), 0.07);
}

TEST(MachineSize, PlacesPoints) {
  Model model;
  Node& node = model.nodes.emplace_back();
  node.position = Vector3(1, 2, 3);
  node.orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), std::acos(0.0));
  EXPECT_LE((placed(model, {{0}, Vector3(1, 0, 0)}) - Vector3(1, 3, 3)).norm(), 1e-15);
  EXPECT_EQ(placed(model, {{}, Vector3(1, 0, 0)}), Vector3(1, 0, 0));
}

}  // namespace
}  // namespace ricochet::model
