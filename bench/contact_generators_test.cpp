// The generated problems are what they claim: their sizes, and mechanics that everybody can check by hand. The weight
// is found again at the ground, because M v = f + H^T r with v = 0 is the balance of momentum.
#include "bench/contact_generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/calibration.hpp"
#include "bench/sphere_deposit.hpp"
#include "ricochet/cone/contact_solver.hpp"

namespace ricochet::bench {
namespace {

constexpr double weight_impulse = 9.81 * 1e-3;  // per kg, N s

struct Solution {
  cone::ContactProblem problem;  // reduced
  linalg::ReusableVector r;
  VectorX v;
  double residual = 0;
};

Solution solve(const cone::GlobalContactProblem& global, double tolerance = 1e-10) {
  Solution solution;
  cone::GlobalSystem system;
  system.prepare(global);
  system.reduce(global, solution.problem);
  cone::ContactSolver().solve(solution.problem, solution.r, {.tolerance = tolerance, .max_iterations = 100'000});
  linalg::ReusableVector u;
  system.velocity(global, solution.r, solution.v, u);
  solution.residual = system.residual(global, solution.r).value;
  return solution;
}

// Sum of the normal impulses of the contacts that have the ground or a wall on one side.
double normal_impulse_at_ground(const cone::GlobalContactProblem& problem, const VectorX& r) {
  double sum = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (problem.gradients.row(i).size() == 1) sum += r[3 * i];
  }
  return sum;
}

double total_mass(const cone::GlobalContactProblem& problem) {
  double sum = 0;
  for (int i = 0; i < problem.nodes(); ++i) sum += problem.mass.block(i, problem.mass.row(i)[0])(0, 0);
  return sum;
}

TEST(ContactGenerators, SizesAndSoundness) {
  EXPECT_EQ(box_stack(7).contacts(), 28);
  EXPECT_EQ(arch(9).contacts(), 40);
  EXPECT_EQ(arch(9).nodes(), 9);
  EXPECT_EQ(plank_tower(10, 2).contacts(), 8 + 9 * 16);
  EXPECT_EQ(plank_tower(3, 4).nodes(), 12);
  EXPECT_EQ(plank_tower(3, 4).contacts(), 16 + 2 * 64);
  EXPECT_EQ(pressed_row(6).contacts(), 12);
  EXPECT_EQ(hanging_chain(6).contacts(), 6);
  EXPECT_EQ(hanging_chain(1).contacts(), 1);
  EXPECT_THROW(box_stack(0), std::invalid_argument);
  EXPECT_THROW(sphere_heap(0), std::invalid_argument);
  for (const auto& problem :
       {box_stack(3, 1e6), arch(5), plank_tower(4, 3), sphere_heap(50), pressed_row(3), hanging_chain(3)}) {
    EXPECT_NO_THROW(cone::validate(problem));
    EXPECT_TRUE(problem.surface_velocity.isZero(0));
  }
}

TEST(ContactGenerators, AStackCarriesItsWeight) {
  for (const double ratio : {1.0, 1e3, 1e6}) {
    const cone::GlobalContactProblem problem = box_stack(4, ratio);
    const Solution solution = solve(problem);
    ASSERT_LE(solution.residual, 1e-10) << ratio;
    const double weight = total_mass(problem) * weight_impulse;
    EXPECT_NEAR(normal_impulse_at_ground(problem, solution.r), weight, 1e-6 * weight) << ratio;
    // Each face carries what is above it.
    const double top_mass = problem.mass.block(3, problem.mass.row(3)[0])(0, 0);
    double highest_face = 0;
    for (int i = 12; i < 16; ++i) highest_face += solution.r[3 * i];
    EXPECT_NEAR(top_mass, ratio, 1e-9 * ratio);
    EXPECT_NEAR(highest_face, top_mass * weight_impulse, 1e-6 * weight) << ratio;
    EXPECT_LT(solution.v.cwiseAbs().maxCoeff(), 1e-8 * 9.81e-3 * 100);
  }
}

TEST(ContactGenerators, AnArchStandsAndPushesSideways) {
  const cone::GlobalContactProblem problem = arch(7, {.friction = 0.7});
  // Exact mass: the area of 7 trapezoids, half the difference of squares of radii times the sine of the angle.
  const double area = 7 * 0.5 * (1.3 * 1.3 - 1) * std::sin(std::numbers::pi / 7);
  EXPECT_NEAR(total_mass(problem), 2400 * 0.4 * area, 1e-9 * total_mass(problem));
  const Solution solution = solve(problem);
  ASSERT_LE(solution.residual, 1e-10);
  EXPECT_LT(solution.v.cwiseAbs().maxCoeff(), 1e-6 * 9.81e-3) << "it moves";
  // At both ends the ground is level: its normal impulses carry the weight, its friction the thrust.
  const double weight = total_mass(problem) * weight_impulse;
  EXPECT_NEAR(normal_impulse_at_ground(problem, solution.r), weight, 1e-6 * weight);
  const VectorX pull = problem.gradients.dense().topRows(12).leftCols(6).transpose() * solution.r.head(12);
  EXPECT_LT(pull[0], -0.02 * weight) << "the right end must be pushed inwards";
}

TEST(ContactGenerators, AChainAndATowerCarryTheirWeight) {
  const cone::GlobalContactProblem chain = hanging_chain(10);
  const Solution hanging = solve(chain);
  ASSERT_LE(hanging.residual, 1e-10);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(hanging.r[3 * i], (10 - i) * weight_impulse, 1e-8);
  const cone::GlobalContactProblem tower = plank_tower(3, 2);
  const Solution standing = solve(tower, 1e-8);
  ASSERT_LE(standing.residual, 1e-8);
  const double weight = total_mass(tower) * weight_impulse;
  EXPECT_NEAR(normal_impulse_at_ground(tower, standing.r), weight, 1e-5 * weight);
}

TEST(ContactGenerators, APressedRowPushesTheWall) {
  const cone::GlobalContactProblem problem = pressed_row(3);
  const Solution solution = solve(problem);
  ASSERT_LE(solution.residual, 1e-10);
  EXPECT_LT(solution.v.cwiseAbs().maxCoeff(), 1e-8);
  // Horizontal balance of all: wall = press - friction of the floor, which is along -t2 or +t2 of contacts 0, 2, 4.
  VectorX push = VectorX::Zero(18);
  problem.gradients.transpose_multiply_add(solution.r, push);
  EXPECT_NEAR(push[0] + push[6] + push[12], 98.1e-3, 1e-9);
}

TEST(ContactGenerators, AnImpactIsFasterThanAStep) {
  const auto momentum_change = [](const cone::GlobalContactProblem& problem) {
    const Solution solution = solve(problem, 1e-8);
    EXPECT_LE(solution.residual, 1e-8);
    return solution.r.cwiseAbs().sum();
  };
  EXPECT_GT(momentum_change(box_stack(3, 1, {.impact_speed = 1})), 10 * momentum_change(box_stack(3)));
  EXPECT_GT(momentum_change(arch(5, {.impact_speed = 1})), 10 * momentum_change(arch(5)));
  EXPECT_GT(momentum_change(hanging_chain(3, {.impact_speed = 1})), 10 * momentum_change(hanging_chain(3)));
  EXPECT_GT(momentum_change(pressed_row(3, {.impact_speed = 1})), 1.1 * momentum_change(pressed_row(3)));
}

TEST(ContactGenerators, SpheresOfAHeapTouchAndDoNotOverlap) {
  const SphereDeposit heap = deposit_spheres(300, 5);
  ASSERT_EQ(heap.spheres.size(), 300u);
  for (std::size_t i = 0; i < heap.spheres.size(); ++i) {
    const DepositedSphere& a = heap.spheres[i];
    EXPECT_GE(a.center.z(), a.radius * (1 - 1e-9));
    for (const double x : {a.center.x(), a.center.y()}) {
      EXPECT_GE(x, a.radius * (1 - 1e-9));
      EXPECT_LE(x, heap.width - a.radius * (1 - 1e-9));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const DepositedSphere& b = heap.spheres[j];
      EXPECT_GE((a.center - b.center).norm(), (a.radius + b.radius) * (1 - 1e-9));
    }
  }
  std::vector<int> supports(300, 0);
  for (const SphereTouch& touch : heap.touches) {
    ++supports[touch.sphere];
    EXPECT_NEAR(touch.normal.norm(), 1, 1e-12);
    if (touch.support < 0) continue;
    const DepositedSphere &a = heap.spheres[touch.sphere], &b = heap.spheres[touch.support];
    EXPECT_LT((a.center - a.radius * touch.normal - b.center - b.radius * touch.normal).norm(), 1e-8 * a.radius);
  }
  int carried_by_three = 0;
  for (const int count : supports) {
    EXPECT_GE(count, 1);
    carried_by_three += count >= 3 ? 1 : 0;
  }
  EXPECT_GT(carried_by_three, 200);
  EXPECT_GT(sphere_heap(300, 5).contacts(), 700);
}

TEST(ContactGenerators, SameSeedSameBits) {
  const cone::GlobalContactProblem first = sphere_heap(60, 9), second = sphere_heap(60, 9), other = sphere_heap(60, 10);
  EXPECT_EQ(first.gradients.dense(), second.gradients.dense());
  EXPECT_TRUE(first.contacts() != other.contacts() || first.gradients.dense() != other.gradients.dense());
}

TEST(ContactGenerators, TheListSpansAllSizes) {
  int smallest = 1'000'000, largest = 0;
  for (const GeneratedProblem& generated : generated_problems()) {
    const cone::GlobalContactProblem problem = generated.make();
    smallest = std::min(smallest, problem.contacts());
    largest = std::max(largest, problem.contacts());
  }
  EXPECT_EQ(smallest, 1);
  EXPECT_GT(largest, 18'000);
  EXPECT_LT(largest, 25'000);
}

// The unit of all benchmarks must not move: this is the sum of the kernel's impulses since it was written.
TEST(Calibration, TheKernelIsTheSame) {
  CalibrationKernel kernel;
  for (int i = 0; i < 4; ++i) kernel.sweep();
  EXPECT_NEAR(kernel.total_normal_impulse(), 12.856773687300025, 1e-9);  // sine and cosine differ in their last bits
}

}  // namespace
}  // namespace ricochet::bench
