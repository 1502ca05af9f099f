// The impact laws by hand, in a step of the scheme, and what they promise about energy.
#include "ricochet/integrate/impact_law.hpp"

#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

TEST(ImpactLaw, OffsetsByHand) {
  const model::ContactCoefficients law{0.3, 0.5, -0.25};
  const Vector3 approaching(-2, 4, 8), opening(2, 4, 8);
  EXPECT_EQ(impact_offset(ImpactLaw::newton, 0.75, law, approaching), Vector3(-1, -1, -2));
  EXPECT_EQ(impact_offset(ImpactLaw::newton, 0.75, law, opening), Vector3(0, -1, -2));
  // theta u_1 + (1 - theta) u_0 + (theta (1 + e) - 1) u_N0, over theta.
  EXPECT_EQ(impact_offset(ImpactLaw::fremond, 0.5, law, approaching), Vector3(-1, 4, 8));
  EXPECT_EQ(impact_offset(ImpactLaw::fremond, 0.5, law, opening), Vector3(2, 4, 8));
  EXPECT_EQ(impact_offset(ImpactLaw::fremond, 1, law, approaching), Vector3(-1, 0, 0));
  EXPECT_EQ(impact_offset(ImpactLaw::poisson, 0.5, law, approaching), Vector3(0, 0, 0));
  EXPECT_EQ(largest_dissipative_theta(1), 0.5);
  EXPECT_EQ(largest_dissipative_theta(0), 1);
}

// A particle of 2 kg hits the ground at (3, -4) m/s without weight. Newton and Poisson: it leaves with 4 e, friction
// takes at most mu (1 + e) 4 of the 3 m/s. Frémond: it slips likewise, or its tangential velocity is reversed.
TEST(ImpactLaw, AParticleHitsTheGround) {
  for (const double friction : {0.1, 0.4, 0.6, 2.0}) {
    for (const double restitution : {0.0, 0.5, 1.0}) {
      for (const ImpactLaw impact : {ImpactLaw::newton, ImpactLaw::fremond, ImpactLaw::poisson}) {
        model::Model model;
        test::add_point(model, 2, Vector3::Zero(), Vector3(3, -4, 0));
        test::put_on_ground(model, {friction, restitution, 0});
        test::Runner run(model, {.h = 1e-3, .scheme = {.impact = impact}});
        run.step();
        const double most = friction * (1 + restitution) * 4;
        const double stopped = impact == ImpactLaw::fremond ? 6 : 3;  // what stick takes
        EXPECT_NEAR(run.velocity(0).y(), 4 * restitution, 1e-12);
        EXPECT_NEAR(run.velocity(0).x(), 3 - std::min(most, stopped), 1e-12)
            << friction << " " << restitution << " " << impact_law_names.at(static_cast<std::size_t>(impact));
        EXPECT_LE(std::abs(run.closing_error), 1e-13 * run.energy_scale);
      }
    }
  }
}

// Frémond's law at theta: the law is obeyed by u_theta. For theta = 1/(1 + e) the restitution term vanishes.
TEST(ImpactLaw, FremondAtTheLargestTheta) {
  model::Model model;
  test::add_point(model, 1, Vector3::Zero(), Vector3(0, -1, 0));
  test::put_on_ground(model, {0, 0.25, 0});
  test::Runner run(model, {.h = 1e-3, .scheme = {.theta = 0.8, .impact = ImpactLaw::fremond}});
  run.step();
  EXPECT_NEAR(run.velocity(0).y(), 0.25, 1e-15);
  EXPECT_NEAR(run.report.works.contact_normal, 0, 1e-15);  // all of the loss is the scheme's own
  EXPECT_NEAR(run.report.works.numerical, 0.5 * (0.0625 - 1), 1e-15);
}

// A contact that opens already gives nothing back. The left end of a bar moves up at 0.1 m/s while the blow on its
// right end presses it down. Newton: it stops. Frémond: its mean velocity is zero, so that its impulse does no work.
TEST(ImpactLaw, AnOpeningContactGivesNothingBack) {
  for (const ImpactLaw impact : {ImpactLaw::newton, ImpactLaw::fremond}) {
    model::Model model;
    model.planar = true;
    test::add_box(model, 1, Vector3(1, 1e-3, 0.1), Vector3(0, 1e-3, 0));
    model.nodes[0].velocity = Vector3(0, -0.3, 0);
    model.nodes[0].angular_velocity = Vector3(0, 0, -0.4);
    test::put_on_ground(model, {0, 0.5, 0});
    test::Runner run(model, {.h = 1e-6, .scheme = {.impact = impact}});
    run.step();
    ASSERT_EQ(run.report.contacts.size(), 2U);
    const std::size_t left = run.report.contacts[0].velocity_before[0] > 0 ? 0 : 1;
    const ContactRecord& contact = run.report.contacts[left];
    EXPECT_NEAR(contact.velocity_before[0], 0.1, 1e-12);
    EXPECT_GT(contact.impulse[0], 0);
    EXPECT_NEAR(contact.velocity[0], impact == ImpactLaw::newton ? 0.0 : -0.1, 1e-12);
    EXPECT_NEAR(run.report.contacts[1 - left].velocity[0], 0.35, 1e-12);
  }
}

// With the active set of eq 64 a contact that opens takes no part.
TEST(ImpactLaw, ActiveSetOfApproachingContacts) {
  for (const ActiveSet active_set : {ActiveSet::closed, ActiveSet::approaching}) {
    model::Model model;
    test::add_point(model, 1, Vector3::Zero(), Vector3(0, 1, 0));
    test::add_point(model, 1, Vector3::Zero(), Vector3(0, -1, 0));
    test::put_on_ground(model, {0, 0.5, 0});
    test::Runner run(model, {.h = 1e-3, .scheme = {.active_set = active_set}});
    run.step();
    EXPECT_EQ(run.report.contacts.size(), active_set == ActiveSet::closed ? 2U : 1U);
    EXPECT_NEAR(run.velocity(0).y(), 1, 1e-15);
    EXPECT_NEAR(run.velocity(1).y(), 0.5, 1e-15);
  }
}

// Boxes and balls thrown on a plane, with any friction and restitution, theta up to the bound: no step creates energy
// beyond what the tolerance of the solver explains, so a tighter tolerance explains less.
void expect_no_energy_created(std::uint64_t seed, int cases) {
  math::Random random(seed);
  int unconverged = 0;  // steps; what they reached is then what explains
  for (int i = 0; i < cases; ++i) {
    model::Model model;
    model.planar = random.integer(2) == 0;
    model.gravity = Vector3(0, -random.uniform(0, 20), 0);
    const double restitution = random.integer(4) == 0 ? 1.0 : random.uniform();
    const double friction = random.integer(5) == 0 ? 0.0 : random.uniform(0, 2);
    const double theta = random.uniform(0.5, largest_dissipative_theta(restitution));
    const double size = random.uniform(0.05, 0.5);
    const int bodies = 1 + static_cast<int>(random.integer(2));
    for (int k = 0; k < bodies; ++k) {
      const Vector3 place(3.0 * k, size * random.uniform(0.2, 1.2), 0);
      if (random.integer(3) == 0) {
        test::add_ball(model, random.uniform(0.1, 10), size, place);
      } else {
        const Vector3 half = size * Vector3(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
        test::add_box(model, random.uniform(0.1, 10), half, place,
                      model.planar ? math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(-3, 3))
                                   : test::random_rotation(random));
      }
      model::Node& node = model.nodes.back();
      node.velocity = test::random_vector3(random);
      node.angular_velocity = test::random_vector3(random, 5);
      if (model.planar) {
        node.velocity.z() = 0;
        node.angular_velocity.x() = node.angular_velocity.y() = 0;
      }
    }
    test::put_on_ground(model, {friction, restitution, 0});
    for (const double tolerance : {1e-6, 1e-12}) {
      test::Runner run(model, {.h = 2e-3,
                               .scheme = {.theta = theta, .impact = ImpactLaw::fremond},
                               .solver = {.tolerance = tolerance, .max_iterations = 100'000}});
      for (int step = 0; step < 60; ++step) {
        if (run.try_step() != StepStatus::done) ++unconverged;
        const double energy = run.energy();
        std::swap(run.now, run.next);
        // A residual of `tolerance` allows every contact an error of that part of the largest free velocity, at which
        // its impulse then works.
        double impulses = 0;
        for (const ContactRecord& contact : run.report.contacts) impulses += contact.impulse.norm();
        const StepProblem last = run.scheme.last_problem();
        const double fastest = impulses > 0 ? last.problem->free_velocity.norm() : 0.0;
        const double reached = std::max(tolerance, run.report.solver.residual);
        // The equations of motion are solved to 1e-12 of the velocities of bodies, which moves contacts as well.
        const double motion = 1e-12 * (run.now.state.v.norm() + run.h * model.gravity.norm()) * impulses;
        const double allowed =
            (10 * (1 + friction) * (1 + friction) * reached + 1e-13) * impulses * fastest + 10 * motion;
        ASSERT_LE(run.report.works.contact_created, allowed)
            << "case " << i << ", tolerance " << tolerance << ", step " << step << ", theta " << theta;
        const StepWorks& works = run.report.works;
        ASSERT_LE(run.energy() - energy - works.projection, allowed + 1e-12 * (energy + works.loads)) << "case " << i;
      }
    }
  }
  EXPECT_LE(unconverged, cases / 100);
}

TEST(FremondProperty, NeverCreatesEnergy) { expect_no_energy_created(1, 60); }
TEST(FremondSlow, NeverCreatesEnergy) { expect_no_energy_created(2, 10'000); }

// Without slip and with e = 1, theta = 1/2 every impact conserves energy. A disc: on a corner that hardly approaches a
// box would slip whatever the friction, because sticking alone would throw it off the ground.
double drift_of_energy(double friction, ImpactLaw impact, int steps) {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -10, 0);
  test::add_ball(model, 1, 0.4, Vector3(0, 0.9, 0), Vector3(0.3, 0, 0));
  model.nodes[0].angular_velocity = Vector3(0, 0, 1.3);
  test::put_on_ground(model, {friction, 1, 0});
  test::Runner run(model, {.h = 1e-3, .scheme = {.impact = impact}, .solver = {.tolerance = 1e-13}});
  const double begin = run.energy();
  int impacts = 0;
  for (int i = 0; i < steps; ++i) {
    run.step();
    if (!run.report.contacts.empty()) ++impacts;
  }
  EXPECT_GT(impacts, steps / 10'000);
  return std::abs(run.energy() - begin) / begin;
}

TEST(FremondProperty, ConservesEnergyWithoutSlip) {
  EXPECT_LE(drift_of_energy(1000, ImpactLaw::fremond, 10'000), 1e-11);
  EXPECT_LE(drift_of_energy(0, ImpactLaw::newton, 10'000), 1e-11);
}
TEST(FremondSlow, ConservesEnergyWithoutSlip) {
  EXPECT_LE(drift_of_energy(1000, ImpactLaw::fremond, 100'000), 1e-10);
  EXPECT_LE(drift_of_energy(0, ImpactLaw::fremond, 100'000), 1e-10);
  EXPECT_LE(drift_of_energy(0, ImpactLaw::newton, 100'000), 1e-10);
}

}  // namespace
}  // namespace ricochet::integrate
