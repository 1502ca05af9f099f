#include "ricochet/mechanics/equations.hpp"

#include <gtest/gtest.h>

#include "mechanics/term_checks.hpp"

namespace ricochet::mechanics {
namespace {

model::Model random_machine(math::Random& random, bool coupled) {
  model::Model model;
  model.gravity = test::random_vector3(random, 10);
  test::add_random_frame(model, random);
  test::add_random_point(model, random);
  test::add_random_frame(model, random);
  model.nodes[0].fixed[1] = true;
  model.nodes[2].fixed[5] = true;
  test::add_spring(model, {}, {{0}, test::random_vector3(random)}, 5, 1, 0.5);
  if (coupled) test::add_spring(model, {{1}, Vector3::Zero()}, {{2}, test::random_vector3(random)}, 7, 1, 0.2);
  model.loads.push_back({"load",
                         {{2}, test::random_vector3(random)},
                         test::constant_functions(test::random_vector3(random)),
                         test::constant_functions(test::random_vector3(random))});
  return model;
}

TEST(EquationsProperty, MassIsOneMatrixEverywhere) {
  math::Random random(10);
  for (int i = 0; i < 50; ++i) {
    const model::Model model = random_machine(random, i % 2 == 0);
    const Equations equations(model);
    const DofMap& map = equations.map();
    MatrixX mass = MatrixX::Zero(map.v_total(), map.v_total());
    for (int node = 0; node < 3; ++node) {
      mass.block<3, 3>(map.v_start(node), map.v_start(node)) = model.bodies[node].mass * Matrix3::Identity();
      if (map.is_frame(node)) {
        mass.block<3, 3>(map.v_start(node) + 3, map.v_start(node) + 3) = model.bodies[node].inertia;
      }
    }
    const VectorX v = VectorX::NullaryExpr(map.v_total(), [&](Eigen::Index) { return random.normal(); });
    State moving = equations.initial_state();
    moving.v = v;
    VectorX momentum;
    equations.multiply_mass(equations.initial_state(), v, momentum);
    EXPECT_LE((momentum - mass * v).norm(), 1e-13);
    EXPECT_NEAR(equations.mass_norm_squared(equations.initial_state(), v), v.dot(mass * v), 1e-12);
    EXPECT_NEAR(equations.kinetic_energy(moving), 0.5 * v.dot(mass * v), 1e-12);
    test::DenseMass assembled(map);
    equations.assemble(equations.initial_state(), 0, 0, linalg::BlockSparseMatrix(), assembled);
    EXPECT_LE((assembled.matrix() - mass).norm(), 1e-13);
  }
}

TEST(EquationsProperty, ForcesAndTangentsAreSumsOverTheTerms) {
  math::Random random(11);
  for (int i = 0; i < 50; ++i) {
    const model::Model model = random_machine(random, i % 2 == 0);
    const Equations equations(model);
    const DofMap& map = equations.map();
    const State state = equations.initial_state();
    VectorX force;
    equations.force(state, force);
    const Powers powers = equations.powers(state);
    EXPECT_NEAR(force.dot(state.v), powers.conservative + powers.loads - powers.damping, 1e-11);

    test::DenseMass mass(map), matrix(map);
    equations.assemble(state, 0, 0, linalg::BlockSparseMatrix(), mass);
    equations.assemble(state, 0, 1, linalg::BlockSparseMatrix(), matrix);
    const MatrixX stiffness = matrix.matrix() - mass.matrix();
    const double small = 1e-5;
    for (int k = 0; k < map.v_total(); ++k) {
      VectorX plus, minus;
      equations.force(test::moved(map, state, k, small), plus);
      equations.force(test::moved(map, state, k, -small), minus);
      for (int row = 0; row < map.v_total(); ++row) {
        if (!map.is_free(row)) continue;
        EXPECT_NEAR(stiffness(row, k), (minus[row] - plus[row]) / (2 * small), 1e-5);
      }
    }
    State later = state, earlier = state;
    advance(map, state.q, state.v, small, later.q);
    advance(map, state.q, state.v, -small, earlier.q);
    EXPECT_NEAR((equations.potential_energy(later) - equations.potential_energy(earlier)) / (2 * small),
                -powers.conservative, 1e-6);
  }
}

// The effective mass that the model gets inverts exactly what was assembled, on the free components.
TEST(EquationsProperty, EffectiveMassInvertsTheAssembledMatrix) {
  math::Random random(12);
  for (int i = 0; i < 50; ++i) {
    const model::Model model = random_machine(random, i % 2 == 0);
    const Equations equations(model);
    const DofMap& map = equations.map();
    const State state = equations.initial_state();
    test::DenseMass dense(map);
    equations.assemble(state, 0.1, 0.01, linalg::BlockSparseMatrix(), dense);
    const auto matrix = equations.make_effective_mass();
    equations.assemble(state, 0.1, 0.01, linalg::BlockSparseMatrix(), *matrix);
    const VectorX right = VectorX::NullaryExpr(map.v_total(), [&](Eigen::Index) { return random.normal(); });
    VectorX x = right;
    matrix->solve_in_place(x);
    const VectorX back = dense.matrix() * x;
    for (int k = 0; k < map.v_total(); ++k) {
      EXPECT_NEAR(map.is_free(k) ? back[k] : x[k], map.is_free(k) ? right[k] : 0, 1e-12);
    }
  }
}

// A pendulum that hangs at rest: the pull of its hinge is a stiffness m g l/I against turning.
TEST(Equations, MultipliersOfJointsHaveStiffness) {
  model::Model model;
  model.planar = true;
  test::add_ball(model, 2, 0.1, Vector3(0, -3, 0));
  model.joints.push_back({.name = "hinge",
                          .type = model::JointType::revolute,
                          .first = {},
                          .second = {{{0}, Vector3(0, 3, 0)}, {}},
                          .coupled = {},
                          .target = {}});
  const Equations equations(model);
  const linalg::BlockSparseMatrix rows;
  test::DenseMass without(equations.map()), with(equations.map());
  equations.assemble(equations.initial_state(), 0, 0, rows, without);
  equations.assemble(equations.initial_state(), 0, 0, rows, Vector2(0, 2 * 9.81), 0.1, with);
  MatrixX expected = MatrixX::Zero(6, 6);
  expected(5, 5) = 0.1 * 2 * 9.81 * 3;
  const MatrixX difference = with.matrix() - without.matrix();
  for (const int i : {0, 1, 5}) {
    for (const int j : {0, 1, 5}) EXPECT_NEAR(difference(i, j), expected(i, j), 1e-12);
  }
}

TEST(Equations, KnowHowNonlinearTheyAre) {
  model::Model model;
  test::add_point(model, 2, Vector3(1, 0, 0));
  model.gravity = Vector3(0, -3, 4);
  EXPECT_EQ(Equations(model).dependence(), Dependence::none);
  EXPECT_DOUBLE_EQ(Equations(model).weight_norm_squared(), 50);
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 1, 0, 0, Vector3::UnitX());
  EXPECT_EQ(Equations(model).dependence(), Dependence::linear);
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 1, 0, 0);
  EXPECT_EQ(Equations(model).dependence(), Dependence::nonlinear);
}

// A body that is held at a point may still fall; one that is held in all components carries its weight itself.
TEST(Equations, WeightIsOfWhatMayFall) {
  math::Random random(12);
  model::Model model = random_machine(random, false);
  model.gravity = Vector3(0, 3, -4);
  model.nodes[0].fixed = {true, true, true, false, false, false};
  EXPECT_NEAR(Equations(model).weight(), 5 * (model.bodies[0].mass + model.bodies[1].mass + model.bodies[2].mass),
              1e-12);
  model.nodes[0].fixed.fill(true);
  EXPECT_NEAR(Equations(model).weight(), 5 * (model.bodies[1].mass + model.bodies[2].mass), 1e-12);
}

TEST(Equations, SeveralBodiesOnOneNodeAddUp) {
  model::Model model;
  test::add_ball(model, 2, 1, Vector3::Zero(), Vector3::UnitX());
  model.bodies.push_back(model.bodies[0]);
  model.bodies[1].mass = 3;
  const Equations equations(model);
  EXPECT_DOUBLE_EQ(equations.kinetic_energy(equations.initial_state()), 2.5);
  VectorX force;
  model.gravity = Vector3(0, -1, 0);
  Equations(model).force(equations.initial_state(), force);
  EXPECT_DOUBLE_EQ(force[1], -5);
}

TEST(Equations, StrainIsTheElasticPartOfThePotential) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 2, Vector3(3, 1, 0));
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 4, 0, 1, Vector3::UnitX());
  const Equations equations(model);
  EXPECT_DOUBLE_EQ(equations.strain_energy(equations.initial_state()), 8);
  EXPECT_DOUBLE_EQ(equations.potential_energy(equations.initial_state()), 28);
}

}  // namespace
}  // namespace ricochet::mechanics
