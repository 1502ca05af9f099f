#include "ricochet/linalg/effective_mass.hpp"

#include <gtest/gtest.h>

#include "linalg/test_masses.hpp"

namespace ricochet::linalg {
namespace {

// Nothing but a dense inverse, and what every mass has from its base.
class PlainMass final : public EffectiveMass {
 public:
  explicit PlainMass(const MatrixX& inverse) : inverse_(inverse) {}
  void clear() override {}
  void add(int, int, const Eigen::Ref<const MatrixX>&) override {}
  void factorise() override {}
  void solve_in_place(VectorX& x) const override { x = (inverse_ * x).eval(); }
  void delassus(const BlockSparseMatrix& gradients, BlockSparseMatrix& delassus) override {
    const MatrixX h = gradients.dense(), w = h * inverse_ * h.transpose();
    std::vector<int> sizes;
    for (int i = 0; i < gradients.rows(); ++i) sizes.push_back(gradients.row_size(i));
    delassus.reset(sizes);
    for (int i = 0; i < gradients.rows(); ++i) {
      delassus.begin_row(sizes[i]);
      for (int j = 0; j < gradients.rows(); ++j) {
        delassus.append(j) = w.block(gradients.row_offset(i), gradients.row_offset(j), sizes[i], sizes[j]);
      }
    }
  }

 private:
  MatrixX inverse_;
};

TEST(EffectiveMassProperty, DiagonalBlocksByOneSolvePerComponent) {
  math::Random random(7);
  for (int i = 0; i < 50; ++i) {
    test::MassCase mass_case(random, 1 + i % 5, 0.2, true);
    PlainMass mass(mass_case.inverse());
    test::expect_same_as_dense(random, mass_case, mass);
  }
}

}  // namespace
}  // namespace ricochet::linalg
