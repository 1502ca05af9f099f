// Systems of the user among the terms: mass, tangents, energies, and what the ledger counts as loads.
#include "ricochet/mechanics/systems.hpp"

#include <gtest/gtest.h>

#include "mechanics/term_checks.hpp"
#include "model/system_models.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {
namespace {

using test::DrivenMass;

model::Model crank_and_ball() {
  model::Model model;
  model.planar = true;
  test::add_point(model, 3, Vector3(1, 2, 0), Vector3(1, 0, 0));
  test::add_system(model, std::make_shared<model::SliderCrank>(test::flores_data()), Vector3(0.4, -0.2, 0.01),
                   Vector3(15, -7, 1));
  return model;
}

TEST(Systems, MassStandsInItsPlace) {
  const model::Model model = crank_and_ball();
  const Equations equations(model);
  const DofMap& map = equations.map();
  const State state = equations.initial_state();
  EXPECT_EQ(map.q_total(), 6);
  EXPECT_EQ(state.q.tail<3>(), Vector3(0.4, -0.2, 0.01));
  EXPECT_EQ(state.v.tail<3>(), Vector3(15, -7, 1));
  MatrixX mass = MatrixX::Zero(3, 3);
  model.systems[0].equations->mass(0, {state.q.data() + 3, 3}, {mass.data(), 9});
  VectorX momentum;
  equations.multiply_mass(state, state.v, momentum);
  EXPECT_LE((momentum.tail<3>() - mass * state.v.tail<3>()).norm(), 1e-15);
  EXPECT_EQ(momentum[0], 3);
  EXPECT_NEAR(equations.kinetic_energy(state), 0.5 * 3 + 0.5 * state.v.tail<3>().dot(mass * state.v.tail<3>()), 1e-13);
  EXPECT_EQ(equations.mass_diagonal().tail<3>(), mass.diagonal());
  EXPECT_TRUE(equations.mass_changes());
  const auto matrix = equations.make_effective_mass();
  equations.assemble(state, 0, 0, linalg::BlockSparseMatrix(), *matrix);
  VectorX solved = momentum;
  matrix->solve_in_place(solved);
  EXPECT_LE((solved.tail<3>() - state.v.tail<3>()).norm(), 1e-12);
}

TEST(SystemsProperty, TangentsAreThoseOfTheForces) {
  math::Random random(5);
  const model::Model model = crank_and_ball();
  const DofMap map(model);
  const Systems systems(model, map);
  State state = initial_state(model, map);
  for (int i = 0; i < 20; ++i) {
    for (int k = 3; k < 6; ++k) state.q[k] = random.normal(), state.v[k] = random.normal();
    test::expect_tangents(systems, map, state);
  }
}

// The forces of a slider-crank come from its energies: nothing of them is a load, at any state.
TEST(SystemsProperty, ConservativeSystemHasNoLoads) {
  math::Random random(6);
  const model::Model model = crank_and_ball();
  const DofMap map(model);
  const Systems systems(model, map);
  State begin = initial_state(model, map), end = begin;
  end.time = 1e-3;
  for (int i = 0; i < 50; ++i) {
    for (int k = 3; k < 6; ++k) begin.v[k] = 10 * random.normal(), end.v[k] = 10 * random.normal();
    advance(map, begin.q, 0.5 * (begin.v + end.v), 1e-3, end.q);
    EXPECT_LE(std::abs(systems.prescribed_work(begin, end)), 1e-9);
  }
}

// v . (cos t - d v): what is neither potential nor inertia.
TEST(Systems, LoadsAndDampersAreWorkOfLoads) {
  model::Model model;
  model.planar = true;
  test::add_system(model, std::make_shared<DrivenMass>(), Vector2(0.5, 0), Vector2(2, 1));
  const DofMap map(model);
  const Systems systems(model, map);
  State begin = initial_state(model, map), end = begin;
  const double h = 1e-3;
  end.time = h;
  advance(map, begin.q, begin.v, h, end.q);
  const double power = 2 * (std::cos(0.5 * h) - 0.5 * 2) - 0.5 * 1;
  EXPECT_NEAR(systems.prescribed_work(begin, end), h * power, 1e-8 * h);
}

// More coordinates than a body: a chain of masses, coupled by inertia.
class LongSystem final : public model::LagrangianSystem {
 public:
  std::vector<std::string> coordinates() const override { return {"a", "b", "c", "d", "e", "f", "g", "h", "i"}; }
  void mass(double /*time*/, std::span<const double> /*q*/, std::span<double> mass) const override {
    for (int i = 0; i < 9; ++i) mass[10 * i] = 2 + i;
    for (int i = 0; i < 8; ++i) mass[10 * i + 1] = mass[10 * i + 9] = 0.5;
  }
  void force(double /*time*/, std::span<const double> /*q*/, std::span<const double> /*v*/,
             std::span<double> force) const override {
    for (double& each : force) each = 1;
  }
};

TEST(Systems, MayHaveMoreCoordinatesThanABody) {
  model::Model model;
  model.planar = true;
  test::add_system(model, std::make_shared<LongSystem>(), VectorX::Zero(9), VectorX::LinSpaced(9, 1, 2));
  const Equations equations(model);
  const State state = equations.initial_state();
  const auto matrix = equations.make_effective_mass();
  equations.assemble(state, 0, 0, linalg::BlockSparseMatrix(), *matrix);
  VectorX momentum;
  equations.multiply_mass(state, state.v, momentum);
  matrix->solve_in_place(momentum);
  EXPECT_LE((momentum - state.v).norm(), 1e-13);
}

}  // namespace
}  // namespace ricochet::mechanics
