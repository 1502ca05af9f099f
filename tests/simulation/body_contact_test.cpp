// Bodies that touch bodies, over whole runs: what holds them, and that neither threads nor a restart change a bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "ricochet/math/threads.hpp"
#include "simulation/test_runs.hpp"

namespace ricochet::simulation {
namespace {

// Boxes and balls in layers above a floor, each turned and pushed a little.
model::Model falling_heap(int count) {
  model::Model model;
  model.gravity = Vector3(0, -9.81, 0);
  math::Random random(21);
  std::vector<model::Participant> all;
  for (int i = 0; i < count; ++i) {
    const Vector3 place(0.55 * (i % 4), 0.35 + 0.55 * (i / 16), 0.55 * (i / 4 % 4));
    if (i % 3 == 0) {
      test::add_ball(model, 1, 0.3, place, test::random_vector3(random, 0.1));
    } else {
      test::add_box(model, 1, Vector3(0.3, 0.2, 0.25), place, math::exponential(test::random_vector3(random, 0.05)));
    }
    all.push_back(test::body(i));
  }
  const int floor = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, all, {test::surface(floor)}, {0.3});
  test::add_contact(model, all, all, {0.3});
  return model;
}

Settings heap_settings(int threads) {
  Settings settings = test::settings_for(1, 2e-3);
  settings.solver.tolerance = 1e-6;
  settings.threads = threads;
  return settings;
}

TEST(BodyContact, ABoxOnABoxIsHeldByItsCorners) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_box(model, 3, Vector3(1, 0.5, 1), Vector3(0, 0.5, 0));
  test::add_box(model, 2, Vector3(0.5, 0.5, 0.5), Vector3(0.25, 1.5, 0.125));
  const int floor = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(floor)}, {0.5});
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {0.5});
  const double h = 1e-2;
  Simulation simulation(model, test::settings_for(1, h));
  for (int step = 0; step < 100; ++step) {
    ASSERT_TRUE(simulation.step());
    const auto contacts = simulation.frame().contacts;
    ASSERT_EQ(contacts.size(), 8u);
    Vector3 on_floor = Vector3::Zero(), between = Vector3::Zero(), torque = Vector3::Zero();
    for (const integrate::ContactRecord& contact : contacts) {
      const Vector3 impulse = contact::to_world(contact.axes, contact.impulse);
      (contact.key.rule == 0 ? on_floor : between) += impulse;
      if (contact.key.rule == 1) torque += math::cross(contact.point - Vector3(0.25, 1.5, 0.125), impulse);
    }
    EXPECT_LE((on_floor - Vector3(0, 5 * 10 * h, 0)).norm(), 1e-9);
    EXPECT_LE((between + Vector3(0, 2 * 10 * h, 0)).norm(), 1e-9);  // on A, the lower one
    EXPECT_LE(torque.norm(), 1e-9);
  }
  EXPECT_LE(simulation.snapshot().instant.state.v.norm(), 1e-9);
  EXPECT_LE(simulation.statistics().max_penetration, 1e-10);
}

TEST(BodyContactProperty, ThreadsAndARestartChangeNoBit) {
  const model::Model model = falling_heap(160);
  Simulation one(model, heap_settings(1)), two(model, heap_settings(2)), restarted(model, heap_settings(2));
  for (int step = 0; step < 60; ++step) {
    ASSERT_TRUE(one.step());
    ASSERT_TRUE(two.step());
    ASSERT_TRUE(step < 30 || restarted.step());
    ASSERT_EQ(state_hash(one.snapshot()), state_hash(two.snapshot())) << "step " << step;
    if (step == 29) restarted.restore(one.snapshot());
  }
  EXPECT_EQ(state_hash(one.snapshot()), state_hash(restarted.snapshot()));
  EXPECT_GT(one.statistics().contacts_max, 300);
}

}  // namespace
}  // namespace ricochet::simulation
