// A small contact problem as dense matrices, in units in which every contact feels about a unit mass.
//
// With r_i = m s_i x_i and y_i = s_i u_i the problem u = W r + b becomes y = m S W S x + S b under the same law and the
// same friction. m s_i^2 is about rho_i = size_i / trace(W_ii) of cone/residual, so that the diagonal blocks are about
// 1 however different the masses are. m belongs to the first contact. m and s_i are powers of two: changing units loses
// no bit, an impulse on the boundary of its cone stays there, and problems that differ by powers of two in W and b
// become the same up to a factor of b.
#pragma once

#include <vector>

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

struct DenseProblem {
  struct Block {
    int offset = 0;
    int size = 0;
    double friction = 0;  // zero for size 1
  };

  std::vector<Block> blocks;
  MatrixX delassus;        // m S W S
  VectorX free_velocity;   // S b
  VectorX scale;           // of impulses, m s_i
  VectorX velocity_scale;  // s_i
};

// Keeps the memory of `dense` if the size is the same.
void assemble_dense(const ContactProblem& problem, DenseProblem& dense);

// Multiplies b by a power of two so that the largest |b_i| is between 1/2 and 1 (and x with it, W stays).
void normalise_velocity(DenseProblem& dense);

// What a contact does according to the projections of Alart and Curnier, and the impulse which that means exactly:
// zero if x_N - y_N <= 0, on the boundary of the cone if x_T - y_T leaves the disc, in the cone otherwise. Moves x by
// no more than the error that it has, and gives the contact a status that can be read from its impulse.
void snap_to_status(const DenseProblem::Block& block, const double* impulse, const double* velocity, double* snapped);

// r = m S x with every contact snapped, where y = m S W S x + S b is given.
void snapped_impulses(const DenseProblem& dense, const VectorX& x, const VectorX& y, linalg::ReusableVector& impulses);

// False for impulses so large that their residual is small by comparison with them alone, while the velocities are
// wrong by more than a hundredth of the largest free velocity. A direct solver can reach such a point at once where no
// solution exists (a block between two closing walls) and must not take it for one.
bool credible(const ContactProblem& problem, const DenseProblem& dense, const linalg::VectorView& impulses,
              double residual_value);

}  // namespace ricochet::cone
