// Models and settings for the tests of this folder.
#pragma once

#include <vector>

#include "model/test_models.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::simulation::test {

using namespace ricochet::test;

// Balls on a plane, touching it and each other at the start, with velocities of all kinds.
inline model::Model balls_on_a_plane(int count, bool planar = false) {
  model::Model model;
  model.planar = planar;
  model.gravity = Vector3(0, -9.81, 0);
  math::Random random(11);
  std::vector<model::Participant> all;
  for (int i = 0; i < count; ++i) {
    add_ball(model, random.uniform(0.5, 2), 0.5, Vector3(0.99 * i, 0.5, 0),
             Vector3(random.normal(), 0, planar ? 0 : random.normal()));
    all.push_back(body(i));
  }
  const int ground = add_surface(model, Vector3::Zero(), Vector3::UnitY());
  add_contact(model, all, {surface(ground)}, {0.3, 0.2, 0});
  add_contact(model, all, all, {0.2, 0.5, 0});
  return model;
}

// Frames, points, springs of all kinds, a load on an arm and contacts: whatever a run can depend on.
inline model::Model machine_with_everything() {
  model::Model model = balls_on_a_plane(4);
  const int point = add_point(model, 0.5, Vector3(1, 2, 0), Vector3(0, 0, 1));
  add_spring(model, {{0}, Vector3(0.1, 0.2, 0)}, {{2}, Vector3(0.3, 0, 0.1)}, 80, 0.5, 1.5);
  add_spring(model, {{1}, Vector3(0.1, 0.2, 0)}, {{point}, Vector3::Zero()}, 60, 0.5, 1);
  add_spring(model, {}, {{point}, Vector3::Zero()}, 40, 0.1, 0.5, Vector3(0, 0.6, 0.8));
  add_torsion_spring(model, 0, 1, Vector3(0, 0.6, 0.8), 2, 0.01, 30);
  add_torsion_spring(model, -1, 3, Vector3::UnitX(), 1, 0, 40);
  model.loads.push_back({"load",
                         {{3}, Vector3(0, 0.5, 0)},
                         {math::TimeFunction(math::Expression::parse("3*sin(20*t)")), {}, {}},
                         constant_functions(Vector3(0, 0.1, 0))});
  return model;
}

inline Settings settings_for(double end, double step) {
  Settings settings;
  settings.end = end;
  settings.step = step;
  return settings;
}

}  // namespace ricochet::simulation::test
