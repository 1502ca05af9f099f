#include "ricochet/io/scene_schema.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

// Calls `visit` for every field of the schema. What is in templates is also in the sections that they are of.
void for_each_field(const io::Type& type, const std::function<void(const io::Field&)>& visit) {
  if (type.is_template) return;
  const auto enter = [&](const std::vector<io::Field>& fields) {
    for (const io::Field& field : fields) {
      visit(field);
      for_each_field(field.type, visit);
    }
  };
  enter(type.fields);
  for (const io::Alternative& alternative : type.alternatives) enter(alternative.fields);
  for (const io::Type& form : type.forms) for_each_field(form, visit);
  if (type.element) for_each_field(*type.element, visit);
}

TEST(SceneSchema, EveryKeyHasAMeaningAndSaysWhatItsAbsenceMeans) {
  int count = 0;
  for_each_field(io::scene_schema(), [&](const io::Field& field) {
    ++count;
    EXPECT_FALSE(field.meaning.empty()) << field.key;
    EXPECT_TRUE(field.meaning.ends_with('.')) << field.key;
    EXPECT_NE(field.required, !field.default_text.empty()) << field.key;
  });
  EXPECT_GT(count, 60);
}

TEST(SceneSchema, DefaultsHaveTheTypeOfTheirField) {
  for_each_field(io::scene_schema(), [&](const io::Field& field) {
    EXPECT_TRUE(!field.default_value || field.type.resembles(*field.default_value)) << field.key;
  });
}

TEST(SceneSchema, EveryWordOfATagHasAnAlternative) {
  const std::function<void(const io::Type&)> check_type = [](const io::Type& type) {
    if (type.tag.empty()) return;
    const io::Field* tag = io::find_field(type, nullptr, type.tag);
    ASSERT_NE(tag, nullptr);
    ASSERT_EQ(tag->type.choices.size(), type.alternatives.size());
    for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
      EXPECT_EQ(tag->type.choices[i], type.alternatives[i].name);
    }
  };
  for_each_field(io::scene_schema(), [&](const io::Field& field) {
    check_type(field.type);
    if (field.type.element) check_type(*field.type.element);
  });
}

TEST(SceneSchema, TypesDescribeThemselves) {
  EXPECT_EQ(io::number("m").description(), "a number");
  EXPECT_EQ(io::vector("m").description(), "a list of 3 numbers");
  EXPECT_EQ(io::vector("N").with_scope(io::Scope::time).description(), "a list of 3 functions of time");
  EXPECT_EQ(io::list(io::integer()).description(), "a list of whole numbers");
  EXPECT_EQ(io::any_of({io::number(), io::vector()}).description(), "a number or a list of 3 numbers");
  EXPECT_EQ(io::choice({"a", "b"}).description(), "one of a, b");
}

TEST(SceneSchema, RangesDescribeThemselves) {
  EXPECT_EQ(io::number().above(0).range.text(), "greater than 0");
  EXPECT_EQ(io::number().at_least(0).range.text(), "at least 0");
  EXPECT_EQ(io::number().between(0.5, 1).range.text(), "between 0.5 and 1");
  EXPECT_FALSE(io::number().above(0).range.contains(0));
  EXPECT_TRUE(io::number().at_least(0).range.contains(0));
  EXPECT_FALSE(io::number().at_least(0).range.contains(std::numeric_limits<double>::quiet_NaN()));
}

TEST(SceneSchema, NamesBeginWithALetter) {
  EXPECT_TRUE(io::is_valid_name("block-1_b"));
  for (const char* name : {"", "1a", "-a", "_a", "a.b", "a b", "ä"}) EXPECT_FALSE(io::is_valid_name(name)) << name;
}

TEST(SceneSchema, RunSettingsAreNotPhysics) {
  for (const char* key : {"name", "time", "integrator", "solver", "output"}) EXPECT_FALSE(io::is_physical_path({key}));
  for (const char* key : {"planar", "parameters", "bodies", "contacts"}) EXPECT_TRUE(io::is_physical_path({key}));
  EXPECT_FALSE(io::is_physical_path({"integrator", "theta"}));
  EXPECT_TRUE(io::is_physical_path({"integrator", "impact"}));
  EXPECT_TRUE(io::is_physical_path({"integrator", "moreau-jean", "impact"}));
}

TEST(SceneSchemaBadInput, EveryBreachIsNamedWithItsPlace) {
  expect_complaints({
      {"ricochet: 1\n", "",
       "slide.yaml:1:1: the key 'ricochet' is missing; a scene begins with the version of its format, 'ricochet: 1'"},
      {"ricochet: 1", "ricochet: 2",
       "slide.yaml:1:11: this scene has format 2, but this program reads format 1 only; use a newer Ricochet"},
      {"ricochet: 1", "ricochet: 0", "slide.yaml:1:11: there is no format 0; write 'ricochet: 1'"},
      {"ricochet: 1", "ricochet: [1]", "slide.yaml:1:11: 'ricochet' must be the version of the format: 1"},
      {"ricochet: 1", "ricochet: one", "slide.yaml:1:11: in 'ricochet': 'one' is not known here"},
      {"name: Slide", "nmae: Slide", "slide.yaml:2:1: unknown key 'nmae'; did you mean 'name'?"},
      {"name: Slide", "beams: {}",
       "slide.yaml:2:1: unknown key 'beams'; the keys here are ricochet, name, description, planar, gravity, "
       "parameters, time, integrator, solver, materials, material_pairs, bodies, surfaces, springs, joints, "
       "systems, velocity_conditions, assembly, loads, "
       "drivers, "
       "contacts, clearances, generate, probes, output, "
       "checkpoint, "
       "expect, "
       "variants"},
      {"name: Slide", "name: [a]", "slide.yaml:2:7: 'name' must be text, but it is a list of 1 entry"},
      {"name: Slide", "name:", "slide.yaml:2:1: 'name' must be text, but nothing is written"},
      {"planar: true", "planar: yes", "slide.yaml:3:9: 'planar' must be true or false, but it is 'yes'"},
      {"planar: true", "planar: \"true\"", "slide.yaml:3:9: 'planar' must be true or false, but it is 'true'"},
      {"planar: true", "planar: 1", "slide.yaml:3:9: 'planar' must be true or false, but it is '1'"},
      {"[0, -9.81, 0]", "[0, -9.81]",
       "slide.yaml:4:10: 'gravity' must be a list of 3 numbers, but it is a list of 2 entries"},
      {"[0, -9.81, 0]", "-9.81", "slide.yaml:4:10: 'gravity' must be a list of 3 numbers, but it is '-9.81'"},
      {"[0, -9.81, 0]", "[0, {a: 1}, 0]", "slide.yaml:4:14: 'gravity.1' must be a number, but it is a map"},
      {"[0, -9.81, 0]", "[0, , 0]", "slide.yaml:4:14: 'gravity.1' must be a number, but nothing is written"},
      {"time: {end: 1, step: 1e-3}\n", "",
       "slide.yaml:1:1: the key 'time' is missing; it must be a map with the keys end, step"},
      {"end: 1, ", "", "slide.yaml:6:7: the key 'end' is missing in 'time'; it must be a number, in s"},
      {"step: 1e-3", "step: 0", "slide.yaml:6:22: 'time.step' must be greater than 0, but is 0"},
      {"step: 1e-3", "stpe: 1e-3", "slide.yaml:6:16: unknown key 'stpe' in 'time'; did you mean 'step'?"},
      {"time: {end: 1, step: 1e-3}", "time: 1",
       "slide.yaml:6:7: 'time' must be a map with the keys end, step, but it is '1'"},
      {"time: {end: 1, step: 1e-3}",
       "time:", "slide.yaml:6:1: 'time' must be a map with the keys end, step, but nothing is written"},
      {"time:", "integrator: {theta: 0.2}\ntime:",
       "slide.yaml:6:21: 'integrator.theta' must be between 0.5 and 1, but is 0.2"},
      {"time:", "integrator: {scheme: hht}\ntime:",
       "slide.yaml:6:22: 'integrator.scheme' must be one of moreau-jean, moreau-midpoint, nonsmooth-generalized-alpha, "
       "but it is 'hht'"},
      {"time:", "integrator: {scheme: moreau-jaen}\ntime:",
       "slide.yaml:6:22: 'integrator.scheme' must be one of moreau-jean, moreau-midpoint, nonsmooth-generalized-alpha, "
       "but it is "
       "'moreau-jaen'; did you mean "
       "'moreau-jean'?"},
      {"time:", "integrator: {alpha: 0.1}\ntime:",
       "slide.yaml:6:14: unknown key 'alpha' in 'integrator'; the keys here are scheme, moreau-jean, "
       "moreau-midpoint, nonsmooth-generalized-alpha, theta, "
       "impact, active_set, allow_energy_growth, projection, impacts, max_passes, motion_tolerance, halvings"},
      {"time:", "integrator: {theta: 0.6, moreau-jean: {theta: 0.7}}\ntime:",
       "slide.yaml:6:47: 'integrator.moreau-jean.theta' is also given as 'integrator.theta'; delete one of them"},
      {"time:", "solver: {name: newton}\ntime:",
       "slide.yaml:6:16: 'solver.name' must be one of auto, gauss-seidel, lemke, enumeration, but it is 'newton'"},
      {"time:", "solver: {tolerance: 0}\ntime:",
       "slide.yaml:6:21: 'solver.tolerance' must be between 1e-15 and 1, but is 0"},
      {"time:", "solver: {max_iterations: 2.5}\ntime:",
       "slide.yaml:6:26: 'solver.max_iterations' must be a whole number, but is 2.5"},
      {"time:", "solver: {max_iterations: 0}\ntime:",
       "slide.yaml:6:26: 'solver.max_iterations' must be at least 1, but is 0"},
      {"time:", "solver: {max_iterations: 1e300}\ntime:",
       "slide.yaml:6:26: 'solver.max_iterations' must be a whole number of at most 2000000000, but is 1e300"},
      {"time:", "output: {every: 0}\ntime:", "slide.yaml:6:17: 'output.every' must be at least 1, but is 0"},
      {"bodies:\n", "bodies: []\nold:\n",
       "slide.yaml:7:9: 'bodies' must be a map from names to elements, but it is a list of 0 entries"},
      {"  block: {mass", "  1block: {mass",
       "slide.yaml:8:3: '1block' cannot be the name of a body: names consist of letters, digits, '-' and '_' and begin "
       "with a letter"},
      {"  block: {mass", "  block.1: {mass",
       "slide.yaml:8:3: 'block.1' cannot be the name of a body: names consist of letters, digits, '-' and '_' and "
       "begin with a letter"},
      {"  block: {mass", "  world: {mass",
       "slide.yaml:8:3: 'world' cannot be the name of a body: the word has a meaning of its own; choose another name"},
      {"friction: 0.3", "pi: 3",
       "slide.yaml:5:14: 'pi' cannot be the name of a parameter: the word has a meaning of its own; choose another "
       "name"},
      {"friction: 0.3", "step: 3",
       "slide.yaml:5:14: 'step' cannot be the name of a parameter: the word has a meaning of its own; choose another "
       "name"},
      {"friction: 0.3", "sin: 3",
       "slide.yaml:5:14: 'sin' cannot be the name of a parameter: the word has a meaning of its own; choose another "
       "name"},
      {"  along:", "  time:",
       "slide.yaml:19:3: 'time' cannot be the name of a probe: the word has a meaning of its own; choose another name"},
      {"{mass: mass, position", "{masss: mass, position",
       "slide.yaml:8:11: unknown key 'masss' in 'bodies.block'; did you mean 'mass'?"},
      {"{mass: mass, ", "{", "slide.yaml:8:10: 'bodies.block' has no mass: give it a 'mass' or a 'density'"},
      {"mass: 2", "mass: -1", "slide.yaml:9:53: 'bodies.box.mass' must be greater than 0, but is -1"},
      {"mass: 2", "mass: 2*speed - 7",
       "slide.yaml:9:53: 'bodies.box.mass' must be greater than 0, but '2*speed - 7' is -3"},
      {"type: box, size: [0.2, 0.1]", "type: sphere, size: [0.2, 0.1]",
       "slide.yaml:9:31: 'size' belongs to type 'box', but 'bodies.box.shape' has type 'sphere'"},
      {"type: box, size", "type: bxo, size",
       "slide.yaml:9:23: 'bodies.box.shape.type' must be one of point, sphere, box, cylinder, capsule, cone, "
       "polyhedron, face, hollow-sphere, hollow-cylinder, but "
       "it is 'bxo'; did you mean "
       "'box'?"},
      {"size: [0.2, 0.1]", "size: [0.2, 0.1, -1]",
       "slide.yaml:9:45: 'bodies.box.shape.size.2' must be greater than 0, but is -1"},
      {"size: [0.2, 0.1]", "size: [0.2]",
       "slide.yaml:9:34: 'bodies.box.shape.size' must be a list of 2 to 3 numbers, but it is a list of 1 entry"},
      {", size: [0.2, 0.1]", "",
       "slide.yaml:9:16: the key 'size' is missing in 'bodies.box.shape'; it must be a list of 2 to 3 numbers, in m"},
      {"start: block,", "start: blok,",
       "slide.yaml:13:17: there is no body 'blok', which 'springs.link.start' names; did you mean 'block'?"},
      {"on: block,", "on: world,",
       "slide.yaml:15:14: there is no body 'world', which 'loads.push.on' names; there are block, box"},
      {"body: box, at", "boody: box, at",
       "slide.yaml:13:30: unknown key 'boody' in 'springs.link.end'; did you mean 'body'?"},
      {"type: plane, normal: [0, 1, 0]", "type: plane",
       "slide.yaml:11:11: the key 'normal' is missing in 'surfaces.ground'; it must be a list of 3 numbers"},
      {"type: plane, ", "",
       "slide.yaml:11:11: the key 'type' is missing in 'surfaces.ground'; it must be one of plane, mesh, height-field"},
      {"on: block", "on: [block]",
       "slide.yaml:15:14: 'loads.push.on' must be a name or a map with the keys body, at, but it is a list of 1 entry"},
      {"friction: friction", "friction: -0.1",
       "slide.yaml:17:54: 'contacts.slide.friction' must be at least 0, but is -0.1"},
      {"friction: friction", "restitution: 1.5",
       "slide.yaml:17:57: 'contacts.slide.restitution' must be between 0 and 1, but is 1.5"},
      {"friction: friction", "tangential_restitution: -2",
       "slide.yaml:17:68: 'contacts.slide.tangential_restitution' must be between -1 and 1, but is -2"},
      {"friction: friction", "restituton: 0.5",
       "slide.yaml:17:44: unknown key 'restituton' in 'contacts.slide'; did you mean 'restitution'?"},
      {"{set: {parameters.speed: 4}}", "{}",
       "slide.yaml:25:9: the key 'set' is missing in 'variants.fast'; it must be a map from paths to values"},
      {"{set: {parameters.speed: 4}}", "{set: {parameters.speed: [4]}}",
       "slide.yaml:25:34: 'parameters.speed' in 'variants.fast.set' must be a single value, but it is a list of 1 "
       "entry"},
      {"fact: distance, ", "", "slide.yaml:22:5: the key 'fact' is missing in 'expect.0'; it must be text"},
      {"take: last", "take: end",
       "slide.yaml:22:42: 'expect.0.take' must be one of first, last, min, max, mean, range, integral, but it is "
       "'end'"},
      {", source: derived}\n  - ", "}\n  - ",
       "slide.yaml:22:5: the key 'source' is missing in 'expect.0'; it must be text"},
  });
}

}  // namespace
}  // namespace ricochet::test
