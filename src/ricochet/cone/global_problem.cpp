#include "ricochet/cone/global_problem.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>

#include "ricochet/linalg/all_finite.hpp"

namespace ricochet::cone {

namespace {

constexpr int kLargestDiagonalNode = 6;

[[noreturn]] void reject_global(const std::string& complaint) {
  throw std::invalid_argument("contact problem: " + complaint);
}

void require_finite(const linalg::ReusableVector& vector, const char* name) {
  if (linalg::all_finite({vector.data(), static_cast<std::size_t>(vector.size())})) return;
  for (Eigen::Index k = 0; k < vector.size(); ++k) {
    if (!std::isfinite(vector[k])) reject_global(fmt::format("entry {} of {} is not finite", k, name));
  }
}

}  // namespace

bool nodes_are_free_of_each_other(const linalg::BlockSparseMatrix& mass) {
  for (int i = 0; i < mass.rows(); ++i) {
    if (mass.row_size(i) > kLargestDiagonalNode) return false;
    for (const linalg::BlockSparseMatrix::Entry& entry : mass.row(i)) {
      if (entry.column != i && !mass.block(i, entry).isZero(0)) return false;
    }
  }
  return true;
}

void validate(const GlobalContactProblem& problem) {
  const linalg::BlockSparseMatrix& mass = problem.mass;
  const linalg::BlockSparseMatrix& gradients = problem.gradients;
  if (mass.columns() != mass.rows()) {
    reject_global(fmt::format("the mass matrix M has {} block rows but {} block columns", mass.rows(), mass.columns()));
  }
  if (gradients.columns() != problem.nodes()) {
    reject_global(fmt::format("the matrix H has {} block columns for {} nodes of M", gradients.columns(), mass.rows()));
  }
  for (int i = 0; i < problem.nodes(); ++i) {
    if (mass.column_size(i) != mass.row_size(i) || gradients.column_size(i) != mass.row_size(i)) {
      reject_global(fmt::format("node {} has {} rows in M, but {} columns in M and {} in H", i, mass.row_size(i),
                                mass.column_size(i), gradients.column_size(i)));
    }
  }
  if (problem.momentum.size() != mass.scalar_rows()) {
    reject_global(
        fmt::format("the momentum f has {} entries, M has {} rows", problem.momentum.size(), mass.scalar_rows()));
  }
  if (problem.surface_velocity.size() != gradients.scalar_rows()) {
    reject_global(fmt::format("the surface velocity w has {} entries, H has {} rows", problem.surface_velocity.size(),
                              gradients.scalar_rows()));
  }
  validate_laws(gradients, problem.friction, problem.bilateral);
  require_finite(problem.momentum, "the momentum f");
  require_finite(problem.surface_velocity, "the surface velocity w");
  if (!linalg::all_finite(mass.values())) reject_global("an entry of the mass matrix M is not finite");
  for (int i = 0; i < problem.contacts(); ++i) {
    for (const linalg::BlockSparseMatrix::Entry& entry : gradients.row(i)) {
      if (gradients.block(i, entry).allFinite()) continue;
      throw contact_complaint(i, fmt::format("its block of H at node {} is not finite", entry.column));
    }
  }
}

void GlobalSystem::factorise(const GlobalContactProblem& problem) {
  const linalg::BlockSparseMatrix& mass = problem.mass;
  const bool block_diagonal = nodes_are_free_of_each_other(mass);
  bool same_nodes =
      mass_ != nullptr && block_diagonal == block_diagonal_ && static_cast<int>(node_sizes_.size()) == problem.nodes();
  for (int i = 0; i < problem.nodes() && same_nodes; ++i) same_nodes = node_sizes_[i] == mass.row_size(i);
  if (!same_nodes) {
    node_sizes_.clear();
    for (int i = 0; i < problem.nodes(); ++i) node_sizes_.push_back(mass.row_size(i));
    const std::vector<char> free_components(static_cast<std::size_t>(mass.scalar_rows()), 1);
    mass_ = block_diagonal ? linalg::make_block_diagonal_mass(node_sizes_, free_components)
                           : linalg::make_sparse_mass(node_sizes_, free_components);
    block_diagonal_ = block_diagonal;
  }
  mass_->clear();
  for (int i = 0; i < problem.nodes(); ++i) {
    for (const linalg::BlockSparseMatrix::Entry& entry : mass.row(i)) {
      if (block_diagonal && entry.column != i) continue;  // a stored zero
      if (block_diagonal) {  // a copy on the stack, because a Ref to a block that is stored by rows asks for memory
        mass_->add(i, i,
                   Eigen::Matrix<double, -1, -1, 0, kLargestDiagonalNode, kLargestDiagonalNode>(mass.block(i, entry)));
      } else {
        mass_->add(i, entry.column, mass.block(i, entry));
      }
    }
  }
  try {
    mass_->factorise();
  } catch (const std::runtime_error&) {
    mass_ = nullptr;
    reject_global("the mass matrix M is singular");
  }
}

void GlobalSystem::prepare(const GlobalContactProblem& problem) {
  validate(problem);
  factorise(problem);
  mass_->delassus_diagonal(problem.gradients, diagonal_);
  node_velocity_ = problem.momentum;
  mass_->solve_in_place(node_velocity_);
  free_velocity_ = problem.surface_velocity;
  problem.gradients.multiply_add(node_velocity_, free_velocity_);
  const std::span<const double> free_values(free_velocity_.data(), static_cast<std::size_t>(free_velocity_.size()));
  if (!linalg::all_finite(diagonal_.values()) || !linalg::all_finite(free_values)) {
    reject_global("the mass matrix M is so close to singular that velocities overflow");
  }
  scales_.islands().find(problem.mass, problem.gradients);
  scales_.prepare(diagonal_, problem.friction, problem.bilateral, free_velocity_);
}

void GlobalSystem::velocity(const GlobalContactProblem& problem, const linalg::VectorView& impulses,
                            VectorX& node_velocity, linalg::ReusableVector& contact_velocity) const {
  node_velocity = problem.momentum;
  problem.gradients.transpose_multiply_add(impulses, node_velocity);
  mass_->solve_in_place(node_velocity);
  contact_velocity = problem.surface_velocity;
  problem.gradients.multiply_add(node_velocity, contact_velocity);
}

Residual GlobalSystem::residual(const GlobalContactProblem& problem, const linalg::VectorView& impulses) {
  velocity(problem, impulses, node_velocity_, contact_velocity_);
  Residual worst;
  for (int i = 0; i < problem.contacts() && !std::isnan(worst.value); ++i) {
    const int offset = problem.gradients.row_offset(i);
    const double value = contact_residual(scales_, i, impulses.data() + offset, contact_velocity_.data() + offset);
    if (worst.worst_contact < 0 || !(value <= worst.value)) worst = {value, i};
  }
  return worst;
}

double GlobalSystem::fclib_residual(const GlobalContactProblem& problem, const linalg::VectorView& impulses) {
  velocity(problem, impulses, node_velocity_, contact_velocity_);
  double square = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const int offset = problem.gradients.row_offset(i);
    square += natural_map_square(problem.law(i), 1.0, impulses.data() + offset, contact_velocity_.data() + offset);
  }
  return std::sqrt(square) / (1.0 + free_velocity_.norm());
}

void GlobalSystem::reduce(const GlobalContactProblem& problem, ContactProblem& reduced) {
  mass_->delassus(problem.gradients, reduced.delassus);
  reduced.free_velocity = free_velocity_;
  reduced.friction = problem.friction;
  reduced.bilateral = problem.bilateral;
}

}  // namespace ricochet::cone
