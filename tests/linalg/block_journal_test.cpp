#include "ricochet/linalg/block_journal.hpp"

#include <gtest/gtest.h>

namespace ricochet::linalg {
namespace {

void write_block(BlockJournal& journal, int row, int column, double first, double second) {
  double* values = journal.next(row, column, 2, first == 0 && second == 0);
  values[0] = first;
  values[1] = second;
}

TEST(BlockJournal, KnowsASequenceThatComesAgain) {
  BlockJournal journal;
  for (int round = 0; round < 3; ++round) {
    journal.begin();
    write_block(journal, 0, 0, 1 + round, 0);
    write_block(journal, 0, 1, 3, 4);
    EXPECT_EQ(journal.end(), round == 0);
    EXPECT_FALSE(journal.zeros_changed());
    ASSERT_EQ(journal.blocks().size(), 2u);
    ASSERT_EQ(journal.values().size(), 4u);
    EXPECT_EQ(journal.values()[0], 1 + round);
    EXPECT_EQ(journal.blocks()[1].start, 2);
  }
}

TEST(BlockJournal, NoticesOtherBlocks) {
  BlockJournal journal;
  const auto round = [&](std::vector<int> columns, int size = 1) {
    journal.begin();
    for (const int column : columns) *journal.next(0, column, size, false) = column;
    return journal.end();
  };
  EXPECT_TRUE(round({0, 1, 2}));
  EXPECT_FALSE(round({0, 1, 2}));
  EXPECT_TRUE(round({0, 2, 1}));
  EXPECT_TRUE(round({0, 2}));
  EXPECT_FALSE(round({0, 2}));
  EXPECT_TRUE(round({0, 2, 3}));
  EXPECT_EQ(journal.values().size(), 3u);
  EXPECT_EQ(journal.values()[2], 3);
  EXPECT_TRUE(round({0, 2, 3}, 2));
  EXPECT_EQ(journal.values().size(), 6u);
  EXPECT_TRUE(round({}));
  EXPECT_FALSE(round({}));
}

TEST(BlockJournal, RemembersWhichValuesWereAlwaysZero) {
  BlockJournal journal;
  const auto round = [&](double a, double b) {
    journal.begin();
    write_block(journal, 0, 0, a, b);
    journal.end();
  };
  round(1, 0);
  EXPECT_TRUE(journal.has_value(0));
  EXPECT_FALSE(journal.has_value(1));
  round(0, 2);
  EXPECT_FALSE(journal.has_value(1));
  journal.note_values();
  EXPECT_TRUE(journal.has_value(0));
  EXPECT_TRUE(journal.has_value(1));
  EXPECT_FALSE(journal.zeros_changed());
  round(0, 0);
  EXPECT_TRUE(journal.zeros_changed());
  round(0, 0);
  EXPECT_FALSE(journal.zeros_changed());
  round(0, 1);
  EXPECT_TRUE(journal.zeros_changed());
}

}  // namespace
}  // namespace ricochet::linalg
