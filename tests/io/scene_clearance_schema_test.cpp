// scene_clearance_schema: the words of the schema are those of the model, in the same order.
#include "ricochet/io/scene_clearance_schema.hpp"

#include <gtest/gtest.h>

#include "ricochet/model/assemblies/clearance.hpp"

namespace ricochet::test {
namespace {

TEST(SceneClearanceSchema, HasEveryTypeOfTheModelInItsOrder) {
  const io::Type type = io::clearance_type();
  ASSERT_EQ(type.alternatives.size(), model::clearance_type_names.size());
  for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
    EXPECT_EQ(type.alternatives[i].name, model::clearance_type_names[i]);
  }
}

}  // namespace
}  // namespace ricochet::test
