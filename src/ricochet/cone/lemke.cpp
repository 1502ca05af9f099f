#include "ricochet/cone/lemke.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace ricochet::cone {

namespace {

constexpr double kPivotRoundOff = 0x1p-36;  // entries of the entering column, against its largest possible size
constexpr double kSmallRoundOff = 0x1p-40;  // entries of the entering column, against its largest entry
constexpr double kClearRoundOff = 0x1p-30;  // errors of a direction that is said to be a ray, against its terms
constexpr double kTieRoundOff = 0x1p-40;    // differences of ratios, against the terms they are made of
constexpr double kZeroRoundOff = 0x1p-46;   // values of basic unknowns, against the terms they are made of
constexpr double kProofRoundOff = 0x1p-30;
constexpr int kPivotsBetweenInversions = 40;  // and half a pivot more for every row
constexpr int kRefinements = 4;

// A basis of  I w - M z - d z_0 = q  and its inverse. Unknowns are numbered w = 0 ... n-1, z = n ... 2n-1, z_0 = 2n.
class ComplementaryBasis {
 public:
  ComplementaryBasis(const LinearComplementarityProblem& problem, const VectorX& covering)
      : problem_(problem), covering_(covering), size_(problem.size()), inverse_(MatrixX::Identity(size_, size_)) {
    for (int i = 0; i < size_; ++i) basic_.push_back(i);
  }

  int artificial() const { return 2 * size_; }
  int complement(int unknown) const { return unknown < size_ ? unknown + size_ : unknown - size_; }
  int basic(int row) const { return basic_[row]; }
  bool exact() const { return pivots_since_inversion_ == 0; }

  // The row in which z_0 enters: the smallest q_i / d_i, of equal ones the last, which is the lexicographic choice.
  int first_row() const {
    int row = 0;
    for (int i = 1; i < size_; ++i) {
      if (problem_.offset[i] / covering_[i] <= problem_.offset[row] / covering_[row]) row = i;
    }
    return row;
  }

  // B^-1 times the column of an unknown, and the round-off that its entries have.
  void transform(int unknown) {
    write_column(unknown, column_);
    direction_.noalias() = inverse_ * column_;
    noise_.noalias() = kPivotRoundOff * (inverse_.cwiseAbs() * column_.cwiseAbs());
  }
  const VectorX& direction() const { return direction_; }
  bool doubtful(int row) const { return direction_[row] <= 0x1p16 * std::max(noise_[row], smallest_entry()); }

  // True if the direction without what is small or positive in it still solves its equations: that then is round-off.
  bool is_ray() const {
    const MatrixX basis = basis_matrix();
    const double smallest = smallest_entry();
    const VectorX ray = direction_.unaryExpr([&](double entry) { return entry < -smallest ? entry : 0.0; });
    const VectorX error = (basis * ray - column_).cwiseAbs();
    const VectorX terms = basis.cwiseAbs() * ray.cwiseAbs() + column_.cwiseAbs();
    return (error.array() <= kClearRoundOff * terms.array()).all();
  }

  // The lexicographic ratio test; -1 if nothing stops the entering unknown. Entries which are small against the largest
  // one of the direction are mostly round-off of zeros, and left aside at first.
  int leaving_row(bool small_entries = false) const;
  void exchange(int row, int entering);
  bool invert();
  VectorX values() const { return inverse_ * problem_.offset; }
  std::array<VectorX, 3> refined_values() const;

  // The z among the values of the basic unknowns, none of them negative.
  VectorX z_part(const VectorX& values) const {
    VectorX z = VectorX::Zero(size_);
    for (int row = 0; row < size_; ++row) {
      if (basic_[row] >= size_ && basic_[row] < 2 * size_) z[basic_[row] - size_] = std::max(values[row], 0.0);
    }
    return z;
  }

 private:
  void write_column(int unknown, VectorX& column) const {
    if (unknown == artificial()) {
      column = -covering_;
    } else if (unknown >= size_) {
      column = -problem_.matrix.col(unknown - size_);
    } else {
      column = VectorX::Unit(size_, unknown);
    }
  }
  double smallest_entry() const { return kSmallRoundOff * direction_.cwiseAbs().maxCoeff(); }
  MatrixX basis_matrix() const {
    MatrixX basis(size_, size_);
    VectorX column;
    for (int row = 0; row < size_; ++row) {
      write_column(basic_[row], column);
      basis.col(row) = column;
    }
    return basis;
  }
  // Of the candidates keeps those whose number, divided by the entry of the direction, is smallest up to its error.
  void keep_smallest(const VectorX& numbers, const VectorX& errors, std::vector<int>& candidates) const;

  const LinearComplementarityProblem& problem_;
  const VectorX& covering_;
  int size_ = 0;
  MatrixX inverse_;
  std::vector<int> basic_;  // which unknown is basic in each row
  int pivots_since_inversion_ = 0;
  VectorX column_, direction_, noise_;
};

void ComplementaryBasis::keep_smallest(const VectorX& numbers, const VectorX& errors,
                                       std::vector<int>& candidates) const {
  double smallest = std::numeric_limits<double>::infinity();  // the least that the smallest ratio may be at most
  for (const int i : candidates) smallest = std::min(smallest, (numbers[i] + errors[i]) / direction_[i]);
  std::erase_if(candidates, [&](int i) { return (numbers[i] - errors[i]) / direction_[i] > smallest; });
}

int ComplementaryBasis::leaving_row(bool small_entries) const {
  std::vector<int> candidates;
  const double smallest = small_entries ? 0.0 : smallest_entry();
  for (int i = 0; i < size_; ++i) {
    if (direction_[i] > std::max(noise_[i], smallest)) candidates.push_back(i);
  }
  if (candidates.empty()) return -1;
  // A basic unknown below zero is there by round-off.
  VectorX numbers = values().cwiseMax(0.0);
  VectorX errors = kTieRoundOff * (inverse_.cwiseAbs() * problem_.offset.cwiseAbs());
  keep_smallest(numbers, errors, candidates);
  for (const int i : candidates) {
    if (basic_[i] == artificial()) return i;
  }
  const VectorX largest_of_row = kTieRoundOff * inverse_.cwiseAbs().rowwise().maxCoeff();
  for (int j = 0; j < size_ && candidates.size() > 1; ++j) {
    numbers = inverse_.col(j);
    keep_smallest(numbers, largest_of_row, candidates);
  }
  return *std::max_element(candidates.begin(), candidates.end(),
                           [&](int a, int b) { return direction_[a] < direction_[b]; });
}

void ComplementaryBasis::exchange(int row, int entering) {
  inverse_.row(row) /= direction_[row];
  direction_[row] = 0;
  const Eigen::RowVectorXd pivot_row = inverse_.row(row);
  inverse_.noalias() -= direction_ * pivot_row;
  basic_[row] = entering;
  ++pivots_since_inversion_;
  if (pivots_since_inversion_ >= kPivotsBetweenInversions + size_ / 2) invert();
}

// False if the basis is singular in floating point; the inverse is then as good as the updates have left it.
bool ComplementaryBasis::invert() {
  const MatrixX inverse = basis_matrix().partialPivLu().inverse();
  if (!inverse.allFinite()) return false;
  inverse_ = inverse;
  pivots_since_inversion_ = 0;
  return true;
}

// Some of them may be zero, but for round-off: such a remainder matters where it is all that there is in a row. So
// there are three versions: as computed; without what is below its own round-off; without what is small against the
// largest.
std::array<VectorX, 3> ComplementaryBasis::refined_values() const {
  const MatrixX basis = basis_matrix();
  const Eigen::PartialPivLU<MatrixX> factors(basis);
  VectorX x = factors.solve(problem_.offset);
  VectorX error(size_);
  for (int repeat = 0; repeat < kRefinements; ++repeat) {
    for (int i = 0; i < size_; ++i) {
      long double sum = problem_.offset[i];
      for (int j = 0; j < size_; ++j) sum -= static_cast<long double>(basis(i, j)) * x[j];
      error[i] = static_cast<double>(sum);
    }
    x += factors.solve(error);
  }
  std::array<VectorX, 3> versions = {x, x, x};
  const VectorX terms = problem_.offset.cwiseAbs() + basis.cwiseAbs() * x.cwiseAbs();
  const VectorX round_off = kZeroRoundOff * (factors.inverse().cwiseAbs() * terms);
  const double small = kZeroRoundOff * x.cwiseAbs().maxCoeff();
  for (int i = 0; i < size_; ++i) {
    if (std::abs(x[i]) <= round_off[i]) versions[1][i] = 0;
    if (std::abs(x[i]) <= small) versions[2][i] = 0;
  }
  return versions;
}

// See the header: does the direction y of z along a ray prove that no z >= 0 has M z + q >= 0?
bool proves_infeasibility(const LinearComplementarityProblem& problem, const VectorX& y) {
  const VectorX products = problem.matrix.transpose() * y;
  const VectorX sizes = problem.matrix.cwiseAbs().transpose() * y;
  return (products.array() <= kProofRoundOff * sizes.array()).all() &&
         problem.offset.dot(y) < -kProofRoundOff * problem.offset.cwiseAbs().dot(y);
}

struct LemkePath {
  ComplementarityStatus status = ComplementarityStatus::limit;
  int pivots = 0;
  bool infeasible = false;
  VectorX z;  // where it ends
  double residual = 0;
};

// From the first pivot to the last, for an equilibrated problem in which some q_i is negative.
LemkePath follow_path(const LinearComplementarityProblem& problem, const VectorX& covering, int pivot_limit) {
  ComplementaryBasis basis(problem, covering);
  LemkePath path;
  int entering = basis.artificial(), leaving = -1;
  while (path.pivots < pivot_limit && leaving != basis.artificial()) {
    basis.transform(entering);
    int row = path.pivots == 0 ? basis.first_row() : basis.leaving_row();
    if (path.pivots > 0 && !basis.exact() && (row < 0 || basis.doubtful(row)) && basis.invert()) continue;
    const bool ray = row < 0 && basis.is_ray();
    if (row < 0 && !ray) row = basis.leaving_row(true);
    if (row < 0 && !ray) break;
    if (ray) {
      path.status = ComplementarityStatus::ray;
      VectorX direction = basis.z_part(-basis.direction());
      if (entering >= problem.size()) direction[entering - problem.size()] = 1;
      path.infeasible = proves_infeasibility(problem, direction);
      break;
    }
    leaving = basis.basic(row);
    basis.exchange(row, entering);
    ++path.pivots;
    entering = basis.complement(leaving);
  }
  path.z = VectorX::Zero(problem.size());
  path.residual = std::numeric_limits<double>::infinity();
  for (const VectorX& values : basis.refined_values()) {
    const VectorX z = basis.z_part(values);
    const double residual = complementarity_residual(problem, z);
    if (!(residual < path.residual)) continue;
    path.z = z;
    path.residual = residual;
  }
  return path;
}

}  // namespace

LemkeResult solve_lemke(const LinearComplementarityProblem& problem, const LemkeOptions& options) {
  validate(problem);
  const int size = problem.size();
  const bool own_covering = options.covering.size() > 0;
  if (own_covering &&
      (options.covering.size() != size || !options.covering.allFinite() || !(options.covering.array() > 0).all())) {
    throw std::invalid_argument("Lemke's covering vector needs a positive, finite entry for every row");
  }
  LemkeResult result;
  result.z = VectorX::Zero(size);
  if (size == 0 || problem.offset.minCoeff() >= 0) {
    result.report.status = ComplementarityStatus::solved;
    return result;
  }
  const ScaledComplementarity scaled = equilibrated(problem);
  VectorX covering = VectorX::Ones(size);
  if (own_covering) {
    covering = scaled.row_scale.cwiseProduct(options.covering);
    covering /= covering.maxCoeff();
  }
  const int pivot_limit = options.pivot_limit < 0 ? 100 + 50 * size : options.pivot_limit;
  const LemkePath path = follow_path(scaled.problem, covering, pivot_limit);
  result.z = scaled.unknown_scale.cwiseProduct(path.z);
  result.report = {path.status, complementarity_residual(problem, result.z), path.pivots, path.infeasible};
  // The residual has the last word: a path may end beside a solution without the last pivot.
  if (result.report.residual <= options.tolerance) {
    result.report.status = ComplementarityStatus::solved;
    result.report.infeasible = false;
  }
  return result;
}

}  // namespace ricochet::cone
