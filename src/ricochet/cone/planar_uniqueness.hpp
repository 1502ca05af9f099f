// Whether a planar contact problem has one solution, and where a second one differs.
//
// What counts is velocities: impulses of redundant contacts (a box on two corners) are not unique, and nothing moves
// differently because of that.
//
// The four statuses of a planar contact are four pieces of a plane. With two numbers p for (u, r),
//
//   open         r = 0                      half of the plane, p_N = u_N > 0
//   slip right   r_T = -mu r_N, u_N = 0     a quarter,         p_N = -r_N,  p_T = u_T > 0
//   stick        u = 0                      an angle between the two quarters
//   slip left    r_T = mu r_N, u_N = 0      the rest,
//
// so that all n contacts together are R^2n, and F(p) = u(p) - W r(p) is continuous and linear on each of its 4^n
// pieces. A problem asks for F(p) = b. The determinant of F on a piece is that of the matrix A of its closed contacts:
// rows and columns N and T of W for those that stick, row N and column W_N -+ mu W_T for those that slip. If all of
// them are positive, F is one-to-one: exactly one solution for every b. (Kuhn & Loewen, "Piecewise affine bijections of
// R^n", Linear Algebra and its Applications 96, 1987; Scholtes, "Introduction to Piecewise Differentiable Equations",
// 2012, section 2.3. A map that keeps its orientation can only fail to be one-to-one by going around a face of
// codimension two more than once. Two contacts that change their status meet in four pieces, one contact at the tip of
// its cone in the four above: three pieces whose images take less than half a turn each and one that takes just half
// do not make two turns.) For one contact this is W_NN > mu |W_NT|: no Painleve paradox.
//
// Redundant contacts make some determinants zero. Then W + e I is looked at, with a small e > 0. If it has positive
// determinants, and velocities follow b by no more than a factor G on any piece, two solutions (u, r) and (u', r') of
// the problem solve the one with W + e I for right hand sides that differ by e (r - r'). So
//
//   |u - u'| <= G e |r - r'|,
//
// and for the e and G that are admitted that is below 2^-24 in the units of cone/scaled_problem.
#pragma once

#include "ricochet/cone/dense_problem.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

inline constexpr int kMostContactsOfAProof = 4;  // 256 pieces, some hundred microseconds

// True if all velocities that solve the problem, whatever b is, are the same up to the bound above. False proves
// nothing. At most kMostContactsOfAProof contacts, all planar or frictionless.
bool proves_unique_velocities(const DenseProblem& dense);

// True if W r + b is the same for both impulses, to a millionth of the velocities and free velocities.
bool same_velocities(const DenseProblem& dense, const linalg::VectorView& impulses, const linalg::VectorView& others);

// Where the velocities of both impulses differ most, in m/s; zero where they are round-off. At least one contact.
SecondSolution compare_velocities(const ContactProblem& problem, const linalg::VectorView& impulses,
                                  const linalg::VectorView& others);

// Completes the report about a solved problem, one island of planar contacts: is there a second solution? All is known
// of up to kMostContactsOfAProof contacts. Of more nothing is looked for: returns false.
bool look_for_others(const ContactProblem& problem, const linalg::VectorView& impulses, double tolerance,
                     SolveReport& report);

}  // namespace ricochet::cone
