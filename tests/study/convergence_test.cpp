#include "ricochet/study/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/study/validation.hpp"
#include "study/sliding_case.hpp"

namespace ricochet::study {
namespace {

// A mass on a linear spring: order 2 with theta = 1/2, order 1 with theta = 1.
Case oscillator(double theta) {
  Case result;
  result.id = "oscillator";
  model::Node node;
  node.name = "mass";
  node.position = Vector3(1, 0, 0);
  result.model.nodes.push_back(node);
  result.model.bodies.push_back({"mass", {0}, 1, Matrix3::Zero(), {{model::PointShape{}}}});
  result.model.springs.push_back({"spring", {}, {{0}, Vector3::Zero()}, 4, 0, 0, Vector3::UnitX()});
  result.settings.step = 1e-2;
  result.settings.end = 1;
  result.settings.moreau_jean.theta = theta;
  add_probe(result, "x", "mass.position.x");
  add_probe(result, "fixed", "mass.position.y");
  return result;
}

Fact order_fact(double expected, int probe = 0) {
  Fact fact;
  fact.name = "order";
  fact.source = "derived";
  fact.probe = probe;
  fact.order = OrderSteps{2e-2, 2e-3, 4};
  fact.expected = expected;
  fact.tolerance = 0.1;
  return fact;
}

ConvergenceTask task_of(std::vector<int> probes, double largest, double smallest, int count, double end = 1) {
  const StepPlan plan = plan_steps(largest, smallest, count, end, 10);
  ConvergenceTask task;
  task.probes = std::move(probes);
  task.steps = plan.steps;
  task.reference_step = plan.reference_step;
  return task;
}

TEST(Convergence, StepsAreMultiplesOfThatOfTheReference) {
  const StepPlan plan = plan_steps(0.1, 0.001, 3, 1, 4);
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_DOUBLE_EQ(plan.steps[0], 0.1);
  EXPECT_DOUBLE_EQ(plan.steps[1], 0.01);
  EXPECT_DOUBLE_EQ(plan.steps[2], 0.001);
  EXPECT_DOUBLE_EQ(plan.reference_step, 0.00025);
  const StepPlan odd = plan_steps(0.07, 0.003, 9, 1, 4);
  EXPECT_EQ(odd.steps.size(), 9u);
  EXPECT_NEAR(1 / odd.reference_step, std::round(1 / odd.reference_step), 1e-9);
  for (const double step : odd.steps) {
    EXPECT_NEAR(step / odd.reference_step, std::round(step / odd.reference_step), 1e-9);
  }
  // No step is longer than the run, and none comes twice.
  EXPECT_EQ(plan_steps(3, 2, 5, 1, 4).steps, std::vector<double>{1});
}

TEST(Convergence, LogarithmicStepsHaveEqualRatiosAndTheirEnds) {
  const std::vector<double> steps = logarithmic_steps(1e-2, 1e-4, 20);
  ASSERT_EQ(steps.size(), 20u);
  EXPECT_EQ(steps.front(), 1e-2);
  EXPECT_EQ(steps.back(), 1e-4);
  for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_NEAR(steps[i - 1] / steps[i], std::pow(10, 2 / 19.0), 1e-12);
}

TEST(Convergence, TheOrderOfTheThetaScheme) {
  for (const double theta : {0.5, 1.0}) {
    const Convergence found = converge(oscillator(theta), task_of({0}, 2e-2, 2e-3, 5));
    ASSERT_TRUE(found.complete());
    ASSERT_TRUE(found.reference);
    EXPECT_FALSE(found.touches());
    const ProbeConvergence& x = found.probes[0];
    EXPECT_NEAR(x.fit.order, theta == 0.5 ? 2 : 1, 0.05);
    EXPECT_TRUE(x.against_run);
    EXPECT_FALSE(x.interpolated);
    ASSERT_EQ(x.points.size(), 5u);
    EXPECT_NEAR(x.final_value.back(), std::cos(2.0), 1e-2);
    EXPECT_GT(x.points.front().error, x.points.back().error);
  }
}

// cos(2 t): the errors must be those of the true solution, so that the two references agree about them.
TEST(Convergence, AKnownSolutionAgreesWithAFineRun) {
  const Case study = oscillator(0.5);
  ConvergenceTask task = task_of({0, 0}, 2e-2, 2e-3, 5);
  task.truth = {[](double t) { return std::cos(2 * t); }, {}};
  const Convergence found = converge(study, task);
  EXPECT_FALSE(found.probes[0].against_run);
  EXPECT_TRUE(found.probes[1].against_run);
  EXPECT_NEAR(found.probes[0].fit.order, 2, 0.01);
  for (std::size_t i = 0; i < 5; ++i) {
    const double exact = found.probes[0].points[i].error, fine = found.probes[1].points[i].error;
    const double share = std::pow(task.reference_step / task.steps[i], 2);  // of the reference, order 2
    EXPECT_NEAR(fine, exact * (1 - share), 1e-3 * exact);
  }
  task.truth[1] = task.truth[0];
  EXPECT_FALSE(converge(study, task).reference) << "nobody needs it";
}

TEST(Convergence, StepsOfAnyRatioAreComparedByInterpolation) {
  ConvergenceTask task = task_of({0}, 2e-2, 2e-3, 2);
  task.steps = {0.02, 0.0123, 0.00777, 0.0031};
  task.reference_step = 2.9e-4;
  const Convergence found = converge(oscillator(1), task);
  EXPECT_TRUE(found.probes[0].interpolated);
  EXPECT_NEAR(found.probes[0].fit.order, 1, 0.05);
}

TEST(Convergence, ResultsDoNotDependOnTheNumberOfThreads) {
  ConvergenceTask task = task_of({0, 1}, 2e-2, 2e-3, 7);
  const Convergence one = converge(oscillator(1), task);
  task.threads = 4;
  const Convergence four = converge(oscillator(1), task);
  for (std::size_t probe = 0; probe < 2; ++probe) {
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(one.probes[probe].points[i].error, four.probes[probe].points[i].error);
      EXPECT_EQ(one.probes[probe].final_value[i], four.probes[probe].final_value[i]);
    }
  }
  EXPECT_EQ(one.probes[0].fit.order, four.probes[0].fit.order);
}

// Long runs are compared part by part: the parts must join. Here there are more rows than fit into one.
TEST(Convergence, PartsOfLongRunsJoin) {
  Case study = oscillator(1);
  study.settings.end = 20;
  ConvergenceTask task;
  task.probes = {0};
  task.steps = {0.0191, 1e-4};
  task.reference_step = 1e-5;
  const Convergence found = converge(study, task);
  for (std::size_t i = 0; i < 2; ++i) {  // the same in one piece
    PausedRun run(study, task.steps[i], task.probes), reference(study, task.reference_step, task.probes);
    run.advance(1e9, {});
    reference.advance(1e9, {});
    while (run.rows().time.back() > study.settings.end * (1 + 1e-9)) {
      run.rows().time.pop_back();
      run.rows().values[0].pop_back();
    }
    EXPECT_DOUBLE_EQ(found.probes[0].points[i].error, distance(run.rows(), reference.rows(), 0));
  }
}

// Free fall is exact with theta = 1/2 at all steps: what is left of the error is rounding, and has no order.
TEST(Convergence, RoundingHasNoOrder) {
  Case study = sliding_case();
  study.model.nodes[0].position = Vector3(0, 10, 0);
  const int height = add_probe(study, "height", "mass.position.y");
  const Convergence found = converge(study, task_of({height}, 1e-2, 1e-4, 8, 0.5));
  EXPECT_GT(found.probes[0].points.back().error, 0) << "there is rounding";
  EXPECT_TRUE(std::isnan(found.probes[0].fit.order)) << found.probes[0].fit.order;
}

// Steps that are counted one by one are as many as were foreseen.
TEST(Convergence, AllStepsAreForeseen) {
  ConvergenceTask task = task_of({0}, 0.03, 0.007, 4);
  long steps = 0;
  task.keep_going = [&] { return ++steps, true; };
  const Convergence found = converge(oscillator(1), task);
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(steps, planned_steps(oscillator(1), task));
}

// A mass that bounces: an impact is anywhere in its step, and the order is one all the same.
TEST(Convergence, TheOrderWithImpacts) {
  Case study = sliding_case();
  study.model.nodes[0].position = Vector3(0, 0.3, 0);
  study.model.contacts[0].law = {0, 0.8, 0};
  study.settings.end = 1;
  const int height = add_probe(study, "height", "mass.position.y");
  const Convergence found = converge(study, task_of({height}, 1e-2, 1e-4, credible_steps));
  EXPECT_TRUE(found.touches());
  EXPECT_NEAR(found.probes[0].fit.order, 1, 0.1);
}

TEST(Convergence, FactsAboutOrdersAreJudgedByValidation) {
  Case study = oscillator(0.5);
  study.facts = {order_fact(2), order_fact(1), order_fact(2, 1)};
  study.facts[1].name = "wrong order";
  study.facts[2].name = "no order";
  const ValidationJob job{"oscillator", [&] { return study; }};
  const std::vector<ValidationEntry> entries = validate_cases(std::vector{job});
  ASSERT_EQ(entries[0].facts.size(), 3u);
  EXPECT_EQ(entries[0].facts[0].status, FactResult::Status::holds) << entries[0].facts[0].detail;
  EXPECT_NEAR(entries[0].facts[0].found, 2, 0.05);
  EXPECT_EQ(entries[0].facts[1].status, FactResult::Status::fails);
  EXPECT_EQ(entries[0].facts[2].status, FactResult::Status::fails);
  EXPECT_EQ(entries[0].status, ValidationEntry::Status::fails);
}

TEST(Convergence, ARunThatFailsIsSaid) {
  Case study = oscillator(0.5);
  study.model.loads.push_back({"bad", {{0}, Vector3::Zero()}, {}, {}});
  study.model.loads[0].force[0] = math::TimeFunction(math::Expression::parse("1/(t - t)"));
  const Convergence found = converge(study, task_of({0}, 1e-2, 5e-3, 2));
  EXPECT_FALSE(found.complete());
  EXPECT_FALSE(found.interrupted());
  EXPECT_FALSE(found.runs[0].failure.empty());
  EXPECT_TRUE(std::isnan(found.probes[0].points[0].error));
  EXPECT_TRUE(std::isnan(found.probes[0].fit.order));

  study.facts = {order_fact(2)};
  std::vector<FactResult> results(1);
  judge_orders(study, results);
  EXPECT_EQ(results[0].status, FactResult::Status::fails);
  EXPECT_NE(results[0].detail.find("with the step"), std::string::npos) << results[0].detail;
}

// One of the runs fails, because a force is too much for one of the steps only: the others still have an order.
TEST(Convergence, TheOtherRunsStillCount) {
  Case study = oscillator(1);
  study.model.loads.push_back({"bad", {{0}, Vector3::Zero()}, {}, {}});
  // Infinite near t = 0.7, which is a time of the step 0.1 alone (theta = 1 takes forces at the ends of steps).
  study.model.loads[0].force[0] = math::TimeFunction(math::Expression::parse("abs(t - 0.7) < 1e-9 ? 1/(t - t) : 0"));
  ConvergenceTask task;
  task.probes = {0};
  task.truth = {[](double t) { return std::cos(2 * t); }};
  task.steps = {0.1, 0.03, 0.008, 0.003};
  const Convergence found = converge(study, task);
  EXPECT_FALSE(found.runs[0].completed);
  EXPECT_TRUE(found.runs[3].completed);
  EXPECT_EQ(found.probes[0].fit.points, 3);
  EXPECT_NEAR(found.probes[0].fit.order, 1, 0.1);
}

TEST(Convergence, ANoEndsEverything) {
  ConvergenceTask task = task_of({0}, 1e-2, 5e-3, 2);
  task.keep_going = [] { return false; };
  const Convergence found = converge(oscillator(0.5), task);
  EXPECT_TRUE(found.interrupted());
  EXPECT_EQ(found.runs[0].failure, "interrupted");
}

}  // namespace
}  // namespace ricochet::study
