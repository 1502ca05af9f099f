#include "ricochet/cone/worst_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {

namespace {

bool is_worse(const WorstContact& a, const WorstContact& b) {
  if (std::isnan(a.residual) != std::isnan(b.residual)) return std::isnan(a.residual);
  if (a.residual > b.residual || a.residual < b.residual) return a.residual > b.residual;
  return a.contact < b.contact;
}

}  // namespace

std::vector<WorstContact> worst_contacts(const ResidualScales& scales, const linalg::VectorView& impulses,
                                         const linalg::VectorView& velocity, int count) {
  std::vector<WorstContact> all;
  int offset = 0;
  for (int i = 0; i < scales.contacts(); ++i) {
    const BlockLaw& law = scales.law(i);
    if (offset + law.size > impulses.size() || offset + law.size > velocity.size()) break;
    const double* r = impulses.data() + offset;
    // The laws of the scales have the sliding friction of the problem: its arm is 1.
    all.push_back(
        {i, offset, law.size, contact_residual(scales, i, r, velocity.data() + offset), contact_status(law, r)});
    offset += law.size;
  }
  const bool whole = static_cast<int>(all.size()) == scales.contacts();
  if (!whole || impulses.size() != offset || velocity.size() != offset) {
    throw std::invalid_argument("impulses or velocities do not have the size of the contact problem");
  }
  const auto wanted = std::min<std::size_t>(all.size(), static_cast<std::size_t>(std::max(count, 0)));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted), all.end(), is_worse);
  all.resize(wanted);
  return all;
}

std::vector<WorstContact> worst_contacts(const ContactProblem& problem, const linalg::VectorView& impulses, int count) {
  ResidualScales scales;
  scales.prepare(problem);
  linalg::ReusableVector velocity;
  contact_velocity(problem, impulses, velocity);
  return worst_contacts(scales, impulses, velocity, count);
}

}  // namespace ricochet::cone
