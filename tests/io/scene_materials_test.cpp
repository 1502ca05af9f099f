#include "ricochet/io/scene_materials.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

constexpr const char* kMaterialScene = R"(ricochet: 1
time: {end: 1, step: 0.1}
parameters: {grip: 0.9}
materials:
  steel: {density: 7800}
  rubber: {density: 1200}
  concrete: {}
material_pairs:
  dull: {between: [rubber, concrete], friction: grip, restitution: 0.6, tangential_restitution: -0.5}
  hard: {between: [steel, steel], restitution: 0.95}
  soft: {between: [concrete, steel], friction: 0.3 + 0.1*exp(-speed), restitution: 0.2}
bodies:
  ball: {shape: {type: sphere, radius: 1}, material: steel}
  tyre: {shape: {type: sphere, radius: 1}, material: rubber, position: [3, 0, 0]}
  bead: {shape: {type: sphere, radius: 1}, material: steel, mass: 3, position: [6, 0, 0]}
surfaces:
  floor: {type: plane, normal: [0, 0, 1], material: concrete}
contacts:
  ground: {between: [[ball, tyre, bead], floor]}
)";

std::string material_scene_with(std::string_view from, std::string_view to) {
  std::string text = kMaterialScene;
  const std::size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return text.replace(position, from.size(), to);
}

model::Model material_model(std::string_view from = "ricochet", std::string_view to = "ricochet") {
  return io::read_scene_text(material_scene_with(from, to), "materials.yaml").run_case.model;
}

std::string material_complaint(std::string_view from, std::string_view to) {
  return input_complaint([&] { io::read_scene_text(material_scene_with(from, to), "materials.yaml"); });
}

const model::ContactLaw& law_of(const model::Model& model, int rule, int material_a, int material_b) {
  const model::ContactRule& contact = model.contacts[rule];
  const int place = model::law_place(contact, {material_a}, {material_b});
  return place == 0 ? contact.law : contact.material_laws[place - 1].law;
}

TEST(SceneMaterials, GiveTheDensityWhereNothingElseDoes) {
  const model::Model model = material_model();
  const double volume = 4 * M_PI / 3;
  EXPECT_DOUBLE_EQ(model.bodies[0].mass, 7800 * volume);
  EXPECT_DOUBLE_EQ(model.bodies[1].mass, 1200 * volume);
  EXPECT_EQ(model.bodies[2].mass, 3);
  const model::Model own = material_model("tyre: {", "tyre: {density: 100, ");
  EXPECT_DOUBLE_EQ(own.bodies[1].mass, 100 * volume);
}

TEST(SceneMaterials, PartsMayBeOfTheirOwn) {
  const std::string parts =
      "tyre: {parts: {hub: {shape: {type: sphere, radius: 1}, material: steel}, rim: {shape: {type: sphere, radius: "
      "1}, "
      "position: [0, 0, 4]}, cap: {shape: {type: sphere, radius: 1}, mass: 5, position: [0, 4, 0]}}, ";
  const model::Model model = material_model("tyre: {shape: {type: sphere, radius: 1}, ", parts);
  const double volume = 4 * M_PI / 3;
  EXPECT_DOUBLE_EQ(model.bodies[1].mass, 7800 * volume + 1200 * volume + 5);
  EXPECT_EQ(model.bodies[1].parts[0].material.index, 0);
  EXPECT_EQ(model.bodies[1].parts[1].material.index, 1);
  // A mass of the whole body is spread evenly, whatever the parts are made of.
  const model::Model whole = material_model("tyre: {shape: {type: sphere, radius: 1}, ",
                                            "tyre: {mass: 9, parts: {hub: {shape: {type: sphere, radius: 1}, "
                                            "material: steel}, rim: {shape: {type: sphere, radius: 1}, "
                                            "position: [0, 0, 4]}}, ");
  EXPECT_DOUBLE_EQ(whole.bodies[1].mass, 9);
  EXPECT_NEAR((whole.bodies[1].parts[0].position - Vector3(0, 0, -2)).norm(), 0, 1e-12);
}

TEST(SceneMaterials, ARuleTakesTheLawsOfItsPairs) {
  const model::Model model = material_model();
  ASSERT_EQ(model.contacts[0].material_laws.size(), 2u);  // steel and rubber on concrete
  const model::ContactLaw& rubber = law_of(model, 0, 2, 1);
  EXPECT_EQ(rubber.friction.at(0), 0.9);
  EXPECT_EQ(rubber.restitution.at(0), 0.6);
  EXPECT_EQ(rubber.tangential_restitution, -0.5);
  const model::ContactLaw& steel = law_of(model, 0, 0, 2);
  EXPECT_DOUBLE_EQ(steel.friction.at(1), 0.3 + 0.1 * std::exp(-1.0));
  EXPECT_EQ(steel.restitution.at(0), 0.2);
  EXPECT_EQ(steel.tangential_restitution, 0);
}

TEST(SceneMaterials, KeysOfTheRuleOverrideThoseOfThePair) {
  const model::Model model = material_model("tyre, bead], floor]", "tyre, bead], floor], restitution: 0");
  EXPECT_EQ(law_of(model, 0, 2, 1).friction.at(0), 0.9);
  EXPECT_EQ(law_of(model, 0, 2, 1).restitution.at(0), 0);
  EXPECT_EQ(law_of(model, 0, 0, 2).restitution.at(0), 0);
}

TEST(SceneMaterials, WithoutATableOrWithoutMaterialsTheDefaultsHold) {
  std::string text = kMaterialScene;
  const std::size_t from = text.find("material_pairs"), to = text.find("bodies:");
  const model::Model none = io::read_scene_text(text.erase(from, to - from), "materials.yaml").run_case.model;
  EXPECT_TRUE(none.contacts[0].material_laws.empty());
  EXPECT_EQ(none.contacts[0].law.friction.at(0), 0);
  const model::Model complete = material_model(
      "contacts:", "contacts:\n  balls: {between: [tyre, [ball, bead]], friction: 0.4, restitution: 0.1}");
  EXPECT_EQ(law_of(complete, 0, 0, 1).friction.at(0), 0.4);  // not in the table, but the rule says all
}

TEST(SceneMaterialsBadInput, AMissingPairIsNamed) {
  EXPECT_EQ(
      material_complaint("contacts:", "contacts:\n  balls: {between: [ball, tyre], friction: 0.1}"),
      "materials.yaml:19:10: 'contacts.balls' lets 'ball' (steel) touch 'tyre' (rubber), but 'material_pairs' has "
      "no law between steel and rubber; add one, or write friction and restitution in the rule");
  EXPECT_EQ(
      material_complaint(", material: concrete}", "}"),
      "materials.yaml:19:11: 'contacts.ground' lets 'ball' (steel) touch 'floor', which has no material, so "
      "'material_pairs' cannot give their law; give it a material, or write friction and restitution in the rule");
  // A pair that is excepted needs no law.
  EXPECT_EQ(material_complaint("contacts:",
                               "contacts:\n  balls: {between: [[ball, bead], [tyre, bead]], except: "
                               "[[tyre, [ball, bead]]]}"),
            "");
}

TEST(SceneMaterialsBadInput, WhatIsWrongIsSaid) {
  EXPECT_THAT(material_complaint("material: steel", "material: stel"),
              HasSubstr("there is no material 'stel', which 'bodies.ball.material' names; did you mean 'steel'?"));
  EXPECT_THAT(material_complaint("between: [steel, steel]", "between: [concrete, rubber]"),
              HasSubstr("'material_pairs.hard' gives a second law for 'concrete' with 'rubber'; delete one of them"));
  EXPECT_THAT(material_complaint("material: steel}", "material: concrete}"),
              HasSubstr("'bodies.ball' has no mass: give it a 'mass' or a 'density' (its material 'concrete' has no "
                        "density)"));
  EXPECT_THAT(material_complaint("restitution: 0.95", "restitution: 1.5"),
              HasSubstr("'material_pairs.hard.restitution' must be between 0 and 1, but is 1.5"));
  EXPECT_THAT(material_complaint("density: 7800", "density: 0"), HasSubstr("must be greater than 0"));
}

TEST(SceneMaterialsBadInput, SpeedIsAFreeNameOnlyInCoefficients) {
  EXPECT_THAT(material_complaint("grip: 0.9", "grip: 0.9, speed: 2"),
              HasSubstr("'speed' in 'material_pairs.soft.friction' is the speed of the contact, but the scene also has "
                        "a parameter 'speed'; give the parameter another name"));
  EXPECT_THAT(material_complaint("exp(-speed)", "exp(-sped)"), HasSubstr("did you mean 'speed'?"));
  EXPECT_THAT(material_complaint("density: 7800", "density: speed"), HasSubstr("in 'materials.steel.density'"));
}

// The bound of Frémond's law is that of the worst restitution: 1 for a function of speed.
TEST(SceneMaterialsBadInput, FremondLooksAtTheLawsOfMaterials) {
  const std::string text = std::string(kMaterialScene) + "integrator: {impact: fremond, theta: 0.7}\n";
  EXPECT_THAT(input_complaint([&] { io::read_scene_text(text, "materials.yaml"); }),
              HasSubstr("the restitution 0.6 of contact 'ground' can create energy"));
  EXPECT_EQ(input_complaint([&] { io::read_scene_text(text, "materials.yaml", {"integrator.theta=0.62"}); }), "");
  const std::vector<std::string> function = {"material_pairs.dull.restitution=0.1/(1 + speed)",
                                             "integrator.theta=0.51"};
  EXPECT_THAT(
      input_complaint([&] { io::read_scene_text(text, "materials.yaml", function); }),
      HasSubstr("the restitution 0.1/(1 + speed) of contact 'ground', a function of speed that may reach 1, can "
                "create energy: theta may be at most 1/(1 + restitution) = 0.5."));
  EXPECT_EQ(input_complaint([&] {
              io::read_scene_text(text, "materials.yaml",
                                  {"material_pairs.dull.restitution=0.1/(1 + speed)", "integrator.theta=0.5"});
            }),
            "");
}

}  // namespace
}  // namespace ricochet::test
