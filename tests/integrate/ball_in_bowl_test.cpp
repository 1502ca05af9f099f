// Balls in hollow spheres and bores, and on solids, with both schemes: what curved contacts make of a step.
#include <gtest/gtest.h>

#include <numbers>
#include <set>
#include <string>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

enum class Method { moreau_jean, alpha };
constexpr std::array<Method, 2> kMethods = {Method::moreau_jean, Method::alpha};

std::unique_ptr<test::Walker> walker(const model::Model& model, Method method, double h) {
  if (method == Method::alpha) return std::make_unique<test::AlphaRunner>(model, h);
  return std::make_unique<test::Runner>(model, test::RunnerOptions{.h = h});
}

constexpr double kBowl = 0.5, kBall = 0.1;  // m, radii
constexpr double kPull = 10;                // m/s^2

// A ball that is let go beside the lowest point of something hollow (below is -y), which is fixed or floats.
model::Model ball_in(const model::Shape& hollow, double angle, double friction, bool planar, bool is_fixed = true) {
  model::Model model;
  model.planar = planar;
  model.gravity = Vector3(0, -kPull, 0);
  test::add_ball(model, 2, kBall, (kBowl - kBall) * Vector3(std::sin(angle), -std::cos(angle), 0));
  model::Node node;
  node.kind = model::NodeKind::frame;
  if (is_fixed) node.fixed.fill(true);
  test::add_body(model, node, 3, hollow, 0.5 * Matrix3::Identity());
  test::add_contact(model, {test::body(0)}, {test::body(1)}, test::alpha_law(friction));
  return model;
}

// When x crosses zero for the third time: 5/4 of a period.
double third_crossing(test::Walker& run) {
  int crossings = 0;
  for (int step = 0; step < 100'000; ++step) {
    const double before = run.position(0).x();
    run.step();
    const double after = run.position(0).x();
    if ((before < 0) != (after < 0) && ++crossings == 3) {
      return run.now.state.time - run.h * after / (after - before);
    }
  }
  ADD_FAILURE() << "it does not swing";
  return 0;
}

// For small angles 2 pi sqrt(rho/g), and sqrt(7/5) times that where it rolls. The contact acts at one end of a step:
// the frequency is right to (w h)^2, times to a step.
TEST(BallInBowl, PeriodsOfSmallSwings) {
  const double h = 1e-3, angle = 0.01;
  for (const Method method : kMethods) {
    for (const bool planar : {false, true}) {
      for (const model::Shape& hollow :
           std::vector<model::Shape>{model::HollowSphereShape{kBowl}, model::HollowCylinderShape{kBowl},
                                     model::HollowCylinderShape{kBowl, 0.2}}) {
        for (const double friction : {0.0, 0.5}) {
          const double share = friction > 0 ? 1.4 : 1.0;
          const double pace = std::sqrt(kPull / (share * (kBowl - kBall)));
          const auto run = walker(ball_in(hollow, angle, friction, planar), method, h);
          const double expected = 2.5 * std::numbers::pi / pace * (1 + angle * angle / 16);
          EXPECT_NEAR(third_crossing(*run), expected, 2 * h + expected * pace * pace * h * h)
              << model::shape_name(hollow) << ", friction " << friction;
          EXPECT_NEAR(run->position(0).z(), 0, 1e-12);
        }
      }
    }
  }
}

// Without friction a large swing keeps its energy in first order: half the steps, twice the change; and with the second
// scheme the ball stays on its circle.
TEST(BallInBowl, EnergyChangesInFirstOrder) {
  for (const Method method : kMethods) {
    const auto change = [&](double h) {
      const auto run = walker(ball_in(model::HollowSphereShape{kBowl}, 0.5, 0, false), method, h);
      const double before = run->energy();
      for (int step = 0; step < static_cast<int>(1.0 / h); ++step) {
        run->step();
        if (method == Method::alpha) {
          EXPECT_NEAR(run->position(0).norm(), kBowl - kBall, 1e-10);
        }
      }
      return (run->energy() - before) / (2 * kPull * (kBowl - kBall) * (1 - std::cos(0.5)));
    };
    const double coarse = change(1e-3), fine = change(5e-4);
    const double pace_squared = kPull / (kBowl - kBall);
    EXPECT_LE(std::abs(coarse), 2 * pace_squared * 1e-3);
    EXPECT_NEAR(coarse / fine, 2, 0.1);
  }
}

// A container that floats and turns: ball and container exchange momentum, nothing is made.
TEST(BallInBowl, AFloatingContainerExchangesMomentum) {
  for (const Method method : kMethods) {
    for (const double friction : {0.0, 0.4}) {
      model::Model model = ball_in(model::HollowSphereShape{kBowl}, 0.3, friction, false, false);
      model.gravity.setZero();
      model.nodes[0].velocity = Vector3(1, -2, 0.5);
      model.nodes[1].angular_velocity = Vector3(3, 2, -1);
      model.nodes[1].velocity = Vector3(0, 0.3, 0.2);
      const auto run = walker(model, method, 1e-3);
      const Vector3 momentum = run->momentum();
      double energy = run->energy();
      const double start = energy;
      int touching = 0;
      for (int step = 0; step < 500; ++step) {
        run->step();
        touching += run->report.contacts.empty() ? 0 : 1;
        EXPECT_LE(run->energy(), energy + 1e-9 * start);
        energy = run->energy();
      }
      EXPECT_LE((run->momentum() - momentum).norm(), 1e-10);
      EXPECT_GT(touching, 100);
      // Moreau and Jean's scheme notices a touch up to a step late, and then leaves the circle along the tangents of
      // two steps, by (u h)^2/rho in each. Energy only falls, which limits the relative speed u of masses of 2 and 3
      // kg.
      const double way = std::sqrt(2 * start * (1.0 / 2 + 1.0 / 3)) * run->h, rho = kBowl - kBall;
      const double depth = method == Method::alpha ? 1e-9 : 2 * way + 500 * way * way / rho;
      EXPECT_LE((run->position(0) - run->position(1)).norm(), rho + depth);
    }
  }
}

// A bore has ends: what slides out of it, here after 0.2 s, falls.
TEST(BallInBowl, ABallSlidesOutOfABore) {
  for (const Method method : kMethods) {
    model::Model model = ball_in(model::HollowCylinderShape{kBowl, 0.2}, 0, 0, false);
    model.nodes[0].velocity = Vector3(0, 0, 1);
    const auto run = walker(model, method, 1e-3);
    run->steps(195);
    EXPECT_NEAR(run->position(0).y(), kBall - kBowl, 1e-9);
    run->steps(100);
    EXPECT_NEAR(run->position(0).y(), kBall - kBowl - 0.5 * kPull * 0.095 * 0.095, 2 * kPull * 0.095 * 1e-3);
  }
}

// What comes around an end of a bore passes along its outside.
TEST(BallInBowl, NothingIsPulledIntoABoreFromOutside) {
  model::Model model = ball_in(model::HollowCylinderShape{kBowl, 0.2}, 0, 0.3, false);
  model.gravity.setZero();
  model.nodes[0].position = Vector3(0, kBowl + 0.15, -0.3);
  model.nodes[0].velocity = Vector3(0, 0, 1);
  const auto run = walker(model, Method::alpha, 1e-3);
  run->steps(600);
  EXPECT_NEAR(run->position(0).y(), kBowl + 0.15, 1e-15);
  EXPECT_NEAR(run->position(0).z(), 0.3, 1e-12);
}

// From the face of a box over its edge: the contact gets another identity on the way. The ball rolls on all the same:
// it neither hops nor falls through, and its energy is kept but for what steps cost.
TEST(BallInBowl, ABallRollsOverAnEdge) {
  const double h = 1e-3, r = 0.2, speed = 0.3;
  for (const Method method : kMethods) {
    model::Model model;
    model.gravity = Vector3(0, -kPull, 0);
    test::add_ball(model, 1, r, Vector3(-0.1, r, 0), Vector3(speed, 0, 0));
    model.nodes[0].angular_velocity = Vector3(0, 0, -speed / r);
    test::add_box(model, 1, Vector3(1, 0.5, 1), Vector3(-1, -0.5, 0));
    model.nodes[1].fixed.fill(true);
    test::add_contact(model, {test::body(0)}, {test::body(1)}, test::alpha_law(0.8));
    const auto run = walker(model, method, h);
    const double start = run->energy();
    std::set<int> features;
    int without = 0, steps = 0;
    // Until it has tipped by 0.3 rad.
    while (run->position(0).x() < r * std::sin(0.3) && steps < 3000) {
      run->step();
      ++steps;
      bool carries = false;
      for (const ContactRecord& contact : run->report.contacts) {
        if (contact.impulse[0] > 0) features.insert(contact.key.feature_b), carries = true;
      }
      without += carries ? 0 : 1;
      const double x = std::max(run->position(0).x(), 0.0);
      const double distance = std::hypot(x, run->position(0).y());
      EXPECT_NEAR(distance, r, method == Method::alpha ? 1e-9 : h * run->velocity(0).norm()) << steps;
    }
    EXPECT_LT(steps, 3000);
    EXPECT_EQ(features.size(), 2u);
    if (method == Method::alpha) {
      EXPECT_EQ(without, 0);
    }
    // On the edge it tips with p'' = (g/(1.4 r)) sin p: as in a bowl energy changes by h t times that rate and p'^2.
    const double kinetic = run->equations.kinetic_energy(run->now.state),
                 rate = run->velocity(0).squaredNorm() / (r * r);
    EXPECT_NEAR(run->energy(), start, h * steps * h * (kPull / (1.4 * r) + rate) * kinetic);
  }
}

}  // namespace
}  // namespace ricochet::integrate
