#include "ricochet/cone/lcp_enumeration.hpp"

#include <fmt/core.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ricochet::cone {

namespace {

constexpr double kRankRoundOff = 1e-12;  // of an equilibrated matrix
constexpr double kConsistent = 1e-9;     // equations of a singular system that are met to this part of their terms

class BasisEnumeration {
 public:
  BasisEnumeration(const LinearComplementarityProblem& problem, const EnumerationOptions& options)
      : original_(problem), scaled_(equilibrated(problem)), options_(options) {}

  EnumerationResult run() {
    const unsigned bases = 1U << original_.size();
    for (unsigned chosen = 0; chosen < bases && result_.complete; ++chosen) look_at_basis(chosen);
    return std::move(result_);
  }

 private:
  bool count_system() {
    result_.complete = result_.complete && result_.systems < options_.system_limit;
    result_.systems += result_.complete ? 1 : 0;
    return result_.complete;
  }
  void look_at_basis(unsigned chosen);
  void look_at_corners(const VectorX& particular, const MatrixX& null_space);
  void look_at_point(const VectorX& z);

  const LinearComplementarityProblem& original_;
  const ScaledComplementarity scaled_;
  const EnumerationOptions& options_;
  std::vector<int> alpha_;
  std::vector<VectorX> found_;  // the solutions of the scaled problem
  EnumerationResult result_;
};

void BasisEnumeration::look_at_basis(unsigned chosen) {
  alpha_.clear();
  for (int i = 0; i < original_.size(); ++i) {
    if ((chosen >> i & 1U) != 0) alpha_.push_back(i);
  }
  if (!count_system()) return;
  const int size = static_cast<int>(alpha_.size());
  if (size == 0) return look_at_point(VectorX::Zero(original_.size()));
  const MatrixX part = scaled_.problem.matrix(alpha_, alpha_);
  const VectorX right = -scaled_.problem.offset(alpha_);
  Eigen::ColPivHouseholderQR<MatrixX> factors;
  factors.setThreshold(kRankRoundOff);
  factors.compute(part);
  VectorX z = factors.solve(right);
  if (factors.rank() == size) {
    z += factors.solve(right - part * z);
    VectorX whole = VectorX::Zero(original_.size());
    whole(alpha_) = z;
    return look_at_point(whole);
  }
  const VectorX error = (part * z - right).cwiseAbs(), terms = part.cwiseAbs() * z.cwiseAbs() + right.cwiseAbs();
  if ((error.array() > kConsistent * terms.array()).any()) return;
  Eigen::FullPivLU<MatrixX> kernel;
  kernel.setThreshold(kRankRoundOff);
  kernel.compute(part);
  if (kernel.rank() == size) return;
  look_at_corners(z, kernel.kernel().colwise().normalized());
}

// The corners of { t : z_a = particular + null_space t >= 0, w_b >= 0 }: as many of these numbers are zero as t has.
void BasisEnumeration::look_at_corners(const VectorX& particular, const MatrixX& null_space) {
  const int size = original_.size(), freedom = static_cast<int>(null_space.cols());
  MatrixX slope(size, freedom);
  VectorX start(size);
  for (int i = 0; i < size; ++i) {
    slope.row(i) = scaled_.problem.matrix(i, alpha_) * null_space;
    const Eigen::RowVectorXd terms = scaled_.problem.matrix(i, alpha_).cwiseAbs() * null_space.cwiseAbs();
    for (int k = 0; k < freedom; ++k) {
      if (std::abs(slope(i, k)) <= kRankRoundOff * terms[k]) slope(i, k) = 0;  // a row that this freedom leaves alone
    }
    start[i] = scaled_.problem.matrix(i, alpha_).dot(particular) + scaled_.problem.offset[i];
  }
  for (std::size_t k = 0; k < alpha_.size(); ++k) {
    slope.row(alpha_[k]) = null_space.row(static_cast<int>(k));
    start[alpha_[k]] = particular[static_cast<int>(k)];
  }
  std::vector<int> zero(freedom);
  for (int k = 0; k < freedom; ++k) zero[k] = k;
  Eigen::FullPivLU<MatrixX> factors;
  const double smallest_pivot = kRankRoundOff * slope.cwiseAbs().maxCoeff();
  while (count_system()) {
    factors.compute(slope(zero, Eigen::all));
    if (factors.matrixLU().diagonal().cwiseAbs().minCoeff() > smallest_pivot) {
      const VectorX values = start - slope * factors.solve(VectorX(start(zero)));
      VectorX z = VectorX::Zero(size);
      z(alpha_) = values(alpha_);
      for (const int i : zero) z[i] = 0;
      look_at_point(z);
    }
    int last = freedom - 1;  // the next choice of so many out of size
    while (last >= 0 && zero[last] == size - freedom + last) --last;
    if (last < 0) return;
    ++zero[last];
    for (int k = last + 1; k < freedom; ++k) zero[k] = zero[k - 1] + 1;
  }
}

void BasisEnumeration::look_at_point(const VectorX& z) {
  if (!z.allFinite()) return;
  const double largest = z.size() == 0 ? 0.0 : z.cwiseAbs().maxCoeff();
  if (z.size() > 0 && z.minCoeff() < -options_.distinct * largest) return;
  const VectorX admitted = z.cwiseMax(0.0);
  if (!(complementarity_residual(scaled_.problem, admitted) <= options_.tolerance)) return;
  for (const VectorX& other : found_) {
    if (z.size() == 0 || (other - admitted).cwiseAbs().maxCoeff() <=
                             options_.distinct * std::max(largest, other.cwiseAbs().maxCoeff())) {
      return;
    }
  }
  found_.push_back(admitted);
  result_.solutions.emplace_back(scaled_.unknown_scale.cwiseProduct(admitted));
}

}  // namespace

EnumerationResult enumerate_solutions(const LinearComplementarityProblem& problem, const EnumerationOptions& options) {
  validate(problem);
  if (problem.size() > kLargestEnumeration) {
    throw std::invalid_argument(fmt::format("enumeration takes at most {} complementary pairs, but there are {}",
                                            kLargestEnumeration, problem.size()));
  }
  return BasisEnumeration(problem, options).run();
}

}  // namespace ricochet::cone
