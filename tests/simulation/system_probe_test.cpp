// Sources of probes of systems: values, and sentences about wrong ones.
#include "ricochet/simulation/system_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/system_models.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::simulation {
namespace {

using ::testing::HasSubstr;

model::Model crank_probe_model() {
  model::Model model;
  model.planar = true;
  test::add_system(model, std::make_shared<model::SliderCrank>(test::flores_data()), Vector3(0.1, -0.05, 0.001),
                   Vector3(150, -75, 2));
  return model;
}

TEST(SystemProbe, CoordinatesGapsAndImpulses) {
  const model::Model model = crank_probe_model();
  Settings settings;
  settings.end = 0.01;
  settings.step = 1e-5;
  settings.scheme = SchemeKind::moreau_midpoint;
  Simulation simulation(model, settings);
  const auto value = [&](const std::string& text) {
    std::string why;
    const auto source = parse_probe_source(model, text, &why);
    EXPECT_TRUE(source) << why;
    return source ? evaluate(*source, simulation.frame()) : 0.0;
  };
  EXPECT_EQ(value("system.mechanism.coordinate.rod"), -0.05);
  EXPECT_EQ(value("system.mechanism.speed.slider"), 2);
  const double height = 0.153 * std::sin(0.1) + 0.306 * std::sin(-0.05);
  EXPECT_NEAR(value("system.mechanism.gap.corner2"), 0.026 - height - 0.05 * std::sin(0.001) - 0.025 * std::cos(0.001),
              1e-15);
  EXPECT_EQ(value("system.mechanism.impulse.corner2.normal"), 0);
  double sum = 0, largest = 0;
  for (int i = 0; i < 400; ++i) {
    simulation.step();
    double here = 0;
    for (const char* corner : {"corner1", "corner2", "corner3", "corner4"}) {
      here += value(std::string("system.mechanism.impulse.") + corner + ".normal");
    }
    EXPECT_EQ(here, value("contact.mechanism.impulse.normal"));
    sum += here;
    largest = std::max(largest, value("system.mechanism.impulse.corner2.tangent"));
    EXPECT_EQ(value("system.mechanism.acceleration.crank"), simulation.frame().state.a[0]);
  }
  EXPECT_GT(sum, 0.01);
  EXPECT_EQ(largest, 0);  // there is no friction
}

TEST(SystemProbeBadInput, SaysWhatIsWrong) {
  const model::Model model = crank_probe_model();
  const auto complaint = [&](const std::string& text) {
    std::string why;
    EXPECT_FALSE(parse_probe_source(model, text, &why)) << text;
    return why;
  };
  EXPECT_THAT(complaint("system.mechansim.speed.rod"), HasSubstr("did you mean 'mechanism'"));
  EXPECT_THAT(complaint("system.mechanism.sped.rod"), HasSubstr("did you mean 'speed'"));
  EXPECT_THAT(complaint("system.mechanism.speed.road"), HasSubstr("no coordinate 'road'; did you mean 'rod'"));
  EXPECT_THAT(complaint("system.mechanism.gap.corner5"), HasSubstr("no contact 'corner5'"));
  EXPECT_THAT(complaint("system.mechanism.impulse.corner1"), HasSubstr(".normal, .t1, .t2 or .tangent"));
  EXPECT_THAT(complaint("system.mechanism.impulse.corner1.norml"), HasSubstr("did you mean 'normal'"));
  EXPECT_THAT(complaint("system.mechanism.gap.corner1.x"), HasSubstr("nothing can follow"));
  EXPECT_THAT(complaint("system.mechanism"), HasSubstr("written like"));
  EXPECT_THAT(complaint("mechanism.position.x"), HasSubstr("neither a body nor a node"));
}

TEST(SystemProbe, EverySuggestionIsASource) {
  const model::Model model = crank_probe_model();
  const std::vector<std::string> all = system_suggestions(model.systems[0]);
  EXPECT_EQ(all.size(), 3U * 3 + 4 + 2 * 4 * 4);
  for (const std::string& text : all) EXPECT_TRUE(parse_probe_source(model, text)) << text;
}

}  // namespace
}  // namespace ricochet::simulation
