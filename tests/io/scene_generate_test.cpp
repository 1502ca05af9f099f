#include "ricochet/io/scene_generate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "io/scene_test_support.hpp"
#include "ricochet/io/scene_schema.hpp"
#include "ricochet/math/random.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::test {
namespace {

constexpr const char* kChainScene = R"(ricochet: 1
planar: true
gravity: [0, -9.81, 0]
parameters: {n: 3, length: 0.5, m: 2}
time: {end: 0.01, step: 1e-3}
bodies:
  base: {mass: 1, inertia: 1, fixed: [x, y, rz]}
joints:
  pin-1: {type: revolute, first: base, second: bar-1, at: [0, 0, 0]}
generate:
  bars:
    type: repeat
    count: n
    bodies:
      bar-$i: {mass: m*$i, inertia: m*length^2/12, position: [($i - 0.5)*length, 0, 0]}
    probes:
      height-$i: bar-$i.position.y
  pins:
    type: repeat
    from: 2
    count: n - 1
    joints:
      pin-$i: {type: revolute, first: bar-$(i-1), second: bar-$i, at: [($i - 1)*length, 0, 0]}
    expect:
      - {fact: pin $i is closed, probe: joint.pin-$i.error, bound: {below: 1e-10*length}, source: derived}
variants:
  heavy: {set: {bodies.bar-2.mass: 9}}
)";

std::string chain_with(std::string_view from, std::string_view to) {
  std::string text = kChainScene;
  const std::size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return position == std::string::npos ? text : text.replace(position, from.size(), to);
}

study::Case chain_case(std::string_view from = "", std::string_view to = "",
                       const std::vector<std::string>& overrides = {}, const std::string& variant = "") {
  return io::read_scene_text(chain_with(from, to), "chain.yaml", overrides, variant).run_case;
}

std::string chain_complaint(std::string_view from, std::string_view to,
                            const std::vector<std::string>& overrides = {}) {
  return input_complaint([&] { io::read_scene_text(chain_with(from, to), "chain.yaml", overrides); });
}

template <class Elements>
std::vector<std::string> names_in_order(const Elements& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}
using Names = std::vector<std::string>;

TEST(SceneGenerate, ElementsComeAfterThoseOfTheSceneInTheOrderOfTurns) {
  const study::Case scene = chain_case();
  EXPECT_EQ(names_in_order(scene.model.bodies), (Names{"base", "bar-1", "bar-2", "bar-3"}));
  EXPECT_EQ(names_in_order(scene.model.joints), (Names{"pin-1", "pin-2", "pin-3"}));
  EXPECT_EQ(names_in_order(scene.facts), (Names{"pin 2 is closed", "pin 3 is closed"}));
  EXPECT_EQ(scene.probes.find("height-3"), 2);
  EXPECT_EQ(scene.model.nodes[3].position, Vector3(1.25, 0, 0));
  EXPECT_EQ(scene.model.bodies[2].mass, 4);
}

TEST(SceneGenerate, TheStoredTextIsThatOfTheAuthor) { EXPECT_EQ(chain_case().source_text, kChainScene); }

TEST(SceneGenerate, ParametersVariantsAndOverridesComeFirst) {
  EXPECT_EQ(chain_case("", "", {"parameters.n=5"}).model.bodies.size(), 6U);
  EXPECT_EQ(chain_case("", "", {"generate.bars.count=4"}).model.bodies.size(), 5U);
  EXPECT_EQ(chain_case("", "", {"generate.bars.bodies.bar-$i.mass=$i^2"}).model.bodies[3].mass, 9);
}

TEST(SceneGenerate, OverridesReachWhatIsGenerated) {
  EXPECT_EQ(chain_case("", "", {"bodies.bar-3.mass=2*m + 1", "parameters.m=4"}).model.bodies[3].mass, 9);
  EXPECT_EQ(chain_case("", "", {"bodies.bar-2.velocity.2=0", "bodies.base.mass=7"}).model.bodies[0].mass, 7);
  EXPECT_EQ(chain_case("", "", {}, "heavy").model.bodies[2].mass, 9);
  EXPECT_EQ(chain_case("", "", {"bodies.bar-2.mass=11"}, "heavy").model.bodies[2].mass, 11);
}

// Facts with numbers that belong to the scene as written do not apply when a generated element is another.
TEST(SceneGenerate, AnOverrideOfAGeneratedElementChangesThePhysics) {
  const std::string from = "1e-10*length";
  EXPECT_EQ(chain_case(from, "1e-10").facts[0].not_applicable, "");
  EXPECT_NE(chain_case(from, "1e-10", {"bodies.bar-3.mass=2"}).facts[0].not_applicable, "");
  EXPECT_EQ(chain_case(from, "1e-10", {"bodies.bar-3.mass=m*3"}).facts[0].not_applicable, "");
}

TEST(SceneGenerate, NothingIsMadeInNoTurns) {
  const study::Case scene = chain_case("count: n\n", "count: 0\n", {"parameters.n=1", "joints.pin-1.second=world"});
  EXPECT_EQ(names_in_order(scene.model.bodies), Names{"base"});
  EXPECT_EQ(names_in_order(scene.model.joints), Names{"pin-1"});
}

TEST(SceneGenerate, EverySectionCanBeGenerated) {
  const std::string text = R"(ricochet: 1
parameters: {n: 2}
time: {end: 0.01, step: 1e-3}
generate:
  all:
    type: repeat
    index: k
    from: -1
    count: n
    materials: {steel$k: {density: 7000 + $k}}
    material_pairs: {pair$k: {between: [steel$k, steel$k], friction: "0.1*$k^2"}}
    bodies: {ball$k: {shape: {type: sphere, radius: 0.1}, material: steel$k, position: [0, 0, 1 + $k]}}
    surfaces: {floor$k: {type: plane, normal: [0, 0, 1], point: [0, 0, $k - 9], material: steel$k}}
    springs: {spring$k: {start: {body: world, at: [$k, 0, 0]}, end: ball$k, stiffness: 3}}
    joints: {rod$k: {type: distance, second: ball$k, at_first: [3, 0, 0]}}
    loads: {wind$k: {on: ball$k, force: [$k*t, 0, 0]}}
    drivers: {belt$k: {surface: floor$k, velocity: [$k, 0, 0]}}
    contacts: {ground$k: {between: [ball$k, floor$k]}}
    probes: {push$k: driver.belt$k.force.x - $k}
    expect: [{fact: "$k $$", probe: push$k, value: $k, tolerance: {absolute: 1}, source: derived}]
)";
  const study::Case scene = io::read_scene_text(text, "all.yaml").run_case;
  const model::Model& model = scene.model;
  EXPECT_EQ(names_in_order(model.materials), (Names{"steel-1", "steel0"}));
  EXPECT_EQ(names_in_order(model.bodies), (Names{"ball-1", "ball0"}));
  EXPECT_EQ(names_in_order(model.surfaces), (Names{"floor-1", "floor0"}));
  EXPECT_EQ(names_in_order(model.springs), (Names{"spring-1", "spring0"}));
  EXPECT_EQ(names_in_order(model.joints), (Names{"rod-1", "rod0"}));
  EXPECT_EQ(names_in_order(model.loads), (Names{"wind-1", "wind0"}));
  EXPECT_EQ(names_in_order(model.drivers), (Names{"belt-1", "belt0"}));
  EXPECT_EQ(names_in_order(model.contacts), (Names{"ground-1", "ground0"}));
  EXPECT_EQ(names_in_order(scene.facts), (Names{"-1 $", "0 $"}));
  EXPECT_EQ(scene.facts[0].expected, -1);
  EXPECT_EQ(model.contacts[0].material_laws[0].law.friction.at(0), 0.1);  // 0.1*(-1)^2
  EXPECT_EQ(model.loads[0].force[0].value(3), -3);
  EXPECT_EQ(model.nodes[0].position.z(), 0);
}

TEST(SceneGenerate, GeneratorsMayContainGenerators) {
  const std::string text = R"(ricochet: 1
parameters: {rows: 3, a: 0.5}
time: {end: 0.01, step: 1e-3}
generate:
  pyramid:
    type: repeat
    index: row
    count: rows
    generate:
      bricks:
        type: repeat
        index: k
        from: $row
        count: rows + 1 - $row
        bodies:
          brick-$row-$(k - row + 1): {mass: $(row*k), position: [$k*a, $row*a, 0]}
    bodies:
      post-$row: {mass: 1, position: [0, 0, $row]}
)";
  const study::Case scene = io::read_scene_text(text, "pyramid.yaml").run_case;
  EXPECT_EQ(names_in_order(scene.model.bodies), (Names{"brick-1-1", "brick-1-2", "brick-1-3", "post-1", "brick-2-1",
                                                       "brick-2-2", "post-2", "brick-3-1", "post-3"}));
  EXPECT_EQ(scene.model.nodes[5].position, Vector3(1.5, 1, 0));
  EXPECT_EQ(scene.model.bodies[5].mass, 6);
}

// Every type that the schema knows has a function.
TEST(SceneGenerate, EveryTypeOfTheSchemaDoesSomething) {
  const std::map<std::string, std::string> settings = {
      {"repeat", "count: 1, bodies: {b: {mass: 1}}"},
      {"grid", "count: [1, 1, 1], spacing: 1, body: {mass: 1}"},
      {"pile", "count: 1, spacing: 1, footprint: [1, 1], body: {mass: 1, inertia: 1}"},
      {"wall", "layers: 1, blocks: 1, size: [1, 1, 1], body: {mass: 1}"},
      {"arch", "count: 2, inner_radius: 1, thickness: 1, body: {mass: 1}"},
      {"tower", "count: 1, size: [1, 1, 1], body: {mass: 1}"},
  };
  const io::Type& generator = *io::find_field(io::scene_schema(), nullptr, "generate")->type.element;
  EXPECT_FALSE(generator.alternatives.empty());
  for (const io::Alternative& type : generator.alternatives) {
    const std::string text =
        fmt::format("{{ricochet: 1, time: {{end: 1, step: 1}}, generate: {{it: {{type: {}, {}}}}}}}", type.name,
                    settings.at(type.name));
    EXPECT_EQ(io::read_scene_text(text, "type.yaml").run_case.model.bodies.size(), type.name == "arch" ? 2U : 1U)
        << type.name;
  }
}

TEST(SceneGenerate, SectionsOfNamedElementsAreKnown) {
  EXPECT_TRUE(io::is_generated_section("bodies"));
  EXPECT_TRUE(io::is_generated_section("probes"));
  EXPECT_FALSE(io::is_generated_section("expect"));
  EXPECT_FALSE(io::is_generated_section("parameters"));
  EXPECT_FALSE(io::is_generated_section("generate"));
  EXPECT_FALSE(io::is_generated_section("count"));
}

TEST(SceneGenerateBadInput, MessagesNameTheTurn) {
  EXPECT_EQ(
      chain_complaint("mass: m*$i", "mass: m*(2 - $i)"),
      "chain.yaml:15:22: in generate.bars with i = 2: 'bodies.bar-2.mass' must be greater than 0, but 'm*(2 - 2)' "
      "is 0");
  EXPECT_EQ(
      chain_complaint("first: bar-$(i-1)", "first: bra-$(i-1)"),
      "chain.yaml:23:39: in generate.pins with i = 2: there is no body 'bra-1', which 'joints.pin-2.first' names; "
      "did you mean 'bar-1'?");
  EXPECT_EQ(
      chain_complaint("at: [($i - 1)", "at_first: [0, 0, 0], at_second: [($i - 1)"),
      "chain.yaml:23:15: in generate.pins with i = 2: the points of 'joints.pin-2' on its two sides are 1 m apart "
      "at the start (0.444 of the size of the machine, 2.25 m); move one of them, or raise 'assembly.tolerance' "
      "(0.01)");
  EXPECT_EQ(
      chain_complaint("fact: pin $i", "fact: pin"),
      "chain.yaml:25:9: in generate.pins with i = 3: there are two facts 'pin is closed'; give one of them another "
      "name");
  EXPECT_EQ(chain_complaint("bar-$i.position.y", "bar-$i.position.w").substr(0, 57),
            "chain.yaml:17:18: in generate.bars with i = 1: in 'probes");
}

TEST(SceneGenerateBadInput, WhatDoesNotDependOnTheTurnIsSaidOfTheTemplate) {
  EXPECT_EQ(chain_complaint("mass: m*$i", "masss: 1"),
            "chain.yaml:15:16: unknown key 'masss' in 'generate.bars.bodies.bar-$i'; did you mean 'mass'?");
  EXPECT_EQ(chain_complaint("mass: m*$i", "mass: -1", {"generate.bars.count=0"}),
            "chain.yaml:15:22: 'generate.bars.bodies.bar-$i.mass' must be greater than 0, but is -1 (read with --set "
            "generate.bars.count=0)");
  EXPECT_EQ(chain_complaint("type: revolute, first: bar-$", "first: bar-$"),
            "chain.yaml:23:15: the key 'type' is missing in 'generate.pins.joints.pin-$i'; it must be one of ball, "
            "revolute, universal, cylindrical, prismatic, planar, fixed, distance, screw, gear, coupler, drive");
  EXPECT_EQ(chain_complaint("($i - 0.5)*length", "(i - 0.5)*length"),
            "chain.yaml:15:64: in 'generate.bars.bodies.bar-$i.position.0': 'i' is not known here; did you mean '$i'?");
  EXPECT_EQ(chain_complaint("position: [($i - 0.5)*length, 0, 0]", "position: $i"),
            "chain.yaml:15:62: 'generate.bars.bodies.bar-$i.position' must be a list of 3 numbers, but it is '$i'");
}

TEST(SceneGenerateBadInput, SettingsOfGeneratorsAreChecked) {
  EXPECT_EQ(chain_complaint("count: n\n", "conut: n\n"),
            "chain.yaml:13:5: unknown key 'conut' in 'generate.bars'; did you mean 'count'?");
  EXPECT_EQ(chain_complaint("    count: n\n", ""),
            "chain.yaml:12:5: the key 'count' is missing in 'generate.bars'; it must be a whole number");
  EXPECT_EQ(chain_complaint("count: n\n", "count: n/2\n"),
            "chain.yaml:13:12: 'generate.bars.count' must be a whole number, but 'n/2' is 1.5");
  EXPECT_EQ(chain_complaint("count: n\n", "count: -1\n"),
            "chain.yaml:13:12: 'generate.bars.count' must be between 0 and 1000000, but is -1");
  EXPECT_EQ(chain_complaint("count: n\n", "count: 1000001\n"),
            "chain.yaml:13:12: 'generate.bars.count' must be between 0 and 1000000, but is 1000001");
  EXPECT_EQ(chain_complaint("type: repeat", "type: repaet"),
            "chain.yaml:12:11: 'generate.bars.type' must be one of repeat, grid, pile, wall, arch, tower, but it is "
            "'repaet'; did you mean 'repeat'?");
  EXPECT_EQ(chain_complaint("  bars:\n", "  2bars:\n"),
            "chain.yaml:11:3: '2bars' cannot be the name of a generator: names consist of letters, digits, '-' and '_' "
            "and begin with a letter");
  EXPECT_EQ(chain_complaint("probes:\n", "parameters:\n").substr(0, 62),
            "chain.yaml:16:5: unknown key 'parameters' in 'generate.bars'; ");
  EXPECT_EQ(chain_complaint("count: n\n", "count: $n\n").substr(0, 44), "chain.yaml:13:12: in 'generate.bars.count': ");
}

TEST(SceneGenerateBadInput, AnIndexHasANameOfItsOwn) {
  EXPECT_EQ(chain_complaint("count: n\n", "count: n\n    index: m\n"),
            "chain.yaml:14:12: the index 'm' of 'generate.bars' has the name of a parameter; choose another with "
            "'index'");
  for (const char* name : {"row-1", "sin", "1", "pi"}) {
    EXPECT_EQ(chain_complaint("count: n\n", fmt::format("count: n\n    index: {}\n", name)),
              fmt::format("chain.yaml:14:12: '{}' cannot be the name of an index: it consists of letters, digits and "
                          "'_', begins with a letter, and is not a function or constant",
                          name));
  }
  EXPECT_EQ(
      chain_complaint("    bodies:\n      bar",
                      "    generate: {twice: {type: repeat, count: 2}}\n    bodies:\n      bar"),
      "chain.yaml:14:23: in generate.bars with i = 1: the index 'i' of 'generate.bars.generate.twice' is also that "
      "of a generator around it; choose another with 'index'");
}

TEST(SceneGenerateBadInput, NamesThatExistAreRefused) {
  EXPECT_EQ(
      chain_complaint("      bar-$i: {", "      bar: {"),
      "chain.yaml:15:7: in generate.bars with i = 2: there is a body 'bar' already, made in generate.bars with i = "
      "1; names must differ");
  EXPECT_EQ(chain_complaint("pin-$i: {", "pin-$(i-1): {"),
            "chain.yaml:23:7: in generate.pins with i = 2: there is a joint 'pin-1' already, in line 9; names must "
            "differ");
  EXPECT_EQ(chain_complaint("      bar-$i: {", "      bar.$i: {"),
            "chain.yaml:15:7: in generate.bars with i = 1: 'bar.1' cannot be the name of a body: names consist of "
            "letters, digits, '-' and '_' and begin with a letter");
}

TEST(SceneGenerateBadInput, InnerGeneratorsNameAllIndices) {
  const std::string inner =
      "    generate: {inner: {type: repeat, index: j, count: $i, bodies: {x-$i-$j: {mass: 5 - $i - $j}}}}\n    "
      "bodies:\n"
      "      bar";
  EXPECT_EQ(chain_complaint("    bodies:\n      bar", inner),
            "chain.yaml:14:84: in generate.bars.generate.inner with i = 3, j = 2: 'bodies.x-3-2.mass' must be greater "
            "than 0, but '5 - 3 - 2' is 0");
  EXPECT_EQ(
      chain_complaint("    bodies:\n      bar", std::string(inner).replace(inner.find("$i,"), 2, "$i/2")),
      "chain.yaml:14:55: in generate.bars with i = 1: 'generate.bars.generate.inner.count' must be a whole number, "
      "but '1/2' is 0.5");
}

TEST(SceneGenerateBadInput, OverridesOfWhatIsNotGeneratedAreRefused) {
  EXPECT_EQ(chain_complaint("", "", {"bodies.bar-4.mass=1"}),
            "--set bodies.bar-4.mass=1: there is no body 'bar-4'; did you mean 'bar-1'?");
  EXPECT_EQ(chain_complaint("", "", {"bodies.bar-3.masss=1"}),
            "--set bodies.bar-3.masss=1: unknown key 'masss' in 'bodies.bar-3'; did you mean 'mass'?");
  EXPECT_EQ(chain_complaint("", "", {"parameters.k=1"}).substr(0, 46),
            "--set parameters.k=1: there is no parameter 'k");
  EXPECT_EQ(chain_complaint("", "", {"generate.brs.count=1"}),
            "--set generate.brs.count=1: there is no generator 'brs'; did you mean 'bars'?");
}

TEST(SceneGenerateBadInput, SectionsThatAreNoSectionsAreRefusedAsEver) {
  EXPECT_EQ(chain_complaint("generate:\n", "springs: 3\ngenerate:\n  s: {type: repeat, count: 1, springs: {}}\n"),
            "chain.yaml:10:10: 'springs' must be a map from names to elements, but it is '3'");
  EXPECT_EQ(chain_complaint("variants:", "expect: 3\nvariants:"),
            "chain.yaml:26:9: 'expect' must be a list of maps with the keys fact, probe, take, at, event, order, over, "
            "value, tolerance, bound, source, when, but it is '3'");
  EXPECT_EQ(input_complaint([] { io::read_scene_text("{ricochet: 1, time: {end: 1, step: 1}, generate: []}", "x"); }),
            "x:1:50: 'generate' must be a map from names to elements, but it is a list of 0 entries");
}

// A million times a million turns would take longer than anybody waits, also without elements.
TEST(SceneGenerateBadInputSlow, ThereIsAnEndToRepetition) {
  const std::string text =
      "{ricochet: 1, time: {end: 1, step: 1}, generate: {a: {type: repeat, count: 1e6, generate: "
      "{b: {type: repeat, index: j, count: 1e6}}}}}";
  EXPECT_EQ(input_complaint([&] { io::read_scene_text(text, "x"); }),
            "x:1:95: in generate.a with i = 2: 'generate' takes more than 2000000 turns; check its counts");
}

TEST(SceneGenerateBadInput, SingleMistypedCharactersNeverCrash) {
  const std::string alphabet = "{}[]:,-#$$$$()'\" \n0123456789eijn";
  math::Random random(20250611);
  int read = 0, refused = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text = kChainScene;
    const auto begin = static_cast<double>(text.find("generate:"));
    const auto position = static_cast<std::size_t>(random.uniform(begin, static_cast<double>(text.size())));
    const char character = alphabet[static_cast<std::size_t>(random.uniform(0, static_cast<double>(alphabet.size())))];
    if (trial % 3 == 0) text[position] = character;
    if (trial % 3 == 1) text.insert(position, 1, character);
    if (trial % 3 == 2) text.erase(position, 1);
    try {
      io::read_scene_text(text, "chain.yaml");
      ++read;
    } catch (const io::InputError& error) {
      ++refused;
      EXPECT_TRUE(std::string(error.what()).starts_with("chain.yaml")) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 1000);
}

// A scene with repeated elements is the scene in which they are written out, to the last bit.
TEST(SceneGenerateProperty, IsTheSameAsWritingOut) {
  math::Random random(11);
  for (int trial = 0; trial < 20; ++trial) {
    const int count = static_cast<int>(random.uniform(1, 8));
    const int from = static_cast<int>(random.uniform(0, 5));
    const double length = random.uniform(0.1, 2), mass = random.uniform(0.1, 5);
    const std::string head = fmt::format(
        "ricochet: 1\nparameters: {{n: {}, length: {}, m: {}}}\ngravity: [1, -2, 3]\ntime: {{end: 0.02, step: 2e-3}}\n",
        count, length, mass);
    const std::string body =
        "{{mass: m + {0}/n, shape: {{type: sphere, radius: 0.1*length}}, "
        "position: [{0}*length, 0, 0], velocity: [0, 0, sin({0})]}}\n";
    const std::string spring =
        "{{start: {{body: {1}, at: [0, 0.01, 0]}}, end: ball-{0}, stiffness: 10*{0} + 1, damping: {0}/100}}\n";
    std::string written = head + "bodies:\n";
    for (int i = from; i < from + count; ++i) {
      written += fmt::format("  ball-{}: ", i) + fmt::format(fmt::runtime(body), i);
    }
    written += "springs:\n";
    for (int i = from; i < from + count; ++i) {
      const std::string before = i == from ? "world" : fmt::format("ball-{}", i - 1);
      written += fmt::format("  rod-{}: ", i) + fmt::format(fmt::runtime(spring), i, before);
    }
    std::string repeated = head + fmt::format("springs:\n  rod-{}: ", from);
    repeated += fmt::format(fmt::runtime(spring), from, "world");
    repeated += fmt::format(
        "generate:\n  balls:\n    type: repeat\n    from: {}\n    count: n\n    bodies:\n      ball-$i: ", from);
    repeated += fmt::format(fmt::runtime(body), "$i");
    repeated += fmt::format(
        "  rods:\n    type: repeat\n    index: k\n    from: {}\n    count: n - 1\n    springs:\n      rod-$k: ",
        from + 1);
    repeated += fmt::format(fmt::runtime(spring), "$k", "ball-$(k-1)");

    const study::Case first = io::read_scene_text(written, "written.yaml").run_case;
    const study::Case second = io::read_scene_text(repeated, "repeated.yaml").run_case;
    EXPECT_EQ(names_in_order(first.model.bodies), names_in_order(second.model.bodies));
    EXPECT_EQ(names_in_order(first.model.springs), names_in_order(second.model.springs));
    const auto hash = [](const study::Case& scene) {
      simulation::Simulation run(scene.model, scene.settings);
      while (run.snapshot().step_index < run.step_count() && run.step()) {
      }
      return simulation::state_hash(run.snapshot());
    };
    EXPECT_EQ(hash(first), hash(second)) << repeated;
  }
}

TEST(SceneGenerateProperty, TenThousandBodiesAreRead) {
  const std::string text =
      "{ricochet: 1, time: {end: 1, step: 1}, generate: {a: {type: repeat, count: 1e4, bodies: "
      "{ball-$i: {shape: {type: sphere, radius: 1/$i}, mass: 2*$i, position: [$i, 0, $(i - 1)]}}}}}";
  const study::Case scene = io::read_scene_text(text, "many.yaml").run_case;
  ASSERT_EQ(scene.model.bodies.size(), 10000U);
  EXPECT_EQ(scene.model.bodies.back().mass, 20000);
  EXPECT_EQ(scene.model.nodes.back().position, Vector3(10000, 0, 9999));
}

TEST(SceneGenerateBadInputSlow, ThereIsAnEndToElements) {
  const std::string text =
      "{ricochet: 1, time: {end: 1, step: 1}, generate: {a: {type: repeat, count: 2, generate: "
      "{b: {type: repeat, index: j, count: 1e6, materials: {m-$i-$j: {}}}}}}}";
  EXPECT_EQ(
      input_complaint([&] { io::read_scene_text(text, "x"); }),
      "x:1:142: in generate.a.generate.b with i = 2, j = 1: 'generate' makes more than 1000000 elements; check its "
      "counts");
}

}  // namespace
}  // namespace ricochet::test
