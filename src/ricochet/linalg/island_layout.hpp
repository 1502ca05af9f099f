// Which nodes and joints of a machine hang together, and where their numbers stand.
//
// Nodes are coupled by blocks of the matrix that are not on its diagonal, and by the rows of joints, unless they are
// zero. What hangs together is an island with a system of its own (SaddlePointSystem); a node that nothing couples is
// alone and has a dense block. An island is numbered without regard to what else there is: its components by node, then
// its rows by joint.
#pragma once

#include <span>
#include <vector>

#include "ricochet/linalg/block_journal.hpp"
#include "ricochet/linalg/disjoint_sets.hpp"
#include "ricochet/linalg/saddle_point_system.hpp"

namespace ricochet::linalg {

// A node's free components: how many, and how they are numbered within the node.
struct LayoutNode {
  int size = 0;  // with the eliminated ones
  std::vector<int> free;
};

class IslandLayout {
 public:
  struct Island {
    std::vector<int> nodes, joints;  // ascending
    int components = 0;
    int rows = 0;
    SaddlePointPattern pattern;
    int value_start = 0;  // of the entries of the pattern among all values
  };
  // A node alone has a matrix of 6 x 6 among the values, by columns, with its components at their places.
  struct Alone {
    int node = 0;
    int value_start = 0;
  };

  // Blocks of `matrix` lie between nodes, those of `rows` between a joint (row) and a node; in both, values come column
  // by column and have the free components only.
  void find(std::span<const LayoutNode> nodes, std::span<const int> joint_sizes, const BlockJournal& matrix,
            const BlockJournal& rows);
  // For the same sequence of blocks, of which others are zero now: whether the same nodes hang together.
  bool still_holds(const BlockJournal& matrix, const BlockJournal& rows);
  // Only the patterns, for values that have been zero until now and are no longer.
  void find_patterns(std::span<const LayoutNode> nodes, const BlockJournal& matrix, const BlockJournal& rows);

  const std::vector<Island>& islands() const { return islands_; }
  const std::vector<Alone>& alone() const { return alone_; }
  int island_of_node(int node) const { return island_of_[node]; }     // -1: alone, or nothing in it is free
  int first_unknown(int node) const { return first_unknown_[node]; }  // in its island
  int values() const { return values_; }                              // of all islands and of nodes alone

  // Where a value of the journals goes; -1 if it has always been zero. Rows go to two places.
  std::span<const int> matrix_places() const { return matrix_places_; }
  std::span<const int> row_places() const { return row_places_; }
  std::span<const int> column_places() const { return column_places_; }

 private:
  static void join(const BlockJournal& matrix, const BlockJournal& rows, int nodes, DisjointSets& sets);
  void number_islands(std::span<const LayoutNode> nodes, std::span<const int> joint_sizes);
  void find_orders(const BlockJournal& matrix, const BlockJournal& rows);

  DisjointSets sets_, sets_now_;  // nodes, then joints
  int nodes_ = 0;
  std::vector<Island> islands_;
  std::vector<Alone> alone_;
  std::vector<int> island_of_, first_unknown_;  // of nodes, then joints
  std::vector<int> sizes_;                      // their unknowns
  std::vector<int> matrix_places_, row_places_, column_places_;
  int values_ = 0;
};

}  // namespace ricochet::linalg
