#include "ricochet/cone/contact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

namespace ricochet::cone {

namespace {

using DelassusEntry = linalg::BlockSparseMatrix::Entry;

[[noreturn]] void reject_contact(int contact, const std::string& complaint) {
  throw std::invalid_argument("contact problem, contact " + std::to_string(contact) + ": " + complaint);
}

bool all_finite(std::span<const double> values) {
  // 0 * x is 0 for finite x and NaN otherwise. Four sums, because one would wait for itself at every addition.
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += 0.0 * values[i + k];
  }
  for (; i < values.size(); ++i) sums[0] += 0.0 * values[i];
  return sums[0] + sums[1] + sums[2] + sums[3] == 0.0;
}

}  // namespace

DelassusEntry diagonal_entry(const ContactProblem& problem, int contact) {
  const std::span<const DelassusEntry> row = problem.delassus.row(contact);
  const auto found = std::lower_bound(row.begin(), row.end(), contact,
                                      [](const DelassusEntry& entry, int column) { return entry.column < column; });
  if (found == row.end() || found->column != contact) reject_contact(contact, "its diagonal block W_ii is missing");
  return *found;
}

void validate(const ContactProblem& problem) {
  const linalg::BlockSparseMatrix& delassus = problem.delassus;
  const int contacts = problem.contacts();
  if (delassus.columns() != contacts) {
    throw std::invalid_argument("contact problem: the Delassus matrix has " + std::to_string(contacts) +
                                " block rows but " + std::to_string(delassus.columns()) + " block columns");
  }
  if (static_cast<int>(problem.friction.size()) != contacts) {
    throw std::invalid_argument("contact problem: " + std::to_string(problem.friction.size()) +
                                " friction coefficients for " + std::to_string(contacts) + " contacts");
  }
  if (problem.free_velocity.size() != delassus.scalar_rows()) {
    throw std::invalid_argument("contact problem: the free velocity has " +
                                std::to_string(problem.free_velocity.size()) + " entries, the Delassus matrix " +
                                std::to_string(delassus.scalar_rows()) + " rows");
  }
  for (int i = 0; i < contacts; ++i) {
    const int size = problem.block_size(i);
    if (size < 1 || size > 3) reject_contact(i, "block size " + std::to_string(size) + " is not 1, 2 or 3");
    if (delassus.column_size(i) != size) {
      reject_contact(i, "its block row has size " + std::to_string(size) + " but its block column has size " +
                            std::to_string(delassus.column_size(i)));
    }
    const double friction = problem.friction[i];
    if (!std::isfinite(friction)) reject_contact(i, "the friction coefficient is not finite");
    if (friction < 0) reject_contact(i, "the friction coefficient " + std::to_string(friction) + " is negative");
    if (!all_finite({problem.free_velocity.data() + problem.block_offset(i), static_cast<std::size_t>(size)})) {
      reject_contact(i, "the free velocity is not finite");
    }
    diagonal_entry(problem, i);
  }
  if (all_finite(delassus.values())) return;
  for (int i = 0; i < contacts; ++i) {
    for (const DelassusEntry& entry : delassus.row(i)) {
      if (!delassus.block(i, entry).allFinite()) {
        reject_contact(i,
                       "the Delassus block coupling it to contact " + std::to_string(entry.column) + " is not finite");
      }
    }
  }
}

}  // namespace ricochet::cone
