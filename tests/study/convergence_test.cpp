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

TEST(Convergence, StepsHaveEqualRatiosAndDivideTheRun) {
  const std::vector<double> steps = steps_between(0.1, 0.001, 3, 1);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_DOUBLE_EQ(steps[0], 0.1);
  EXPECT_DOUBLE_EQ(steps[1], 0.01);
  EXPECT_DOUBLE_EQ(steps[2], 0.001);
  for (const double step : steps_between(0.07, 0.003, 9, 1)) EXPECT_NEAR(1 / step, std::round(1 / step), 1e-9);
  EXPECT_EQ(steps_between(3, 2, 5, 1), std::vector<double>{1});  // no step is longer than the run, and none comes twice
}

TEST(Convergence, TheOrderOfTheThetaScheme) {
  for (const double theta : {0.5, 1.0}) {
    const Case study = oscillator(theta);
    const Convergence found = converge(study, 0, steps_between(2e-2, 2e-3, 5, 1));
    EXPECT_NEAR(found.order, theta == 0.5 ? 2 : 1, 0.05);
    EXPECT_NEAR(found.reference, std::cos(2.0), 1e-2);
    EXPECT_EQ(found.points.size(), 5u);
    EXPECT_GT(found.points.front().error, found.points.back().error);
  }
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
  const Convergence found = converge(study, 0, {1e-2, 5e-3});
  EXPECT_NE(found.failure.find("with the step"), std::string::npos);
  EXPECT_EQ(converge(oscillator(0.5), 0, {1e-2, 5e-3}, [] { return false; }).failure.empty(), false);
}

}  // namespace
}  // namespace ricochet::study
