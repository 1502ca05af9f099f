#include "ricochet/linalg/body_lu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "linalg/test_masses.hpp"

namespace ricochet::linalg {
namespace {

constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max();
constexpr int kSize = BodyLu::kComponents;

// Bodies that touch at random, with blocks that are neither symmetric nor small: 1 + G^T T G' as in cone/body_path.
struct Heap {
  int bodies;
  std::vector<Coupling> couplings;
  MatrixX matrix;

  Heap(math::Random& random, int count, int touches) : bodies(count) {
    matrix.setIdentity(kSize * count, kSize * count);
    for (int i = 0; i < touches; ++i) {
      const auto a = static_cast<int>(random.integer(count)), b = static_cast<int>(random.integer(count));
      const double stiffness = std::exp(3 * random.normal());
      MatrixX rows = MatrixX::Zero(3, kSize * count);
      rows.middleCols(kSize * a, kSize) += test::random_matrix(random, 3, kSize);
      if (a != b) rows.middleCols(kSize * b, kSize) += test::random_matrix(random, 3, kSize);
      MatrixX coupling = MatrixX::Identity(3, 3);
      coupling(0, 1) = 0.5;
      matrix += stiffness * rows.transpose() * coupling * rows;
      couplings.push_back({a, b});
    }
  }

  void give_to(BodyLu& factors) const {
    ASSERT_TRUE(factors.set_pattern(bodies, couplings, kAnyNumber));
    factors.set_identity();
    for (int row = 0; row < bodies; ++row) {
      for (int column = 0; column < bodies; ++column) {
        Matrix6 block = matrix.block<kSize, kSize>(kSize * row, kSize * column);
        if (row == column) block -= Matrix6::Identity();
        if (!block.isZero(0)) factors.add(factors.place(row, column), block);
      }
    }
  }
};

TEST(BodyLuProperty, SolvesHeaps) {
  math::Random random(1);
  BodyLu factors;
  for (int i = 0; i < 100; ++i) {
    const int bodies = 1 + i % 15;
    const Heap heap(random, bodies, 2 * bodies);
    heap.give_to(factors);
    ASSERT_TRUE(factors.factorise(1e-10));
    const VectorX right = test::random_matrix(random, kSize * bodies, 1);
    VectorX x = right;
    factors.solve(x.data());
    EXPECT_LE((heap.matrix * x - right).norm(), 1e-11 * (heap.matrix.norm() * x.norm() + right.norm())) << i;
  }
}

TEST(BodyLuProperty, WhatWasFactorisedBeforeChangesNoBit) {
  math::Random random(2);
  BodyLu used;
  for (int i = 0; i < 20; ++i) {
    const auto bodies = static_cast<int>(1 + random.integer(20));
    const Heap heap(random, bodies, 3 * bodies);
    BodyLu fresh;
    VectorX x = test::random_matrix(random, kSize * bodies, 1), y = x;
    for (BodyLu* factors : {&used, &fresh}) {
      heap.give_to(*factors);
      ASSERT_TRUE(factors->factorise(1e-10));
      factors->solve(factors == &used ? x.data() : y.data());
    }
    EXPECT_EQ(x, y);
  }
}

TEST(BodyLu, BodiesThatTouchNobodyAreAlone) {
  BodyLu factors;
  ASSERT_TRUE(factors.set_pattern(2, {}, kAnyNumber));
  factors.set_identity();
  factors.add(factors.place(1, 1), Matrix6(Matrix6::Identity()));
  ASSERT_TRUE(factors.factorise(1e-10));
  VectorX x = VectorX::Ones(2 * kSize);
  factors.solve(x.data());
  EXPECT_EQ(x.head(kSize), VectorX::Ones(kSize));
  EXPECT_EQ(x.tail(kSize), VectorX::Constant(kSize, 0.5));
}

TEST(BodyLu, CountsItsProducts) {
  BodyLu factors;
  const std::vector<Coupling> chain = {{0, 1}, {1, 2}, {2, 3}};  // from its ends: one product each, and the last alone
  EXPECT_TRUE(factors.set_pattern(4, chain, 3));
  EXPECT_FALSE(factors.set_pattern(4, chain, 2));
}

// Products of an elimination that looks at all bodies each time and takes the first with the fewest neighbours.
std::int64_t products_by_looking(const Heap& heap) {
  std::vector<std::set<int>> neighbours(heap.bodies);
  for (const Coupling& coupling : heap.couplings) {
    if (coupling.first == coupling.second) continue;
    neighbours[coupling.first].insert(coupling.second);
    neighbours[coupling.second].insert(coupling.first);
  }
  std::set<int> left;
  for (int i = 0; i < heap.bodies; ++i) left.insert(i);
  std::int64_t products = 0;
  while (!left.empty()) {
    const int next = *std::min_element(left.begin(), left.end(),
                                       [&](int a, int b) { return neighbours[a].size() < neighbours[b].size(); });
    left.erase(next);
    const std::set<int> coupled = neighbours[next];
    products += static_cast<std::int64_t>(coupled.size() * coupled.size());
    for (const int other : coupled) {
      neighbours[other].insert(coupled.begin(), coupled.end());
      neighbours[other].erase(next);
      neighbours[other].erase(other);
    }
  }
  return products;
}

TEST(BodyLuProperty, AlwaysTakesTheFirstWithTheFewestNeighbours) {
  math::Random random(5);
  BodyLu factors;
  for (int i = 0; i < 50; ++i) {
    const auto bodies = static_cast<int>(2 + random.integer(60));
    const Heap heap(random, bodies, 2 * bodies);
    const std::int64_t products = products_by_looking(heap);
    EXPECT_TRUE(factors.set_pattern(bodies, heap.couplings, products));
    EXPECT_FALSE(products > 0 && factors.set_pattern(bodies, heap.couplings, products - 1));
  }
}

TEST(BodyLuBadInput, RefusesSmallPivotsAndWhatIsNotANumber) {
  BodyLu factors;
  ASSERT_TRUE(factors.set_pattern(1, {}, kAnyNumber));
  for (const double added : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    factors.set_identity();
    factors.add(factors.place(0, 0), Matrix6(added * Matrix6::Identity()));
    EXPECT_FALSE(factors.factorise(1e-10)) << added;
  }
}

}  // namespace
}  // namespace ricochet::linalg
