// Linear complementarity problems for the tests of this folder, class by class.
#pragma once

#include <algorithm>
#include <cmath>

#include "cone/test_problems.hpp"
#include "ricochet/cone/linear_complementarity.hpp"

namespace ricochet::cone::test {

inline MatrixX random_matrix(math::Random& random, int rows, int columns) {
  MatrixX result(rows, columns);
  for (int j = 0; j < columns; ++j) result.col(j) = random_vector(random, rows);
  return result;
}

inline MatrixX random_skew(math::Random& random, int size) {
  const MatrixX any = random_matrix(random, size, size);
  return any - any.transpose();
}

// P-matrices (every principal minor is positive) of four kinds that do not contain each other.
inline MatrixX random_p_matrix(math::Random& random, int size) {
  MatrixX m;
  switch (random.integer(4)) {
    case 0: {  // positive definite, not symmetric
      const MatrixX root = random_matrix(random, size, size);
      return root * root.transpose() + 0.01 * MatrixX::Identity(size, size) + 2 * random_skew(random, size);
    }
    case 1:  // triangular
      m = random_matrix(random, size, size).triangularView<Eigen::StrictlyLower>();
      m *= 2;
      for (int i = 0; i < size; ++i) m(i, i) = random.uniform(0.1, 2);
      return m;
    case 2:  // diagonally dominant
      m = random_matrix(random, size, size);
      for (int i = 0; i < size; ++i) {
        m(i, i) = 0;
        m(i, i) = m.row(i).cwiseAbs().sum() + 0.1;
      }
      return m;
    default: {  // positive definite with rows and columns multiplied by positive numbers
      const MatrixX root = random_matrix(random, size, size);
      m = root * root.transpose() + 0.01 * MatrixX::Identity(size, size) + random_skew(random, size);
      for (int i = 0; i < size; ++i) {
        m.row(i) *= random.uniform(0.1, 3);
        m.col(i) *= random.uniform(0.1, 3);
      }
      return m;
    }
  }
}

// Kostreva's cyclic matrices (Mathematical Programming 16, 1979, for size 3), P-matrices for odd sizes.
inline MatrixX cyclic_matrix(int size) {
  MatrixX m = MatrixX::Identity(size, size);
  for (int i = 0; i < size; ++i) m(i, (i + 1) % size) = 2;
  return m;
}

// Conditions of the LCP branch by branch, without code of cone/linear_complementarity, relative to |q| + |M| z.
inline double complementarity_violation(const LinearComplementarityProblem& problem, const VectorX& z) {
  const VectorX w = problem.matrix * z + problem.offset;
  const VectorX size = problem.offset.cwiseAbs() + problem.matrix.cwiseAbs() * z.cwiseAbs();
  double worst = 0;
  for (int i = 0; i < problem.size(); ++i) {
    worst = std::max(worst, -z[i]);
    if (size[i] > 0) worst = std::max(worst, (z[i] > 0 ? std::abs(w[i]) : -w[i]) / size[i]);
  }
  return worst;
}

}  // namespace ricochet::cone::test
