// clearance_probe: reading and values of the sources of clearance joints.
#include "ricochet/simulation/clearance_probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "model/clearance_models.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::simulation {
namespace {

using model::ClearanceType;
using ricochet::test::between_boxes;
using ricochet::test::two_boxes;

// A run refers to its model.
struct ClearanceRun {
  std::unique_ptr<model::Model> model;
  std::unique_ptr<Simulation> simulation;

  Frame frame() const { return simulation->frame(); }
  bool step() { return simulation->step(); }
};

// A box in another, with one clearance; the first stands here, and both may be turned about z as one.
ClearanceRun clearance_run(model::Clearance joint, bool planar, const Vector3& place, const math::Quaternion& turn = {},
                           double together = 0, const Vector3& velocity = Vector3::Zero()) {
  auto kept = std::make_unique<model::Model>(two_boxes(planar));
  model::Model& model = *kept;
  const auto whole = math::Quaternion::from_axis_angle(Vector3::UnitZ(), together);
  model.nodes[0].position = whole.rotate(place);
  model.nodes[0].orientation = (whole * turn).normalized();
  model.nodes[0].velocity = velocity;
  model.nodes[1].orientation = whole;
  model::add_clearance(std::move(joint), model);
  Settings settings;
  settings.end = 1;
  settings.step = 0.01;
  auto run = std::make_unique<Simulation>(model, settings);
  return {std::move(kept), std::move(run)};
}

double clearance_number(const ClearanceRun& run, const std::string& text) {
  std::string why;
  const auto source = parse_probe_source(run.frame().model, text, &why);
  EXPECT_TRUE(source) << text << ": " << why;
  return source ? evaluate(*source, run.frame()) : std::numeric_limits<double>::quiet_NaN();
}

std::string clearance_refusal(const ClearanceRun& run, const std::string& text) {
  std::string why;
  EXPECT_FALSE(parse_probe_source(run.frame().model, text, &why)) << text;
  return why;
}

TEST(ClearanceProbe, SliderSeenFromItsGuide) {
  const double angle = 0.01;
  const auto turn = math::Quaternion::from_axis_angle(Vector3::UnitZ(), angle);
  const ClearanceRun run =
      clearance_run(between_boxes(ClearanceType::translational, 0.125), true, {3, 0.0625, 0}, turn, 1);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.path.x"), 3, 1e-14);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.path.y"), 0.0625, 1e-14);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.path.norm"), std::hypot(3, 0.0625), 1e-14);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.angle"), angle, 1e-15);
  // Corner 2 is at (1, 0.5), corner 3 at (-1, -0.5) of the slider.
  const double corner2 = 0.0625 + std::sin(angle) + 0.5 * std::cos(angle);
  const double corner3 = 0.0625 - std::sin(angle) - 0.5 * std::cos(angle);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.gap.corner2"), 0.625 - corner2, 1e-14);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.gap.corner3"), 0.625 + corner3, 1e-14);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.gap"), 0.625 - corner2, 1e-14);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.corner.2"), (corner2 - 0.5) / 0.125, 1e-13);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.corner.3"), (corner3 + 0.5) / 0.125, 1e-13);
  EXPECT_EQ(clearance_number(run, "clearance.joint.touching"), 0);
}

TEST(ClearanceProbe, JournalAndBall) {
  const ClearanceRun journal = clearance_run(between_boxes(ClearanceType::revolute, 0.125), true, {0.03, 0.04, 0});
  EXPECT_NEAR(clearance_number(journal, "clearance.joint.eccentricity"), 0.4, 1e-15);
  EXPECT_NEAR(clearance_number(journal, "clearance.joint.gap"), 0.075, 1e-15);
  EXPECT_EQ(clearance_number(journal, "clearance.joint.gap"), clearance_number(journal, "clearance.joint.gap.journal"));
  const auto tilt = math::Quaternion::from_axis_angle(Vector3::UnitY(), 0.02);
  const ClearanceRun pin = clearance_run(between_boxes(ClearanceType::revolute, 0.125), false, {0.03, 0, 0.5}, tilt);
  EXPECT_NEAR(clearance_number(pin, "clearance.joint.gap.rim1"), 0.125 - std::abs(0.03 - 2 * std::sin(0.02)), 1e-15);
  EXPECT_NEAR(clearance_number(pin, "clearance.joint.gap.rim2"), 0.125 - (0.03 + 2 * std::sin(0.02)), 1e-15);
  EXPECT_NEAR(clearance_number(pin, "clearance.joint.angle"), 0.02, 1e-15);
  EXPECT_NEAR(clearance_number(pin, "clearance.joint.eccentricity"), 0.24, 1e-15);
  const ClearanceRun ball = clearance_run(between_boxes(ClearanceType::spherical, 0.125), false, {0, 0.03, -0.04});
  EXPECT_NEAR(clearance_number(ball, "clearance.joint.path.z"), -0.04, 1e-16);
  EXPECT_NEAR(clearance_number(ball, "clearance.joint.eccentricity"), 0.4, 1e-15);
}

// The ball is at the wall and goes on: contacts of the clearance have a rule of its name.
TEST(ClearanceProbe, ContactsOfTheClearance) {
  ClearanceRun run =
      clearance_run(between_boxes(ClearanceType::spherical, 0.125), false, {0.125, 0, 0}, {}, 0, {2, 0, 0});
  EXPECT_EQ(clearance_number(run, "clearance.joint.touching"), 0);
  ASSERT_TRUE(run.step());
  EXPECT_EQ(clearance_number(run, "clearance.joint.touching"), 1);
  EXPECT_EQ(clearance_number(run, "clearance.joint.count"), 1);
  EXPECT_NEAR(clearance_number(run, "clearance.joint.impulse.normal"), 1, 1e-9);  // 1 kg at 2 m/s meets 1 kg at rest
  EXPECT_EQ(clearance_number(run, "clearance.joint.impulse.normal"),
            clearance_number(run, "contact.joint.impulse.normal"));
  EXPECT_NEAR(clearance_number(run, "clearance.joint.gap"), clearance_number(run, "contact.joint.gap"), 1e-15);
}

TEST(ClearanceProbe, Refusals) {
  const ClearanceRun slider = clearance_run(between_boxes(ClearanceType::translational, 0.125), true, Vector3::Zero());
  EXPECT_EQ(clearance_refusal(slider, "clearance.joint"), "a clearance source is written like 'clearance.NAME.gap'");
  EXPECT_EQ(clearance_refusal(slider, "clearance.joynt.gap"), "there is no clearance 'joynt'; did you mean 'joint'?");
  EXPECT_EQ(clearance_refusal(slider, "clearance.joint.eccentricity"),
            "'joint' is a translational clearance, which has no 'eccentricity'");
  EXPECT_EQ(clearance_refusal(slider, "clearance.joint.path"),
            "'path' of a clearance has components: add .x, .y, .z, .norm");
  EXPECT_EQ(clearance_refusal(slider, "clearance.joint.gap.corner9"),
            "'gap' has no 'corner9'; did you mean 'corner1'?");
  EXPECT_EQ(clearance_refusal(slider, "clearance.joint.corner.5"), "'corner' has no '5' (choose from: 1, 2, 3, 4)");
  EXPECT_EQ(clearance_refusal(slider, "clearance.joint.angle.z"),
            "nothing can follow '.angle' in 'clearance.joint.angle.z'");
  EXPECT_EQ(clearance_refusal(slider, "clearance.joint.gaps"), "a contact has no 'gaps'; did you mean 'gap'?");
  const ClearanceRun ball = clearance_run(between_boxes(ClearanceType::spherical, 0.125), false, Vector3::Zero());
  EXPECT_EQ(clearance_refusal(ball, "clearance.joint.angle"), "'joint' is a spherical clearance, which has no 'angle'");
}

TEST(ClearanceProbe, EverySuggestionIsASource) {
  for (const ClearanceType type : {ClearanceType::translational, ClearanceType::revolute, ClearanceType::spherical}) {
    for (const bool planar : {true, false}) {
      const ClearanceRun run = clearance_run(between_boxes(type, 0.125), planar, Vector3::Zero());
      int own = 0;
      for (const std::string& text : probe_suggestions(run.frame().model)) {
        EXPECT_TRUE(parse_probe_source(run.frame().model, text)) << text;
        own += text.starts_with("clearance.") ? 1 : 0;
      }
      EXPECT_GE(own, 7);
    }
  }
}

}  // namespace
}  // namespace ricochet::simulation
