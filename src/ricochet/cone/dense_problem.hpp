// A small contact problem as dense matrices, in the units of cone/scaled_problem.
#pragma once

#include "ricochet/cone/scaled_problem.hpp"

namespace ricochet::cone {

struct DenseProblem : ScaledProblem {
  MatrixX delassus;  // m S W S
};

// Keeps the memory of `dense` if the size is the same.
void assemble_dense(const ContactProblem& problem, DenseProblem& dense);

}  // namespace ricochet::cone
