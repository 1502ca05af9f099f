// The islands of a sparse mass: joints, contacts across islands, and that no island notices another.
#include <gtest/gtest.h>

#include "linalg/test_masses.hpp"

namespace ricochet::linalg {
namespace {

// A machine with rows of joints beside its matrix, in dense form.
struct JointedCase {
  test::MassCase mass;
  BlockSparseMatrix rows;

  JointedCase(math::Random& random, int nodes, double eliminated, bool coupled)
      : mass(random, nodes, eliminated, coupled) {
    mass.dense = 0.5 * (mass.dense + mass.dense.transpose()).eval();
    mass.dense += 10 * MatrixX::Identity(mass.dense.rows(), mass.dense.rows());
    rows.reset(mass.sizes);
  }

  void add_joint(math::Random& random, int size, std::vector<int> nodes) {
    rows.begin_row(size);
    for (const int node : nodes) rows.append(node) = test::random_matrix(random, size, mass.sizes[node]);
  }

  std::unique_ptr<EffectiveMass> make() {
    auto result = make_sparse_mass(mass.sizes, mass.free);
    assemble(*result);
    return result;
  }

  void assemble(EffectiveMass& into) {
    into.clear();
    for (int i = 0; i < static_cast<int>(mass.sizes.size()); ++i) {
      for (int j = 0; j < static_cast<int>(mass.sizes.size()); ++j) {
        if (i == j || !mass.block(i, j).isZero(0)) into.add(i, j, mass.block(i, j));
      }
    }
    into.set_rows(rows);
    into.factorise();
  }

  // The inverse of the saddle-point matrix, zero for eliminated components: blocks P (momentum to velocity) and the
  // rest. The rows must be independent on the free components.
  MatrixX inverse() const {
    const Eigen::Index all = mass.dense.rows(), count = rows.scalar_rows();
    std::vector<int> kept;
    for (int i = 0; i < all; ++i) {
      if (mass.free[i] != 0) kept.push_back(i);
    }
    for (int i = 0; i < count; ++i) kept.push_back(static_cast<int>(all) + i);
    MatrixX matrix = MatrixX::Zero(all + count, all + count);
    matrix.topLeftCorner(all, all) = mass.dense;
    matrix.bottomLeftCorner(count, all) = rows.dense();
    matrix.topRightCorner(all, count) = -rows.dense().transpose();
    MatrixX result = MatrixX::Zero(all + count, all + count);
    const MatrixX reduced = matrix(kept, kept), reduced_inverse = reduced.inverse();
    result(kept, kept) = reduced_inverse;
    return result;
  }
};

TEST(SparseMassIslandsProperty, JointsAgreeWithDenseAlgebra) {
  math::Random random(21);
  for (int i = 0; i < 100; ++i) {
    JointedCase jointed(random, 7, 0, i % 3 == 0);
    jointed.add_joint(random, 1, {0});
    if (jointed.mass.sizes[1] + jointed.mass.sizes[3] > 2) jointed.add_joint(random, 2, {1, 3});
    jointed.add_joint(random, 1, {3, 4, 6});
    const auto mass = jointed.make();
    const MatrixX inverse = jointed.inverse();
    const Eigen::Index all = jointed.mass.dense.rows(), count = jointed.rows.scalar_rows();
    const VectorX right = test::random_matrix(random, static_cast<int>(all + count), 1), expected = inverse * right;
    VectorX x = right.head(all), lambda = right.tail(count);
    mass->solve_with_rows(x, lambda);
    EXPECT_LE((x - expected.head(all)).norm(), 1e-11 * right.norm());
    EXPECT_LE((lambda - expected.tail(count)).norm(), 1e-9 * right.norm());

    BlockSparseMatrix gradients, delassus, diagonal;
    jointed.mass.random_gradients(random, 9, gradients);
    mass->delassus(gradients, delassus);
    mass->delassus_diagonal(gradients, diagonal);
    const MatrixX h = gradients.dense(), w = h * inverse.topLeftCorner(all, all) * h.transpose();
    EXPECT_LE((delassus.dense() - w).norm(), 1e-11 * (1 + w.norm()));
    for (int contact = 0; contact < 9; ++contact) {
      for (const auto& entry : delassus.row(contact)) {
        if (entry.column != contact) continue;
        EXPECT_LE((diagonal.block(contact, diagonal.row(contact)[0]) - delassus.block(contact, entry)).norm(),
                  1e-13 * (1 + w.norm()));
      }
    }
  }
}

// The nodes of one machine, then those of another; couplings only within each.
JointedCase side_by_side(const JointedCase& first, const JointedCase& second) {
  JointedCase both = first;
  const auto nodes = static_cast<int>(first.mass.sizes.size());
  const auto components = static_cast<int>(first.mass.dense.rows());
  for (std::size_t i = 0; i < second.mass.sizes.size(); ++i) {
    both.mass.sizes.push_back(second.mass.sizes[i]);
    both.mass.starts.push_back(components + second.mass.starts[i]);
  }
  both.mass.free.insert(both.mass.free.end(), second.mass.free.begin(), second.mass.free.end());
  const Eigen::Index all = components + second.mass.dense.rows();
  both.mass.dense = MatrixX::Zero(all, all);
  both.mass.dense.topLeftCorner(components, components) = first.mass.dense;
  both.mass.dense.bottomRightCorner(all - components, all - components) = second.mass.dense;
  both.rows.reset(both.mass.sizes);
  const auto copy = [&](const BlockSparseMatrix& rows, int offset) {
    for (int row = 0; row < rows.rows(); ++row) {
      both.rows.begin_row(rows.row_size(row));
      for (const auto& entry : rows.row(row)) both.rows.append(offset + entry.column) = rows.block(row, entry);
    }
  };
  copy(first.rows, 0);
  copy(second.rows, nodes);
  return both;
}

// Bit by bit: what a machine does alone it does beside others, before or after them.
TEST(SparseMassIslandsProperty, AnIslandDoesNotNoticeOthers) {
  math::Random random(22);
  for (int i = 0; i < 60; ++i) {
    JointedCase one(random, 1 + i % 5, 0.1, i % 2 == 0), other(random, 1 + i % 4, 0.1, i % 3 == 0);
    if (i % 5 != 0) one.add_joint(random, 2, {0});
    if (one.mass.sizes.size() > 2) one.add_joint(random, 3, {1, 2});
    other.mass.dense *= 1e4;
    other.add_joint(random, 1, {0});
    JointedCase before = side_by_side(one, other), after = side_by_side(other, one);
    const auto alone = one.make(), first = before.make(), second = after.make();
    const Eigen::Index size = one.mass.dense.rows(), others = other.mass.dense.rows();
    const Eigen::Index rows = one.rows.scalar_rows(), other_rows = other.rows.scalar_rows();

    const VectorX right = test::random_matrix(random, static_cast<int>(size), 1),
                  row_right = test::random_matrix(random, static_cast<int>(rows), 1),
                  other_right = test::random_matrix(random, static_cast<int>(others), 1),
                  other_row_right = test::random_matrix(random, static_cast<int>(other_rows), 1);
    VectorX x = right, y = row_right, x1(size + others), y1(rows + other_rows), x2 = x1, y2 = y1;
    x1 << right, other_right;
    y1 << row_right, other_row_right;
    x2 << other_right, right;
    y2 << other_row_right, row_right;
    alone->solve_with_rows(x, y);
    first->solve_with_rows(x1, y1);
    second->solve_with_rows(x2, y2);
    EXPECT_EQ(x, x1.head(size));
    EXPECT_EQ(x, x2.tail(size));
    EXPECT_EQ(y, y1.head(rows));
    EXPECT_EQ(y, y2.tail(rows));

    // Contacts of the one and of the other, in turn.
    BlockSparseMatrix h, h1, w, w1;
    one.mass.random_gradients(random, 6, h);
    h1.reset(before.mass.sizes);
    for (int contact = 0; contact < 6; ++contact) {
      h1.begin_row(h.row_size(contact));
      for (const auto& entry : h.row(contact)) h1.append(entry.column) = h.block(contact, entry);
      h1.begin_row(2);
      const auto node =
          static_cast<int>(one.mass.sizes.size()) + static_cast<int>(random.integer(other.mass.sizes.size()));
      h1.append(node) = test::random_matrix(random, 2, before.mass.sizes[node]);
    }
    alone->delassus(h, w);
    first->delassus(h1, w1);
    for (int contact = 0; contact < 6; ++contact) {
      ASSERT_EQ(w.row(contact).size(), w1.row(2 * contact).size());
      for (std::size_t k = 0; k < w.row(contact).size(); ++k) {
        EXPECT_EQ(2 * w.row(contact)[k].column, w1.row(2 * contact)[k].column);
        EXPECT_EQ(w.block(contact, w.row(contact)[k]), w1.block(2 * contact, w1.row(2 * contact)[k]));
      }
    }
  }
}

// A loose body comes out with the bits of the block-diagonal form, whatever else is coupled.
TEST(SparseMassIslands, LooseNodesAreThoseOfTheBlockDiagonalForm) {
  math::Random random(23);
  JointedCase loose(random, 5, 0.1, false), coupled(random, 3, 0, true);
  JointedCase both = side_by_side(loose, coupled);
  const auto sparse = both.make(), diagonal = make_block_diagonal_mass(loose.mass.sizes, loose.mass.free);
  loose.assemble(*diagonal);
  BlockSparseMatrix h, h_both, w, w_both;
  loose.mass.random_gradients(random, 8, h);
  h_both.reset(both.mass.sizes);
  for (int contact = 0; contact < 8; ++contact) {
    h_both.begin_row(h.row_size(contact));
    for (const auto& entry : h.row(contact)) h_both.append(entry.column) = h.block(contact, entry);
  }
  diagonal->delassus(h, w);
  sparse->delassus(h_both, w_both);
  EXPECT_EQ(w.dense(), w_both.dense());
  VectorX x = VectorX::Ones(loose.mass.dense.rows()), y = VectorX::Ones(both.mass.dense.rows());
  diagonal->solve_in_place(x);
  sparse->solve_in_place(y);
  EXPECT_EQ(x, y.head(x.size()));
}

TEST(SparseMassIslands, AContactBetweenTwoIslandsJoinsTheirContacts) {
  math::Random random(24);
  JointedCase four(random, 4, 0, true);  // 0 - 1 and 2 - 3
  four.mass.block(1, 2).setZero();
  four.mass.block(2, 1).setZero();
  const auto mass = four.make();
  BlockSparseMatrix h, w;
  h.reset(four.mass.sizes);
  for (const std::vector<int>& nodes : std::vector<std::vector<int>>{{0}, {3}, {1, 2}}) {
    h.begin_row(1);
    for (const int node : nodes) h.append(node) = test::random_matrix(random, 1, four.mass.sizes[node]);
  }
  mass->delassus(h, w);
  ASSERT_EQ(w.row(0).size(), 2u);
  EXPECT_EQ(w.row(0)[1].column, 2);
  ASSERT_EQ(w.row(1).size(), 2u);
  EXPECT_EQ(w.row(1)[1].column, 2);
  EXPECT_EQ(w.row(2).size(), 3u);
  const MatrixX expected = h.dense() * four.mass.inverse() * h.dense().transpose();
  EXPECT_LE((w.dense() - expected).norm(), 1e-14);
}

// Islands that part and join again, values that were zero, other joints: nothing of it shows later.
TEST(SparseMassIslandsProperty, HistoryDoesNotShow) {
  math::Random random(25);
  JointedCase base(random, 6, 0.1, true);
  const auto old = make_sparse_mass(base.mass.sizes, base.mass.free);
  for (int i = 0; i < 60; ++i) {
    JointedCase now = base;
    const int parted = 1 + static_cast<int>(random.integer(5));
    if (i % 3 != 0) {
      now.mass.block(parted, parted - 1).setZero();
      now.mass.block(parted - 1, parted).setZero();
    }
    for (Eigen::Index k = 0; i % 2 == 0 && k < now.mass.dense.rows(); ++k) {
      const auto other = static_cast<Eigen::Index>(random.integer(now.mass.dense.rows()));
      if (k != other) now.mass.dense(k, other) = now.mass.dense(other, k) = 0;
    }
    now.rows.reset(now.mass.sizes);
    if (i % 4 < 2) now.add_joint(random, 2, {0, 3});
    if (i % 4 == 2) now.add_joint(random, 1, {static_cast<int>(random.integer(6))});
    const auto fresh = now.make();
    now.assemble(*old);
    VectorX x = test::random_matrix(random, static_cast<int>(base.mass.dense.rows()), 1), y = x;
    VectorX row_x = test::random_matrix(random, now.rows.scalar_rows(), 1), row_y = row_x;
    old->solve_with_rows(x, row_x);
    fresh->solve_with_rows(y, row_y);
    ASSERT_EQ(x, y) << i;
    ASSERT_EQ(row_x, row_y) << i;
  }
}

TEST(SparseMassIslands, RowsThatHoldNothingHaveNoMultipliers) {
  math::Random random(26);
  JointedCase two(random, 2, 0, false);
  std::fill(two.mass.free.begin(), two.mass.free.begin() + two.mass.sizes[0], 0);
  two.add_joint(random, 2, {0});
  two.add_joint(random, 1, {1});
  const auto mass = two.make();
  VectorX x = VectorX::Ones(two.mass.dense.rows()), lambda = VectorX::Ones(3);
  mass->solve_with_rows(x, lambda);
  EXPECT_EQ(lambda[0], 0);
  EXPECT_EQ(lambda[1], 0);
  EXPECT_NE(lambda[2], 0);
  EXPECT_NEAR(two.rows.dense().row(2).dot(x), 1, 1e-13);
}

}  // namespace
}  // namespace ricochet::linalg
