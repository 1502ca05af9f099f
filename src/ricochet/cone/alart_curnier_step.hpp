// One step of semismooth Newton on Alart and Curnier's function, for problems whose velocities (or gaps) follow the
// impulses through W only near the present iterate: the geometry changes from one step to the next, and so does W.
//
//   F(r, y) = r - P( r - rho y ),      A dr + B (drift + W dr) = -F,      A = dF/dr,  B = dF/dy
//
// P projects as in cone/newton_function; rho_N, rho_T, ... are the penalty factors of the augmented Lagrangian (Alart &
// Curnier, CMAME 92, 1991; Galvez et al., eqs 35-41 and 54-63): the solution does not depend on them. By themselves
// they are the masses that a contact feels, the inverse of the mean entry on the diagonal of W in each group of
// components.
#pragma once

#include <vector>

#include "ricochet/cone/newton_matrix.hpp"

namespace ricochet::cone {

// Multiples of what the factors would be by themselves.
struct PenaltyFactors {
  double normal = 1;
  double tangential = 1;
};

class AlartCurnierStep {
 public:
  // For the W and the friction of a problem, which must stay where they are.
  void prepare(const ContactProblem& problem, const PenaltyFactors& factors);

  // F at r and y, in N s divided by the root of rho (root of J for velocities): |F|^2 may be added to kinetic energies.
  void value(const linalg::VectorView& impulses, const linalg::VectorView& velocities, VectorX& value) const;

  // |r| in the same units: F cannot be known better than to the rounding of it.
  double size(const linalg::VectorView& impulses) const;

  // dr. False if there is none.
  bool find(const linalg::VectorView& impulses, const linalg::VectorView& velocities, const linalg::VectorView& drift,
            VectorX& change);

 private:
  // F in the units of cone/scaled_problem.
  void scaled_value(const linalg::VectorView& impulses, const linalg::VectorView& velocities, VectorX& value) const;

  ScaledProblem scaled_;
  NewtonMatrix matrix_;
  std::vector<BlockDerivative> derivatives_;
  VectorX right_, step_;
  double unit_ = 1;  // kg, of the first block: what is scaled by it has no unit of mass, and the same bits in any
};

}  // namespace ricochet::cone
