// EffectiveMass of nodes of which springs or joints couple some.
//
// Nodes and joints that hang together are an island with a sparse system of its own (SaddlePointSystem); nodes that
// nothing couples have an inverse each, as in the block-diagonal form. An island does not notice what else there is: it
// comes out with the same bits alone or among others. Contacts feel each other only through islands or nodes that they
// share, so that W costs what the islands under contacts cost, and no more.
//
// While the same blocks are added in the same order their values are written in place; islands, patterns and orders of
// elimination are found again when other blocks come, or when a block that couples becomes zero or ceases to be.
#include <algorithm>

#include "ricochet/linalg/coupled_rows.hpp"
#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/linalg/island_layout.hpp"
#include "ricochet/linalg/node_inverse.hpp"

namespace ricochet::linalg {

namespace {

class SparseMass final : public EffectiveMass {
 public:
  SparseMass(std::span<const int> node_sizes, std::span<const char> free_components) {
    int start = 0;
    for (const int size : node_sizes) {
      const std::span<const char> components = free_components.subspan(start, size);
      LayoutNode node{size, {}};
      for (int i = 0; i < size; ++i) {
        if (components[i] != 0) node.free.push_back(i);
      }
      inverse_.emplace_back(size <= NodeInverse::max_size ? components : std::span<const char>());
      nodes_.push_back(std::move(node));
      node_start_.push_back(start);
      start += size;
    }
    group_.resize(nodes_.size());
    systems_.resize(nodes_.size());
  }

  void clear() override {
    matrix_.begin();
    rows_.begin();
    row_sizes_.clear();
    scalar_rows_ = 0;
  }

  void add(int row_node, int column_node, const Eigen::Ref<const MatrixX>& block) override {
    write_down(matrix_, row_node, column_node, nodes_[row_node].free, nodes_[column_node].free, block);
  }

  void add_zero(int row_node, int column_node) override {
    const auto size = static_cast<int>(nodes_[row_node].free.size() * nodes_[column_node].free.size());
    double* values = matrix_.next(row_node, column_node, size, true);
    std::fill(values, values + size, 0.0);
  }

  void set_rows(const BlockSparseMatrix& rows) override {
    const int first = static_cast<int>(row_sizes_.size());
    for (int row = 0; row < rows.rows(); ++row) {
      const int size = rows.row_size(row);
      row_sizes_.push_back(size);
      scalar_rows_ += size;
      for (const auto& entry : rows.row(row)) {
        write_down(rows_, first + row, entry.column, all_rows(size), nodes_[entry.column].free, rows.block(row, entry));
      }
    }
  }

  void factorise() override {
    const bool new_matrix = matrix_.end(), new_rows = rows_.end();
    const bool new_zeros = matrix_.zeros_changed() || rows_.zeros_changed();
    if (new_matrix || new_rows || row_sizes_ != laid_out_row_sizes_ ||
        (new_zeros && !layout_.still_holds(matrix_, rows_))) {
      lay_out();
    }
    if (!assemble()) {
      matrix_.note_values();
      rows_.note_values();
      layout_.find_patterns(nodes_, matrix_, rows_);
      set_patterns();
      assemble();
    }
    for (const IslandLayout::Alone& alone : layout_.alone()) {
      inverse_[alone.node].invert(Eigen::Map<const Matrix6>(values_.data() + alone.value_start));
    }
    for (std::size_t i = 0; i < layout_.islands().size(); ++i) {
      const IslandLayout::Island& island = layout_.islands()[i];
      system(i).factorise({values_.data() + island.value_start, static_cast<std::size_t>(island.pattern.nonzeros())});
    }
  }

  void solve_in_place(VectorX& x) const override {
    no_rows_.setZero(scalar_rows_);
    solve_with_rows(x, no_rows_);
  }

  void solve_with_rows(VectorX& x, Eigen::Ref<VectorX> right) const override {
    for (const int node : not_coupled_) inverse_[node].multiply(x.data() + node_start_[node]);
    for (const int row : rows_that_hold_nothing_) right[row] = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Numbers& numbers = numbers_[i];
      const std::size_t components = numbers.components.size(), unknowns = components + numbers.rows.size();
      work_.resize(std::max(work_.size(), unknowns));
      for (std::size_t k = 0; k < components; ++k) work_[k] = x[numbers.components[k]];
      for (std::size_t k = components; k < unknowns; ++k) work_[k] = right[numbers.rows[k - components]];
      // Most of the time impulses of contacts meet few islands.
      const bool nothing = std::all_of(work_.begin(), work_.begin() + static_cast<std::ptrdiff_t>(unknowns),
                                       [](double value) { return value == 0; });
      for (const int eliminated : numbers.eliminated) x[eliminated] = 0;
      if (nothing) continue;
      system(i).solve(work_.data());
      for (std::size_t k = 0; k < components; ++k) x[numbers.components[k]] = work_[k];
      for (std::size_t k = components; k < unknowns; ++k) right[numbers.rows[k - components]] = -work_[k];
    }
  }

  bool node_inverse(int node, Matrix6& inverse) const override {
    inverse = inverse_[node].inverse();
    return std::binary_search(not_coupled_.begin(), not_coupled_.end(), node);
  }

  // Contacts are coupled if they share a node alone, or an island. Of an island, X = system^-1 H^T is found for all its
  // contacts; then W = H X.
  void delassus(const BlockSparseMatrix& gradients, BlockSparseMatrix& delassus) override {
    coupled_.reset_square(gradients, delassus);
    if (gradients.rows() == 0) return;
    coupled_.collect(gradients, group_, static_cast<int>(group_.size()));
    find_columns(gradients);
    for (int row = 0; row < gradients.rows(); ++row) {
      delassus.begin_row(gradients.row_size(row));
      for (const int other : coupled_.neighbours(gradients, row)) {
        MutableBlockView block = delassus.append(other);
        add_block(gradients, row, other, block);
      }
    }
  }

  void delassus_diagonal(const BlockSparseMatrix& gradients, BlockSparseMatrix& diagonal) override {
    coupled_.reset_square(gradients, diagonal);
    first_entry_.assign(1, 0);
    for (int row = 0; row < gradients.rows(); ++row) {
      diagonal.begin_row(gradients.row_size(row));
      MutableBlockView block = diagonal.append(row);
      // The columns of this contact alone, one island after the other.
      entry_columns_.assign(gradients.row(row).size(), -1);
      first_entry_.assign(static_cast<std::size_t>(row) + 1, 0);
      columns_.clear();
      for (const auto& entry : gradients.row(row)) {
        const int island = layout_.island_of_node(entry.column);
        if (island < 0 || columns_of(gradients, row, island) >= 0) continue;
        const auto start = static_cast<int>(columns_.size());
        const int size = layout_.islands()[island].pattern.unknowns();
        columns_.resize(columns_.size() + static_cast<std::size_t>(size) * gradients.row_size(row), 0.0);
        scatter(gradients, row, island, start);
        system(island).solve(columns_.data() + start, gradients.row_size(row));
      }
      add_block(gradients, row, row, block);
    }
  }

 private:
  // What the unknowns of an island are in the vectors of the machine.
  struct Numbers {
    std::vector<int> components, rows;
    std::vector<int> eliminated;  // components of its nodes that do not move
  };

  // The free components of a block, column by column.
  template <class Block>
  static void write_down(BlockJournal& journal, int row, int column, std::span<const int> down,
                         std::span<const int> across, const Block& block) {
    bool is_zero = true;
    for (const int j : across) {
      for (const int i : down) is_zero = is_zero && block(i, j) == 0;
    }
    double* value = journal.next(row, column, static_cast<int>(down.size() * across.size()), is_zero);
    for (const int j : across) {
      for (const int i : down) *value++ = block(i, j);
    }
  }

  // 0, 1, 2, ... size - 1
  std::span<const int> all_rows(int size) {
    while (static_cast<int>(all_rows_.size()) < size) all_rows_.push_back(static_cast<int>(all_rows_.size()));
    return std::span<const int>(all_rows_).first(size);
  }

  // An island keeps its system, and with it the analysis of its pattern, while its first node stays the first.
  SaddlePointSystem& system(std::size_t island) { return *systems_[layout_.islands()[island].nodes.front()]; }
  const SaddlePointSystem& system(std::size_t island) const {
    return *systems_[layout_.islands()[island].nodes.front()];
  }

  void lay_out() {
    layout_.find(nodes_, row_sizes_, matrix_, rows_);
    laid_out_row_sizes_ = row_sizes_;
    set_patterns();
    not_coupled_.clear();
    for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
      const int island = layout_.island_of_node(node);
      if (island < 0) not_coupled_.push_back(node);
      group_[node] = nodes_[node].free.empty() ? -1 : island < 0 ? node : layout_.islands()[island].nodes.front();
    }
    std::vector<int> first_row;
    int rows = 0;
    for (const int size : row_sizes_) {
      first_row.push_back(rows);
      rows += size;
    }
    std::vector<char> holds(rows, 0);
    numbers_.assign(layout_.islands().size(), {});
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const IslandLayout::Island& island = layout_.islands()[i];
      for (const int node : island.nodes) add_components(node, numbers_[i]);
      for (const int joint : island.joints) {
        for (int k = 0; k < row_sizes_[joint]; ++k) {
          numbers_[i].rows.push_back(first_row[joint] + k);
          holds[first_row[joint] + k] = 1;
        }
      }
    }
    rows_that_hold_nothing_.clear();
    for (int row = 0; row < rows; ++row) {
      if (holds[row] == 0) rows_that_hold_nothing_.push_back(row);
    }
  }

  void add_components(int node, Numbers& numbers) const {
    std::size_t next = 0;
    for (int i = 0; i < nodes_[node].size; ++i) {
      const bool is_free = next < nodes_[node].free.size() && nodes_[node].free[next] == i;
      next += static_cast<std::size_t>(is_free);
      (is_free ? numbers.components : numbers.eliminated).push_back(node_start_[node] + i);
    }
  }

  void set_patterns() {
    for (const IslandLayout::Island& island : layout_.islands()) {
      auto& system = systems_[island.nodes.front()];
      if (!system) system = std::make_unique<SaddlePointSystem>();
      system->set_pattern(island.pattern);
    }
    values_.resize(layout_.values());
  }

  // False if a value that has always been zero is not any more: the patterns have no place for it.
  bool assemble() {
    std::fill(values_.begin(), values_.end(), 0.0);
    bool complete = true;
    const auto write = [&](const BlockJournal& journal, std::span<const int> places) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        const double value = journal.values()[i];
        if (places[i] >= 0) {
          values_[places[i]] += value;
        } else if (value != 0) {
          complete = false;
        }
      }
    };
    write(matrix_, layout_.matrix_places());
    write(rows_, layout_.row_places());
    write(rows_, layout_.column_places());
    return complete;
  }

  // X of all islands that contacts touch, and where the columns of every contact are.
  void find_columns(const BlockSparseMatrix& gradients) {
    first_entry_.assign(1, 0);
    for (int row = 0; row < gradients.rows(); ++row) {
      first_entry_.push_back(first_entry_.back() + static_cast<int>(gradients.row(row).size()));
    }
    entry_columns_.assign(first_entry_.back(), -1);
    std::size_t total = 0;
    for (const IslandLayout::Island& island : layout_.islands()) {
      for (const int row : coupled_.rows_of(island.nodes.front())) {
        total += static_cast<std::size_t>(island.pattern.unknowns()) * gradients.row_size(row);
      }
    }
    columns_.assign(total, 0.0);
    int start = 0;
    for (std::size_t i = 0; i < layout_.islands().size(); ++i) {
      const IslandLayout::Island& island = layout_.islands()[i];
      const int first = start;
      int count = 0;
      for (const int row : coupled_.rows_of(island.nodes.front())) {
        scatter(gradients, row, static_cast<int>(i), start);
        start += island.pattern.unknowns() * gradients.row_size(row);
        count += gradients.row_size(row);
      }
      if (count > 0) system(i).solve(columns_.data() + first, count);
    }
  }

  // The part of H^T that a contact has in an island, as columns from `start` on.
  void scatter(const BlockSparseMatrix& gradients, int row, int island, int start) {
    const int size = layout_.islands()[island].pattern.unknowns();
    const auto entries = gradients.row(row);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const int node = entries[k].column;
      if (layout_.island_of_node(node) != island) continue;
      entry_columns_[first_entry_[row] + k] = start;
      const BlockView gradient = gradients.block(row, entries[k]);
      double* first = columns_.data() + start + layout_.first_unknown(node);
      for (int i = 0; i < gradient.rows(); ++i) {
        double* column = first + static_cast<std::ptrdiff_t>(i) * size;
        for (const int component : nodes_[node].free) *column++ += gradient(i, component);
      }
    }
  }

  // The columns of a contact in an island; -1 if it has none.
  int columns_of(const BlockSparseMatrix& gradients, int row, int island) const {
    const auto entries = gradients.row(row);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      if (layout_.island_of_node(entries[k].column) == island) return entry_columns_[first_entry_[row] + k];
    }
    return -1;
  }

  // block += H_row X_other
  void add_block(const BlockSparseMatrix& gradients, int row, int other, MutableBlockView& block) const {
    for (const auto& entry : gradients.row(row)) {
      const int node = entry.column, island = layout_.island_of_node(node);
      if (group_[node] < 0) continue;
      const BlockView gradient = gradients.block(row, entry);
      if (island < 0) {
        for (const auto& other_entry : gradients.row(other)) {
          if (other_entry.column != node) continue;
          NodeInverse::Product product;
          inverse_[node].multiply_rows(gradient, product);
          inverse_[node].add_product(product, gradients.block(other, other_entry).data(), gradients.row_size(other),
                                     block.data());
        }
        continue;
      }
      const int start = columns_of(gradients, other, island);
      if (start < 0) continue;
      const int size = layout_.islands()[island].pattern.unknowns();
      for (int j = 0; j < block.cols(); ++j) {
        const double* column =
            columns_.data() + start + static_cast<std::ptrdiff_t>(j) * size + layout_.first_unknown(node);
        for (int i = 0; i < block.rows(); ++i) {
          double sum = 0;
          for (std::size_t k = 0; k < nodes_[node].free.size(); ++k) {
            sum += gradient(i, nodes_[node].free[k]) * column[k];
          }
          block(i, j) += sum;
        }
      }
    }
  }

  std::vector<LayoutNode> nodes_;
  std::vector<int> node_start_;  // in the velocities
  BlockJournal matrix_, rows_;
  std::vector<int> row_sizes_, laid_out_row_sizes_;  // of joints
  std::vector<int> all_rows_;                        // 0, 1, 2, ...
  int scalar_rows_ = 0;
  IslandLayout layout_;
  std::vector<Numbers> numbers_;  // of islands
  std::vector<int> not_coupled_;  // nodes alone, and nodes of which nothing is free
  std::vector<int> rows_that_hold_nothing_;
  std::vector<double> values_;
  std::vector<NodeInverse> inverse_;                         // of nodes alone
  std::vector<std::unique_ptr<SaddlePointSystem>> systems_;  // of islands, at their first node
  std::vector<int> group_;                                   // of each node, its island's first node
  CoupledRows coupled_;
  std::vector<int> first_entry_;    // of each contact, among the entries of H
  std::vector<int> entry_columns_;  // of each entry, where the columns of its contact in its island are
  std::vector<double> columns_;     // X
  mutable std::vector<double> work_;
  mutable VectorX no_rows_;
};

}  // namespace

std::unique_ptr<EffectiveMass> make_sparse_mass(std::span<const int> node_sizes,
                                                std::span<const char> free_components) {
  return std::make_unique<SparseMass>(node_sizes, free_components);
}

}  // namespace ricochet::linalg
