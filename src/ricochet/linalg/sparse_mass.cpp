// EffectiveMass of nodes that springs couple: one sparse factorisation (KLU) of the free components. The pattern is
// analysed again only when it changes.
#include <Eigen/SparseCore>

#include <stdexcept>

#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/linalg/sparse_lu.hpp"

namespace ricochet::linalg {

namespace {

class SparseMass final : public EffectiveMass {
 public:
  SparseMass(std::span<const int> node_sizes, std::span<const char> free_components) {
    int start = 0;
    for (const int size : node_sizes) {
      node_start_.push_back(start);
      start += size;
    }
    reduced_.assign(free_components.size(), -1);
    for (std::size_t i = 0; i < free_components.size(); ++i) {
      if (free_components[i] != 0) {
        reduced_[i] = static_cast<int>(full_.size());
        full_.push_back(static_cast<int>(i));
      }
    }
    work_.resize(static_cast<Eigen::Index>(full_.size()));
  }

  void clear() override { triplets_.clear(); }

  void add(int row_node, int column_node, const Eigen::Ref<const MatrixX>& block) override {
    for (int j = 0; j < block.cols(); ++j) {
      const int column = reduced_[node_start_[column_node] + j];
      for (int i = 0; i < block.rows(); ++i) {
        const int row = reduced_[node_start_[row_node] + i];
        if (row >= 0 && column >= 0) triplets_.emplace_back(row, column, block(i, j));
      }
    }
  }

  void factorise() override {
    const auto size = static_cast<Eigen::Index>(full_.size());
    matrix_.resize(size, size);
    matrix_.setFromTriplets(triplets_.begin(), triplets_.end());
    matrix_.makeCompressed();
    const auto nonzeros = static_cast<std::size_t>(matrix_.nonZeros());
    factors_.set_pattern({matrix_.outerIndexPtr(), static_cast<std::size_t>(size) + 1},
                         {matrix_.innerIndexPtr(), nonzeros});
    // Pivots are chosen anew each time: those of earlier values may vanish now, and a run that is resumed does not know
    // them.
    if (!factors_.factorise({matrix_.valuePtr(), nonzeros})) {
      throw std::runtime_error("the mass and stiffness matrix is singular");
    }
  }

  void solve_in_place(VectorX& x) const override {
    for (Eigen::Index i = 0; i < work_.size(); ++i) work_[i] = x[full_[i]];
    factors_.solve(work_.data());
    x.setZero();
    for (Eigen::Index i = 0; i < work_.size(); ++i) x[full_[i]] = work_[i];
  }

  // Every contact may feel every other one through the springs. The columns of W come from one solve for all components
  // of the contacts: X = matrix^-1 H^T, W = H X. Where nothing connects two contacts, X and W have exact zeros.
  void delassus(const BlockSparseMatrix& gradients, BlockSparseMatrix& delassus) override {
    const int scalars = gradients.scalar_rows();
    const auto size = static_cast<Eigen::Index>(full_.size());
    if (columns_.rows() != size || columns_.cols() < scalars) columns_.resize(size, scalars);
    columns_.leftCols(scalars).setZero();
    for (int row = 0; row < gradients.rows(); ++row) scatter_row(gradients, row);
    if (scalars > 0) factors_.solve(columns_.data(), scalars);

    contact_sizes_.clear();
    for (int row = 0; row < gradients.rows(); ++row) contact_sizes_.push_back(gradients.row_size(row));
    delassus.reset(contact_sizes_);
    for (int row = 0; row < gradients.rows(); ++row) {
      delassus.begin_row(gradients.row_size(row));
      for (int other = 0; other < gradients.rows(); ++other) {
        block_.setZero(gradients.row_size(row), gradients.row_size(other));
        gather_row(gradients, row, gradients.row_offset(other));
        if (row == other || !block_.isZero(0)) delassus.append(other) = block_;
      }
    }
  }

 private:
  // columns_ += H_row^T
  void scatter_row(const BlockSparseMatrix& gradients, int row) {
    for (const auto& entry : gradients.row(row)) {
      const BlockView gradient = gradients.block(row, entry);
      for (int k = 0; k < gradient.cols(); ++k) {
        const int component = reduced_[node_start_[entry.column] + k];
        if (component < 0) continue;
        for (int i = 0; i < gradient.rows(); ++i) columns_(component, gradients.row_offset(row) + i) += gradient(i, k);
      }
    }
  }

  // block_ += H_row times the columns from `start` on.
  void gather_row(const BlockSparseMatrix& gradients, int row, int start) {
    for (const auto& entry : gradients.row(row)) {
      const BlockView gradient = gradients.block(row, entry);
      for (int k = 0; k < gradient.cols(); ++k) {
        const int component = reduced_[node_start_[entry.column] + k];
        if (component < 0) continue;
        for (int i = 0; i < block_.rows(); ++i) {
          for (int j = 0; j < block_.cols(); ++j) block_(i, j) += gradient(i, k) * columns_(component, start + j);
        }
      }
    }
  }

  std::vector<int> node_start_;
  std::vector<int> reduced_;  // full component -> unknown, -1 if eliminated
  std::vector<int> full_;     // unknown -> full component
  std::vector<Eigen::Triplet<double>> triplets_;
  Eigen::SparseMatrix<double> matrix_;
  SparseLu factors_;
  mutable VectorX work_;
  MatrixX columns_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6> block_;  // never allocates
  std::vector<int> contact_sizes_;
};

}  // namespace

std::unique_ptr<EffectiveMass> make_sparse_mass(std::span<const int> node_sizes,
                                                std::span<const char> free_components) {
  return std::make_unique<SparseMass>(node_sizes, free_components);
}

}  // namespace ricochet::linalg
