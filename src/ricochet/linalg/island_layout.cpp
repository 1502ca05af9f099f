#include "ricochet/linalg/island_layout.hpp"

#include <algorithm>
#include <cstdint>

#include "ricochet/linalg/elimination_order.hpp"
#include "ricochet/linalg/node_inverse.hpp"

namespace ricochet::linalg {

void IslandLayout::find(std::span<const LayoutNode> nodes, std::span<const int> joint_sizes, const BlockJournal& matrix,
                        const BlockJournal& rows) {
  nodes_ = static_cast<int>(nodes.size());
  sets_.reset(nodes_ + static_cast<int>(joint_sizes.size()));
  join(matrix, rows, nodes_, sets_);
  number_islands(nodes, joint_sizes);
  find_orders(matrix, rows);
  find_patterns(nodes, matrix, rows);
}

void IslandLayout::join(const BlockJournal& matrix, const BlockJournal& rows, int nodes, DisjointSets& sets) {
  for (const BlockJournal::Block& block : matrix.blocks()) {
    if (!block.is_zero) sets.join(block.row, block.column);
  }
  for (const BlockJournal::Block& block : rows.blocks()) {
    if (!block.is_zero) sets.join(nodes + block.row, block.column);
  }
}

bool IslandLayout::still_holds(const BlockJournal& matrix, const BlockJournal& rows) {
  sets_now_.reset(sets_.size());
  join(matrix, rows, nodes_, sets_now_);
  for (int i = 0; i < sets_.size(); ++i) {
    if (sets_now_.find(i) != sets_.find(i)) return false;
  }
  return true;
}

// Sets are named by their smallest member, which is a node unless a joint holds nothing.
void IslandLayout::number_islands(std::span<const LayoutNode> nodes, std::span<const int> joint_sizes) {
  const int all = sets_.size();
  std::vector<int> members(all, 0);
  for (int i = 0; i < all; ++i) ++members[sets_.find(i)];
  islands_.clear();
  alone_.clear();
  island_of_.assign(all, -1);
  first_unknown_.assign(all, -1);
  sizes_.assign(all, 0);
  for (int i = 0; i < all; ++i) {
    sizes_[i] = i < nodes_ ? static_cast<int>(nodes[i].free.size()) : joint_sizes[i - nodes_];
    const int first = sets_.find(i);
    if (first >= nodes_ || sizes_[i] == 0) continue;
    if (members[first] == 1 && nodes[i].size <= NodeInverse::max_size) {
      alone_.push_back({i, 0});
      continue;
    }
    if (first == i) {
      island_of_[i] = static_cast<int>(islands_.size());
      islands_.emplace_back();
    }
    island_of_[i] = island_of_[first];
    Island& island = islands_[island_of_[i]];
    int& unknowns = i < nodes_ ? island.components : island.rows;
    first_unknown_[i] = unknowns;  // nodes come first in this loop: their number is final when joints come
    if (i >= nodes_) first_unknown_[i] += island.components;
    unknowns += sizes_[i];
    (i < nodes_ ? island.nodes : island.joints).push_back(i < nodes_ ? i : i - nodes_);
  }
}

void IslandLayout::find_orders(const BlockJournal& matrix, const BlockJournal& rows) {
  std::vector<int> place(sets_.size(), -1);  // among the nodes and joints of the island
  for (const Island& island : islands_) {
    int count = 0;
    for (const int node : island.nodes) place[node] = count++;
    for (const int joint : island.joints) place[nodes_ + joint] = count++;
  }
  std::vector<std::vector<Coupling>> couplings(islands_.size());
  const auto couple = [&](int first, int second) {
    if (first == second || island_of_[first] < 0 || island_of_[first] != island_of_[second]) return;
    couplings[island_of_[first]].push_back({place[first], place[second]});
  };
  for (const BlockJournal::Block& block : matrix.blocks()) couple(block.row, block.column);
  for (const BlockJournal::Block& block : rows.blocks()) couple(block.column, nodes_ + block.row);
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    Island& island = islands_[i];
    const auto nodes = static_cast<int>(island.nodes.size()), joints = static_cast<int>(island.joints.size());
    island.pattern.components = island.components;
    island.pattern.rows = island.rows;
    island.pattern.order.clear();
    for (const int next : elimination_order(nodes, joints, couplings[i])) {
      const int member = next < nodes ? island.nodes[next] : nodes_ + island.joints[next - nodes];
      for (int k = 0; k < sizes_[member]; ++k) island.pattern.order.push_back(first_unknown_[member] + k);
    }
  }
}

void IslandLayout::find_patterns(std::span<const LayoutNode> nodes, const BlockJournal& matrix,
                                 const BlockJournal& rows) {
  // A block between two islands is zero now. One of the diagonal may belong to a node alone.
  const auto visit = [&](const BlockJournal& journal, int row_offset, auto&& action) {
    for (const BlockJournal::Block& block : journal.blocks()) {
      const int row = row_offset + block.row, column = block.column, height = sizes_[row];
      if (island_of_[row] != island_of_[column] || (island_of_[row] < 0 && row != column)) continue;
      for (int k = 0; k < block.size; ++k) {
        if (journal.has_value(block.start + k)) action(block.start + k, row, k % height, column, k / height);
      }
    }
  };
  // Entries as column and row in one number, in both directions; then sorted, each once.
  std::vector<std::vector<std::uint64_t>> entries(islands_.size());
  const auto add = [&](int /*value*/, int row, int i, int column, int j) {
    if (island_of_[row] < 0) return;
    const auto down = static_cast<std::uint64_t>(first_unknown_[row] + i);
    const auto across = static_cast<std::uint64_t>(first_unknown_[column] + j);
    entries[island_of_[row]].push_back(across << 32U | down);
    entries[island_of_[row]].push_back(down << 32U | across);
  };
  visit(matrix, 0, add);
  visit(rows, nodes_, add);
  values_ = 0;
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    SaddlePointPattern& pattern = islands_[i].pattern;
    for (int k = 0; k < pattern.unknowns(); ++k) entries[i].push_back(static_cast<std::uint64_t>(k) << 32U | k);
    std::sort(entries[i].begin(), entries[i].end());
    entries[i].erase(std::unique(entries[i].begin(), entries[i].end()), entries[i].end());
    pattern.starts.assign(pattern.unknowns() + 1, 0);
    pattern.indices.clear();
    for (const std::uint64_t entry : entries[i]) {
      ++pattern.starts[(entry >> 32U) + 1];
      pattern.indices.push_back(static_cast<int>(entry & 0xffffffffU));
    }
    for (int k = 0; k < pattern.unknowns(); ++k) pattern.starts[k + 1] += pattern.starts[k];
    islands_[i].value_start = values_;
    values_ += pattern.nonzeros();
  }
  std::vector<int> alone_start(nodes.size(), -1);
  for (Alone& alone : alone_) {
    alone_start[alone.node] = alone.value_start = values_;
    values_ += 36;
  }
  matrix_places_.assign(matrix.values().size(), -1);
  row_places_.assign(rows.values().size(), -1);
  column_places_.assign(rows.values().size(), -1);
  const auto place = [&](int row, int i, int column, int j) {
    const Island& island = islands_[island_of_[row]];
    return island.value_start + island.pattern.place(first_unknown_[row] + i, first_unknown_[column] + j);
  };
  visit(matrix, 0, [&](int value, int row, int i, int column, int j) {
    matrix_places_[value] = island_of_[row] >= 0 ? place(row, i, column, j)
                                                 : alone_start[row] + 6 * nodes[column].free[j] + nodes[row].free[i];
  });
  visit(rows, nodes_, [&](int value, int row, int i, int column, int j) {
    row_places_[value] = place(row, i, column, j);
    column_places_[value] = place(column, j, row, i);
  });
}

}  // namespace ricochet::linalg
