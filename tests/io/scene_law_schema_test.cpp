// scene_law_schema: contact rules, pairs of materials and clearances have the same keys of a law.
#include "ricochet/io/scene_law_schema.hpp"

#include <gtest/gtest.h>

#include "ricochet/io/scene_clearance_schema.hpp"
#include "ricochet/io/scene_schema.hpp"

namespace ricochet::test {
namespace {

TEST(SceneLawSchema, EverySectionWithALawHasAllOfItsKeys) {
  const std::vector<io::Field> keys = io::law_fields("`0`");
  ASSERT_EQ(keys.size(), 6U);
  for (const char* section : {"contacts", "material_pairs", "clearances"}) {
    const io::Field* field = io::find_field(io::scene_schema(), nullptr, section);
    ASSERT_NE(field, nullptr);
    for (const io::Field& key : keys) {
      EXPECT_NE(io::find_field(*field->type.element, nullptr, key.key), nullptr) << section << "." << key.key;
    }
  }
}

}  // namespace
}  // namespace ricochet::test
