// Boxes that are deeper than they should be, for tests of the correction of positions.
#pragma once

#include <algorithm>
#include <vector>

#include "runner.hpp"

namespace ricochet::integrate::test {

inline constexpr double kWeight = 9.81;  // N, of one kilogram

// What falls in a step, and how far from the depth at which it is held a contact may be, m.
inline double step_fall(double h) { return kWeight * h * h; }
inline double tolerable(double h, double depth = 0) { return std::max(0.05 * step_fall(h), 0.02 * depth); }

// Boxes that have sunk into each other, each on four points, and perhaps one more beside them.
inline model::Model sunken_stack(int boxes, double depth, bool one_beside) {
  model::Model model;
  model.gravity = Vector3(0, -kWeight, 0);
  std::vector<model::Participant> all;
  for (int i = 0; i < boxes; ++i) {
    add_box(model, 1, Vector3(0.1, 0.1, 0.1), Vector3(0.02 * (i % 2), 0.1 - depth + i * (0.2 - depth), 0));
    all.push_back(body(i));
  }
  if (one_beside) {
    add_box(model, 1, Vector3(0.1, 0.1, 0.1), Vector3(1, 0.1 - depth, 0));
    all.push_back(body(boxes));
  }
  put_on_ground(model, {0.5, 0, 0});
  add_contact(model, all, all, {0.5, 0, 0});
  return model;
}

}  // namespace ricochet::integrate::test
