#include "ricochet/linalg/disjoint_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ricochet/math/random.hpp"

namespace ricochet::linalg {
namespace {

TEST(DisjointSets, AreNamedByTheirSmallestMember) {
  DisjointSets sets;
  sets.reset(6);
  sets.join(5, 3);
  sets.join(3, 4);
  sets.join(1, 1);
  EXPECT_EQ(sets.find(4), 3);
  EXPECT_EQ(sets.find(5), 3);
  EXPECT_EQ(sets.find(1), 1);
  sets.join(5, 0);
  EXPECT_EQ(sets.find(4), 0);
  EXPECT_EQ(sets.find(2), 2);
  sets.reset(2);
  EXPECT_EQ(sets.size(), 2);
  EXPECT_EQ(sets.find(1), 1);
}

TEST(DisjointSetsProperty, AgreeWithRelabelling) {
  math::Random random(21);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const int size = 1 + static_cast<int>(random.integer(40));
    std::vector<int> label(size);
    for (int i = 0; i < size; ++i) label[i] = i;
    DisjointSets sets;
    sets.reset(size);
    for (int k = 0; k < size / 2; ++k) {
      const int a = static_cast<int>(random.integer(size)), b = static_cast<int>(random.integer(size));
      sets.join(a, b);
      const int from = std::max(label[a], label[b]), to = std::min(label[a], label[b]);
      std::replace(label.begin(), label.end(), from, to);
    }
    for (int i = 0; i < size; ++i) EXPECT_EQ(sets.find(i), label[i]);
  }
}

}  // namespace
}  // namespace ricochet::linalg
