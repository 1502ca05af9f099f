#include "ricochet/linalg/sparse_lu.hpp"

#include <klu.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ricochet::linalg {

struct SparseLu::Factors {
  Factors() { klu_defaults(&common); }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }

  klu_common common = {};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::vector<int> starts = {0}, rows;
  std::vector<double> values;

  int size() const { return static_cast<int>(starts.size()) - 1; }
};

SparseLu::SparseLu() : factors_(std::make_unique<Factors>()) {}
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;
SparseLu::~SparseLu() = default;

bool SparseLu::set_pattern(std::span<const int> starts, std::span<const int> rows) {
  Factors& f = *factors_;
  if (std::equal(starts.begin(), starts.end(), f.starts.begin(), f.starts.end()) &&
      std::equal(rows.begin(), rows.end(), f.rows.begin(), f.rows.end())) {
    return false;
  }
  f.starts.assign(starts.begin(), starts.end());
  f.rows.assign(rows.begin(), rows.end());
  klu_free_numeric(&f.numeric, &f.common);
  klu_free_symbolic(&f.symbolic, &f.common);
  if (f.size() > 0) f.symbolic = klu_analyze(f.size(), f.starts.data(), f.rows.data(), &f.common);
  return true;
}

bool SparseLu::factorise(std::span<const double> values) {
  Factors& f = *factors_;
  if (f.size() == 0) return true;
  f.values.assign(values.begin(), values.end());
  klu_free_numeric(&f.numeric, &f.common);
  if (f.symbolic == nullptr) return false;  // structurally singular
  f.numeric = klu_factor(f.starts.data(), f.rows.data(), f.values.data(), f.symbolic, &f.common);
  if (f.numeric != nullptr && f.common.status == KLU_OK) return true;
  klu_free_numeric(&f.numeric, &f.common);
  return false;
}

bool SparseLu::refactorise(std::span<const double> values) {
  Factors& f = *factors_;
  if (f.size() == 0) return true;
  if (f.numeric == nullptr) return false;
  f.values.assign(values.begin(), values.end());
  return klu_refactor(f.starts.data(), f.rows.data(), f.values.data(), f.symbolic, f.numeric, &f.common) != 0 &&
         f.common.status == KLU_OK;
}

namespace {
[[noreturn]] void refuse_solve() { throw std::logic_error("SparseLu: solve needs a factorisation"); }
}  // namespace

void SparseLu::solve(double* right, int columns) const {
  const int size = factors_->size();
  if (size == 0) return;
  if (klu_solve(factors_->symbolic, factors_->numeric, size, columns, right, &factors_->common) == 0) refuse_solve();
}

void SparseLu::solve_transposed(double* right, int columns) const {
  const int size = factors_->size();
  if (size == 0) return;
  if (klu_tsolve(factors_->symbolic, factors_->numeric, size, columns, right, &factors_->common) == 0) refuse_solve();
}

}  // namespace ricochet::linalg
