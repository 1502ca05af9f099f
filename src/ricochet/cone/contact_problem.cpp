#include "ricochet/cone/contact_problem.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "ricochet/linalg/all_finite.hpp"

namespace ricochet::cone {

namespace {

using DelassusEntry = linalg::BlockSparseMatrix::Entry;

void validate_coefficient(int contact, double coefficient, const char* name) {
  if (!std::isfinite(coefficient)) {
    throw contact_complaint(contact, fmt::format("the {} coefficient is not finite", name));
  }
  if (coefficient < 0) {
    throw contact_complaint(contact, fmt::format("the {} coefficient {} is negative", name, coefficient));
  }
}

}  // namespace

std::invalid_argument contact_complaint(int contact, const std::string& complaint) {
  return std::invalid_argument(fmt::format("contact problem, contact {}: {}", contact, complaint));
}

DelassusEntry diagonal_entry(const linalg::BlockSparseMatrix& matrix, int contact) {
  const std::span<const DelassusEntry> row = matrix.row(contact);
  const auto found = std::lower_bound(row.begin(), row.end(), contact,
                                      [](const DelassusEntry& entry, int column) { return entry.column < column; });
  if (found == row.end() || found->column != contact) {
    throw contact_complaint(contact, "its diagonal block W_ii is missing");
  }
  return *found;
}

void validate_laws(const linalg::BlockSparseMatrix& sizes_from, std::span<const Friction> friction,
                   std::span<const char> bilateral) {
  const auto contacts = static_cast<std::size_t>(sizes_from.rows());
  if (friction.size() != contacts) {
    throw std::invalid_argument(
        fmt::format("contact problem: {} friction coefficients for {} contacts", friction.size(), contacts));
  }
  if (!bilateral.empty() && bilateral.size() != contacts) {
    throw std::invalid_argument(fmt::format(
        "contact problem: {} entries say which of {} blocks are bilateral; one for each, or none at all, is expected",
        bilateral.size(), contacts));
  }
  for (int i = 0; i < sizes_from.rows(); ++i) {
    const int size = sizes_from.row_size(i);
    if (!bilateral.empty() && bilateral[i] != 0) {
      if (size > kLargestBlock) {
        throw contact_complaint(i, fmt::format("a bilateral block of size {} is larger than 6: split it", size));
      }
      continue;
    }
    if (friction[i].coupled) {
      if (size != 4 && size != 6) {
        throw contact_complaint(i, fmt::format("block size {} is not 4 or 6, as it must be of a coupled law", size));
      }
    } else if (size == 4 || size > kLargestBlock) {
      throw contact_complaint(i, fmt::format("block size {} is not 1, 2, 3, 5 or 6", size));
    }
    validate_coefficient(i, friction[i].sliding, "friction");
    if (size > 4) validate_coefficient(i, friction[i].rolling, "rolling friction");
    if (size > 5) validate_coefficient(i, friction[i].spinning, "spinning friction");
  }
}

void validate_free_velocity(const ContactProblem& problem, int contact) {
  const double* b = problem.free_velocity.data() + problem.block_offset(contact);
  if (linalg::all_finite({b, static_cast<std::size_t>(problem.block_size(contact))})) return;
  throw contact_complaint(contact, "the free velocity is not finite");
}

void validate(const ContactProblem& problem) {
  const linalg::BlockSparseMatrix& delassus = problem.delassus;
  const int contacts = problem.contacts();
  if (delassus.columns() != contacts) {
    throw std::invalid_argument(fmt::format(
        "contact problem: the Delassus matrix has {} block rows but {} block columns", contacts, delassus.columns()));
  }
  if (problem.free_velocity.size() != delassus.scalar_rows()) {
    throw std::invalid_argument(
        fmt::format("contact problem: the free velocity has {} entries, the Delassus matrix {} rows",
                    problem.free_velocity.size(), delassus.scalar_rows()));
  }
  validate_laws(delassus, problem.friction, problem.bilateral);
  for (int i = 0; i < contacts; ++i) {
    const int size = problem.block_size(i);
    if (delassus.column_size(i) != size) {
      throw contact_complaint(
          i, fmt::format("its block row has size {} but its block column has size {}", size, delassus.column_size(i)));
    }
    validate_free_velocity(problem, i);
    diagonal_entry(delassus, i);
  }
  if (linalg::all_finite(delassus.values())) return;
  for (int i = 0; i < contacts; ++i) {
    for (const DelassusEntry& entry : delassus.row(i)) {
      if (delassus.block(i, entry).allFinite()) continue;
      throw contact_complaint(i,
                              fmt::format("the Delassus block coupling it to contact {} is not finite", entry.column));
    }
  }
}

}  // namespace ricochet::cone
