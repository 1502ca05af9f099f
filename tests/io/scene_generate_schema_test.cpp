#include "ricochet/io/scene_generate_schema.hpp"

#include <gtest/gtest.h>

#include "ricochet/io/scene_schema.hpp"

namespace ricochet::test {
namespace {

const io::Type& generator_type() { return *io::find_field(io::scene_schema(), nullptr, "generate")->type.element; }

const io::Field* repeat_field(std::string_view key) {
  const io::Value value = io::parse_document("{type: repeat}", "repeat.yaml");
  return io::find_field(generator_type(), &value, key);
}

TEST(SceneGenerateSchema, TemplatesAreOfTheTypesOfTheScene) {
  for (const char* key : {"bodies", "joints", "velocity_conditions", "contacts", "probes", "expect"}) {
    ASSERT_NE(repeat_field(key), nullptr) << key;
    EXPECT_TRUE(repeat_field(key)->type.is_template) << key;
    const io::Type& of_scene = io::find_field(io::scene_schema(), nullptr, key)->type;
    EXPECT_FALSE(of_scene.is_template) << key;
    EXPECT_EQ(repeat_field(key)->type.element, of_scene.element) << key;
  }
  EXPECT_FALSE(repeat_field("count")->type.is_template);
}

TEST(SceneGenerateSchema, WhatIsThereOnceOrComesBeforeCannotBeGenerated) {
  for (const char* key : {"parameters", "time", "integrator", "variants", "output", "gravity"}) {
    EXPECT_EQ(repeat_field(key), nullptr) << key;
  }
}

TEST(SceneGenerateSchema, GeneratorsContainGenerators) {
  ASSERT_NE(repeat_field("generate"), nullptr);
  EXPECT_EQ(repeat_field("generate")->type.element.get(), &generator_type());
}

}  // namespace
}  // namespace ricochet::test
