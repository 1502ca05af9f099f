#include "ricochet/cone/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/contact_status.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

SolveReport solve_from_zero(const ContactProblem& problem, linalg::ReusableVector& r,
                            const SolveOptions& options = {}) {
  r.resize(0);
  return NonsmoothGaussSeidel().solve(problem, r, options);
}

// The report must carry THE residual of the returned point.
void expect_honest(const ContactProblem& problem, const VectorX& r, const SolveReport& report,
                   const SolveOptions& options = {}) {
  const Residual true_residual = residual(problem, r);
  EXPECT_EQ(report.residual, true_residual.value);
  EXPECT_EQ(report.worst_contact, true_residual.worst_contact);
  EXPECT_EQ(report.status == SolveStatus::converged, report.residual <= options.tolerance);
}

// Spheres of unit diameter and mass heaped to a pyramid on the floor, each on the four below it, all falling with unit
// speed after the free step. `kick` is added to the velocity of the top. 25 + 4 (16 + 9 + 4 + 1) contacts if the base
// is five by five.
ContactProblem pyramid_of_spheres(int base, double friction, const Vector3& kick = Vector3::Zero()) {
  struct Touch {
    int above, below;  // -1 is the floor
    Vector3 normal;
  };
  std::vector<Touch> touches;
  int count = 0, first_below = 0;
  for (int width = base; width > 0; --width) {
    const int first = count;
    for (int i = 0; i < width * width; ++i, ++count) {
      if (width == base) {
        touches.push_back({count, -1, Vector3::UnitZ()});
        continue;
      }
      for (const int dx : {0, 1}) {
        for (const int dy : {0, 1}) {
          const int below = first_below + (i / width + dx) * (width + 1) + i % width + dy;
          touches.push_back({count, below, Vector3(0.5 - dx, 0.5 - dy, std::sqrt(0.5))});
        }
      }
    }
    first_below = first;
  }
  const int contacts = static_cast<int>(touches.size());
  MatrixX gradient = MatrixX::Zero(3 * contacts, 6 * count);
  for (int i = 0; i < contacts; ++i) {
    const Vector3& n = touches[i].normal;
    const Vector3 t1 = Vector3(n.z(), 0, -n.x()).normalized();
    const Vector3 t2(n.y() * t1.z(), n.z() * t1.x() - n.x() * t1.z(), -n.y() * t1.x());  // n x t1
    int row = 3 * i;
    for (const Vector3& axis : {n, t1, t2}) {
      // The point of contact is at -n/2 of the upper and at n/2 of the lower sphere: the arms are equal, the rows too.
      const Vector3 turn = -0.5 * Vector3(n.y() * axis.z() - n.z() * axis.y(), n.z() * axis.x() - n.x() * axis.z(),
                                          n.x() * axis.y() - n.y() * axis.x());
      gradient.block(row, 6 * touches[i].above, 1, 6) << axis.transpose(), turn.transpose();
      if (touches[i].below >= 0) {
        gradient.block(row, 6 * touches[i].below, 1, 6) << -axis.transpose(), turn.transpose();
      }
      ++row;
    }
  }
  VectorX inverse_mass(6 * count), velocity = VectorX::Zero(6 * count);
  for (int body = 0; body < count; ++body) {
    inverse_mass.segment(6 * body, 6) << 1, 1, 1, 10, 10, 10;
    velocity[6 * body + 2] = -1;
  }
  velocity.segment(6 * (count - 1), 3) += kick;
  return test::problem_from_dense(std::vector<int>(contacts, 3),
                                  gradient * inverse_mass.asDiagonal() * gradient.transpose(), gradient * velocity,
                                  std::vector<Friction>(contacts, friction));
}

// A guess that solves the problem is taken as it is if asked for; otherwise every island is swept once.
TEST(GaussSeidel, AcceptsAGuessOnlyIfAsked) {
  const ContactProblem problem = test::table_problem(Vector3(0.1, 0, -1), 0.3);
  SolveOptions options{.tolerance = 1e-6, .max_iterations = 10'000};
  NonsmoothGaussSeidel solver;
  linalg::ReusableVector r;
  ASSERT_EQ(solver.solve(problem, r, options).status, SolveStatus::converged);
  const VectorX solution = r;
  EXPECT_EQ(solver.solve(problem, r, options).iterations, 1);
  r = solution;
  options.accept_guess = true;
  EXPECT_EQ(solver.solve(problem, r, options).iterations, 0);
  EXPECT_EQ(VectorX(r), solution);
  r.setZero();
  EXPECT_GT(solver.solve(problem, r, options).iterations, 0);  // one that does not solve it
}

TEST(GaussSeidel, NoContacts) {
  linalg::ReusableVector r = VectorX::Ones(7);
  const SolveReport report = NonsmoothGaussSeidel().solve(ContactProblem{}, r, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.residual, 0);
  EXPECT_EQ(report.worst_contact, -1);
  EXPECT_EQ(r.size(), 0);
}

TEST(GaussSeidel, NoClosingContactNeedsNoImpulseWhateverTheGuess) {
  ContactProblem problem = test::table_problem(Vector3(1, 2, 0.5), 0.5);
  linalg::ReusableVector r = VectorX::Ones(12);
  const SolveReport report = NonsmoothGaussSeidel().solve(problem, r, {});
  EXPECT_TRUE(r.isZero(0));
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(GaussSeidel, UncoupledContactsTakeOneSweep) {
  math::Random random(11);
  MatrixX delassus = MatrixX::Zero(90, 90);
  for (int i = 0; i < 30; ++i) {
    MatrixX g(3, 4);
    for (int j = 0; j < 4; ++j) g.col(j) = test::random_vector(random, 3);
    delassus.block(3 * i, 3 * i, 3, 3) = g * g.transpose() * std::exp2(static_cast<double>(i));
  }
  const ContactProblem problem = test::problem_from_dense(
      std::vector<int>(30, 3), delassus, test::random_vector(random, 90), std::vector<Friction>(30, 0.6));
  linalg::ReusableVector r;
  const SolveReport report = solve_from_zero(problem, r, {.tolerance = 1e-12});
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LT(test::coulomb_violation(problem, r), 1e-13);
}

TEST(GaussSeidel, StackOfTwoPointMasses) {
  // m_1 on the floor, m_2 on m_1, both fall with gh: r_1 = (m_1 + m_2) gh, r_2 = m_2 gh.
  const double m1 = 2, m2 = 3, gh = 0.1;
  MatrixX delassus(2, 2);
  delassus << 1 / m1, -1 / m1, -1 / m1, 1 / m1 + 1 / m2;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, (VectorX(2) << -gh, 0).finished(), {0, 0});
  linalg::ReusableVector r;
  const SolveReport report = solve_from_zero(problem, r, {.tolerance = 1e-13});
  expect_honest(problem, r, report, {.tolerance = 1e-13});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_NEAR(r[0], (m1 + m2) * gh, 1e-12);
  EXPECT_NEAR(r[1], m2 * gh, 1e-12);
}

TEST(GaussSeidel, HyperstaticTableAtRestAndSliding) {
  const double gh = 0.01, mu = 0.3, mass = 5;
  linalg::ReusableVector r;
  ContactProblem problem = test::table_problem(Vector3(0, 0, -gh), mu, mass);
  SolveReport report = solve_from_zero(problem, r);
  expect_honest(problem, r, report);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], mass * gh, 1e-7 * mass * gh);
  // Fast along x: all four legs slip, and the sum of friction is mu m g h.
  problem = test::table_problem(Vector3(10, 0, -gh), mu, mass);
  report = solve_from_zero(problem, r, {.tolerance = 1e-10});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LT(test::coulomb_violation(problem, r), 1e-8);
  EXPECT_NEAR(r[1] + r[4] + r[7] + r[10], -mu * (r[0] + r[3] + r[6] + r[9]), 1e-6 * mass * gh);
  for (int i = 0; i < 4; ++i) {
    if (r[3 * i] > 0) {
      EXPECT_EQ(contact_status(problem, r, i), ContactStatus::slip);
    }
  }
}

TEST(GaussSeidel, WarmStartAtTheSolution) {
  math::Random random(12);
  const ContactProblem problem = test::random_bodies_problem(random, 30, 30, 0.5);
  linalg::ReusableVector r;
  NonsmoothGaussSeidel solver;
  ASSERT_EQ(solver.solve(problem, r, {.tolerance = 1e-10}).status, SolveStatus::converged);
  const VectorX solution = r;
  const SolveReport again = solver.solve(problem, r, {.tolerance = 1e-9});
  EXPECT_EQ(again.status, SolveStatus::converged);
  EXPECT_EQ(again.iterations, 1);
  EXPECT_LT((r - solution).norm(), 1e-8 * solution.norm());
}

TEST(GaussSeidel, RestingHeapIsSolvedAgainInThreeSweeps) {
  ContactProblem heap = pyramid_of_spheres(5, 0.5);
  ASSERT_EQ(heap.contacts(), 145);
  math::Random random(19);
  for (const Sweeps kind : {Sweeps::plain, Sweeps::accelerated}) {
    NonsmoothGaussSeidel solver;
    const SolveOptions options{.tolerance = 1e-8, .max_iterations = 100'000};
    linalg::ReusableVector r;
    const SolveReport first = solver.solve(heap, r, options, kind);
    ASSERT_EQ(first.status, SolveStatus::converged);
    ASSERT_GT(first.iterations, 20);  // it is work from nothing
    for (int step = 0; step < 20; ++step) {
      if (step >= 10) {
        for (double& b : heap.free_velocity) b += 1e-10 * random.uniform(-1, 1);
      }
      const SolveReport again = solver.solve(heap, r, options, kind);
      EXPECT_EQ(again.status, SolveStatus::converged);
      EXPECT_LE(again.iterations, 3) << "step " << step;
      expect_honest(heap, r, again, options);
    }
  }
}

TEST(GaussSeidel, DisturbanceOfARestingHeap) {
  // What settled contacts are skipped for. The answer must be a solution all the same, and depend on nothing before.
  NonsmoothGaussSeidel solver;
  const SolveOptions options{.tolerance = 1e-8, .max_iterations = 100'000};
  linalg::ReusableVector r;
  ASSERT_EQ(solver.solve(pyramid_of_spheres(6, 0.5), r, options).status, SolveStatus::converged);
  for (const double kick : {1e-6, 1e-3}) {
    const ContactProblem disturbed = pyramid_of_spheres(6, 0.5, Vector3(kick, 0.5 * kick, 0));
    linalg::ReusableVector from_rest = r, twice = r;
    const SolveReport report = solver.solve(disturbed, from_rest, options);
    EXPECT_EQ(report.status, SolveStatus::converged) << "kick " << kick << ": " << report.residual;
    expect_honest(disturbed, from_rest, report, options);
    EXPECT_LT(test::coulomb_violation(disturbed, from_rest), 1e-6);
    NonsmoothGaussSeidel().solve(disturbed, twice, options);
    EXPECT_EQ(from_rest, twice);  // nothing is left of what the solver has done before
  }
}

TEST(GaussSeidel, AnyFirstGuessWillDo) {
  math::Random random(13);
  const ContactProblem problem = test::random_bodies_problem(random, 10, 20, 0.5);
  linalg::ReusableVector reference;
  ASSERT_EQ(solve_from_zero(problem, reference, {.tolerance = 1e-12}).status, SolveStatus::converged);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const VectorX& guess : {VectorX(VectorX::Constant(30, -4)), VectorX(VectorX::Ones(5)),
                               VectorX(VectorX::Constant(30, nan)), VectorX(VectorX::Constant(30, infinity))}) {
    linalg::ReusableVector r = guess;
    EXPECT_EQ(NonsmoothGaussSeidel().solve(problem, r, {.tolerance = 1e-12}).status, SolveStatus::converged);
    EXPECT_LT((r - reference).norm(), 1e-9 * reference.norm());
  }
}

TEST(GaussSeidel, IterationLimitIsHonest) {
  math::Random random(14);
  const ContactProblem problem = test::random_bodies_problem(random, 40, 15, 0.8);
  double previous = std::numeric_limits<double>::infinity();
  for (const int limit : {0, 1, 2, 5, 10, 25}) {
    linalg::ReusableVector r;
    const SolveOptions options{.tolerance = 1e-14, .max_iterations = limit};
    const SolveReport report = solve_from_zero(problem, r, options);
    EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    EXPECT_EQ(report.iterations, limit);
    expect_honest(problem, r, report, options);
    if (limit == 0) {
      EXPECT_TRUE(r.isZero(0));
    }
    EXPECT_LE(report.residual, previous * 10);
    previous = report.residual;
  }
}

TEST(GaussSeidel, ReturnsTheBestPointNotTheLast) {
  // Much friction on few bodies: the residual goes up and down from sweep to sweep.
  math::Random random(18);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 8, 2, 4);
    double previous = std::numeric_limits<double>::infinity();
    for (int limit = 1; limit < 20; ++limit) {
      linalg::ReusableVector r;
      const SolveOptions options{.tolerance = 0, .max_iterations = limit};
      const SolveReport report = solve_from_zero(problem, r, options);
      expect_honest(problem, r, report, options);
      EXPECT_LE(report.residual, previous);
      previous = report.residual;
    }
  }
}

TEST(GaussSeidel, ProblemWithoutSolutionIsNotCalledSolved) {
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  linalg::ReusableVector r;
  const SolveOptions options{.tolerance = 1e-4, .max_iterations = 20'000};
  const SolveReport report = solve_from_zero(problem, r, options);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_GT(report.residual, 0.1);
  expect_honest(problem, r, report, options);
}

TEST(GaussSeidelBadInput, IsRejected) {
  ContactProblem problem = test::table_problem(Vector3(0, 0, -1), 0.5);
  problem.friction[2] = -1;
  linalg::ReusableVector r;
  EXPECT_THROW(NonsmoothGaussSeidel().solve(problem, r, {}), std::invalid_argument);
}

TEST(GaussSeidelProperty, SolvesRandomBodies) {
  math::Random random(15);
  NonsmoothGaussSeidel solver;
  for (int repeat = 0; repeat < 60; ++repeat) {
    const int contacts = 5 + static_cast<int>(random.integer(46));
    const ContactProblem problem = test::random_bodies_problem(
        random, contacts, contacts, 1, repeat % 2 == 0 ? std::vector<int>{3} : std::vector<int>{1, 2, 3});
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, {});
    EXPECT_EQ(report.status, SolveStatus::converged) << "case " << repeat << ": " << report.residual;
    expect_honest(problem, r, report);
    EXPECT_LT(test::coulomb_violation(problem, r), 1e-6) << "case " << repeat;
  }
}

TEST(GaussSeidelProperty, HyperstaticTables) {
  math::Random random(16);
  NonsmoothGaussSeidel solver;
  for (int repeat = 0; repeat < 100; ++repeat) {
    Vector3 velocity = test::random_vector(random, 3) * random.uniform(0, 2);
    velocity[2] = -1;
    const ContactProblem problem =
        test::table_problem(velocity, random.uniform(0, 1.5), std::exp2(random.uniform(-20, 20)));
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, {});
    EXPECT_EQ(report.status, SolveStatus::converged) << "case " << repeat << ": " << report.residual;
    expect_honest(problem, r, report);
  }
}

TEST(GaussSeidelProperty, ScalingByPowersOfTwoIsExact) {
  math::Random random(17);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 12, 10, 0.8);
    const ContactProblem scaled = test::problem_from_dense(std::vector<int>(12, 3), problem.delassus.dense() * 0x1p-23,
                                                           problem.free_velocity * 0x1p9, problem.friction);
    linalg::ReusableVector r, scaled_r;
    const SolveReport report = solve_from_zero(problem, r), scaled_report = solve_from_zero(scaled, scaled_r);
    EXPECT_EQ(scaled_r, VectorX(r * 0x1p32));
    EXPECT_EQ(report.iterations, scaled_report.iterations);
    EXPECT_EQ(report.residual, scaled_report.residual);
  }
}

}  // namespace
}  // namespace ricochet::cone
