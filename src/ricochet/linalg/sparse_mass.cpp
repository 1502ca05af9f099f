// EffectiveMass of nodes that springs or joints couple: one sparse factorisation (KLU) of the free components and the
// rows of joints. The pattern is analysed again only when it changes.
//
// With rows the unknowns are x and y = -lambda of
//
//   [ matrix   G^T    ] [x]   [momentum]
//   [ G      -delta 1 ] [y] = [right   ],
//
// scaled so that the diagonals of the matrix and of G diag(matrix)^-1 G^T are one, and all entries without unit. Scales
// are roots of ratios of masses, or of squares of lengths: they turn units that are powers of two into powers of two,
// so that a machine in other units gives the same bits. delta makes redundant rows harmless; refinement against the
// system without delta then takes its effect out again, as M. P. Friedlander and D. Orban do for quasi-definite systems
// (Math. Prog. Comp. 4, 2012): an error along a singular value sigma of the scaled rows shrinks by delta/(sigma^2 +
// delta) in every pass.
#include <Eigen/SparseCore>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/linalg/sparse_lu.hpp"

namespace ricochet::linalg {

namespace {

constexpr double kRowRegularisation = 1e-9;  // delta, against a diagonal of one
constexpr int kMostRefinements = 10;

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
  }

  void clear() override {
    triplets_.clear();
    row_entries_.clear();
    row_start_.assign(1, 0);
  }

  void set_rows(const BlockSparseMatrix& rows) override {
    for (int row = 0; row < rows.rows(); ++row) {
      for (int i = 0; i < rows.row_size(row); ++i) {
        for (const auto& entry : rows.row(row)) {
          const BlockView block = rows.block(row, entry);
          for (int k = 0; k < block.cols(); ++k) {
            const int component = reduced_[node_start_[entry.column] + k];
            if (component >= 0) row_entries_.push_back({component, block(i, k)});
          }
        }
        row_start_.push_back(static_cast<int>(row_entries_.size()));
      }
    }
  }

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
    add_rows();
    const auto size = static_cast<Eigen::Index>(unknowns());
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
    no_rows_.setZero(rows());
    solve_with_rows(x, no_rows_);
  }

  void solve_with_rows(VectorX& x, VectorX& right) const override {
    const Eigen::Index free = free_count();
    work_.resize(unknowns());
    for (Eigen::Index i = 0; i < free; ++i) work_[i] = x[full_[i]];
    for (int i = 0; i < rows(); ++i) work_[free + i] = right[i];
    solve(work_.data());
    x.setZero();
    for (Eigen::Index i = 0; i < free; ++i) x[full_[i]] = work_[i];
    for (int i = 0; i < rows(); ++i) right[i] = -work_[free + i];
  }

  // Every contact may feel every other one through the springs. The columns of W come from one solve for all components
  // of the contacts: X = matrix^-1 H^T, W = H X. Where nothing connects two contacts, X and W have exact zeros.
  void delassus(const BlockSparseMatrix& gradients, BlockSparseMatrix& delassus) override {
    const int scalars = gradients.scalar_rows();
    const Eigen::Index size = unknowns();
    if (columns_.rows() != size || columns_.cols() < scalars) columns_.resize(size, scalars);
    columns_.leftCols(scalars).setZero();
    for (int row = 0; row < gradients.rows(); ++row) scatter_row(gradients, row);
    if (rows() == 0 && scalars > 0) factors_.solve(columns_.data(), scalars);
    for (int i = 0; rows() > 0 && i < scalars; ++i) solve(columns_.col(i).data());

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
  struct RowEntry {
    int component = 0;  // unknown
    double value = 0;
  };

  Eigen::Index free_count() const { return static_cast<Eigen::Index>(full_.size()); }
  int rows() const { return static_cast<int>(row_start_.size()) - 1; }
  Eigen::Index unknowns() const { return free_count() + rows(); }

  void add_rows() {
    scale_.setOnes(unknowns());
    if (rows() == 0) return;
    scale_matrix();
    for (int i = 0; i < rows(); ++i) {
      double response = 0;
      for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
        const RowEntry& entry = row_entries_[k];
        response += entry.value * entry.value / diagonal_[entry.component];
      }
      // A row that moves nothing says nothing; the regularisation alone stands in its place.
      const int unknown = static_cast<int>(free_count()) + i;
      if (response > 0) scale_[unknown] = std::sqrt(response * reference_);
      for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
        const RowEntry& entry = row_entries_[k];
        const double value = entry.value / (scale_[entry.component] * scale_[unknown]);
        triplets_.emplace_back(unknown, entry.component, value);
        triplets_.emplace_back(entry.component, unknown, value);
      }
      triplets_.emplace_back(unknown, unknown, -kRowRegularisation);
    }
  }

  void scale_matrix() {
    diagonal_.setZero(free_count());
    for (const auto& entry : triplets_) {
      if (entry.row() == entry.col()) diagonal_[entry.row()] += entry.value();
    }
    reference_ = diagonal_.size() > 0 && diagonal_[0] != 0 ? std::abs(diagonal_[0]) : 1.0;
    for (Eigen::Index i = 0; i < diagonal_.size(); ++i) {
      diagonal_[i] = diagonal_[i] != 0 ? std::abs(diagonal_[i]) : reference_;
      scale_[i] = std::sqrt(diagonal_[i] / reference_);
    }
    for (auto& entry : triplets_) {
      const double value = entry.value() / (reference_ * scale_[entry.row()] * scale_[entry.col()]);
      entry = {entry.row(), entry.col(), value};
    }
  }

  // In place, with rows refined until the regularisation has no part in the result or nothing is gained.
  void solve(double* right) const {
    if (rows() == 0) {
      factors_.solve(right);
      return;
    }
    Eigen::Map<VectorX> x(right, unknowns());
    const Eigen::Index free = free_count();
    x.array() /= scale_.array();
    x.head(free) /= reference_;
    right_ = x;
    factors_.solve(right);
    double last = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < kMostRefinements; ++pass) {
      error_ = right_;
      error_.noalias() -= matrix_ * x;
      error_.tail(rows()) -= kRowRegularisation * x.tail(rows());
      const double size = error_.norm();
      if (!(size < 0.5 * last)) break;
      last = size;
      factors_.solve(error_.data());
      x += error_;
    }
    x.array() /= scale_.array();
    x.tail(rows()) *= reference_;
  }

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
  std::vector<RowEntry> row_entries_;
  std::vector<int> row_start_ = {0};  // of each scalar row of joints in row_entries_
  VectorX scale_;                     // of unknowns, components first
  double reference_ = 1;              // the unit of the matrix: its first diagonal entry
  VectorX diagonal_;
  mutable VectorX work_, no_rows_, right_, error_;
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
