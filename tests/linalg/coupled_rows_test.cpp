#include "ricochet/linalg/coupled_rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "ricochet/math/random.hpp"

namespace ricochet::linalg {
namespace {

using testing::ElementsAre;

// Contacts 0: nodes 0 and 1, 1: node 1, 2: nodes 2 and 3, 3: node 4 (fixed), 4: nodes 0 and 3.
BlockSparseMatrix five_contacts() {
  BlockSparseMatrix h;
  h.reset(std::vector<int>(5, 3));
  for (const std::vector<int>& nodes : std::vector<std::vector<int>>{{0, 1}, {1}, {2, 3}, {4}, {0, 3}}) {
    h.begin_row(2);
    for (const int node : nodes) h.append(node).setOnes();
  }
  return h;
}

TEST(CoupledRows, EveryNodeAGroup) {
  const BlockSparseMatrix h = five_contacts();
  CoupledRows coupled;
  const std::vector<int> groups = {0, 1, 2, 3, -1};
  coupled.collect(h, groups, 5);
  EXPECT_THAT(coupled.rows_of(0), ElementsAre(0, 4));
  EXPECT_THAT(coupled.blocks_of(0), ElementsAre(0, 36));   // blocks of 2 x 3 numbers
  EXPECT_THAT(coupled.blocks_of(3), ElementsAre(24, 42));  // of contacts 2 and 4
  EXPECT_THAT(coupled.neighbours(h, 0), ElementsAre(0, 1, 4));
  EXPECT_THAT(coupled.neighbours(h, 1), ElementsAre(0, 1));
  EXPECT_THAT(coupled.neighbours(h, 2), ElementsAre(2, 4));
  EXPECT_THAT(coupled.neighbours(h, 3), ElementsAre(3));  // itself, although nothing in it moves
  EXPECT_THAT(coupled.neighbours(h, 4), ElementsAre(0, 2, 4));
}

TEST(CoupledRows, NodesThatMoveTogether) {
  const BlockSparseMatrix h = five_contacts();
  CoupledRows coupled;
  const std::vector<int> groups = {0, 0, 2, 0, -1};
  coupled.collect(h, groups, 5);
  EXPECT_THAT(coupled.rows_of(0), ElementsAre(0, 1, 2, 4));  // contact 0 once, although both its nodes are of the group
  EXPECT_THAT(coupled.neighbours(h, 0), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(coupled.neighbours(h, 2), ElementsAre(0, 1, 2, 4));
}

TEST(CoupledRows, SquareMatrixOfTheSizesOfTheRows) {
  CoupledRows coupled;
  BlockSparseMatrix square;
  coupled.reset_square(five_contacts(), square);
  EXPECT_EQ(square.columns(), 5);
  EXPECT_EQ(square.column_size(3), 2);
  EXPECT_EQ(square.rows(), 0);
}

TEST(CoupledRowsProperty, CoupledIfAndOnlyIfAGroupIsShared) {
  math::Random random(5);
  CoupledRows coupled;
  for (int repetition = 0; repetition < 100; ++repetition) {
    BlockSparseMatrix h;
    h.reset(std::vector<int>(8, 1));
    std::vector<int> groups;
    for (int i = 0; i < 8; ++i) groups.push_back(static_cast<int>(random.integer(5)) - 1);
    std::vector<std::vector<int>> of_row;
    for (int row = 0; row < 10; ++row) {
      h.begin_row(1);
      of_row.emplace_back();
      for (int i = 0; i < 8; ++i) {
        if (random.integer(4) != 0) continue;
        h.append(i).setOnes();
        if (groups[i] >= 0) of_row.back().push_back(groups[i]);
      }
    }
    coupled.collect(h, groups, 4);
    for (int row = 0; row < 10; ++row) {
      const auto neighbours = coupled.neighbours(h, row);
      EXPECT_TRUE(std::is_sorted(neighbours.begin(), neighbours.end()));
      for (int other = 0; other < 10; ++other) {
        const bool shared = std::any_of(of_row[row].begin(), of_row[row].end(), [&](int group) {
          return std::count(of_row[other].begin(), of_row[other].end(), group) > 0;
        });
        EXPECT_EQ(std::count(neighbours.begin(), neighbours.end(), other), row == other || shared ? 1 : 0);
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::linalg
