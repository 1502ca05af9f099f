// The units in which the direct solvers work: every contact feels about a unit mass, and moments are forces.
//
// With r_k = m s_k x_k and y_k = s_k u_k the problem u = W r + b becomes y = m S W S x + S b under the same law. Within
// a group of components (normal and sliding; rolling; spinning; one row of a bilateral block) all s_k are the same, and
// m s_k^2 is about the inverse of the mean diagonal entry of W in the group, so that these entries become about 1
// however different the masses are. Groups of a contact differ by an arm l = s_k / s_N, in m: moments are divided by
// it, and so are the coefficients mu_R and mu_S. m belongs to the first block. m and s_k are powers of two: changing
// units loses no bit, an impulse on the boundary of its cone stays there, and problems that differ by powers of two in
// W and b become the same up to a factor of b.
#pragma once

#include <vector>

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

struct ScaledProblem {
  // The law of a block in these units.
  struct Block : BlockLaw {
    int offset = 0;
  };

  std::vector<Block> blocks;
  VectorX free_velocity;   // S b
  VectorX scale;           // of impulses, m s_k
  VectorX velocity_scale;  // s_k
};

// Keeps the memory of `scaled` if the size is the same.
void find_scales(const ContactProblem& problem, ScaledProblem& scaled);

// Multiplies b by a power of two so that the largest |b_i| is between 1/2 and 1 (and x with it, W stays).
void normalise_velocity(ScaledProblem& scaled);

// What a contact does according to the projections of Alart and Curnier, and the impulse which that means exactly:
// zero if x_N - y_N <= 0; each group on the boundary of its disc if x - y leaves it, in the disc otherwise. Moves x by
// no more than the error that it has, and gives the contact a status that can be read from its impulse. A bilateral
// block stays what it is.
void snap_to_status(const ScaledProblem::Block& block, const double* impulse, const double* velocity, double* snapped);

// r = m S x with every contact snapped, where y = m S W S x + S b is given.
void snapped_impulses(const ScaledProblem& scaled, const VectorX& x, const VectorX& y,
                      linalg::ReusableVector& impulses);

}  // namespace ricochet::cone
