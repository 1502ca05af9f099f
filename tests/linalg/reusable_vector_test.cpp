// A vector that keeps its memory.
#include "ricochet/linalg/reusable_vector.hpp"

#include <gtest/gtest.h>

namespace ricochet::linalg {
namespace {

TEST(ReusableVector, KeepsItsMemoryWhenItShrinksAndGrowsAgain) {
  ReusableVector vector = VectorX::Ones(10);
  const double* memory = vector.data();
  vector.resize(3);
  EXPECT_EQ(vector.size(), 3);
  vector.setZero(10);
  EXPECT_EQ(vector.data(), memory);
  EXPECT_EQ(vector, VectorX(VectorX::Zero(10)));
}

TEST(ReusableVector, IsAVectorInExpressions) {
  ReusableVector a = Vector3(1, 2, 3);
  ReusableVector b;
  b = 2 * a + Vector3::Ones();
  EXPECT_EQ(b, VectorX(Vector3(3, 5, 7)));
  b = b + a;
  EXPECT_EQ(b, VectorX(Vector3(4, 7, 10)));
  EXPECT_EQ(a.dot(b), 4 + 14 + 30);
}

TEST(ReusableVector, CopiesOwnTheirEntries) {
  ReusableVector a = Vector2(1, 2);
  ReusableVector b = a;
  b[0] = 5;
  EXPECT_EQ(a[0], 1);
  a = b;
  b[1] = 7;
  EXPECT_EQ(a, VectorX(Vector2(5, 2)));
}

}  // namespace
}  // namespace ricochet::linalg
