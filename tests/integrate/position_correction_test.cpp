#include "ricochet/integrate/position_correction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "runner.hpp"
#include "sunken_stack.hpp"

namespace ricochet::integrate {
namespace {

using test::kWeight, test::step_fall, test::sunken_stack, test::tolerable;

// A box of one kilogram that starts `depth` below the ground.
model::Model sunken_box(double depth, double friction, const Vector3& gravity) {
  model::Model model;
  model.gravity = gravity;
  test::add_box(model, 1, Vector3(0.1, 0.1, 0.1), Vector3(0, 0.1 - depth, 0));
  test::put_on_ground(model, {friction, 0, 0});
  return model;
}

// A part of what is deeper than a step's fall is given up in every step.
TEST(PositionCorrection, ABoxThatRestsTooDeepIsLiftedSlowly) {
  const double depth = 1e-4, h = 1e-3, given_up = 0.002;
  const int steps = 3000;
  test::Runner run(sunken_box(depth, 0.5, Vector3(0, -kWeight, 0)), {.h = h});
  double projected = 0;
  run.steps(PositionCorrection::steps_at_rest - 1);
  EXPECT_NEAR(run.position(0).y(), 0.1 - depth, 1e-12);  // does not rest yet
  for (int step = 1; step <= steps; ++step) {
    projected += run.step().works.projection;
    EXPECT_LE(std::abs(run.closing_error), 1e-13 * step * run.energy_scale);
    const double held = step_fall(h) + (depth - step_fall(h)) * std::pow(1 - given_up, step);
    EXPECT_NEAR(0.1 - run.position(0).y(), held, tolerable(h, held)) << step;
    EXPECT_LE(run.velocity(0).norm(), 1e-9);
  }
  EXPECT_NEAR(0.1 - run.position(0).y(), step_fall(h), tolerable(h));
  EXPECT_NEAR(projected, kWeight * (depth - step_fall(h)), kWeight * tolerable(h));
}

// What has come to rest within a step's fall is as deep as the scheme makes it, and stays there: nothing is corrected.
TEST(PositionCorrection, ABoxThatRestsKeepsItsDepth) {
  const double h = 1e-3, depth = 0.9 * step_fall(h);
  test::Runner run(sunken_box(depth, 0.5, Vector3(0, -kWeight, 0)), {.h = h});
  for (int step = 0; step < 1000; ++step) EXPECT_EQ(run.step().works.projection, 0);
  EXPECT_NEAR(0.1 - run.position(0).y(), depth, 1e-12);
}

// What sinks later, here by hand, is lifted back to where it was.
TEST(PositionCorrection, ABoxThatIsPressedDownComesBack) {
  const double h = 1e-3, depth = 0.5 * step_fall(h);
  test::Runner run(sunken_box(depth, 0.5, Vector3(0, -kWeight, 0)), {.h = h});
  run.steps(100);
  run.now.state.q[1] -= 0.3 * step_fall(h);
  run.steps(2);
  EXPECT_NEAR(0.1 - run.position(0).y(), depth, tolerable(h));
}

// A floor that shakes, too weakly to throw the box, makes it light and heavy in turn. Once the box has its depth
// nothing is corrected any more, so nothing is pumped into it.
TEST(PositionCorrection, AFloorThatShakesDoesNotPump) {
  const double h = 1e-3;
  model::Model model = sunken_box(1e-4, 0.5, Vector3(0, -kWeight, 0));
  model.drivers.push_back({"shaker", {}, {0}, model::DrivenTranslation{}, {}});
  model.drivers[0].translation->level = model::DriverLevel::position;
  model.drivers[0].translation->function[1] =
      math::TimeFunction(math::Expression::parse("0.002*(1 - cos(60*t))"));  // 7.2 m/s^2
  test::Runner run(model, {.h = h});
  run.steps(5000);
  double projected = 0;
  for (int step = 0; step < 5000; ++step) {
    const StepReport& report = run.step();
    projected += std::abs(report.works.projection);
    EXPECT_EQ(report.contacts.size(), 4u) << step;
  }
  EXPECT_LE(projected, kWeight * 2 * step_fall(h));
}

// It is lifted along the normal, and friction keeps it where it is; also where it is nearly too steep.
TEST(PositionCorrection, ABoxOnASlopeDoesNotGlideWhileItIsLifted) {
  const double depth = 1e-4, slope = 0.45, h = 1e-3;
  test::Runner run(sunken_box(depth, 0.5, kWeight * Vector3(std::sin(slope), -std::cos(slope), 0)), {.h = h});
  run.steps(3000);
  EXPECT_NEAR(0.1 - run.position(0).y(), step_fall(h) * std::cos(slope), tolerable(h));
  EXPECT_NEAR(run.position(0).x(), 0, 1e-9);
}

// What is beside a heap does not wait for it, and does not make it wait.
TEST(PositionCorrection, IslandsPauseForThemselves) {
  const int boxes = 12;
  const double depth = 1e-4, h = 1e-3;
  test::Runner run(sunken_stack(boxes, depth, true), {.h = h, .solver = {.tolerance = 1e-8}});
  const auto longest_pause = [&] {
    long longest = 0;
    for (const contact::RememberedContact& contact : run.now.memory.contacts) {
      longest = std::max(longest, contact.pause);
    }
    return longest;
  };
  int corrected_beside_a_pause = 0;
  for (int step = 0; step < 1500; ++step) {
    const long before = longest_pause();
    const double projected = run.step().works.projection;
    if (before <= 1 || projected == 0) continue;
    ++corrected_beside_a_pause;
    EXPECT_EQ(longest_pause(), before - 1) << step;
  }
  EXPECT_GT(corrected_beside_a_pause, 10);
}

// After a correction some steps pass without.
TEST(PositionCorrection, CostlyCorrectionsAreFollowedByAPause) {
  const int boxes = 12;
  const double depth = 1e-4, h = 1e-3;
  test::Runner run(sunken_stack(boxes, depth, false), {.h = h, .solver = {.tolerance = 1e-8}});
  const auto pause_of = [&](std::size_t contact) {
    const auto& contacts = run.now.memory.contacts;
    return contact < contacts.size() ? contacts[contact].pause : 0;
  };
  int corrections = 0, pauses = 0;
  for (int step = 0; step < 1500; ++step) {
    const long pause = pause_of(0);
    const double projected = run.step().works.projection;
    if (pause > 1) {
      EXPECT_EQ(projected, 0) << step;
      EXPECT_EQ(pause_of(0), pause - 1) << step;
      ++pauses;
    }
    if (projected == 0) continue;
    ++corrections;
    EXPECT_EQ(pause_of(0), 1 + 4 * boxes / 20) << step;
  }
  EXPECT_GT(corrections, 10);
  EXPECT_GE(pauses, 2 * (corrections - 1));
  // All the same it comes up, as slowly as ever.
  const double top = 0.1 + 0.2 * (boxes - 1), sunk = top - run.position(boxes - 1).y();
  EXPECT_LE(sunk, 0.2 * boxes * depth);
  EXPECT_GE(sunk, 0);
}

// What bounces is left alone: its energy is that of the impact law.
TEST(PositionCorrection, ABallThatBouncesIsNotTouched) {
  model::Model model;
  model.gravity = Vector3(0, -kWeight, 0);
  test::add_ball(model, 1, 0.1, Vector3(0, 0.1, 0), Vector3(0, -1, 0));
  test::put_on_ground(model, {0.5, 0.8, 0});
  test::Runner run(model, {.h = 1e-3});
  for (int step = 0; step < 500; ++step) EXPECT_EQ(run.step().works.projection, 0);
}

// Cylinders of one radius on each other, in line and not: rims that coincide keep points all around, with their names,
// although what the solver leaves tilts them to any side.
TEST(PositionCorrection, TinsStandOnEachOther) {
  for (const double aside : {0.0, 0.01}) {
    for (const double tolerance : {1e-4, 1e-8}) {
      model::Model model;
      model.gravity = Vector3(0, 0, -kWeight);
      std::vector<model::Participant> all;
      for (int i = 0; i < 6; ++i) {
        model::Node node;
        node.kind = model::NodeKind::frame;
        node.position = Vector3(aside * (i % 2), 0, 0.25 + 0.5 * i);
        const model::CylinderShape tin{0.2, 0.25};
        all.push_back(test::body(test::add_body(model, node, 100, tin, model::solid_inertia(tin, 100))));
      }
      const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
      test::add_contact(model, all, {test::surface(ground)}, {0.6, 0, 0});
      test::add_contact(model, all, all, {0.6, 0, 0});
      test::Runner run(model, {.h = 2e-3, .solver = {.tolerance = tolerance}});
      run.steps(500);
      for (int i = 0; i < 6; ++i) {
        const Vector3 moved = run.position(i) - model.nodes[i].position;
        EXPECT_LE(moved.norm(), 0.1 * tolerance)
            << i << " " << aside;  // m: 500 steps of what it leaves of 2 cm/s, less
      }
    }
  }
}

// A tin that has fallen on its rim wobbles, faster and faster and less and less, until it lies. Its lowest point runs
// round the rim all the time and carries a load in every step, but it does not rest: what it sinks by that is no error.
TEST(PositionCorrection, ATinThatWobblesIsNotFed) {
  for (const bool on_box : {false, true}) {
    for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::fremond}) {
      model::Model model;
      model.gravity = Vector3(0, 0, -9.81);
      model::Node node;
      node.kind = model::NodeKind::frame;
      node.position = Vector3(0, 0, 0.0775);
      node.orientation = math::Quaternion::from_axis_angle(Vector3::UnitY(), 0.3);
      node.angular_velocity = Vector3(2, 1, 3);
      const model::CylinderShape tin{0.1, 0.05};
      test::add_body(model, node, 3, tin, model::solid_inertia(tin, 3));
      if (on_box) {
        test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 0, -1));
        model.nodes[1].fixed = {true, true, true, true, true, true};
        test::add_contact(model, {test::body(0)}, {test::body(1)}, {0.3, 0.5, 0});
      } else {
        const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
        test::add_contact(model, {test::body(0)}, {test::surface(ground)}, {0.3, 0.5, 0});
      }
      test::Runner run(model, {.h = 1e-3, .scheme = {.impact = law}, .solver = {.tolerance = 1e-10}});
      run.steps(500);
      double projected = 0;
      for (int step = 0; step < 9500; ++step) projected += run.step().works.projection;
      EXPECT_LE(projected, 3 * 9.81 * 1e-3) << on_box;  // J: by a millimetre, when it lies
      EXPECT_NEAR(run.position(0).z(), 0.05, 1e-3) << on_box;
      EXPECT_LE(run.velocity(0).norm(), 0.01) << on_box;
    }
  }
}

// 25 degrees, where it would topple at atan(r/l) = 26.6: what tips it by a hair must not be lifted higher and higher.
TEST(PositionCorrection, ATinThatNearlyTopplesStands) {
  const double slope = 25 * std::numbers::pi / 180;
  model::Model model;
  model.gravity = 9.81 * Vector3(std::sin(slope), 0, -std::cos(slope));
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = Vector3(0, 0, 0.1);
  const model::CylinderShape tin{0.05, 0.1};
  test::add_body(model, node, 1, tin, model::solid_inertia(tin, 1));
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
  test::add_contact(model, {test::body(0)}, {test::surface(ground)}, {1, 0, 0});
  test::Runner run(model, {.h = 1e-3, .solver = {.tolerance = 1e-10}});
  run.steps(3000);
  EXPECT_LE((run.position(0) - node.position).norm(), 1e-4);
}

TEST(PositionCorrection, NothingIsCorrectedWithoutProjection) {
  const double depth = 1e-4;
  test::Runner run(sunken_box(depth, 0.5, Vector3(0, -kWeight, 0)),
                   {.h = 1e-3, .scheme = {.projection = Projection::none}});
  run.steps(100);
  EXPECT_NEAR(run.position(0).y(), 0.1 - depth, 1e-12);
}

// Also where impulses come from two problems.
TEST(PositionCorrection, UnderPoissonsLaw) {
  test::Runner run(sunken_box(1e-4, 0.5, Vector3(0, -kWeight, 0)),
                   {.h = 1e-3, .scheme = {.impact = ImpactLaw::poisson}});
  run.steps(3000);
  EXPECT_NEAR(0.1 - run.position(0).y(), step_fall(1e-3), tolerable(1e-3));
}

}  // namespace
}  // namespace ricochet::integrate
