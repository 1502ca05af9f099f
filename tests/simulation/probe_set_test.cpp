// Probes as arithmetic over sources: simulation/probe.cpp.
#include <gtest/gtest.h>

#include <stdexcept>

#include "ricochet/simulation/probe.hpp"
#include "simulation/probe_model.hpp"

namespace ricochet::simulation {
namespace {

math::Expression expression_over(const model::Model& model, std::string_view text) {
  return math::Expression::parse(text,
                                 [&](std::string_view name) { return parse_probe_source(model, name).has_value(); });
}

TEST(ProbeSet, ArithmeticOverSources) {
  ProbeScene scene;
  scene.state.time = 0.5;
  scene.coordinates(1).head(3) << 1, 2, 3;
  scene.velocities(1).head(3) << 10, 20, 30;
  ProbeSet probes;
  EXPECT_EQ(probes.add(scene.model, "sum", expression_over(scene.model, "2*ball-1.position.x - ball-1.velocity.y")), 0);
  EXPECT_EQ(probes.add(scene.model, "constant", expression_over(scene.model, "1+1"), true), 1);
  EXPECT_EQ(probes.add(scene.model, "twice", expression_over(scene.model, "time + time*ball-1@[0,-0.5,0].position.y")),
            2);
  EXPECT_EQ(probes.add(scene.model, "hyphens", expression_over(scene.model, "ball-1.position.z-ball-1.position.x")), 3);

  EXPECT_EQ(probes.size(), 4);
  EXPECT_EQ(probes.find("twice"), 2);
  EXPECT_EQ(probes.find("nothing"), -1);
  EXPECT_EQ(probes.name(1), "constant");
  EXPECT_TRUE(probes.hidden(1));
  EXPECT_FALSE(probes.hidden(0));

  std::vector<double> values;
  probes.evaluate(scene.frame(), values);
  EXPECT_EQ(values, (std::vector<double>{-18, 2, 0.5 + 0.5 * 1.5, 2}));
  const std::vector<int> some = {3, 0, 3};
  probes.evaluate(scene.frame(), some, values);
  EXPECT_EQ(values, (std::vector<double>{2, -18, 2}));
}

TEST(ProbeSet, KeepsTheMemoryOfItsCaller) {
  const ProbeScene scene;
  ProbeSet probes;
  probes.add(scene.model, "a", expression_over(scene.model, "block.position.x + block.position.y + time"));
  probes.add(scene.model, "b", expression_over(scene.model, "contact.ground.gap"));
  std::vector<double> values;
  probes.evaluate(scene.frame(), values);
  const double* memory = values.data();
  for (int i = 0; i < 3; ++i) probes.evaluate(scene.frame(), values);
  EXPECT_EQ(values.data(), memory);
  EXPECT_EQ(values.size(), 2u);
}

TEST(ProbeSet, Empty) {
  const ProbeScene scene;
  std::vector<double> values = {1, 2, 3};
  ProbeSet().evaluate(scene.frame(), values);
  EXPECT_TRUE(values.empty());
}

TEST(ProbeSetBadInput, UnknownSourcesAndDoubleNames) {
  const ProbeScene scene;
  ProbeSet probes;
  probes.add(scene.model, "x", expression_over(scene.model, "time"));
  try {
    probes.add(scene.model, "y", math::Expression::parse("1 + blok.position.x"));
    FAIL() << "an unknown source was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "the probe 'y' cannot be read: 'blok' is neither a body nor a node; did you mean 'block'?");
  }
  EXPECT_THROW(probes.add(scene.model, "x", expression_over(scene.model, "time")), std::invalid_argument);
  EXPECT_EQ(probes.size(), 1);
  EXPECT_EQ(probes.add(scene.model, "x", expression_over(scene.model, "time"), true), 1);  // no column
}

}  // namespace
}  // namespace ricochet::simulation
