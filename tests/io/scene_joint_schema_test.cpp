// scene_joint_schema: the words of the schema are those of the model, in the same order.
#include "ricochet/io/scene_joint_schema.hpp"

#include <gtest/gtest.h>

#include "ricochet/model/joint.hpp"

namespace ricochet::test {
namespace {

TEST(SceneJointSchema, HasEveryTypeOfTheModelInItsOrder) {
  const io::Type type = io::joint_type();
  ASSERT_EQ(type.alternatives.size(), static_cast<std::size_t>(model::JointType::drive) + 1);
  for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
    EXPECT_EQ(type.alternatives[i].name, name_of(static_cast<model::JointType>(i)));
  }
}

}  // namespace
}  // namespace ricochet::test
