#include "ricochet/mechanics/joints/redundant_rows.hpp"

#include <gtest/gtest.h>

#include "model/test_models.hpp"

namespace ricochet::mechanics {
namespace {

// A bar on one hinge or two, with both axes in one line.
model::Model hinged(int hinges, bool planar) {
  model::Model model;
  model.planar = planar;
  test::add_box(model, 1, Vector3(0.1, 0.1, 0.5), Vector3::Zero());
  for (int i = 0; i < hinges; ++i) {
    model::Joint joint;
    joint.name = "hinge" + std::to_string(i);
    joint.type = model::JointType::revolute;
    const Vector3 at(0, 0, planar ? 0 : 0.5 * i);
    joint.first = {{{}, at}, model::axes_along(Vector3::UnitZ())};
    joint.second = {{{0}, at}, model::axes_along(Vector3::UnitZ())};
    model.joints.push_back(joint);
  }
  return model;
}

TEST(RedundantRows, ASecondHingeOnTheSameAxis) {
  EXPECT_FALSE(has_redundant_rows(Equations(hinged(1, false))));
  EXPECT_TRUE(has_redundant_rows(Equations(hinged(2, false))));
  EXPECT_FALSE(has_redundant_rows(Equations(hinged(1, true))));
  EXPECT_TRUE(has_redundant_rows(Equations(hinged(2, true))));
}

}  // namespace
}  // namespace ricochet::mechanics
