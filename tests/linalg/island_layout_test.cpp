#include "ricochet/linalg/island_layout.hpp"

#include <gmock/gmock.h>

namespace ricochet::linalg {
namespace {

using testing::ElementsAre;

// Nodes of two components and one joint of one row: 0 - 2 by a spring, 1 and 3 by the joint, 4 alone, 5 fixed.
struct LayoutCase {
  std::vector<LayoutNode> nodes = std::vector<LayoutNode>(6, {2, {0, 1}});
  std::vector<int> joint_sizes = {1};
  BlockJournal matrix, rows;
  IslandLayout layout;

  LayoutCase() { nodes[5].free.clear(); }

  void write(double coupling, double across = 1) {
    matrix.begin();
    rows.begin();
    for (int node = 0; node < 6; ++node) block(matrix, node, node, node < 5 ? 4 : 0, {2, 0, 0, 3});
    block(matrix, 0, 2, 4, {coupling, 0, 0, 0});
    block(matrix, 2, 0, 4, {coupling, 0, 0, 0});
    block(rows, 0, 1, 2, {across, 0});
    block(rows, 0, 3, 2, {1, 1});
    block(rows, 0, 5, 0, {});
  }

  static void block(BlockJournal& journal, int row, int column, int size, const std::vector<double>& values) {
    bool is_zero = true;
    for (int i = 0; i < size; ++i) is_zero = is_zero && values[i] == 0;
    double* first = journal.next(row, column, size, is_zero);
    std::copy(values.begin(), values.begin() + size, first);
  }

  void find() {
    matrix.end();
    rows.end();
    layout.find(nodes, joint_sizes, matrix, rows);
  }
};

TEST(IslandLayout, NodesThatHangTogether) {
  LayoutCase four;
  four.write(5);
  four.find();
  const auto& islands = four.layout.islands();
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_THAT(islands[0].nodes, ElementsAre(0, 2));
  EXPECT_TRUE(islands[0].joints.empty());
  EXPECT_THAT(islands[1].nodes, ElementsAre(1, 3));
  EXPECT_THAT(islands[1].joints, ElementsAre(0));
  EXPECT_EQ(islands[1].components, 4);
  EXPECT_EQ(islands[1].rows, 1);
  ASSERT_EQ(four.layout.alone().size(), 1u);
  EXPECT_EQ(four.layout.alone()[0].node, 4);
  EXPECT_EQ(four.layout.island_of_node(3), 1);
  EXPECT_EQ(four.layout.island_of_node(4), -1);
  EXPECT_EQ(four.layout.island_of_node(5), -1);
  EXPECT_EQ(four.layout.first_unknown(3), 2);
}

// The diagonals, the spring in both directions; the joint has (1, 0) on node 1 and (1, 1) on node 3.
TEST(IslandLayout, PatternsHaveWhatIsNotZero) {
  LayoutCase four;
  four.write(5);
  four.find();
  const auto& islands = four.layout.islands();
  EXPECT_THAT(islands[0].pattern.starts, ElementsAre(0, 2, 3, 5, 6));
  EXPECT_THAT(islands[0].pattern.indices, ElementsAre(0, 2, 1, 0, 2, 3));
  EXPECT_THAT(islands[1].pattern.starts, ElementsAre(0, 2, 3, 5, 7, 11));
  EXPECT_THAT(islands[1].pattern.indices, ElementsAre(0, 4, 1, 2, 4, 3, 4, 0, 2, 3, 4));
  EXPECT_EQ(four.layout.values(), 6 + 11 + 36);
  EXPECT_THAT(four.layout.row_places(), ElementsAre(6 + 1, -1, 6 + 4, 6 + 6));
  EXPECT_THAT(four.layout.column_places(), ElementsAre(6 + 7, -1, 6 + 8, 6 + 9));
  // Of the node alone: at (0, 0) and (1, 1) of its 6 x 6 matrix.
  EXPECT_THAT(four.layout.matrix_places().subspan(16, 4), ElementsAre(17 + 0, -1, -1, 17 + 7));
  EXPECT_EQ(islands[1].pattern.order.size(), 5u);
  EXPECT_EQ(islands[1].pattern.order.back(), 4);  // the joint comes after both nodes
}

TEST(IslandLayout, ZerosPartIslandsAndMayChangeWithinThem) {
  LayoutCase four;
  four.write(5);
  four.find();
  four.write(0);
  EXPECT_FALSE(four.matrix.end());
  EXPECT_TRUE(four.matrix.zeros_changed());
  EXPECT_FALSE(four.layout.still_holds(four.matrix, four.rows));
  four.layout.find(four.nodes, four.joint_sizes, four.matrix, four.rows);
  EXPECT_EQ(four.layout.islands().size(), 1u);
  EXPECT_EQ(four.layout.alone().size(), 3u);
  EXPECT_TRUE(four.layout.still_holds(four.matrix, four.rows));
  four.write(0, 0);  // the joint leaves node 1
  four.rows.end();
  EXPECT_FALSE(four.layout.still_holds(four.matrix, four.rows));
  four.layout.find(four.nodes, four.joint_sizes, four.matrix, four.rows);
  ASSERT_EQ(four.layout.islands().size(), 1u);
  EXPECT_THAT(four.layout.islands()[0].nodes, ElementsAre(3));  // with the joint that holds it
}

TEST(IslandLayout, ValuesThatWereZeroFindAPlace) {
  LayoutCase four;
  four.write(5);
  four.find();
  EXPECT_EQ(four.layout.row_places()[1], -1);
  four.rows.begin();
  LayoutCase::block(four.rows, 0, 1, 2, {1, 7});
  LayoutCase::block(four.rows, 0, 3, 2, {1, 1});
  LayoutCase::block(four.rows, 0, 5, 0, {});
  EXPECT_FALSE(four.rows.end());
  four.rows.note_values();
  four.layout.find_patterns(four.nodes, four.matrix, four.rows);
  EXPECT_EQ(four.layout.row_places()[1], 6 + 3);
  EXPECT_EQ(four.layout.islands()[1].pattern.nonzeros(), 13);
}

TEST(IslandLayout, ALargeNodeIsAnIsland) {
  LayoutCase large;
  large.nodes = {{8, {0, 3, 7}}};
  large.joint_sizes.clear();
  LayoutCase::block(large.matrix, 0, 0, 9, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  large.find();
  ASSERT_EQ(large.layout.islands().size(), 1u);
  EXPECT_EQ(large.layout.islands()[0].components, 3);
  EXPECT_TRUE(large.layout.alone().empty());
}

}  // namespace
}  // namespace ricochet::linalg
