#include "ricochet/integrate/impact_sequence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

std::unique_ptr<test::Walker> in_sequence(const model::Model& model, bool moreau_jean, double h = 1e-3,
                                          double theta = 0.5, int max_passes = 1000) {
  if (moreau_jean) {
    test::RunnerOptions options;
    options.h = h;
    options.scheme.theta = theta;
    options.scheme.impacts = ImpactOrder::sequence;
    options.scheme.max_passes = max_passes;
    return std::make_unique<test::Runner>(model, options);
  }
  NonsmoothGeneralizedAlphaOptions options;
  options.impacts = ImpactOrder::sequence;
  options.max_passes = max_passes;
  return std::make_unique<test::AlphaRunner>(model, h, options);
}

// Balls in a row along x that touch; velocities along x.
model::Model row_of_balls(const std::vector<double>& masses, const std::vector<double>& speeds, double restitution) {
  model::Model model;
  std::vector<model::Participant> all;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const int ball =
        test::add_ball(model, masses[i], 0.5, Vector3(static_cast<double>(i), 0, 0), Vector3(speeds[i], 0, 0));
    all.push_back(test::body(ball));
  }
  test::add_contact(model, all, all, {.restitution = restitution});
  return model;
}

int passes_of(const test::Walker& walker) { return passes(walker.report); }

TEST(ImpactSequence, AsManyLeaveACradleAsCome) {
  for (const bool moreau_jean : {true, false}) {
    for (int n = 1; n <= 4; ++n) {
      std::vector<double> speeds(5, 0.0);
      std::fill(speeds.begin(), speeds.begin() + n, 1.0);
      const auto walker = in_sequence(row_of_balls(std::vector<double>(5, 2.0), speeds, 1), moreau_jean);
      const double before = walker->energy();
      walker->step();
      for (int i = 0; i < 5; ++i) EXPECT_NEAR(walker->velocity(i).x(), i < 5 - n ? 0 : 1, 1e-12) << n << " " << i;
      EXPECT_NEAR(walker->energy(), before, 1e-12 * before);
      EXPECT_GT(passes_of(*walker), 3);
      EXPECT_LE(walker->report.works.contact_created, 1e-12 * before);
      EXPECT_LE(std::abs(walker->closing_error), 1e-12 * before);
    }
  }
}

// Each ball hands on to the next: u' = u m (1 + e)/(m + m'), and falls behind it if that is heavier by less than e.
TEST(ImpactSequence, AChainOfUnequalBallsHandsOnBallByBall) {
  const std::vector<double> masses = {3, 2, 1.2, 0.8, 0.3};
  for (const bool moreau_jean : {true, false}) {
    for (const double theta : {0.5, 0.8}) {
      const double e = 0.9;
      const auto walker = in_sequence(row_of_balls(masses, {2, 0, 0, 0, 0}, e), moreau_jean, 1e-3, theta);
      std::vector<double> u = {2, 0, 0, 0, 0};
      // Impacts in the order in which they happen: pass by pass, all contacts that approach. Here one at a time.
      for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (int i = 0; i < 4; ++i) {
          const double approach = u[i] - u[i + 1];
          if (!(approach > 1e-12)) continue;
          const double impulse = (1 + e) * approach / (1 / masses[i] + 1 / masses[i + 1]);
          u[i] -= impulse / masses[i];
          u[i + 1] += impulse / masses[i + 1];
          goes_on = true;
          break;
        }
      }
      walker->step();
      EXPECT_EQ(passes_of(*walker), 4);
      for (int i = 0; i < 5; ++i) EXPECT_NEAR(walker->velocity(i).x(), u[i], 1e-11);
      double lost = 0, sum = 0;
      for (const ContactRecord& contact : walker->report.contacts) lost += contact.work_normal;
      for (int i = 0; i < 5; ++i) sum += masses[i] * u[i];
      EXPECT_NEAR(sum, 6, 1e-12);
      if (theta == 0.5) {  // else what the scheme takes is in it
        EXPECT_LT(lost, 0);
      }
      EXPECT_EQ(walker->report.works.contact_created, 0);
      EXPECT_LE(std::abs(walker->closing_error), 1e-12 * walker->energy_scale);
    }
  }
}

// Bernoulli's problem: both contacts are struck at once and solved at once. 0.6, -0.2 and 0.6 tan 30.
TEST(ImpactSequence, ContactsThatAreStruckTogetherAreSolvedTogether) {
  model::Model model;
  const double back = -std::sqrt(3.0);
  test::add_ball(model, 1, 1, Vector3(back, 0, 0), Vector3(1, 0, 0));
  test::add_ball(model, 1, 1, Vector3(0, 1, 0));
  test::add_ball(model, 1, 1, Vector3(0, -1, 0));
  test::add_contact(model, {test::body(0), test::body(1), test::body(2)}, {test::body(0), test::body(1), test::body(2)},
                    {.restitution = 1});
  for (const bool moreau_jean : {true, false}) {
    const auto walker = in_sequence(model, moreau_jean, 1e-6);
    walker->step();
    EXPECT_EQ(passes_of(*walker), 1);
    EXPECT_NEAR(walker->velocity(0).x(), -0.2, 1e-5);
    walker->step();
    EXPECT_NEAR(walker->velocity(0).x(), -0.2, 1e-5);
    EXPECT_NEAR(walker->velocity(1).x(), 0.6, 1e-5);
    EXPECT_NEAR(walker->velocity(1).y(), 0.2 * std::sqrt(3.0), 1e-5);
    EXPECT_NEAR(walker->velocity(2).y(), -0.2 * std::sqrt(3.0), 1e-5);
  }
}

// Balls at rest on a table approach it with g h in every step: one pass, and they stay.
TEST(ImpactSequence, WhatRestsRests) {
  for (const bool moreau_jean : {true, false}) {
    model::Model model = row_of_balls({1, 1, 1}, {0, 0, 0}, 0);
    model.gravity = Vector3(0, -9.81, 0);
    for (model::Node& node : model.nodes) node.position.y() = 0.5;
    test::put_on_ground(model, {.friction = 0.3, .rolling = 1e-3, .spinning = 1e-3});
    const auto walker = in_sequence(model, moreau_jean);
    for (int i = 0; i < 50; ++i) {
      walker->step();
      EXPECT_EQ(passes_of(*walker), 1);
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(walker->velocity(i).norm(), 1e-13);
      EXPECT_NEAR(walker->position(i).y(), 0.5, 1e-13);
    }
  }
}

// What is pressed with less than the weight of a step, or comes slowly, is not overlooked.
TEST(ImpactSequence, NothingIsTooSlowToTouch) {
  for (const bool moreau_jean : {true, false}) {
    model::Model model = row_of_balls({1, 1}, {5e-5, 0}, 1);
    model.gravity = Vector3(0, -10, 0);
    for (model::Node& node : model.nodes) node.position.y() = 0.5;
    test::put_on_ground(model, {});
    const auto walker = in_sequence(model, moreau_jean, 1e-2);
    walker->steps(3);
    EXPECT_NEAR(walker->velocity(0).x(), 0, 1e-12);
    EXPECT_NEAR(walker->velocity(1).x(), 5e-5, 1e-12);
    // Pressed to a wall with 5e-4 of the weight.
    model::Model pressed;
    pressed.gravity = Vector3(5e-3, -10, 0);
    test::add_ball(pressed, 1, 0.5, Vector3(-0.5, 0.5, 0));
    test::put_on_ground(pressed, {});
    const int wall = test::add_surface(pressed, Vector3::Zero(), -Vector3::UnitX());
    test::add_contact(pressed, {test::body(0)}, {test::surface(wall)});
    const auto held = in_sequence(pressed, moreau_jean, 1e-2);
    held->steps(100);
    EXPECT_NEAR(held->position(0).x(), -0.5, 1e-7);
    EXPECT_NEAR(held->report.contacts[1].force[0], 5e-3, 1e-9);
  }
}

// Six balls on each other: what passes do to each other is no energy that contacts give.
TEST(ImpactSequence, AStackAtRestGetsNoEnergy) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  std::vector<model::Participant> all;
  for (int i = 0; i < 6; ++i) all.push_back(test::body(test::add_ball(model, 1, 0.1, Vector3(0, 0.1 + 0.2 * i, 0))));
  test::put_on_ground(model, {.friction = 0.3});
  test::add_contact(model, all, all, {.friction = 0.3});
  for (const bool moreau_jean : {true, false}) {
    const auto walker = in_sequence(model, moreau_jean);
    for (int i = 0; i < 20; ++i) EXPECT_LE(walker->step().works.contact_created, 1e-6) << moreau_jean << " " << i;
  }
}

TEST(ImpactSequence, TooManyPassesAreAFailureWithAName) {
  for (const bool moreau_jean : {true, false}) {
    const auto walker =
        in_sequence(row_of_balls(std::vector<double>(5, 1.0), {1, 0, 0, 0, 0}, 1), moreau_jean, 1e-3, 0.5, 2);
    const StepStatus status = walker->try_step();
    EXPECT_EQ(status, StepStatus::impacts_go_on);
    if (moreau_jean) {
      EXPECT_EQ(walker->report.solver.worst_contact, 2);
    } else {
      EXPECT_NE(walker->report.impossible.find("contact"), std::string::npos);
    }
  }
}

// Two or three balls at random that touch and strike, with friction and everything: nothing penetrates further, nothing
// is pulled, the cone holds, momentum and angular momentum stay, and energy grows by no more than contacts are recorded
// to have created.
void strike_at_random(int trials, std::uint64_t seed) {
  math::Random random(seed);
  for (int trial = 0; trial < trials; ++trial) {
    model::Model model;
    const int count = 2 + trial % 2;
    std::vector<model::Participant> all;
    std::vector<Vector3> centers = {Vector3::Zero()};
    std::vector<double> radii;
    for (int i = 0; i < count; ++i) radii.push_back(random.uniform(0.2, 1));
    centers.push_back((radii[0] + radii[1]) * test::random_vector3(random).normalized());
    if (count == 3) centers.push_back(centers[1] + (radii[1] + radii[2]) * test::random_vector3(random).normalized());
    if (count == 3 && (centers[2] - centers[0]).norm() < radii[0] + radii[2]) continue;
    for (int i = 0; i < count; ++i) {
      const int ball =
          test::add_ball(model, random.uniform(0.1, 10), radii[i], centers[i], test::random_vector3(random));
      model.nodes[ball].angular_velocity = test::random_vector3(random, 5);
      all.push_back(test::body(ball));
    }
    model::ContactLaw law{.friction = random.uniform(0, 0.8),
                          .restitution = random.uniform(0, 1),
                          .tangential_restitution = random.uniform(0, 1),
                          .rolling = trial % 3 == 0 ? 0.0 : random.uniform(0, 0.1),
                          .spinning = trial % 4 == 0 ? 0.0 : random.uniform(0, 0.1)};
    if (trial % 5 == 0) law.spinning_law = model::SpinningLaw::contensou;
    test::add_contact(model, all, all, law);
    for (const bool moreau_jean : {true, false}) {
      const auto walker = in_sequence(model, moreau_jean, 1e-7);
      const auto angular_momentum = [&] {
        Vector3 sum = Vector3::Zero();
        for (int i = 0; i < count; ++i) {
          const math::Quaternion rotation = mechanics::orientation(walker->equations.map(), walker->now.state, i);
          const Vector3 spin = rotation.rotate(walker->angular_velocity(i));
          const model::Body& body = walker->model.bodies[i];
          sum += body.mass * math::cross(walker->position(i), walker->velocity(i)) + body.inertia(0, 0) * spin;
        }
        return sum;
      };
      const Vector3 momentum = walker->momentum(), moment = angular_momentum();
      const double energy = walker->energy();
      ASSERT_EQ(walker->try_step(), StepStatus::done) << trial << " " << moreau_jean;
      std::swap(walker->now, walker->next);
      const double size = 30;
      EXPECT_LE((walker->momentum() - momentum).norm(), 1e-12 * size);
      EXPECT_LE((angular_momentum() - moment).norm(), 1e-6 * size);  // arms turn by h v, 1e-6 m
      EXPECT_LE(walker->energy() - energy, walker->report.works.contact_created + 1e-10 * size);
      for (const ContactRecord& contact : walker->report.contacts) {
        const double normal = contact.impulse[0], slack = 1e-9 * size;
        EXPECT_GE(normal, 0);
        EXPECT_LE(contact.impulse.tail<2>().norm(), law.friction.at(0) * normal + slack) << trial;
        EXPECT_LE(contact.moment.tail<2>().norm(), law.rolling * normal + slack);
        EXPECT_LE(std::abs(contact.moment[0]), law.spinning * normal + slack);
        EXPECT_GE(contact.velocity[0], -1e-6) << trial << " " << moreau_jean;
        EXPECT_GE(contact.gap, moreau_jean ? -1e-6 : -1e-12);
      }
    }
  }
}

TEST(ImpactSequenceProperty, RandomImpactsKeepTheLaws) { strike_at_random(300, 5); }
TEST(ImpactSequencePropertySlow, TenThousandRandomImpactsKeepTheLaws) { strike_at_random(13'000, 6); }

}  // namespace
}  // namespace ricochet::integrate
