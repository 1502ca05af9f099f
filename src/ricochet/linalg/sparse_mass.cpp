// EffectiveMass of nodes that springs couple: one sparse factorisation (KLU) of the free components. The pattern is
// analysed again only when it changes.
#include <klu.h>
#include <Eigen/SparseCore>

#include <algorithm>
#include <stdexcept>

#include "ricochet/linalg/effective_mass.hpp"

namespace ricochet::linalg {

namespace {

// KLU's symbolic and numeric objects, released with their owner.
class KluFactors {
 public:
  KluFactors() { klu_defaults(&common_); }
  KluFactors(const KluFactors&) = delete;
  KluFactors& operator=(const KluFactors&) = delete;
  ~KluFactors() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }

  // `starts`, `rows`, `values`: compressed columns. A changed pattern is analysed anew.
  void factorise(int size, std::vector<int>& starts, std::vector<int>& rows, std::vector<double>& values,
                 bool new_pattern) {
    if (new_pattern) {
      klu_free_symbolic(&symbolic_, &common_);
      symbolic_ = klu_analyze(size, starts.data(), rows.data(), &common_);
    }
    // Pivots are chosen anew each time (no klu_refactor): those of earlier values may vanish now, and a run that is
    // resumed does not know them.
    klu_free_numeric(&numeric_, &common_);
    if (symbolic_ != nullptr) numeric_ = klu_factor(starts.data(), rows.data(), values.data(), symbolic_, &common_);
    if (symbolic_ == nullptr || numeric_ == nullptr || common_.status != KLU_OK) {
      throw std::runtime_error("the mass and stiffness matrix is singular");
    }
  }

  void solve(int size, int columns, double* right) const {
    klu_solve(symbolic_, numeric_, size, columns, right, &common_);
  }

 private:
  mutable klu_common common_ = {};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

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
    const bool new_pattern =
        rows_.size() != nonzeros ||
        !std::equal(starts_.begin(), starts_.end(), matrix_.outerIndexPtr(), matrix_.outerIndexPtr() + size + 1) ||
        !std::equal(rows_.begin(), rows_.end(), matrix_.innerIndexPtr());
    if (new_pattern) {
      starts_.assign(matrix_.outerIndexPtr(), matrix_.outerIndexPtr() + size + 1);
      rows_.assign(matrix_.innerIndexPtr(), matrix_.innerIndexPtr() + nonzeros);
    }
    values_.assign(matrix_.valuePtr(), matrix_.valuePtr() + nonzeros);
    if (size > 0) factors_.factorise(static_cast<int>(size), starts_, rows_, values_, new_pattern);
  }

  void solve_in_place(VectorX& x) const override {
    for (Eigen::Index i = 0; i < work_.size(); ++i) work_[i] = x[full_[i]];
    if (work_.size() > 0) factors_.solve(static_cast<int>(work_.size()), 1, work_.data());
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
    if (size > 0 && scalars > 0) factors_.solve(static_cast<int>(size), scalars, columns_.data());

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
  std::vector<int> starts_, rows_;
  std::vector<double> values_;
  KluFactors factors_;
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
