// A heap of bodies of all sorts at random, for tests of the search for contacts.
#pragma once

#include <vector>

#include "model/test_models.hpp"

namespace ricochet::contact::test {

using namespace ricochet::test;

// Spheres, some of two parts, close enough that many of them overlap; every one may touch every other, and the odd ones
// touch each other under a second rule, too.
inline model::Model heap_of_spheres(int count, std::uint64_t seed) {
  math::Random random(seed);
  model::Model model;
  const double size = 1.2 * std::cbrt(count);
  std::vector<model::Participant> all, odd;
  for (int i = 0; i < count; ++i) {
    add_random_frame(model, random, model::SphereShape{random.uniform(0.2, 0.8)});
    const double x = random.uniform(0, size), y = random.uniform(0, size), z = random.uniform(0, size);
    model.nodes.back().position = Vector3(x, y, z);
    if (i % 4 == 0) {
      model.bodies.back().parts.push_back({model::SphereShape{0.3}, Vector3(0.6, 0.1, 0), {}, "second"});
    }
    all.push_back(body(i));
    if (i % 2 == 1) odd.push_back(body(i));
  }
  add_contact(model, all, all);
  add_contact(model, odd, odd);
  return model;
}

}  // namespace ricochet::contact::test
