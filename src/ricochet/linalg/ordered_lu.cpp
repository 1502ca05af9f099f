#include "ricochet/linalg/ordered_lu.hpp"

#include <klu.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "ricochet/linalg/all_finite.hpp"

namespace ricochet::linalg {

struct OrderedLu::Factors {
  Factors() {
    klu_defaults(&common);
    common.btf = 0;     // it would permute rows and columns
    common.scale = -1;  // whoever has units scales before; nor are the indices checked again
    common.tol = 0;     // the diagonal, however small
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() { release(); }

  void release() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }

  klu_common common = {};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::vector<int> starts = {0}, rows;
  bool good = false;

  int size() const { return static_cast<int>(starts.size()) - 1; }
};

OrderedLu::OrderedLu() : factors_(std::make_unique<Factors>()) {}
OrderedLu::OrderedLu(OrderedLu&&) noexcept = default;
OrderedLu& OrderedLu::operator=(OrderedLu&&) noexcept = default;
OrderedLu::~OrderedLu() = default;

// The structure of the factors comes from a factorisation of numbers that leave no doubt about the pivots; those of
// the caller must not have a say in it. Sorted, so that sums are in the order of elimination whatever the pattern: an
// entry more that is zero does not change them.
void OrderedLu::set_pattern(std::span<const int> starts, std::span<const int> rows, std::span<const int> order) {
  Factors& f = *factors_;
  f.release();
  f.good = false;
  f.starts.assign(starts.begin(), starts.end());
  f.rows.assign(rows.begin(), rows.end());
  if (f.size() == 0) return;
  std::vector<int> permutation(order.begin(), order.end());
  std::vector<double> values(rows.size(), 1.0);
  for (int column = 0; column < f.size(); ++column) {
    bool on_diagonal = false;
    for (int k = f.starts[column]; k < f.starts[column + 1]; ++k) {
      if (f.rows[k] != column) continue;
      values[k] = 2.0 * f.size();  // dominates its row and column
      on_diagonal = true;
    }
    if (!on_diagonal) throw std::invalid_argument("OrderedLu: the pattern lacks an entry on the diagonal");
  }
  f.symbolic =
      klu_analyze_given(f.size(), f.starts.data(), f.rows.data(), permutation.data(), permutation.data(), &f.common);
  if (f.symbolic != nullptr) {
    f.numeric = klu_factor(f.starts.data(), f.rows.data(), values.data(), f.symbolic, &f.common);
  }
  if (f.numeric == nullptr || klu_sort(f.symbolic, f.numeric, &f.common) == 0) {
    throw std::invalid_argument("OrderedLu: not a pattern, or not an order of its unknowns");
  }
}

bool OrderedLu::factorise(std::span<const double> values, double max_growth) {
  Factors& f = *factors_;
  f.good = f.size() == 0;
  if (f.good) return true;
  auto* entries = const_cast<double*>(values.data());  // KLU only reads them
  if (klu_refactor(f.starts.data(), f.rows.data(), entries, f.symbolic, f.numeric, &f.common) == 0) return false;
  if (f.common.status != KLU_OK) return false;
  const std::span<const double> pivots(static_cast<const double*>(f.numeric->Udiag),
                                       static_cast<std::size_t>(f.size()));
  if (!all_finite(pivots)) return false;
  klu_rgrowth(f.starts.data(), f.rows.data(), entries, f.symbolic, f.numeric, &f.common);
  f.good = f.common.rgrowth * max_growth >= 1;
  return f.good;
}

void OrderedLu::solve(double* right, int columns) const {
  const Factors& f = *factors_;
  if (f.size() == 0) return;
  if (!f.good || klu_solve(f.symbolic, f.numeric, f.size(), columns, right, &factors_->common) == 0) {
    throw std::logic_error("OrderedLu: solve needs a factorisation");
  }
}

}  // namespace ricochet::linalg
