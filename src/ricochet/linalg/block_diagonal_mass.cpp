// EffectiveMass of bodies that nothing couples: one small inverse per node.
#include <Eigen/LU>
#include <algorithm>
#include <stdexcept>

#include "ricochet/linalg/effective_mass.hpp"

namespace ricochet::linalg {

namespace {

class BlockDiagonalMass final : public EffectiveMass {
 public:
  BlockDiagonalMass(std::span<const int> node_sizes, std::span<const char> free_components)
      : free_(free_components.begin(), free_components.end()) {
    int start = 0;
    for (const int size : node_sizes) {
      if (size > 6) throw std::invalid_argument("a node of a block-diagonal mass has more than 6 components");
      start_.push_back(start);
      size_.push_back(size);
      const std::span<const char> components = free_components.subspan(start, size);
      movable_.push_back(
          static_cast<char>(std::any_of(components.begin(), components.end(), [](char c) { return c != 0; })));
      start += size;
    }
    blocks_.resize(node_sizes.size());
    inverse_.resize(node_sizes.size());
    clear();
  }

  void clear() override {
    for (Matrix6& block : blocks_) block.setZero();
  }

  void add(int row_node, int column_node, const Eigen::Ref<const MatrixX>& block) override {
    if (row_node != column_node) throw std::logic_error("a block-diagonal mass cannot couple two nodes");
    blocks_[row_node].topLeftCorner(block.rows(), block.cols()) += block;
  }

  // Gauss elimination on the free components of each block; rows and columns of the others stay zero in the inverse.
  void factorise() override {
    for (std::size_t node = 0; node < blocks_.size(); ++node) {
      std::array<int, 6> kept = {};
      int count = 0;
      for (int i = 0; i < size_[node]; ++i) {
        if (free_[start_[node] + i] != 0) kept[count++] = i;
      }
      inverse_[node].setZero();
      Matrix6 reduced = Matrix6::Identity();
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) reduced(i, j) = blocks_[node](kept[i], kept[j]);
      }
      const Eigen::PartialPivLU<Matrix6> factors(reduced);
      // Scale-free test of singularity: the smallest pivot against the largest one would depend on units (kg against
      // kg m^2), so only an exactly vanishing or non-finite pivot is refused.
      for (int i = 0; i < count; ++i) {
        const double pivot = factors.matrixLU()(i, i);
        if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) throw std::runtime_error("the mass matrix is singular");
      }
      const Matrix6 inverse = factors.inverse();
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) inverse_[node](kept[i], kept[j]) = inverse(i, j);
      }
    }
  }

  void solve_in_place(VectorX& x) const override {
    for (std::size_t node = 0; node < inverse_.size(); ++node) {
      if (size_[node] == 6) {
        const Vector6 right = x.segment<6>(start_[node]);
        x.segment<6>(start_[node]).noalias() = inverse_[node] * right;
      } else if (size_[node] == 3) {
        const Vector3 right = x.segment<3>(start_[node]);
        x.segment<3>(start_[node]).noalias() = inverse_[node].topLeftCorner<3, 3>() * right;
      } else {
        const int size = size_[node];
        Vector6 right = Vector6::Zero();
        right.head(size) = x.segment(start_[node], size);
        right = inverse_[node] * right;
        x.segment(start_[node], size) = right.head(size);
      }
    }
  }

  // Contacts are coupled if and only if they share a node that can move.
  void delassus(const BlockSparseMatrix& gradients, BlockSparseMatrix& delassus) override {
    reset_square(gradients, delassus);
    if (gradients.rows() == 0) return;
    collect_rows_by_node(gradients);
    for (int row = 0; row < gradients.rows(); ++row) {
      delassus.begin_row(gradients.row_size(row));
      find_neighbours(gradients, row);
      for (const int other : neighbours_) {
        MutableBlockView block = delassus.append(other);
        for (const auto& entry : gradients.row(row)) {
          for (const auto& other_entry : gradients.row(other)) {
            if (entry.column != other_entry.column) continue;
            add_product(gradients.block(row, entry), gradients.block(other, other_entry), entry.column, block);
          }
        }
      }
    }
  }

  void delassus_diagonal(const BlockSparseMatrix& gradients, BlockSparseMatrix& diagonal) override {
    reset_square(gradients, diagonal);
    for (int row = 0; row < gradients.rows(); ++row) {
      diagonal.begin_row(gradients.row_size(row));
      MutableBlockView block = diagonal.append(row);
      for (const auto& entry : gradients.row(row)) {
        add_product(gradients.block(row, entry), gradients.block(row, entry), entry.column, block);
      }
    }
  }

 private:
  void reset_square(const BlockSparseMatrix& gradients, BlockSparseMatrix& matrix) {
    contact_sizes_.clear();
    for (int row = 0; row < gradients.rows(); ++row) contact_sizes_.push_back(gradients.row_size(row));
    matrix.reset(contact_sizes_);
  }

  // block += G inverse G_other^T
  void add_product(const BlockView& left, const BlockView& right, int node, MutableBlockView& block) const {
    const int size = size_[node];
    for (int i = 0; i < left.rows(); ++i) {
      double product[6] = {};
      for (int k = 0; k < size; ++k) {
        for (int l = 0; l < size; ++l) product[k] += left(i, l) * inverse_[node](l, k);
      }
      for (int j = 0; j < right.rows(); ++j) {
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += product[k] * right(j, k);
        block(i, j) += sum;
      }
    }
  }

  // Counting sort of (node, contact) pairs: rows_of_node lists the contacts of each node in ascending order.
  void collect_rows_by_node(const BlockSparseMatrix& gradients) {
    node_start_.assign(size_.size() + 1, 0);
    for (int row = 0; row < gradients.rows(); ++row) {
      for (const auto& entry : gradients.row(row)) node_start_[entry.column + 1] += movable_[entry.column];
    }
    for (std::size_t node = 0; node < size_.size(); ++node) node_start_[node + 1] += node_start_[node];
    rows_of_node_.resize(node_start_.back());
    node_fill_.assign(node_start_.begin(), node_start_.end() - 1);
    for (int row = 0; row < gradients.rows(); ++row) {
      for (const auto& entry : gradients.row(row)) {
        if (movable_[entry.column] != 0) rows_of_node_[node_fill_[entry.column]++] = row;
      }
    }
  }

  void find_neighbours(const BlockSparseMatrix& gradients, int row) {
    neighbours_.clear();
    for (const auto& entry : gradients.row(row)) {
      neighbours_.insert(neighbours_.end(), rows_of_node_.begin() + node_start_[entry.column],
                         rows_of_node_.begin() + node_start_[entry.column + 1]);
    }
    if (neighbours_.empty()) neighbours_.push_back(row);  // a contact between fixed things still owns a (zero) block
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  }

  std::vector<char> free_;
  std::vector<int> start_, size_;
  std::vector<char> movable_;  // nodes with a free component
  std::vector<Matrix6> blocks_, inverse_;
  std::vector<int> node_start_, node_fill_, rows_of_node_, neighbours_, contact_sizes_;
};

}  // namespace

std::unique_ptr<EffectiveMass> make_block_diagonal_mass(std::span<const int> node_sizes,
                                                        std::span<const char> free_components) {
  return std::make_unique<BlockDiagonalMass>(node_sizes, free_components);
}

}  // namespace ricochet::linalg
