// EffectiveMass of bodies that nothing couples: one small inverse per node.
#include <algorithm>
#include <stdexcept>

#include "ricochet/linalg/coupled_rows.hpp"
#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/linalg/node_inverse.hpp"
#include "ricochet/math/fetch.hpp"

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

  // Contacts are coupled if and only if they share a node that can move. The lists of contacts of the nodes of a row
  // are merged: its neighbours come in order, each with the blocks that it has with these nodes.
  void delassus(const BlockSparseMatrix& gradients, BlockSparseMatrix& delassus) override {
    coupled_.reset_square(gradients, delassus);
    if (gradients.rows() == 0) return;
    coupled_.collect(gradients, group_, static_cast<int>(group_.size()));
    const double* values = gradients.values().data();
    for (int row = 0; row < gradients.rows(); ++row) {
      if (row + kRowsAhead < gradients.rows()) fetch_neighbours(gradients, row + kRowsAhead);
      delassus.begin_row(gradients.row_size(row));
      if (merged_.size() < gradients.row(row).size()) merged_.resize(gradients.row(row).size());
      std::size_t lists = 0;
      for (const auto& entry : gradients.row(row)) {
        const int group = group_[entry.column];
        if (group < 0) continue;
        const std::span<const int> rows = coupled_.rows_of(group);
        Merged& list = merged_[lists++];
        list.row = rows.data();
        list.end = rows.data() + rows.size();
        list.block = coupled_.blocks_of(group).data();
        list.inverse = &inverse_[entry.column];
        list.inverse->multiply_rows(gradients.block(row, entry), list.product);
      }
      const std::span<Merged> merged(merged_.data(), lists);
      if (merged.empty()) delassus.append(row);  // a contact between fixed things still owns a (zero) block
      for (;;) {
        int other = gradients.rows();
        for (const Merged& list : merged) {
          if (list.row != list.end) other = std::min(other, *list.row);
        }
        if (other == gradients.rows()) break;
        MutableBlockView block = delassus.append(other);
        for (Merged& list : merged) {
          if (list.row == list.end || *list.row != other) continue;
          list.inverse->add_product(list.product, values + *list.block, gradients.row_size(other), block.data());
          ++list.row;
          ++list.block;
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
        inverse_[entry.column].multiply_rows(gradient, product_);
        inverse_[entry.column].add_product(product_, gradient.data(), gradients.row_size(row), block.data());
      }
    }
  }

 private:
  // The contacts of a node that are still to come, and what the row that is being made is on this node.
  struct Merged {  // NOLINT(cppcoreguidelines-pro-type-member-init): the product is large
    const int* row = nullptr;
    const int* end = nullptr;
    const int* block = nullptr;  // where the block of the node begins, of each of them
    const NodeInverse* inverse = nullptr;
    NodeInverse::Product product;
  };

  // Neighbours lie anywhere in large heaps: asked for early, their rows are in the cache when they are needed. (Of a
  // body with very many contacts, such as a container, some: all of them would drive out what is there.)
  void fetch_neighbours(const BlockSparseMatrix& gradients, int row) const {
    const std::span<const double> values = gradients.values();
    for (const auto& entry : gradients.row(row)) {
      const int group = group_[entry.column];
      if (group < 0) continue;
      const std::size_t numbers = gradients.row_size(row) * gradients.column_size(entry.column);
      const std::span<const int> blocks = coupled_.blocks_of(group);
      for (const int block : blocks.first(std::min(blocks.size(), kMostFetched))) {
        const std::span<const double> rest = values.subspan(block);
        for (std::size_t k = 0; k < std::min(numbers, rest.size()); k += math::kNumbersOfACacheLine) {
          math::fetch(&rest[k]);
        }
      }
    }
  }

  static constexpr int kRowsAhead = 2;
  static constexpr std::size_t kMostFetched = 32;  // blocks of a node

  std::vector<int> start_;  // of each node in the velocities
  std::vector<int> group_;  // each node that can move is a group of its own
  std::vector<Matrix6> blocks_;
  std::vector<NodeInverse> inverse_;
  CoupledRows coupled_;
  std::vector<Merged> merged_;  // of the nodes of one row, as many as any row has had: they are large
  NodeInverse::Product product_;
};

}  // namespace

std::unique_ptr<EffectiveMass> make_block_diagonal_mass(std::span<const int> node_sizes,
                                                        std::span<const char> free_components) {
  return std::make_unique<BlockDiagonalMass>(node_sizes, free_components);
}

}  // namespace ricochet::linalg
