// Random effective masses for the tests of this folder, beside the dense matrices that they stand for.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <memory>
#include <vector>

#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::linalg::test {

inline MatrixX random_matrix(math::Random& random, int rows, int columns) {
  MatrixX result(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) result(i, j) = random.normal();
  }
  return result;
}

// Nodes of size 1 to 6, most of size 3 and 6, some components eliminated, blocks on the diagonal (and off it) that are
// not symmetric.
struct MassCase {
  std::vector<int> sizes;
  std::vector<int> starts;
  std::vector<char> free;
  MatrixX dense;

  MassCase(math::Random& random, int nodes, double eliminated, bool coupled) {
    int total = 0;
    for (int i = 0; i < nodes; ++i) {
      sizes.push_back(random.integer(2) == 0 ? 3 : 6);
      if (random.integer(3) == 0) sizes.back() = 1 + static_cast<int>(random.integer(6));
      starts.push_back(total);
      total += sizes.back();
    }
    for (int i = 0; i < total; ++i) free.push_back(static_cast<char>(random.uniform() >= eliminated));
    dense = MatrixX::Zero(total, total);
    for (int i = 0; i < nodes; ++i) {
      block(i, i) = random_matrix(random, sizes[i], sizes[i]) + 8 * MatrixX::Identity(sizes[i], sizes[i]);
      if (coupled && i > 0) {
        block(i, i - 1) = random_matrix(random, sizes[i], sizes[i - 1]);
        block(i - 1, i) = random_matrix(random, sizes[i - 1], sizes[i]);
      }
    }
  }

  Eigen::Block<MatrixX> block(int i, int j) { return dense.block(starts[i], starts[j], sizes[i], sizes[j]); }

  // In two halves, because blocks add up.
  void assemble(EffectiveMass& mass) {
    mass.clear();
    for (int repetition = 0; repetition < 2; ++repetition) {
      for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
        for (int j = 0; j < static_cast<int>(sizes.size()); ++j) {
          if (i == j || !block(i, j).isZero(0)) mass.add(i, j, 0.5 * block(i, j));
        }
      }
    }
    mass.factorise();
  }

  // The inverse on the free components, zero elsewhere.
  MatrixX inverse() const {
    std::vector<int> kept;
    for (int i = 0; i < static_cast<int>(free.size()); ++i) {
      if (free[i] != 0) kept.push_back(i);
    }
    MatrixX result = MatrixX::Zero(dense.rows(), dense.cols());
    if (kept.empty()) return result;
    const MatrixX reduced = dense(kept, kept);
    const MatrixX reduced_inverse = reduced.inverse();
    result(kept, kept) = reduced_inverse;
    return result;
  }

  // Contacts of size 1 to 6, each on one or two nodes.
  void random_gradients(math::Random& random, int contacts, BlockSparseMatrix& gradients) const {
    gradients.reset(sizes);
    for (int i = 0; i < contacts; ++i) {
      const int size = 1 + static_cast<int>(random.integer(6));
      gradients.begin_row(size);
      const int first = static_cast<int>(random.integer(sizes.size())),
                second = static_cast<int>(random.integer(sizes.size()));
      gradients.append(std::min(first, second)) = random_matrix(random, size, sizes[std::min(first, second)]);
      if (first != second)
        gradients.append(std::max(first, second)) = random_matrix(random, size, sizes[std::max(first, second)]);
    }
  }
};

// The answers of a mass against dense algebra.
inline void expect_same_as_dense(math::Random& random, MassCase& mass_case, EffectiveMass& mass) {
  const MatrixX inverse = mass_case.inverse();
  const VectorX right = random_matrix(random, static_cast<int>(mass_case.free.size()), 1);
  VectorX x = right;
  mass.solve_in_place(x);
  EXPECT_LE((x - inverse * right).norm(), 1e-13 * right.norm());
  for (int i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(mass_case.free[i] != 0 || x[i] == 0);
  }
  BlockSparseMatrix gradients, delassus, diagonal;
  for (const int contacts : {7, 0, 3, 12}) {
    mass_case.random_gradients(random, contacts, gradients);
    mass.delassus(gradients, delassus);
    ASSERT_EQ(delassus.rows(), contacts);
    const MatrixX h = gradients.dense();
    const MatrixX expected = h * inverse * h.transpose();
    EXPECT_LE((delassus.dense() - expected).norm(), 1e-12 * (1 + expected.norm()));
    mass.delassus_diagonal(gradients, diagonal);
    ASSERT_EQ(diagonal.rows(), contacts);
    for (int i = 0; i < contacts; ++i) {
      bool found = false;
      for (const auto& entry : delassus.row(i)) {
        if (entry.column != i) continue;
        found = true;
        ASSERT_EQ(diagonal.row(i).size(), 1);
        EXPECT_EQ(diagonal.row(i)[0].column, i);
        EXPECT_LE((diagonal.block(i, diagonal.row(i)[0]) - delassus.block(i, entry)).norm(),
                  1e-13 * (1 + delassus.block(i, entry).norm()));
      }
      EXPECT_TRUE(found);
    }
  }
}

}  // namespace ricochet::linalg::test
