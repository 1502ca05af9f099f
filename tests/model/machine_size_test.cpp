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
