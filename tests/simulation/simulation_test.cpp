#include "ricochet/simulation/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "simulation/test_runs.hpp"

namespace ricochet::simulation {
namespace {

class CountingRecorder final : public Recorder {
 public:
  void begin(const Frame& frame) override {
    ++begins;
    EXPECT_EQ(frame.step_index, 0);
    EXPECT_TRUE(frame.contacts.empty());
  }
  void step(const Frame& frame) override {
    ++steps;
    times.push_back(frame.state.time);
    EXPECT_EQ(frame.step_index, steps);
    EXPECT_EQ(frame.contacts.size(), frame.report.contacts.size());
  }
  void end(const Frame& frame, const RunResult& run_result) override {
    ++ends;
    result = run_result;
    EXPECT_EQ(frame.step_index, steps);
  }
  int begins = 0, steps = 0, ends = 0;
  std::vector<double> times;
  RunResult result;
};

// So that others may look at it for a whole run.
TEST(Simulation, TheStateStaysAtItsPlaceInMemory) {
  const model::Model model = test::machine_with_everything();
  Simulation simulation(model, test::settings_for(0.1, 1e-3));
  const mechanics::State& state = simulation.snapshot().instant.state;
  const Snapshot start = simulation.snapshot();
  const double *q = state.q.data(), *v = state.v.data(), *a = state.a.data();
  for (int i = 0; i < 11; ++i) {
    const VectorX before = state.q;
    ASSERT_TRUE(simulation.step());
    EXPECT_NE(before, state.q);
    EXPECT_TRUE(q == state.q.data() && v == state.v.data() && a == state.a.data()) << i;
  }
  simulation.restore(start);
  EXPECT_TRUE(q == state.q.data() && v == state.v.data() && a == state.a.data());
  EXPECT_EQ(state.q, start.instant.state.q);
}

// Short steps are timed now and then, and no more than 15 in a row are not.
TEST(Simulation, TimesTheStagesOfSomeSteps) {
  const model::Model model = test::balls_on_a_plane(1);
  Simulation simulation(model, test::settings_for(0.5, 1e-3));
  int without = 0;
  double measured = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(simulation.step());
    const integrate::StepReport& report = simulation.frame().report;
    double seconds = 0;
    for (const double stage : report.stage_seconds) seconds += stage;
    EXPECT_EQ(seconds > 0, report.times_stages);
    without = report.times_stages ? 0 : without + 1;
    EXPECT_LE(without, i < 64 ? 0 : 15);
    measured += seconds;
  }
  double counted = 0;
  for (const double stage : simulation.statistics().stage_seconds) counted += stage;
  EXPECT_GE(counted, 0.999 * measured);
  EXPECT_LE(counted, 16 * measured);
}

TEST(Simulation, RunsToTheEnd) {
  const model::Model model = test::balls_on_a_plane(3);
  Simulation simulation(model, test::settings_for(0.5, 1e-3));
  CountingRecorder first, second;
  const std::array<Recorder*, 2> recorders = {&first, &second};
  const RunResult result = simulation.run(recorders);
  EXPECT_EQ(result.outcome, Outcome::completed);
  EXPECT_EQ(result.steps, 500);
  EXPECT_EQ(result.time, 0.5);
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(first.begins, 1);
  EXPECT_EQ(first.steps, 500);
  EXPECT_EQ(first.ends, 1);
  EXPECT_EQ(second.steps, 500);
  EXPECT_EQ(first.result.steps, 500);
  // Time is n h, never summed.
  for (int i = 0; i < 500; ++i) ASSERT_EQ(first.times[i], (i + 1) * 1e-3);
  const Statistics& statistics = simulation.statistics();
  EXPECT_EQ(statistics.steps, 500);
  EXPECT_GE(statistics.contacts_max, 3);
  EXPECT_GE(statistics.contacts_sum, 500);
  EXPECT_GE(statistics.iterations_max, 1);
  EXPECT_GE(statistics.iterations_sum, statistics.iterations_max);
  EXPECT_LE(statistics.worst_residual, 1e-8);
  EXPECT_EQ(statistics.unconverged_steps, 0);
  EXPECT_GT(statistics.max_penetration, 0);
  EXPECT_EQ(simulation.step_count(), 500);
}

TEST(Simulation, StopsWhenAsked) {
  const model::Model model = test::balls_on_a_plane(1);
  Simulation simulation(model, test::settings_for(1, 0.1));
  CountingRecorder recorder;
  Recorder* const recorders[] = {&recorder};
  const RunResult result = simulation.run(recorders, [](const Frame& frame) { return frame.step_index < 3; });
  EXPECT_EQ(result.outcome, Outcome::interrupted);
  EXPECT_EQ(result.steps, 3);
  EXPECT_THAT(result.reason, testing::HasSubstr("interrupted"));
  EXPECT_EQ(recorder.ends, 1);
  Simulation last(model, test::settings_for(1, 0.1));
  const RunResult at_the_end = last.run({}, [](const Frame& frame) { return frame.step_index < 10; });
  EXPECT_EQ(at_the_end.outcome, Outcome::completed);
}

TEST(Simulation, FailsHonestly) {
  const model::Model model = test::balls_on_a_plane(4);
  Settings settings = test::settings_for(1, 1e-3);
  settings.solver = {.tolerance = 0, .max_iterations = 5};
  Simulation simulation(model, settings);
  const std::string before = state_hash(simulation.snapshot());
  CountingRecorder recorder;
  Recorder* const recorders[] = {&recorder};
  const RunResult result = simulation.run(recorders);
  EXPECT_EQ(result.outcome, Outcome::failed);
  EXPECT_EQ(result.steps, recorder.steps);
  EXPECT_EQ(recorder.ends, 1);
  EXPECT_THAT(result.reason, testing::HasSubstr("did not reach the contact tolerance"));
  EXPECT_THAT(result.reason, testing::HasSubstr("rule"));
  EXPECT_EQ(simulation.statistics().unconverged_steps, 1);
  EXPECT_EQ(recorder.steps, 0);
  EXPECT_EQ(state_hash(simulation.snapshot()), before);
}

TEST(Simulation, SaysWhatIsNotFiniteAndWhenMotionDoesNotConverge) {
  model::Model model = test::balls_on_a_plane(2);
  const math::TimeFunction bad(math::Expression::parse("1/(t < 0.01 ? 1 : 0)"));
  model.loads.push_back({"bad", {{0}, Vector3(0.5, 0, 0)}, {bad, math::TimeFunction(), math::TimeFunction()}, {}});
  Simulation simulation(model, test::settings_for(1, 1e-3));
  const RunResult result = simulation.run({});
  EXPECT_EQ(result.outcome, Outcome::failed);
  EXPECT_EQ(result.steps, 10);
  EXPECT_THAT(result.reason, testing::HasSubstr("not finite"));
  EXPECT_THAT(result.reason, testing::HasSubstr("0.01"));
  EXPECT_TRUE(simulation.snapshot().instant.state.v.allFinite());

  const model::Model springs = test::machine_with_everything();
  Settings settings = test::settings_for(1, 1e-2);
  settings.moreau_jean.max_motion_iterations = 1;
  Simulation impatient(springs, settings);
  EXPECT_FALSE(impatient.step());
  EXPECT_THAT(impatient.failure(), testing::HasSubstr("equations of motion"));
}

TEST(Simulation, TheLedgerCloses) {
  const model::Model model = test::machine_with_everything();
  for (const double theta : {0.5, 0.7, 1.0}) {
    Settings settings = test::settings_for(2, 1e-3);
    settings.moreau_jean.theta = theta;
    Simulation simulation(model, settings);
    while (simulation.snapshot().step_index < 2000) {
      ASSERT_TRUE(simulation.step()) << simulation.failure();
      const Ledger& ledger = simulation.snapshot().ledger;
      ASSERT_LE(std::abs(ledger.closing_error()), 1e-12 * ledger.scale);
    }
    const Frame frame = simulation.frame();
    EXPECT_DOUBLE_EQ(frame.ledger.kinetic, frame.equations.kinetic_energy(frame.state));
    EXPECT_DOUBLE_EQ(frame.ledger.potential, frame.equations.potential_energy(frame.state));
    EXPECT_DOUBLE_EQ(frame.ledger.strain, frame.equations.strain_energy(frame.state));
    EXPECT_NE(frame.ledger.contact_normal, 0);  // may have any sign above theta = 1/(1 + e)
    EXPECT_LT(frame.ledger.contact_tangential, 0);
    EXPECT_GT(frame.ledger.dissipated_damping, 0);
    EXPECT_NE(frame.ledger.work_loads, 0);
    EXPECT_TRUE(theta == 0.5 || frame.ledger.numerical < 0);
  }
}

TEST(Simulation, TwoRunsGiveTheSameBits) {
  const model::Model model = test::machine_with_everything();
  Simulation first(model, test::settings_for(1, 1e-3)), second(model, test::settings_for(1, 1e-3));
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(first.step());
    ASSERT_TRUE(second.step());
  }
  EXPECT_EQ(state_hash(first.snapshot()), state_hash(second.snapshot()));
}

TEST(Simulation, ContinuesFromASnapshotBitForBit) {
  for (const bool springs : {false, true}) {
    const model::Model model = springs ? test::machine_with_everything() : test::balls_on_a_plane(5);
    Simulation whole(model, test::settings_for(1, 1e-3));
    std::vector<Snapshot> snapshots;
    for (int i = 0; i < 300; ++i) {
      if (i % 37 == 5) snapshots.push_back(whole.snapshot());
      ASSERT_TRUE(whole.step());
    }
    for (const Snapshot& snapshot : snapshots) {
      Simulation resumed(model, test::settings_for(1, 1e-3));
      resumed.restore(snapshot);
      EXPECT_EQ(resumed.frame().state.time, snapshot.instant.state.time);
      while (resumed.snapshot().step_index < 300) ASSERT_TRUE(resumed.step());
      EXPECT_EQ(state_hash(resumed.snapshot()), state_hash(whole.snapshot()));
    }
    // Back to an earlier moment in the same simulation, too.
    const std::string end = state_hash(whole.snapshot());
    whole.restore(snapshots[2]);
    while (whole.snapshot().step_index < 300) ASSERT_TRUE(whole.step());
    EXPECT_EQ(state_hash(whole.snapshot()), end);
  }
}

TEST(Simulation, RefusesTheSnapshotOfAnotherModel) {
  const model::Model three = test::balls_on_a_plane(3), four = test::balls_on_a_plane(4);
  const Simulation source(three, test::settings_for(1, 1e-3));
  Simulation other(four, test::settings_for(1, 1e-3));
  EXPECT_THROW(other.restore(source.snapshot()), std::invalid_argument);
}

TEST(Simulation, AnUnconvergedStepIsAcceptedAndCountedIfAsked) {
  const model::Model model = test::balls_on_a_plane(5);
  Settings settings = test::settings_for(0.1, 1e-3);
  settings.solver.tolerance = 1e-15;
  settings.solver.max_iterations = 1;
  Simulation strict(model, settings);
  EXPECT_EQ(strict.run({}).outcome, Outcome::failed);
  settings.accept_unconverged = true;
  Simulation patient(model, settings);
  EXPECT_EQ(patient.run({}).outcome, Outcome::completed);
  EXPECT_EQ(patient.snapshot().step_index, 100);
  EXPECT_EQ(patient.statistics().steps, 100);
  EXPECT_GT(patient.statistics().unconverged_steps, 0);
  EXPECT_GT(patient.statistics().worst_residual, 1e-15);
}

// The smallest parts of a step get ten times as many iterations if they nearly converge, and no others do.
TEST(Simulation, TheSmallestPartsThatNearlyConvergeGetMoreIterations) {
  model::Model model;
  model.gravity = Vector3(0, 0, -9.81);
  std::vector<model::Participant> boxes;
  for (int i = 0; i < 6; ++i) {
    boxes.push_back(test::body(test::add_box(model, 250, Vector3(0.25, 0.25, 0.25), Vector3(0, 0, 0.25 + 0.5 * i))));
  }
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
  test::add_contact(model, boxes, {test::surface(ground)}, {0.6, 0, 0});
  test::add_contact(model, boxes, boxes, {0.6, 0, 0});
  Settings settings = test::settings_for(2e-3, 2e-3);
  settings.solver = {.tolerance = 1e-3, .max_iterations = 200, .kind = cone::SolverKind::gauss_seidel};
  settings.halvings = 1;
  Simulation patient(model, settings);
  EXPECT_EQ(patient.run({}).outcome, Outcome::completed);
  EXPECT_EQ(patient.statistics().substeps, 2);
  EXPECT_GT(patient.statistics().iterations_max, 2 * 200);
  settings.solver.max_iterations = 40;  // far from the end
  Simulation hopeless(model, settings);
  EXPECT_EQ(hopeless.run({}).outcome, Outcome::failed);
  EXPECT_LE(hopeless.frame().report.solver.iterations, 40);
}

TEST(Simulation, AStepThatIsNotFiniteIsNeverAccepted) {
  model::Model model = test::balls_on_a_plane(2);
  const math::TimeFunction bad(math::Expression::parse("1/(t < 0.01 ? 1 : 0)"));
  model.loads.push_back({"bad", {{0}, Vector3(0.5, 0, 0)}, {bad, math::TimeFunction(), math::TimeFunction()}, {}});
  Settings settings = test::settings_for(1, 1e-3);
  settings.accept_unconverged = true;
  Simulation simulation(model, settings);
  const RunResult result = simulation.run({});
  EXPECT_EQ(result.outcome, Outcome::failed);
  EXPECT_EQ(result.steps, 10);
}

TEST(Simulation, AnotherEnd) {
  const model::Model model = test::balls_on_a_plane(3);
  Simulation longer(model, test::settings_for(0.2, 1e-3)), changed(model, test::settings_for(0.1, 1e-3));
  longer.run({});
  changed.run({});
  EXPECT_EQ(changed.snapshot().step_index, 100);
  EXPECT_THROW(changed.set_end(0.05), std::invalid_argument);
  changed.set_end(0.2);
  EXPECT_EQ(changed.step_count(), 200);
  changed.go_on({});
  EXPECT_EQ(state_hash(changed.snapshot()), state_hash(longer.snapshot()));
}

// A body that swings about a point: its joint drifts unless it is closed again.
TEST(Simulation, StatisticsHaveTheLargestJointError) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_ball(model, 1, 0.1, Vector3(1, 0, 0));
  model::Joint joint;
  joint.name = "hinge";
  joint.type = model::JointType::revolute;
  joint.second.attachment = {{0}, Vector3(-1, 0, 0)};
  model.joints.push_back(joint);
  Settings settings = test::settings_for(1, 1e-2);
  const auto largest_error = [&] {
    Simulation simulation(model, settings);
    simulation.run({});
    return simulation.statistics().max_joint_error;
  };
  EXPECT_LE(largest_error(), 1e-14);
  settings.moreau_jean.projection = integrate::Projection::none;
  EXPECT_GE(largest_error(), 1e-6);
}

model::Model falling_box() {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_box(model, 2, Vector3(0.3, 0.2, 0.1), Vector3(0, 0.6, 0), math::exponential(Vector3(0.4, 0.2, 0.7)));
  model.nodes[0].angular_velocity = Vector3(2, -1, 3);
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(ground)}, {0.3, 0.4, 0});
  return model;
}

// Lowers the limit until some steps are too hard, and runs: all steps are made, some of them in parts, which are
// counted, and the ledger closes.
void expect_parts(const model::Model& model, const Settings& settings, int& limit, double time) {
  for (; limit > 1; --limit) {
    Simulation trial(model, settings);
    trial.run({});
    if (trial.statistics().halved_steps > 0) break;
  }
  Simulation impatient(model, settings);
  const RunResult result = impatient.run({});
  EXPECT_EQ(result.outcome, Outcome::completed) << result.reason;
  EXPECT_EQ(result.steps, impatient.step_count());
  EXPECT_GT(impatient.statistics().halved_steps, 0);
  EXPECT_GE(impatient.statistics().substeps, 2 * impatient.statistics().halved_steps);
  EXPECT_EQ(impatient.snapshot().instant.state.time, time);
  const Ledger& ledger = impatient.snapshot().ledger;
  EXPECT_LE(std::abs(ledger.closing_error()), 1e-12 * ledger.scale);
}

// With too few Newton iterations for whole steps some are taken in parts; the run is counted, closes its ledger, and
// differs by no more than the order of the step.
TEST(Simulation, StepsThatDoNotConvergeAreHalved) {
  const model::Model model = falling_box();
  Settings settings = test::settings_for(1, 1e-2);
  settings.scheme = SchemeKind::nonsmooth_generalized_alpha;
  settings.generalized_alpha.newton.solver = integrate::SubproblemSolver::newton;
  Simulation patient(model, settings);
  EXPECT_EQ(patient.run({}).outcome, Outcome::completed);
  EXPECT_EQ(patient.statistics().halved_steps, 0);
  // The largest number that is too small for some step. (Those of a step are summed over several solutions.)
  int& limit = settings.generalized_alpha.newton.max_iterations;
  const auto& most = patient.statistics().subproblem_iterations_max;
  limit = static_cast<int>(std::max(most[1], most[2])) - 1;
  expect_parts(model, settings, limit, patient.snapshot().instant.state.time);
  settings.halvings = 0;
  Simulation stubborn(model, settings);
  const RunResult stopped = stubborn.run({});
  EXPECT_EQ(stopped.outcome, Outcome::failed);
  EXPECT_THAT(stopped.reason, testing::HasSubstr("sub-problem: residual"));
  EXPECT_THAT(stopped.reason, testing::HasSubstr("worst at contact rule0:body0.corner"));
}

// The same with the other scheme, and too few iterations of the motion. With --continue a step that misses its
// tolerance is taken as it is, whole.
TEST(Simulation, StepsOfMoreauJeanAreHalvedToo) {
  const model::Model model = falling_box();
  Settings settings = test::settings_for(1, 2e-2);
  settings.halvings = 4;
  Simulation patient(model, settings);
  ASSERT_EQ(patient.run({}).outcome, Outcome::completed);
  EXPECT_EQ(patient.statistics().halved_steps, 0);
  int& limit = settings.moreau_jean.max_motion_iterations;
  limit = 12;
  expect_parts(model, settings, limit, patient.snapshot().instant.state.time);
  settings.halvings = 0;
  EXPECT_EQ(Simulation(model, settings).run({}).outcome, Outcome::failed);
  settings.halvings = 4;
  settings.accept_unconverged = true;
  Simulation careless(model, settings);
  EXPECT_EQ(careless.run({}).outcome, Outcome::completed);
  EXPECT_EQ(careless.statistics().halved_steps, 0);
  EXPECT_GT(careless.statistics().unconverged_steps, 0);
}

// What steps report is the time of the parts that they were made of; attempts in vain took time too.
TEST(Simulation, SecondsOfAttemptsInVainAreCounted) {
  const model::Model model = falling_box();
  Settings settings = test::settings_for(0.6, 2e-2);  // 30 steps: all of them are timed
  settings.halvings = 4;
  int& limit = settings.moreau_jean.max_motion_iterations;
  double reported = 0;
  Statistics all;
  for (limit = 12; limit > 1 && all.halved_steps == 0; --limit) {
    Simulation simulation(model, settings);
    reported = 0;
    const RunResult result = simulation.run({}, [&](const Frame& frame) {
      for (const double seconds : frame.report.stage_seconds) reported += seconds;
      return true;
    });
    ASSERT_EQ(result.outcome, Outcome::completed) << result.reason;
    all = simulation.statistics();
  }
  ASSERT_GT(all.halved_steps, 0);
  double counted = 0;
  for (const double seconds : all.stage_seconds) counted += seconds;
  EXPECT_GT(reported, 0);
  EXPECT_GT(counted, 1.001 * reported);
}

// A body that appears falls from rest, exactly, and one that has vanished does not move.
TEST(Simulation, BodiesThatComeAndGoWithGeneralizedAlpha) {
  model::Model model;
  model.gravity = Vector3(0, 0, -10);
  test::add_point(model, 1, Vector3(0, 0, 5));
  model.bodies[0].appears = 0.3;
  model.bodies[0].disappears = 0.7;
  Settings settings = test::settings_for(1, 1e-2);
  settings.scheme = SchemeKind::nonsmooth_generalized_alpha;
  Simulation simulation(model, settings);
  while (simulation.snapshot().step_index < 60) ASSERT_TRUE(simulation.step());
  EXPECT_NEAR(simulation.snapshot().instant.state.q[2], 5 - 5 * 0.09, 1e-12);
  EXPECT_NEAR(simulation.snapshot().instant.state.v[2], -3, 1e-12);
  while (simulation.snapshot().step_index < 100) ASSERT_TRUE(simulation.step());
  EXPECT_EQ(simulation.snapshot().instant.state.v[2], 0);
  EXPECT_EQ(simulation.snapshot().ledger.kinetic, 0);
}

TEST(Simulation, StepsOfAFunctionOfTime) {
  model::Model model = falling_box();
  model.nodes[0].position.y() = 0.6;
  for (const SchemeKind scheme : {SchemeKind::moreau_jean, SchemeKind::nonsmooth_generalized_alpha}) {
    Settings settings = test::settings_for(0.2, 1e-3);
    settings.scheme = scheme;
    settings.step_function = math::TimeFunction(math::Expression::parse("t < 0.05 ? 0.004 : 0.001 + 0.01*t"));
    Simulation simulation(model, settings);
    double last = 0;
    while (simulation.snapshot().step_index < simulation.step_count()) {
      ASSERT_TRUE(simulation.step()) << simulation.failure();
      const double now = simulation.snapshot().instant.state.time;
      EXPECT_NEAR(now - last, std::min(last < 0.05 ? 0.004 : 0.001 + 0.01 * last, 0.2 - last), 1e-12);
      last = now;
    }
    EXPECT_EQ(last, 0.2);
    // Free fall with gravity alone is exact for both, whatever the steps are.
    EXPECT_NEAR(simulation.snapshot().instant.state.q[1], 0.6 - 5 * 0.04, 1e-12);
  }
}

}  // namespace
}  // namespace ricochet::simulation
