#include "ricochet/io/scene_numbers.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

io::NamedValues parameters_of(const std::string& yaml) {
  return io::evaluate_parameters(io::parse_document(yaml, "parameters.yaml"));
}

TEST(SceneNumbers, ParametersUseEachOtherInAnyOrder) {
  const io::NamedValues values = parameters_of("{a: 2*b, b: c + 1, c: 3, angle: 15*deg}");
  EXPECT_EQ(values.find("a"), 8);
  EXPECT_EQ(values.find("b"), 4);
  EXPECT_DOUBLE_EQ(*values.find("angle"), std::numbers::pi / 12);
  EXPECT_EQ(values.find("d"), std::nullopt);
}

TEST(SceneNumbers, ALongChainOfParametersDoesNotExhaustTheStack) {
  std::string yaml;
  const int count = 20000;
  for (int i = 0; i < count; ++i) yaml += "p" + std::to_string(i) + ": p" + std::to_string(i + 1) + " + 1\n";
  yaml += "p" + std::to_string(count) + ": 0\n";
  EXPECT_EQ(parameters_of(yaml).find("p0"), count);
}

TEST(SceneNumbers, AHyphenBelongsToANameIfThereIsSuchAName) {
  const io::NamedValues values = parameters_of("{a: 5, b: 3, a-b: 100, difference: a - b, name: a-b, other: b-a}");
  EXPECT_EQ(values.find("difference"), 2);
  EXPECT_EQ(values.find("name"), 100);
  EXPECT_EQ(values.find("other"), -2);
}

TEST(SceneNumbers, QuotedNumbersAreNumbers) { EXPECT_EQ(parameters_of("{a: '1.5', b: \"2*a\"}").find("b"), 3); }

TEST(SceneNumbers, PlainNumbersAreToldFromExpressions) {
  EXPECT_EQ(io::plain_number("-1.5e3"), -1500);
  for (const char* text : {"", "1+1", "inf", "nan", "1e999", "0x10", "1 ", "speed"}) {
    EXPECT_EQ(io::plain_number(text), std::nullopt) << text;
  }
}

TEST(SceneNumbersBadInput, EveryMistakeIsNamedWithItsColumn) {
  expect_complaints({
      {"slope: 15*deg", "slope: 15*dge",
       "slide.yaml:5:39: in 'parameters.slope': 'dge' is not known here; did you mean 'deg'?"},
      {"slope: 15*deg", "slope: 15 deg",
       "slide.yaml:5:39: in 'parameters.slope': expected an operator after '15', but found 'deg'"},
      {"slope: 15*deg", "slope: 15*t",
       "slide.yaml:5:39: 'parameters.slope' is not a function of time: 't' cannot be used here"},
      {"slope: 15*deg", "slope: slope", "slide.yaml:5:36: parameter 'slope' depends on itself: slope -> slope"},
      {"mass: 1.5}", "mass: 1/0}", "slide.yaml:5:60: 'parameters.mass' must be a finite number, but '1/0' is infinite"},
      {"mass: 1.5}", "mass: .inf}", "slide.yaml:5:60: in 'parameters.mass': the character '.' has no meaning here"},
      {"mass: 1.5}", "mass: nan}",
       "slide.yaml:5:60: in 'parameters.mass': 'nan' is not known here; the names known here are friction, slope, "
       "speed, mass"},
      {"mass: 1.5}", "mass: 1e999}",
       "slide.yaml:5:60: in 'parameters.mass': the number '1e999' is outside the range of double precision"},
      {"mass: 1.5}", "mass: 0x10}",
       "slide.yaml:5:61: in 'parameters.mass': 'x10' is not known here; the names known here are friction, slope, "
       "speed, mass"},
      {"mass: 1.5}", "mass: 1_000}", "slide.yaml:5:61: in 'parameters.mass': the character '_' has no meaning here"},
      {"mass: 1.5}", "mass: }", "slide.yaml:5:54: 'parameters.mass' must be an expression, but nothing is written"},
      {"mass: 1.5}", "mass: \"\"}", "slide.yaml:5:61: in 'parameters.mass': the expression is empty"},
      {"mass: 1.5}", "mass: true}",
       "slide.yaml:5:60: in 'parameters.mass': 'true' is not known here; the names known here are friction, slope, "
       "speed, mass"},
      {"mass: 1.5}", "mass: [1]}",
       "slide.yaml:5:60: 'parameters.mass' must be an expression, but it is a list of 1 entry"},
      {"slope: 15*deg, speed: 2, mass: 1.5", "slope: speed, speed: 2*mass, mass: slope/2",
       "slide.yaml:5:36: parameter 'slope' depends on itself: slope -> speed -> mass -> slope"},
      {"mass: mass", "mass: mas",
       "slide.yaml:8:17: in 'bodies.block.mass': 'mas' is not known here; did you mean 'mass'?"},
      {"mass: mass", "mass: frictoin*2",
       "slide.yaml:8:17: in 'bodies.block.mass': 'frictoin' is not known here; did you mean 'friction'?"},
      {"mass: mass", "mass: 2 + t",
       "slide.yaml:8:21: 'bodies.block.mass' is not a function of time: 't' cannot be used here"},
      {"mass: mass", "mass: \"2 + + t\"",
       "slide.yaml:8:24: 'bodies.block.mass' is not a function of time: 't' cannot be used here"},
      {"mass: mass", "mass: 2*(3",
       "slide.yaml:8:21: in 'bodies.block.mass': expected ')' to close the '(' in column 3, but the text ends"},
      {"mass: mass", "mass: sqrt(-speed)",
       "slide.yaml:8:17: 'bodies.block.mass' must be a finite number, but 'sqrt(-speed)' is not a number"},
      {"sin(t)", "sin(x)",
       "slide.yaml:15:33: in 'loads.push.force.0': 'x' is not known here; the names known here are friction, slope, "
       "speed, mass, t"},
      {"sin(t)", "sin(t",
       "slide.yaml:15:34: in 'loads.push.force.0': expected ')' to close the '(' in column 4, but the text ends"},
      {"sin(t)", "1/0", "slide.yaml:15:29: 'loads.push.force.0' must be a finite number, but '1/0' is infinite"},
      {"value: speed*end", "value: sped*end",
       "slide.yaml:22:55: in 'expect.0.value': 'sped' is not known here; did you mean 'speed'?"},
      {"value: speed*end", "value: speed*t",
       "slide.yaml:22:61: 'expect.0.value' is not a function of time: 't' cannot be used here"},
      {"mass: mass", "mass: slope-speed-3x",
       "slide.yaml:8:30: in 'bodies.block.mass': 'x' is not known here; the names known here are friction, slope, "
       "speed, mass"},
  });
}

TEST(SceneNumbersBadInput, ColumnsCountCharactersNotBytes) {
  EXPECT_EQ(scene_complaint(slide_scene_with("{fact: distance, probe: along", "{fact: Höhe über Grund, probe: alogn")),
            "slide.yaml:22:36: in 'expect.0.probe': 'alogn' is not known here; did you mean 'along'?");
}

}  // namespace
}  // namespace ricochet::test
