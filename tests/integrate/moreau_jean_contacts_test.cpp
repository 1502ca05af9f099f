// Which contacts stay closed under a load, and how deep: by what the solver may leave at each.
#include <gtest/gtest.h>

#include <vector>

#include "sunken_stack.hpp"

namespace ricochet::integrate {
namespace {

using test::kWeight, test::step_fall, test::tolerable;

// A million times heavier than what it stands on: the residual allows errors of the load's size, not of the fall's, and
// these must not open contacts. Beside a ball that is fast, which has nothing to do with them.
TEST(MoreauJeanContacts, HeavyOnLightStaysAtRest) {
  for (const double restitution : {0.0, 1.0}) {
    model::Model model;
    model.gravity = Vector3(0, -kWeight, 0);
    test::add_box(model, 1, Vector3(0.25, 0.25, 0.25), Vector3(0, 0.25, 0));
    test::add_box(model, 1e6, Vector3(0.25, 0.25, 0.25), Vector3(0, 0.75, 0));
    test::add_ball(model, 1, 0.25, Vector3(0, 0.25, 5), Vector3(1000, 0, 0));
    const std::vector<model::Participant> all = {test::body(0), test::body(1), test::body(2)};
    test::put_on_ground(model, {0.5, restitution, 0});
    test::add_contact(model, all, all, {0.5, restitution, 0});
    test::Runner run(model, {.h = 2e-3, .solver = {.tolerance = 1e-8}});
    for (int step = 0; step < 500; ++step) {
      EXPECT_EQ(run.step().contacts.size(), 9U) << restitution << " " << step;
      EXPECT_LE(run.now.state.v.head<12>().lpNorm<Eigen::Infinity>(), 1e-6);
    }
    EXPECT_LE((run.position(1) - Vector3(0, 0.75, 0)).norm(), 1e-7);
  }
}

// A box that lands comes to rest as deep as ever, whatever is fast elsewhere.
TEST(MoreauJeanContacts, FastBodiesElsewhereDoNotKeepOthersDeep) {
  std::vector<double> depths;
  for (const double speed : {0.0, 1000.0}) {
    model::Model model;
    model.gravity = Vector3(0, -kWeight, 0);
    test::add_box(model, 1, Vector3(0.1, 0.1, 0.1), Vector3(0, 0.2, 0));
    test::add_ball(model, 1, 0.25, Vector3(0, 0.25, 5), Vector3(speed, 0, 0));
    test::put_on_ground(model, {0.5, 0, 0});
    test::Runner run(model, {.h = 2e-3, .solver = {.tolerance = 1e-4}});
    run.steps(5000);
    depths.push_back(0.1 - run.position(0).y());
  }
  EXPECT_NEAR(depths[0], step_fall(2e-3), tolerable(2e-3));
  EXPECT_NEAR(depths[1], depths[0], 1e-12);
}

}  // namespace
}  // namespace ricochet::integrate
