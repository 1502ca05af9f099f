// Which contacts keep a point from being a solution: the largest terms of the maximum that is the residual
// (cone/residual). Where a solver fails, they are where to look: one loose contact, a joint of an arch, or everything.
#pragma once

#include <vector>

#include "ricochet/cone/contact_status.hpp"
#include "ricochet/cone/residual_scales.hpp"

namespace ricochet::cone {

struct WorstContact {
  int contact = 0;      // its block in the problem, from 0
  int offset = 0;       // of its components in r and u
  int size = 0;         // how many
  double residual = 0;  // of this contact alone, dimensionless
  ContactStatus status = ContactStatus::open;
};

// At most `count` contacts, the largest residual first, of equal ones the lower number; NaN is larger than any number.
// With the scales of a problem and u of r this serves the reduced as well as the global form; throws
// std::invalid_argument if r and u do not have the size that the laws of the scales ask for.
std::vector<WorstContact> worst_contacts(const ResidualScales& scales, const linalg::VectorView& impulses,
                                         const linalg::VectorView& velocity, int count);
std::vector<WorstContact> worst_contacts(const ContactProblem& problem, const linalg::VectorView& impulses, int count);

}  // namespace ricochet::cone
