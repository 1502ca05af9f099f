// EffectiveMass of bodies that nothing couples: one small inverse per node.
#include <stdexcept>

#include "ricochet/linalg/coupled_rows.hpp"
#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/linalg/node_inverse.hpp"

namespace ricochet::linalg {

namespace {

class BlockDiagonalMass final : public EffectiveMass {
 public:
  BlockDiagonalMass(std::span<const int> node_sizes, std::span<const char> free_components) {
    int start = 0;
    for (const int size : node_sizes) {
      inverse_.emplace_back(free_components.subspan(start, size));
      group_.push_back(inverse_.back().movable() ? static_cast<int>(start_.size()) : -1);
      start_.push_back(start);
      start += size;
    }
    blocks_.resize(node_sizes.size());
    clear();
  }

  void clear() override {
    for (Matrix6& block : blocks_) block.setZero();
  }

  void add(int row_node, int column_node, const Eigen::Ref<const MatrixX>& block) override {
    if (row_node != column_node) throw std::logic_error("a block-diagonal mass cannot couple two nodes");
    blocks_[row_node].topLeftCorner(block.rows(), block.cols()) += block;
  }

  void factorise() override {
    for (std::size_t node = 0; node < blocks_.size(); ++node) inverse_[node].invert(blocks_[node]);
  }

  void solve_in_place(VectorX& x) const override {
    for (std::size_t node = 0; node < inverse_.size(); ++node) inverse_[node].multiply(x.data() + start_[node]);
  }

  bool node_inverse(int node, Matrix6& inverse) const override {
    inverse = inverse_[node].inverse();
    return true;
  }

  // Contacts are coupled if and only if they share a node that can move.
  void delassus(const BlockSparseMatrix& gradients, BlockSparseMatrix& delassus) override {
    coupled_.reset_square(gradients, delassus);
    if (gradients.rows() == 0) return;
    coupled_.collect(gradients, group_, static_cast<int>(group_.size()));
    for (int row = 0; row < gradients.rows(); ++row) {
      delassus.begin_row(gradients.row_size(row));
      const auto entries = gradients.row(row);
      products_.clear();
      for (const auto& entry : entries) {
        products_.push_back(inverse_[entry.column].product(gradients.block(row, entry)));
      }
      for (const int other : coupled_.neighbours(gradients, row)) {
        MutableBlockView block = delassus.append(other);
        for (std::size_t k = 0; k < entries.size(); ++k) {
          const int node = entries[k].column;
          for (const auto& other_entry : gradients.row(other)) {
            if (node != other_entry.column) continue;
            inverse_[node].add_product(products_[k], gradients.block(other, other_entry), block);
          }
        }
      }
    }
  }

  void delassus_diagonal(const BlockSparseMatrix& gradients, BlockSparseMatrix& diagonal) override {
    coupled_.reset_square(gradients, diagonal);
    for (int row = 0; row < gradients.rows(); ++row) {
      diagonal.begin_row(gradients.row_size(row));
      MutableBlockView block = diagonal.append(row);
      for (const auto& entry : gradients.row(row)) {
        const BlockView gradient = gradients.block(row, entry);
        inverse_[entry.column].add_product(gradient, gradient, block);
      }
    }
  }

 private:
  std::vector<int> start_;  // of each node in the velocities
  std::vector<int> group_;  // each node that can move is a group of its own
  std::vector<Matrix6> blocks_;
  std::vector<NodeInverse> inverse_;
  CoupledRows coupled_;
  std::vector<NodeInverse::Product> products_;  // of the entries of one row
};

}  // namespace

std::unique_ptr<EffectiveMass> make_block_diagonal_mass(std::span<const int> node_sizes,
                                                        std::span<const char> free_components) {
  return std::make_unique<BlockDiagonalMass>(node_sizes, free_components);
}

}  // namespace ricochet::linalg
