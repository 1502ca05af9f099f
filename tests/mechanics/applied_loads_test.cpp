#include "ricochet/mechanics/applied_loads.hpp"

#include <gtest/gtest.h>

#include "mechanics/term_checks.hpp"

namespace ricochet::mechanics {
namespace {

math::TimeFunction function_of_time(const char* text) { return math::TimeFunction(math::Expression::parse(text)); }

TEST(AppliedLoads, FollowTime) {
  model::Model model;
  test::add_point(model, 1, Vector3::Zero(), Vector3(1, 2, 3));
  model.loads.push_back({"a",
                         {{0}, Vector3::Zero()},
                         {function_of_time("2*t"), function_of_time("cos(pi*t)"), math::TimeFunction()},
                         {}});
  const DofMap map(model);
  State state = initial_state(model, map);
  state.time = 3;
  const auto loads = make_applied_loads(model, map);
  EXPECT_EQ(loads->dependence(), Dependence::none);
  EXPECT_FALSE(loads->couples_nodes());
  EXPECT_LE((test::term_force(*loads, map, state) - Vector3(6, -1, 0)).norm(), 1e-14);
  EXPECT_NEAR(test::term_powers(*loads, state).loads, 4, 1e-13);
  EXPECT_EQ(loads->potential(state), 0);
  EXPECT_EQ(loads->strain_energy(state), 0);
}

// A body turned by 90 degrees about z. Force at an arm, and torque about world axes, in body components.
TEST(AppliedLoads, TurnABody) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero(),
                math::Quaternion::from_axis_angle(Vector3::UnitZ(), M_PI / 2));
  model.loads.push_back({"a",
                         {{0}, Vector3(2, 0, 0)},
                         test::constant_functions(Vector3(5, 0, 0)),
                         test::constant_functions(Vector3(7, 0, 1))});
  const DofMap map(model);
  const State state = initial_state(model, map);
  const auto loads = make_applied_loads(model, map);
  EXPECT_EQ(loads->dependence(), Dependence::nonlinear);
  Vector6 expected;  // the world x axis is the body's -y axis
  expected << 5, 0, 0, 0, -7, -10 + 1;
  EXPECT_LE((test::term_force(*loads, map, state) - expected).norm(), 1e-14);
}

// The same body with the same numbers in its own axes: the force points along the body's x, which is the world's y.
TEST(AppliedLoads, InBodyAxesTurnWithTheBody) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero(),
                math::Quaternion::from_axis_angle(Vector3::UnitZ(), M_PI / 2));
  model.loads.push_back({"a",
                         {{0}, Vector3(0, 2, 0)},
                         test::constant_functions(Vector3(5, 0, 0)),
                         test::constant_functions(Vector3(7, 0, 1)),
                         model::LoadAxes::body});
  const DofMap map(model);
  const auto loads = make_applied_loads(model, map);
  EXPECT_EQ(loads->dependence(), Dependence::nonlinear);
  Vector6 expected;
  expected << 0, 5, 0, 7, 0, -10 + 1;
  EXPECT_LE((test::term_force(*loads, map, initial_state(model, map)) - expected).norm(), 1e-14);
}

TEST(AppliedLoads, ThatCannotTurnABodyAreConstant) {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3::Zero());
  model.loads.push_back({"a", {{0}, Vector3::Zero()}, test::constant_functions(Vector3(5, 0, 0)), {}});
  const DofMap map(model);
  EXPECT_EQ(make_applied_loads(model, map)->dependence(), Dependence::none);
  model.loads[0].torque[2] = function_of_time("t");
  EXPECT_EQ(make_applied_loads(model, map)->dependence(), Dependence::nonlinear);
}

TEST(AppliedLoadsProperty, TangentsPowersAndStageExcess) {
  math::Random random(7);
  for (int i = 0; i < 100; ++i) {
    model::Model model;
    test::add_random_point(model, random);
    test::add_random_frame(model, random);
    test::add_random_frame(model, random);
    for (int node = 0; node < 3; ++node) {
      model.loads.push_back({"a",
                             {{node}, test::random_vector3(random)},
                             {function_of_time("3*sin(t)"), function_of_time("1-t"), function_of_time("2")},
                             test::constant_functions(test::random_vector3(random)),
                             i % 2 == 0 ? model::LoadAxes::world : model::LoadAxes::body});
    }
    const DofMap map(model);
    State state = initial_state(model, map);
    state.time = random.uniform(0, 3);
    const auto loads = make_applied_loads(model, map);
    test::expect_tangents(*loads, map, state);
    test::expect_powers(*loads, map, state);
    test::expect_stage_excess(*loads, map, state, 2 * state.v, random.uniform(0.5, 1), 0.1);
  }
}

}  // namespace
}  // namespace ricochet::mechanics
