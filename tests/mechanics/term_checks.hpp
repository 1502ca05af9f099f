// Checks that hold for every Term: tangents against finite differences, powers against forces, potential against
// powers, and the energy that a theta step adds.
#pragma once

#include <gtest/gtest.h>

#include "model/test_models.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/mechanics/term.hpp"

namespace ricochet::mechanics::test {

using namespace ricochet::test;

// An EffectiveMass that only collects blocks.
class DenseMass final : public linalg::EffectiveMass {
 public:
  explicit DenseMass(const DofMap& map) : map_(map), matrix_(MatrixX::Zero(map.v_total(), map.v_total())) {}
  const MatrixX& matrix() const { return matrix_; }

  void clear() override { matrix_.setZero(); }
  void add(int row, int column, const Eigen::Ref<const MatrixX>& block) override {
    EXPECT_EQ(block.rows(), map_.v_size(row));
    EXPECT_EQ(block.cols(), map_.v_size(column));
    matrix_.block(map_.v_start(row), map_.v_start(column), block.rows(), block.cols()) += block;
  }
  void factorise() override {}
  void solve_in_place(VectorX& /*x*/) const override {}
  void delassus(const linalg::BlockSparseMatrix& /*gradients*/, linalg::BlockSparseMatrix& /*delassus*/) override {}

 private:
  const DofMap& map_;
  MatrixX matrix_;
};

inline VectorX term_force(const Term& term, const DofMap& map, const State& state) {
  VectorX force = VectorX::Zero(map.v_total());
  term.add_force(state, force);
  return force;
}

inline Powers term_powers(const Term& term, const State& state) {
  Powers powers;
  term.add_powers(state, powers);
  return powers;
}

// The state moved along one velocity component by a small amount, at constant velocities.
inline State moved(const DofMap& map, const State& state, int component, double amount) {
  State result = state;
  advance(map, state.q, VectorX::Unit(map.v_total(), component), amount, result.q);
  return result;
}

inline void expect_tangents(const Term& term, const DofMap& map, const State& state) {
  const double small = 1e-5;
  MatrixX stiffness(map.v_total(), map.v_total()), damping(map.v_total(), map.v_total());
  for (int i = 0; i < map.v_total(); ++i) {
    stiffness.col(i) =
        (term_force(term, map, moved(map, state, i, -small)) - term_force(term, map, moved(map, state, i, small))) /
        (2 * small);
    State faster = state, slower = state;
    faster.v[i] += small;
    slower.v[i] -= small;
    damping.col(i) = (term_force(term, map, slower) - term_force(term, map, faster)) / (2 * small);
  }
  const double scale = 1 + stiffness.norm() + damping.norm();
  DenseMass k(map), c(map), both(map);
  term.add_tangents(state, 0, 1, k);
  term.add_tangents(state, 1, 0, c);
  term.add_tangents(state, 0.25, 3, both);
  EXPECT_LE((k.matrix() - stiffness).cwiseAbs().maxCoeff(), 1e-8 * scale) << k.matrix() << "\n\n" << stiffness;
  EXPECT_LE((c.matrix() - damping).cwiseAbs().maxCoeff(), 1e-8 * scale) << c.matrix() << "\n\n" << damping;
  EXPECT_LE((both.matrix() - 0.25 * c.matrix() - 3 * k.matrix()).norm(), 1e-13 * scale);
  if (!term.couples_nodes()) {
    for (int i = 0; i < map.nodes(); ++i) {
      for (int j = 0; j < map.nodes(); ++j) {
        if (i == j) continue;
        EXPECT_TRUE(k.matrix().block(map.v_start(i), map.v_start(j), map.v_size(i), map.v_size(j)).isZero(0));
      }
    }
  }
}

// f . v is the sum of the powers; the conservative one is the rate at which the potential falls.
inline void expect_powers(const Term& term, const DofMap& map, const State& state) {
  const Powers powers = term_powers(term, state);
  const double power = term_force(term, map, state).dot(state.v);
  const double scale = 1 + std::abs(powers.conservative) + std::abs(powers.loads) + powers.damping;
  EXPECT_NEAR(power, powers.conservative + powers.loads - powers.damping, 1e-13 * scale);
  EXPECT_GE(powers.damping, 0);
  const double small = 1e-5;
  State later = state, earlier = state;
  advance(map, state.q, state.v, small, later.q);
  advance(map, state.q, state.v, -small, earlier.q);
  const double rate = (term.potential(later) - term.potential(earlier)) / (2 * small);
  EXPECT_NEAR(rate, -powers.conservative, 1e-7 * scale);
  const double strain_rate = (term.strain_energy(later) - term.strain_energy(earlier)) / (2 * small);
  EXPECT_TRUE(strain_rate == 0 || std::abs(strain_rate - rate) <= 1e-9 * scale);
}

// V(end) - V(begin) + the work of the conservative force of the stage - what the model itself put into V, for a theta
// step with any velocities.
inline void expect_stage_excess(const Term& term, const DofMap& map, const State& begin, const VectorX& end_velocity,
                                double theta, double h) {
  State stage = begin, end = begin;
  stage.time = begin.time + theta * h;
  end.time = begin.time + h;
  stage.v = (1 - theta) * begin.v + theta * end_velocity;
  end.v = end_velocity;
  advance(map, begin.q, stage.v, theta * h, stage.q);
  advance(map, begin.q, stage.v, h, end.q);
  const double work = h * term_powers(term, stage).conservative;
  const double scale = std::abs(term.potential(begin)) + std::abs(term.potential(end)) + std::abs(work);
  EXPECT_NEAR(term.stage_excess(begin, stage, end, theta, h),
              term.potential(end) - term.potential(begin) + work - term.prescribed_work(begin, end),
              1e-13 * (1 + scale));
}

}  // namespace ricochet::mechanics::test
