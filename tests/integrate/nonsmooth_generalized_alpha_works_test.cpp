// What the scheme books: works of contacts, joints, drivers and loads; reactions.
#include <gtest/gtest.h>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

TEST(NonsmoothGeneralizedAlphaWorks, TheLedgerClosesAndFrictionTakes) {
  test::AlphaRunner run(test::tumbling_box(0.3, 0.4), 1e-3);
  double taken = 0;
  for (int i = 0; i < 1000; ++i) {
    run.step();
    taken += run.report.works.contact_tangential;
    ASSERT_LE(std::abs(run.closing_error), 1e-12 * run.energy_scale);
    // That closes by itself, the remainder being a line of it; but in free flight there must not be any to speak of.
    if (!run.report.contacts.empty()) continue;
    ASSERT_LE(std::abs(run.report.works.numerical), 1e-6 * run.energy_scale);
  }
  EXPECT_LT(taken, -0.01);
}

// The weight of a hanging chain, on the second body at its hinge.
TEST(NonsmoothGeneralizedAlphaWorks, ReactionsOfAChainAtRest) {
  model::Model model = test::alpha_pendulum(3);
  model.gravity = Vector3(10, 0, 0);
  test::AlphaRunner run(model, 1e-2);
  run.steps(20);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LE((run.report.joints[i].force - Vector3(-30.0 * (3 - static_cast<double>(i)), 0, 0)).norm(), 1e-9);
  }
}

// A belt drags a block until it goes along: its driver has paid for the kinetic energy and for the heat.
TEST(NonsmoothGeneralizedAlphaWorks, ABeltPaysForSlip) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 2, Vector3::Zero());
  const int belt = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  model.drivers.push_back(test::driver(-1, belt, 0, 3));
  test::add_contact(model, {test::body(0)}, {test::surface(belt)}, test::alpha_law(0.5));
  test::AlphaRunner run(model, 1e-3);
  double paid = 0, heat = 0;
  for (int i = 0; i < 1000; ++i) {
    run.step();
    paid += run.report.works.drivers;
    heat -= run.report.works.contact_tangential;
  }
  EXPECT_NEAR(run.velocity(0).x(), 3, 1e-12);
  EXPECT_NEAR(paid, 2 * 9.0, 1e-9);
  EXPECT_NEAR(heat, 9.0, 1e-9);
}

TEST(NonsmoothGeneralizedAlphaWorks, LoadsAndDampersAreBookedToSecondOrder) {
  model::Model model;
  model.planar = true;
  test::add_point(model, 2, Vector3(1, 0, 0), Vector3(0, 1, 0));
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 30, 0.5, 0.8);
  const auto remainder = [&](double h) {
    NonsmoothGeneralizedAlphaOptions options;
    options.spectral_radius = 1;
    test::AlphaRunner run(model, h, options);
    double sum = 0;
    for (int i = 0; i < static_cast<int>(std::round(1 / h)); ++i) sum += run.step().works.numerical;
    return std::abs(sum);
  };
  const double coarse = remainder(4e-3), fine = remainder(1e-3);
  EXPECT_LE(coarse, 1e-3);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4), 2, 0.3);
}

}  // namespace
}  // namespace ricochet::integrate
