// The last resort for a handful of planar or frictionless contacts: try every combination of statuses.
//
// With the status of every contact given (open; closed and sticking; closed and slipping one way or the other) the
// problem is linear. Up to 4^n systems are solved, by least squares because redundant contacts make them singular, and
// of the points that satisfy the residual of cone/residual the one nearest to the given impulses is taken (in the units
// of cone/dense_problem). Cannot be misled by cycles or bad starts, but costs time exponential in n.
#pragma once

#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

// At most 6 contacts, all of size 1 or 2.
bool can_enumerate(const ContactProblem& problem);

// `impulses`: in, the point near which a solution is sought, of the right size and finite; out, the solution, or
// unchanged if none was found. Returns whether. Throws std::invalid_argument unless `can_enumerate`.
bool solve_by_enumeration(const ContactProblem& problem, linalg::ReusableVector& impulses, double tolerance);

}  // namespace ricochet::cone
