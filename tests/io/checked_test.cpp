#include "ricochet/io/checked.hpp"

#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

const io::Type& machine_type() {
  static const io::Type type = io::group({
      io::required("mass", io::number("kg").above(0), "Mass."),
      io::optional("at", io::vector("m"), "[1, 2, 3]", "Place."),
      io::optional("count", io::integer(), "4", "Count."),
      io::optional_without_default("free", io::any_of({io::number(), io::vector()}), "none", "Any."),
  });
  return type;
}

TEST(Checked, WhatIsNotWrittenIsReadFromItsDefault) {
  const io::SceneNames names;
  const io::Value value = io::parse_document("mass: 2*3\ncount: 7", "m.yaml");
  io::check(value, machine_type(), "", value, names);
  const io::Entry entry(value, machine_type(), "", names);
  EXPECT_EQ(entry["mass"].number(), 6);
  EXPECT_TRUE(entry["mass"].is_written());
  EXPECT_EQ(entry["at"].vector(), Vector3(1, 2, 3));
  EXPECT_FALSE(entry["at"].is_written());
  EXPECT_TRUE(entry["at"].exists());
  EXPECT_EQ(entry["count"].integer(), 7);
  EXPECT_FALSE(entry["free"].exists());
}

TEST(Checked, FormsAreToldApartByHowTheyAreWritten) {
  const io::SceneNames names;
  for (const auto& [text, is_list] :
       {std::pair("{mass: 1, free: 3}", false), std::pair("{mass: 1, free: [1, 2, 3]}", true)}) {
    const io::Value value = io::parse_document(text, "m.yaml");
    io::check(value, machine_type(), "", value, names);
    EXPECT_EQ(io::Entry(value, machine_type(), "", names)["free"].type().kind == io::TypeKind::list, is_list);
  }
}

TEST(Checked, AMissingValueIsAtThePlaceOfItsGroup) {
  const io::SceneNames names;
  const io::Value value = io::parse_document("\n\n  {mass: 1}", "m.yaml");
  const io::Entry entry(value, machine_type(), "machine", names);
  EXPECT_EQ(entry["at"].path(), "machine.at");
  EXPECT_EQ(entry["at"].place().text(), "m.yaml:3:3");
  EXPECT_EQ(input_complaint([&] { entry["at"].refuse("no"); }), "m.yaml:3:3: no");
}

TEST(Checked, PatternsMatchLikeInAShell) {
  EXPECT_TRUE(io::matches_pattern("ball-*", "ball-"));
  EXPECT_TRUE(io::matches_pattern("ball-*", "ball-12"));
  EXPECT_TRUE(io::matches_pattern("*-1?", "ball-12"));
  EXPECT_TRUE(io::matches_pattern("*a*b*", "xxaxxbxx"));
  EXPECT_TRUE(io::matches_pattern("*", ""));
  EXPECT_FALSE(io::matches_pattern("ball-?", "ball-12"));
  EXPECT_FALSE(io::matches_pattern("ball", "ball-1"));
  EXPECT_FALSE(io::matches_pattern("", "a"));
  EXPECT_FALSE(io::matches_pattern(std::string(200, '*') + "b", std::string(2000, 'a')));
  EXPECT_TRUE(io::is_pattern("a?"));
  EXPECT_FALSE(io::is_pattern("a-b"));
}

TEST(CheckedBadInput, TheWholeTreeIsChecked) {
  const io::SceneNames names;
  const auto complaint = [&](std::string_view text) {
    const io::Value value = io::parse_document(text, "m.yaml");
    return input_complaint([&] { io::check(value, machine_type(), "machine", value, names); });
  };
  EXPECT_EQ(complaint("{mass: 1, at: [1, 2, x]}"), "m.yaml:1:22: in 'machine.at.2': 'x' is not known here");
  EXPECT_EQ(complaint("{mass: 1, free: {a: 1}}"),
            "m.yaml:1:17: 'machine.free' must be a number or a list of 3 numbers, but it is a map");
  EXPECT_EQ(complaint("{mass: 1, free: [1]}"),
            "m.yaml:1:17: 'machine.free' must be a list of 3 numbers, but it is a list of 1 entry");
  EXPECT_EQ(complaint("{mass: 1, count: 1.5}"), "m.yaml:1:18: 'machine.count' must be a whole number, but is 1.5");
}

// Of a template everything is checked that does not wait for a placeholder, or for names that are yet to come.
TEST(CheckedBadInput, TemplatesAreCheckedButForTheirPlaceholders) {
  const io::SceneNames names;
  io::Type machines =
      io::section("machine", io::group({
                                 io::required("mass", io::number("kg").above(0), "Mass."),
                                 io::optional_without_default("on", io::reference({"machines"}), "", ""),
                             }));
  machines.is_template = true;
  const auto complaint = [&](std::string_view text) {
    const io::Value value = io::parse_document(text, "m.yaml");
    return input_complaint([&] { io::check(value, machines, "generate.x", value, names); });
  };
  EXPECT_EQ(complaint("{a-$i: {mass: $i - 3, on: anything}}"), "");
  EXPECT_EQ(complaint("{a-$i: {mass: 0}}"), "m.yaml:1:15: 'generate.x.a-$i.mass' must be greater than 0, but is 0");
  EXPECT_EQ(complaint("{a-$i: {mass: [$i]}}"),
            "m.yaml:1:15: 'generate.x.a-$i.mass' must be a number, but it is a list of 1 entry");
  EXPECT_EQ(complaint("{a-$i: {on: b-$i}}"),
            "m.yaml:1:8: the key 'mass' is missing in 'generate.x.a-$i'; it must be a number, in kg");
  EXPECT_EQ(complaint("{a.b: {mass: 1}}").substr(0, 49), "m.yaml:1:2: 'a.b' cannot be the name of a machine");
}

}  // namespace
}  // namespace ricochet::test
