#include "ricochet/cone/planar_friction_lcp.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "cone/complementarity_problems.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

// Flores et al., eqs 80-85, row by row. W and the units are such that cone/dense_problem changes nothing.
TEST(PlanarFrictionLcp, IsTheProblemOfThePaper) {
  const MatrixX w{{1.5, 0.25, -0.5}, {0.25, 1.25, 0.125}, {-0.5, 0.125, 1.5}};
  const double mu = 0.5;
  const ContactProblem problem = test::problem_from_dense({2, 1}, w, VectorX{{-1.0, 0.5, 2.0}}, {mu, 0.7});
  const PlanarFrictionLcp lcp(problem);
  // z = (r_N of both, P_R, xi_L)
  const MatrixX expected{{1.5 - 0.25 * mu, -0.5, 0.25, 0},
                         {-0.5 - 0.125 * mu, 1.5, 0.125, 0},
                         {0.25 - 1.25 * mu, 0.125, 1.25, 1},
                         {2 * mu, 0, -1, 0}};
  EXPECT_EQ(lcp.problem().matrix, expected);
  EXPECT_EQ(lcp.problem().offset, (VectorX{{-1.0, 2.0, 0.5, 0.0}}));
}

// P_R belongs to z and P_L to w: a contact that slips forward has P_R = 0 and r_T = -mu r_N, not +mu r_N.
TEST(PlanarFrictionLcp, FrictionResistsSlip) {
  const MatrixX w = 2 * MatrixX::Identity(2, 2);
  for (const double speed : {3.0, -3.0}) {
    const ContactProblem problem = test::single_contact(w, VectorX{{-2.0, speed}}, 0.5);
    const PlanarFrictionLcp lcp(problem);
    const VectorX z = speed > 0 ? VectorX{{1.0, 0.0, 0.0}} : VectorX{{1.0, 1.0, 2.0}};
    EXPECT_EQ(complementarity_residual(lcp.problem(), z), 0);
    linalg::ReusableVector r;
    lcp.impulses(z, r);
    EXPECT_EQ(r, (VectorX{{1.0, speed > 0 ? -0.5 : 0.5}}));
    EXPECT_EQ(residual(problem, r).value, 0);
    EXPECT_EQ(lcp.unknowns(r), z);
  }
}

// What another solver finds solves this problem, and comes back.
TEST(PlanarFrictionLcpProperty, SolutionsGoThereAndBack) {
  math::Random random(91);
  ContactSolver solver;
  for (int repeat = 0; repeat < 500; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 6, 5, 1, {1, 2});
    linalg::ReusableVector r, back;
    ASSERT_EQ(solver.solve(problem, r, {.tolerance = 1e-13}).status, SolveStatus::converged) << "case " << repeat;
    const PlanarFrictionLcp lcp(problem);
    const VectorX z = lcp.unknowns(r);
    const VectorX w = lcp.problem().matrix * z + lcp.problem().offset;
    const double scale = 1 + z.maxCoeff();
    EXPECT_GE(z.minCoeff(), 0);
    EXPECT_GE(w.minCoeff(), -1e-11 * scale) << "case " << repeat;
    EXPECT_LE(w.cwiseMin(z).maxCoeff(), 1e-11 * scale) << "case " << repeat;
    lcp.impulses(z, back);
    EXPECT_LE((back - r).norm(), 1e-11 * (1 + r.norm())) << "case " << repeat;
  }
}

TEST(PlanarFrictionLcp, ContactsWithoutFrictionNeedOneRow) {
  math::Random random(92);
  ContactProblem problem = test::random_bodies_problem(random, 5, 4, 1, {2});
  EXPECT_EQ(PlanarFrictionLcp(problem).problem().size(), 15);
  problem.friction[1] = problem.friction[4] = 0;
  const PlanarFrictionLcp lcp(problem);
  EXPECT_EQ(lcp.problem().size(), 11);
  linalg::ReusableVector r;
  lcp.impulses(VectorX::Ones(11), r);
  EXPECT_EQ(r[3], 0);
  EXPECT_EQ(r[9], 0);
  EXPECT_EQ(PlanarFrictionLcp(ContactProblem{}).problem().size(), 0);
}

TEST(PlanarFrictionLcpBadInput, SpatialAndBilateralBlocksAreRejected) {
  EXPECT_THROW(PlanarFrictionLcp(test::table_problem(Vector3(0, 0, -1), 0.5)), std::invalid_argument);
  ContactProblem joint = test::single_contact(MatrixX::Identity(2, 2), VectorX{{-1.0, 0.0}}, 0.5);
  joint.bilateral = {1};
  EXPECT_THROW(PlanarFrictionLcp{joint}, std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::cone
