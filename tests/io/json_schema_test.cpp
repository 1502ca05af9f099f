#include "ricochet/io/json_schema.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "ricochet/io/scene_schema.hpp"

namespace ricochet::test {
namespace {

nlohmann::json parsed_schema() { return nlohmann::json::parse(io::json_schema()); }

TEST(JsonSchema, HasEveryKeyOfAScene) {
  const nlohmann::json schema = parsed_schema();
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], nlohmann::json({"ricochet", "time"}));
  EXPECT_EQ(schema["properties"].size(), io::scene_schema().fields.size());
  for (const io::Field& field : io::scene_schema().fields)
    EXPECT_TRUE(schema["properties"].contains(field.key)) << field.key;
}

TEST(JsonSchema, NumbersMayBeExpressions) {
  const nlohmann::json step = parsed_schema()["properties"]["time"]["properties"]["step"];
  EXPECT_EQ(step["type"], nlohmann::json({"number", "string"}));
  EXPECT_EQ(step["exclusiveMinimum"], 0);
}

TEST(JsonSchema, KeysOfAnAlternativeBelongToItsTag) {
  const nlohmann::json bodies = parsed_schema()["properties"]["bodies"];
  EXPECT_EQ(bodies["propertyNames"]["pattern"], "^[A-Za-z][A-Za-z0-9_-]*$");
  const nlohmann::json shape = bodies["additionalProperties"]["properties"]["shape"];
  EXPECT_EQ(shape["unevaluatedProperties"], false);
  ASSERT_EQ(shape["allOf"].size(), 10U);
  EXPECT_EQ(shape["allOf"][1]["if"]["properties"]["type"]["const"], "sphere");
  EXPECT_EQ(shape["allOf"][1]["then"]["required"], nlohmann::json({"radius"}));
}

TEST(JsonSchema, AnEndIsANameOrAMap) {
  const nlohmann::json start = parsed_schema()["properties"]["springs"]["additionalProperties"]["properties"]["start"];
  ASSERT_EQ(start["anyOf"].size(), 2U);
  EXPECT_EQ(start["anyOf"][0]["type"], "string");
  EXPECT_EQ(start["anyOf"][1]["required"], nlohmann::json({"body"}));
}

TEST(JsonSchema, WhatIsGeneratedIsWrittenAsInItsSection) {
  const nlohmann::json generator = parsed_schema()["properties"]["generate"]["additionalProperties"];
  ASSERT_EQ(generator["allOf"].size(), 6U);
  EXPECT_EQ(generator["allOf"][0]["if"]["properties"]["type"]["const"], "repeat");
  const nlohmann::json repeat = generator["allOf"][0]["then"]["properties"];
  EXPECT_EQ(repeat["count"]["maximum"], 1e6);
  EXPECT_EQ(repeat["bodies"]["additionalProperties"]["$ref"], "#/properties/bodies/additionalProperties");
  EXPECT_EQ(repeat["expect"]["$ref"], "#/properties/expect");
  EXPECT_EQ(repeat["generate"]["additionalProperties"]["$ref"], "#/properties/generate/additionalProperties");
  const std::regex names(repeat["bodies"]["propertyNames"]["pattern"].get<std::string>());
  for (const char* name : {"link-$i", "link-$(i - 1)", "$kind-1", "link"}) EXPECT_TRUE(std::regex_match(name, names));
  for (const char* name : {"link.$i", "2-$i", "link $i"}) EXPECT_FALSE(std::regex_match(name, names));
}

TEST(JsonSchema, DefaultsAreStated) {
  const nlohmann::json properties = parsed_schema()["properties"];
  EXPECT_EQ(properties["planar"]["default"], false);
  EXPECT_EQ(properties["solver"]["properties"]["max_iterations"]["default"], 10000);
  EXPECT_EQ(properties["solver"]["properties"]["name"]["default"], "auto");
}

}  // namespace
}  // namespace ricochet::test
