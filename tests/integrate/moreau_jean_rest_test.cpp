// Rest, scale and failure: what a scheme must not do.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

// The impulses of a body at rest are the same in every step, and no contact is ever lost.
void expect_rest(const char* name, const model::Model& model, std::size_t contacts, double tolerance, int settle = 0,
                 const test::RunnerOptions& options = {}) {
  test::Runner run(model, options);
  run.steps(1 + settle);
  ASSERT_EQ(run.report.contacts.size(), contacts) << name;
  std::vector<Vector3> first;
  for (const ContactRecord& contact : run.report.contacts) first.push_back(contact.impulse);
  for (int i = 0; i < 10'000; ++i) {
    run.step();
    ASSERT_EQ(run.report.contacts.size(), contacts) << name << ", step " << i;
    for (std::size_t k = 0; k < contacts; ++k) {
      ASSERT_LE((run.report.contacts[k].impulse - first[k]).norm(), tolerance * (1e-300 + first[k].norm()))
          << name << ", step " << i << ", contact " << k;
    }
  }
}

TEST(MoreauJeanRest, ABodyAtRestNeverFlickers) {
  for (const bool planar : {true, false}) {
    for (const double mass : {1.0, 0.3, 7e-3}) {
      for (const Vector3& position : {Vector3(0, 0, 0), Vector3(0.7, 0, 0), Vector3(1e5, 0, 0)}) {
        model::Model point;
        point.planar = planar;
        point.gravity = Vector3(0, -9.81, 0);
        test::add_point(point, mass, position);
        test::put_on_ground(point, {0.3, 0.5, 0});
        expect_rest("point", point, 1, 1e-13);

        model::Model ball;
        ball.planar = planar;
        ball.gravity = Vector3(0, -9.81, 0);
        test::add_ball(ball, mass, 0.1, position);
        const int low = test::add_surface(ball, Vector3(0, -0.1, 0), Vector3::UnitY());
        test::add_contact(ball, {test::body(0)}, {test::surface(low)}, {0.3, 0, 0});
        expect_rest("ball", ball, 1, 1e-13);
      }
    }
  }
}

// At the origin every coordinate that enters the gap is zero, and so is its rounding error.
TEST(MoreauJeanRestProperty, APointAtTheOriginNeverFlickers) {
  math::Random random(8);
  for (int i = 0; i < 200; ++i) {
    model::Model model;
    model.planar = i % 2 == 0;
    model.gravity = Vector3(0, -random.uniform(1, 20), 0);
    const double angle = i % 4 < 2 ? 0 : random.uniform(-0.5, 0.5);
    test::add_point(model, random.uniform(0.1, 10), Vector3::Zero());
    test::put_on_ground(model, {0.8, i % 3 == 0 ? random.uniform() : 0, 0},
                        Vector3(-std::sin(angle), std::cos(angle), 0));
    test::Runner run(model, {.h = random.uniform(1e-4, 1e-2),
                             .scheme = {.theta = i % 5 == 0 ? random.uniform(0.5, 1) : 0.5},
                             .solver = {.tolerance = i % 7 == 0 ? 0 : 1e-8, .max_iterations = 3}});
    run.scheme.step({run.equations, run.contacts}, run.now, run.h, run.next, run.report);
    const double first = run.report.contacts.at(0).impulse[0];
    for (int k = 0; k < 2000; ++k) {
      run.scheme.step({run.equations, run.contacts}, run.now, run.h, run.next, run.report);
      std::swap(run.now, run.next);
      ASSERT_EQ(run.report.contacts.size(), 1u) << "case " << i << ", step " << k;
      ASSERT_NEAR(run.report.contacts[0].impulse[0], first, 1e-12 * first) << "case " << i << ", step " << k;
    }
  }
}

// A ball that is lifted leaves its contact at once: slack holds nothing back.
TEST(MoreauJeanRest, SlackDoesNotHoldBack) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 1, Vector3::Zero());
  test::put_on_ground(model, {0.5, 0, 0});
  const math::TimeFunction lift(math::Expression::parse("t < 0.5 ? 0 : 11"));
  model.loads.push_back({"lift", {{0}, Vector3::Zero()}, {math::TimeFunction(), lift, math::TimeFunction()}, {}});
  test::Runner run(model);
  run.steps(500);
  EXPECT_NEAR(run.position(0).y(), 0, 1e-15);
  const StepReport& report = run.step();
  EXPECT_EQ(report.contacts.at(0).impulse[0], 0);
  EXPECT_NEAR(run.velocity(0).y(), 1e-3, 1e-15);
  EXPECT_TRUE(run.step().contacts.empty());
}

TEST(MoreauJeanRest, ABodyAtRestOnASlopeNeverFlickers) {
  for (const bool planar : {true, false}) {
    for (const double angle : {0.1, 0.2, 0.29}) {
      for (const double theta : {0.5, 0.75, 1.0}) {
        model::Model model;
        model.planar = planar;
        model.gravity = Vector3(0, -9.81, 0);
        test::add_point(model, 0.3, Vector3::Zero());
        test::put_on_ground(model, {0.3, 0, 0}, Vector3(-std::sin(angle), std::cos(angle), 0));
        expect_rest("slope", model, 1, 1e-12, 0, {.scheme = {.theta = theta}});
      }
    }
  }
}

TEST(MoreauJeanRest, ABoxAtRestOnTwoCornersNeverFlickers) {
  for (const double width : {1.0, 0.3, 30.0}) {
    for (const double tolerance : {1e-8, 1e-14}) {
      model::Model model;
      model.planar = true;
      model.gravity = Vector3(0, -9.81, 0);
      test::add_box(model, 2, Vector3(width, 0.5, 0.5), Vector3(0, 0.5, 0));
      test::put_on_ground(model, {0.3, 0, 0});
      expect_rest("box", model, 2, 1e-6, 0, {.solver = {.tolerance = tolerance}});
    }
  }
}

TEST(MoreauJeanRest, AStackOfBallsNeverFlickers) {
  model::Model model;
  model.gravity = Vector3(0, -9.81, 0);
  for (int i = 0; i < 3; ++i) test::add_ball(model, 1, 0.5, Vector3(0, 0.5 + i, 0));
  test::put_on_ground(model, {0.3, 0, 0});
  const std::vector<model::Participant> all = {test::body(0), test::body(1), test::body(2)};
  test::add_contact(model, all, all, {0.3, 0, 0});
  expect_rest("stack", model, 3, 1e-6, 20, {.solver = {.tolerance = 1e-8}});
}

// A load without gravity holds the body on the plane: the only velocity is that of the free motion.
TEST(MoreauJeanRest, ABodyPressedDownByALoadOnAnArm) {
  model::Model model;
  model.planar = true;
  test::add_box(model, 2, Vector3(1, 0.5, 0.5), Vector3(0, 0.5, 0));
  test::put_on_ground(model, {0.3, 0, 0});
  model.loads.push_back({"press", {{0}, Vector3(0.3, 0.5, 0)}, test::constant_functions(Vector3(0, -9.7, 0)), {}});
  expect_rest("pressed", model, 2, 1e-6);
}

// Lengths and gravity times 2^10, inertia times 2^20, masses times 2^n: the same bits, scaled.
TEST(MoreauJeanScaling, ResultsAreBitIdentical) {
  const auto machine = [](double length, double mass, bool planar) {
    model::Model model;
    model.planar = planar;
    model.gravity = Vector3(0, -9.81, 0) * length;
    math::Random random(7);
    std::vector<model::Participant> all;
    for (int i = 0; i < 6; ++i) {
      const double depth = planar ? 0 : 0.1 * i;
      test::add_ball(model, mass * random.uniform(1, 2), length * 0.5, length * Vector3(0.3 * i, 0.5 + 0.97 * i, depth),
                     length * test::random_vector3(random));
      model.nodes.back().angular_velocity = test::random_vector3(random);
      all.push_back(test::body(i));
    }
    test::add_box(model, mass, length * Vector3(0.4, 0.3, 0.2), length * Vector3(-3, 0.5, 0));
    const Vector3 offset = length * Vector3(0.1, 0.2, 0.05);
    test::add_spring(model, {{0}, offset}, {{3}, -offset}, mass * 50, mass * 1, length * 0.5);
    test::add_spring(model, {}, {{5}, offset}, mass * 20, mass * 1, length * 0.5, Vector3(0, 0.6, 0.8));
    model.loads.push_back({"load",
                           {{2}, offset},
                           test::constant_functions(mass * length * Vector3(1, 2, 0)),
                           test::constant_functions(mass * length * length * Vector3(0.1, 0, 0.3))});
    test::put_on_ground(model, {0.3, 0.5, 0.1});
    test::add_contact(model, all, all, {0.4, 0.2, 0});
    return model;
  };
  for (const bool planar : {true, false}) {
    test::Runner one(machine(1, 1, planar), {.h = 2e-3, .solver = {.tolerance = 1e-8}});
    test::Runner longer(machine(0x1p10, 1, planar), {.h = 2e-3, .solver = {.tolerance = 1e-8}});
    test::Runner heavier(machine(1, 0x1p-7, planar), {.h = 2e-3, .solver = {.tolerance = 1e-8}});
    std::size_t contacts = 0;
    for (int i = 0; i < 500; ++i) {
      one.step();
      longer.step();
      heavier.step();
      ASSERT_EQ(one.now.state.q, heavier.now.state.q) << "step " << i;
      ASSERT_EQ(one.now.state.v, heavier.now.state.v) << "step " << i;
      for (int node = 0; node < 7; ++node) {
        ASSERT_EQ(Vector3(0x1p10 * one.position(node)), longer.position(node)) << "step " << i << ", node " << node;
        ASSERT_EQ(Vector3(0x1p10 * one.velocity(node)), longer.velocity(node)) << "step " << i << ", node " << node;
        ASSERT_EQ(one.angular_velocity(node), longer.angular_velocity(node)) << "step " << i << ", node " << node;
      }
      contacts += one.report.contacts.size();
      ASSERT_EQ(one.report.contacts.size(), longer.report.contacts.size());
      for (std::size_t k = 0; k < one.report.contacts.size(); ++k) {
        ASSERT_EQ(Vector3(0x1p10 * one.report.contacts[k].impulse), longer.report.contacts[k].impulse);
        ASSERT_EQ(Vector3(0x1p-7 * one.report.contacts[k].impulse), heavier.report.contacts[k].impulse);
      }
      ASSERT_EQ(one.report.works.contact_normal * 0x1p20, longer.report.works.contact_normal);
      ASSERT_EQ(one.report.works.numerical * 0x1p20, longer.report.works.numerical);
    }
    EXPECT_GT(contacts, 1000u);
  }
}

TEST(MoreauJeanFailure, ALoadThatIsNotANumber) {
  const auto not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {not_a_number, std::numeric_limits<double>::infinity()}) {
    for (const bool offset : {false, true}) {
      for (const bool contact : {false, true}) {
        for (const bool spring : {false, true}) {
          model::Model model;
          test::add_ball(model, 1, 0.5, Vector3(0, 0.5, 0));
          test::add_ball(model, 1, 0.5, Vector3(0, 1.5, 0));
          if (contact) test::put_on_ground(model, {0.5, 0, 0});
          if (spring) test::add_spring(model, {{0}, Vector3::Zero()}, {{1}, Vector3::Zero()}, 1, 0, 0);
          model.loads.push_back({"bad",
                                 {{0}, offset ? Vector3(Vector3::UnitX()) : Vector3(Vector3::Zero())},
                                 test::constant_functions(Vector3(0, bad, 0)),
                                 {}});
          test::Runner run(model);
          EXPECT_EQ(run.try_step(), StepStatus::not_finite) << offset << contact << spring;
        }
      }
    }
  }
}

TEST(MoreauJeanFailure, AnImpossibleContactTolerance) {
  math::Random random(5);
  model::Model model;
  model.gravity = Vector3(0.3, -10, 0.1);
  for (int i = 0; i < 4; ++i) test::add_ball(model, 1.1 * (i + 1), 0.5, Vector3(0.01 * i, 0.5 + 0.99 * i, 0));
  test::put_on_ground(model, {0.5, 0, 0});
  const std::vector<model::Participant> all = {test::body(0), test::body(1), test::body(2), test::body(3)};
  test::add_contact(model, all, all, {0.5, 0, 0});
  test::Runner run(model, {.solver = {.tolerance = 0, .max_iterations = 100}});
  EXPECT_EQ(run.try_step(), StepStatus::contact_unconverged);
  EXPECT_GT(run.report.solver.residual, 0);
  EXPECT_GE(run.report.solver.worst_contact, 0);
  EXPECT_EQ(run.report.contacts.size(), 4u);
}

TEST(MoreauJeanFailure, AnImpossibleMotionTolerance) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 1, Vector3(1, 0, 0));
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 1000, 0, 0.7);
  test::Runner once(model, {.h = 0.1, .scheme = {.max_motion_iterations = 1}});
  EXPECT_EQ(once.try_step(), StepStatus::motion_unconverged);
  EXPECT_EQ(once.report.motion_iterations, 1);
  test::Runner enough(model, {.h = 0.1});
  EXPECT_EQ(enough.try_step(), StepStatus::done);
  EXPECT_LT(enough.report.motion_iterations, 10);
  EXPECT_GT(enough.report.motion_iterations, 1);
}

// Newton's residual at the accepted velocity, with frames, dampers and contacts.
TEST(MoreauJeanFailure, MotionReachesItsTolerance) {
  math::Random random(6);
  for (int i = 0; i < 30; ++i) {
    model::Model model;
    model.gravity = Vector3(0, -10, 0);
    for (int k = 0; k < 3; ++k) {
      test::add_ball(model, random.uniform(0.5, 2), 0.4, Vector3(k, 0.4, 0), test::random_vector3(random, 3));
      model.nodes.back().angular_velocity = test::random_vector3(random, 10);
      const Vector3 start = test::random_vector3(random, 0.4), end = test::random_vector3(random, 0.4);
      if (k > 0) test::add_spring(model, {{k - 1}, start}, {{k}, end}, 1000, 20, 0.5);
    }
    test::put_on_ground(model, {0.5, 0.3, 0});
    test::Runner run(model, {.h = 5e-3, .solver = {.tolerance = 1e-10}});
    for (int k = 0; k < 50; ++k) {
      const Instant before = run.now;
      run.step();
      mechanics::State stage = before.state;
      stage.time += 0.5 * run.h;
      stage.v = 0.5 * (before.state.v + run.now.state.v);
      mechanics::advance(run.equations.map(), before.state.q, stage.v, 0.5 * run.h, stage.q);
      VectorX force, residual;
      run.equations.force(stage, force);
      run.equations.multiply_mass(run.now.state, run.now.state.v - before.state.v, residual);
      residual -= run.h * force;
      std::vector<contact::Contact> contacts;
      linalg::BlockSparseMatrix gradients;
      run.contacts.detect(before.state, 0, contacts);
      run.contacts.gradients(before.state, contacts, gradients);
      VectorX impulses(3 * contacts.size());
      for (std::size_t c = 0; c < contacts.size(); ++c) impulses.segment<3>(3 * c) = run.report.contacts[c].impulse;
      VectorX reaction = VectorX::Zero(residual.size());
      gradients.transpose_multiply_add(impulses, reaction);
      ASSERT_LE((residual - reaction).norm(), 1e-11 * (1 + run.now.state.v.norm()));
      ASSERT_LE(run.report.motion_iterations, 15);
    }
  }
}

}  // namespace
}  // namespace ricochet::integrate
