#include "ricochet/cone/islands.hpp"

#include <gtest/gtest.h>

#include "cone/test_problems.hpp"

namespace ricochet::cone {
namespace {

std::vector<int> contacts_of(const Islands& islands, int island) {
  const std::span<const int> contacts = islands.contacts(island);
  return {contacts.begin(), contacts.end()};
}

// Frictionless contacts 0 ... count - 1; every pair (i, j) gives an entry W_ij.
linalg::BlockSparseMatrix coupled(int count, const std::vector<std::pair<int, int>>& pairs) {
  MatrixX delassus = MatrixX::Identity(count, count);
  for (const auto& [i, j] : pairs) delassus(i, j) = -0.1;
  return test::problem_from_dense(std::vector<int>(count, 1), delassus, VectorX::Zero(count),
                                  std::vector<Friction>(count, 0.0))
      .delassus;
}

TEST(Islands, NoContactsNoIslands) {
  Islands islands;
  islands.find(linalg::BlockSparseMatrix());
  EXPECT_EQ(islands.count(), 0);
}

TEST(Islands, AreNumberedByTheirFirstContact) {
  Islands islands;
  islands.find(coupled(7, {{5, 1}, {1, 5}, {6, 3}, {3, 6}, {6, 5}, {5, 6}, {4, 2}, {2, 4}}));
  ASSERT_EQ(islands.count(), 3);
  EXPECT_EQ(contacts_of(islands, 0), (std::vector<int>{0}));
  EXPECT_EQ(contacts_of(islands, 1), (std::vector<int>{1, 3, 5, 6}));
  EXPECT_EQ(contacts_of(islands, 2), (std::vector<int>{2, 4}));
  EXPECT_EQ(islands.island_of(6), 1);
  EXPECT_EQ(islands.position(6), 3);
}

TEST(Islands, OneSidedCouplingIsCoupling) {
  Islands islands;
  islands.find(coupled(3, {{0, 2}}));
  EXPECT_EQ(islands.count(), 2);
  islands.find(coupled(3, {{2, 0}}));
  EXPECT_EQ(islands.count(), 2);
  EXPECT_EQ(contacts_of(islands, 0), (std::vector<int>{0, 2}));
}

TEST(Islands, StoredZerosCoupleNothing) {
  linalg::BlockSparseMatrix full;
  full.reset(std::vector<int>{2, 3});
  for (const int size : {2, 3}) {
    full.begin_row(size);
    for (int j = 0; j < 2; ++j) full.append(j);
  }
  Islands islands;
  islands.find(full);
  EXPECT_EQ(islands.count(), 2);
}

TEST(IslandsProperty, CopiesAreTheProblemsThatWerePutTogether) {
  math::Random random(22);
  Islands islands;
  ContactProblem part;
  linalg::ReusableVector part_impulses;
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<ContactProblem> problems;
    for (int p = 0; p < 4; ++p) {
      problems.push_back(
          test::random_bodies_problem(random, 1 + static_cast<int>(random.integer(6)), 1, 1, {1, 2, 3, 5, 6}));
    }
    problems[3].bilateral.assign(problems[3].contacts(), 1);
    const test::SideBySide all = test::side_by_side(problems);
    islands.find(all.whole.delassus);
    ASSERT_EQ(islands.count(), 4);
    const VectorX r = test::random_vector(random, all.whole.delassus.scalar_rows());
    linalg::ReusableVector back = VectorX(VectorX::Zero(r.size()));
    for (int p = 0; p < 4; ++p) {
      EXPECT_EQ(contacts_of(islands, p), all.contacts[p]);
      islands.copy_problem(all.whole, p, part);
      validate(part);
      EXPECT_EQ(part.delassus.dense(), problems[p].delassus.dense());
      EXPECT_EQ(part.free_velocity, problems[p].free_velocity);
      EXPECT_EQ(part.friction, problems[p].friction);
      EXPECT_EQ(part.is_bilateral(0), problems[p].is_bilateral(0));
      islands.copy_impulses(all.whole, r, p, part_impulses);
      EXPECT_EQ(part_impulses, all.part(r, p));
      islands.return_impulses(all.whole, part_impulses, p, back);
    }
    EXPECT_EQ(back, r);
  }
}

}  // namespace
}  // namespace ricochet::cone
