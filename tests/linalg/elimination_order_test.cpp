#include "ricochet/linalg/elimination_order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "ricochet/math/random.hpp"

namespace ricochet::linalg {
namespace {

// The place of every unknown in the order; fails if one is missing or comes twice.
std::vector<int> places_in(const std::vector<int>& order) {
  std::vector<int> place(order.size(), -1);
  for (int i = 0; i < static_cast<int>(order.size()); ++i) place.at(order[i]) = i;
  EXPECT_EQ(std::count(place.begin(), place.end(), -1), 0);
  return place;
}

// Entries below the diagonal of the factor, by playing the elimination through.
int entries_of_factor(int size, const std::vector<int>& order, const std::vector<Coupling>& couplings) {
  std::vector<std::set<int>> neighbours(size);
  for (const Coupling& coupling : couplings) {
    if (coupling.first == coupling.second) continue;
    neighbours[coupling.first].insert(coupling.second);
    neighbours[coupling.second].insert(coupling.first);
  }
  int entries = 0;
  for (const int next : order) {
    entries += static_cast<int>(neighbours[next].size());
    for (const int a : neighbours[next]) {
      neighbours[a].erase(next);
      for (const int b : neighbours[next]) {
        if (a != b) neighbours[a].insert(b);
      }
    }
  }
  return entries;
}

TEST(EliminationOrderProperty, JointsComeAfterTheirNodes) {
  math::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const int nodes = 1 + static_cast<int>(random.integer(10)), joints = static_cast<int>(random.integer(12));
    std::vector<Coupling> couplings;
    for (int joint = 0; joint < joints; ++joint) {
      for (int k = 0; k < 2; ++k) couplings.push_back({static_cast<int>(random.integer(nodes)), nodes + joint});
    }
    for (int k = 0; k < nodes; ++k) {
      couplings.push_back({static_cast<int>(random.integer(nodes)), static_cast<int>(random.integer(nodes))});
    }
    const std::vector<int> place = places_in(elimination_order(nodes, joints, couplings));
    ASSERT_EQ(place.size(), nodes + joints);
    for (const Coupling& coupling : couplings) {
      EXPECT_TRUE(coupling.second < nodes || place[coupling.first] < place[coupling.second]);
    }
  }
}

TEST(EliminationOrder, ChainsFillInNoMoreThanTheirLength) {
  for (const bool with_springs : {false, true}) {
    for (const int links : {10, 100, 1000}) {
      std::vector<Coupling> couplings;
      for (int joint = 0; joint < links; ++joint) {
        couplings.push_back({joint, links + joint});
        if (joint > 0) couplings.push_back({joint - 1, links + joint});
        if (joint > 0 && with_springs) couplings.push_back({joint - 1, joint});
      }
      const std::vector<int> order = elimination_order(links, links, couplings);
      EXPECT_LE(entries_of_factor(2 * links, order, couplings), 5 * links) << links;
    }
  }
}

TEST(EliminationOrder, NothingAndNothingCoupled) {
  EXPECT_TRUE(elimination_order(0, 0, {}).empty());
  EXPECT_THAT(elimination_order(3, 1, {}), testing::UnorderedElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace ricochet::linalg
