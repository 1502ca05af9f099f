// Clearance joints: what they are made of, and what cannot be one.
#include "ricochet/model/assemblies/clearance.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/clearance_models.hpp"

namespace ricochet::test {
namespace {

using model::ClearanceType;

std::string clearance_complaint(const model::Clearance& joint, bool planar) {
  model::Model model = two_boxes(planar);
  try {
    model::add_clearance(joint, model);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Clearance, AddsPartsAndARuleOfTheirOwn) {
  model::Model model = two_boxes(false);
  model::Clearance joint = between_boxes(ClearanceType::revolute, 0.125);
  joint.axial_clearance = 0.25;
  model::add_clearance(joint, model);
  joint.name = "other";
  joint.type = ClearanceType::spherical;
  model::add_clearance(joint, model);
  model::validate(model);

  ASSERT_EQ(model.clearances.size(), 2u);
  ASSERT_EQ(model.contacts.size(), 2u);
  EXPECT_EQ(model.contacts[0].name, "joint");
  EXPECT_EQ(model.clearances[1].rule.index, 1);
  std::vector<std::string> names;
  for (const model::ShapePart& part : model.bodies[0].parts) names.push_back(part.name);
  EXPECT_EQ(names, (std::vector<std::string>{"", "rim1", "rim2", "end1", "end2", "ball"}));
  // The box keeps its channel; rims and ends have one each, and so has the other clearance.
  std::vector<int> channels;
  for (const model::ShapePart& part : model.bodies[1].parts) channels.push_back(part.channel);
  EXPECT_EQ(channels, (std::vector<int>{0, 1, 2, 2, 3}));
  EXPECT_TRUE(model::has_channel(model.contacts[0], 2));
  EXPECT_FALSE(model::has_channel(model.contacts[0], 0));
  EXPECT_FALSE(model::has_channel(model.contacts[1], 2));
  EXPECT_EQ(std::get<model::SphereShape>(model.bodies[0].parts[1].shape).radius, 0.875);
  EXPECT_EQ(model::shape_name(model.bodies[0]), "box");
  EXPECT_EQ(model.bodies[0].mass, 1);
}

TEST(Clearance, TheWorldIsOneBodyWithoutMassThatStands) {
  model::Model model = two_boxes(false);
  model.gravity = {0, 0, -10};
  const model::BodyId world = model::world_body(model);
  EXPECT_EQ(world.index, 2);
  EXPECT_EQ(model::world_body(model).index, 2);
  EXPECT_EQ(model.bodies[2].mass, 0);
  model::validate(model);
  model.nodes[2].fixed[3] = false;
  EXPECT_THROW(model::validate(model), std::invalid_argument);
}

TEST(Clearance, ComplaintsAreSentences) {
  model::Clearance joint = between_boxes(ClearanceType::revolute, 0);
  EXPECT_EQ(clearance_complaint(joint, false), "the clearance of clearance 'joint' must be positive");
  joint.clearance = 1;
  EXPECT_EQ(clearance_complaint(joint, false),
            "the radius of clearance 'joint' is 1 m and its clearance 1 m: nothing is left of what is in it");
  joint.clearance = 0.1;
  joint.half_length = 0;
  EXPECT_EQ(clearance_complaint(joint, false), "the length of clearance 'joint' must be positive");
  EXPECT_EQ(clearance_complaint(joint, true), "");
  joint.half_length = 1;
  joint.axial_clearance = -1;
  EXPECT_EQ(clearance_complaint(joint, false), "the axial clearance of clearance 'joint' must be positive");
  joint = between_boxes(ClearanceType::translational, 0.1);
  joint.half_size.z() = 0;
  EXPECT_EQ(clearance_complaint(joint, false), "the width of clearance 'joint' must be positive");
  EXPECT_EQ(clearance_complaint(joint, true), "");
  joint.second = joint.first;
  EXPECT_EQ(clearance_complaint(joint, true), "both sides of clearance 'joint' are the same body");
  joint.second = {7};
  EXPECT_EQ(clearance_complaint(joint, true), "clearance 'joint' needs two bodies that rotate");
}

}  // namespace
}  // namespace ricochet::test
