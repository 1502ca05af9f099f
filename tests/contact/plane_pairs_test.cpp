#include "ricochet/contact/plane_pairs.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

// Bodies of all shapes around two planes: passing over those that are far away loses nothing.
TEST(PlanePairsProperty, NoFeatureWithinReachIsMissed) {
  math::Random random(8);
  const std::vector<model::Shape> shapes = {model::SphereShape{0.3}, model::BoxShape{Vector3(1, 2, 3)},
                                            model::CylinderShape{1, 0.5}, model::CapsuleShape{0.2, 1}};
  for (int run = 0; run < 50; ++run) {
    model::Model model;
    std::vector<model::Participant> bodies;
    for (int i = 0; i < 12; ++i) {
      test::add_random_frame(model, random, shapes[i % 4]);
      model.bodies.back().parts[0].position = test::random_vector3(random);
      bodies.push_back(test::body(i));
    }
    test::add_surface(model, Vector3(0, -2, 0), Vector3::UnitY());
    test::add_surface(model, Vector3(-2, 0, 0), Vector3(0.6, 0.8, 0));
    test::add_contact(model, bodies, {test::surface(0), test::surface(1)});
    model.contacts[0].except = {{test::body(3), test::surface(0)}};
    test::ContactCase all(model), near(model);
    all.detect(1e3);
    EXPECT_EQ(all.contacts.size(), 2u * 3 * (1 + 8 + 12 + 2) - 2);
    const double reach = random.uniform(-1, 1);
    near.detect(reach);
    std::size_t expected = 0;
    double minimum = std::numeric_limits<double>::infinity();
    for (const Contact& contact : all.contacts) {
      if (contact.gap <= reach) ++expected;
      minimum = std::min(minimum, contact.gap);
      EXPECT_EQ(all.set.gap(contact, all.state), contact.gap);
      EXPECT_LE((all.set.point(contact, all.state) - contact.point).norm(), 1e-14);
    }
    EXPECT_EQ(near.contacts.size(), expected);
    EXPECT_EQ(all.set.minimum_gap(all.state, 0), minimum);
  }
}

}  // namespace
}  // namespace ricochet::contact
