#include "ricochet/linalg/body_lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>

// The same function for wider registers, chosen when the program starts. Products are not fused with sums
// (-ffp-contract=off), so all of them give the same bits.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RICOCHET_WIDE_REGISTERS __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define RICOCHET_WIDE_REGISTERS
#endif

namespace ricochet::linalg {

namespace {

constexpr int kBlock = 6;

// Six numbers as four and two: what registers of AVX like; others take them in pairs.
using Four [[gnu::vector_size(32)]] = double;
using Two [[gnu::vector_size(16)]] = double;

// C -= A B for C and A by columns and B by rows; and, exchanged, C -= B^T A^T: C by rows, B by rows, A by columns.
[[gnu::always_inline]] inline void subtract_product(double* c, const double* a, const double* b) {
  Four upper[kBlock];
  Two lower[kBlock];
  for (int k = 0; k < kBlock; ++k) {
    std::memcpy(&upper[k], a + kBlock * k, sizeof(Four));
    std::memcpy(&lower[k], a + kBlock * k + 4, sizeof(Two));
  }
  for (int j = 0; j < kBlock; ++j) {
    Four four = upper[0] * b[j];
    Two two = lower[0] * b[j];
    for (int k = 1; k < kBlock; ++k) {
      four += upper[k] * b[kBlock * k + j];
      two += lower[k] * b[kBlock * k + j];
    }
    Four own_four;
    Two own_two;
    std::memcpy(&own_four, c + kBlock * j, sizeof(Four));
    std::memcpy(&own_two, c + kBlock * j + 4, sizeof(Two));
    own_four -= four;
    own_two -= two;
    std::memcpy(c + kBlock * j, &own_four, sizeof(Four));
    std::memcpy(c + kBlock * j + 4, &own_two, sizeof(Two));
  }
}

}  // namespace

// --- The pattern -----------------------------------------------------------------------------------------------------

// Eliminates, again and again, the body with the fewest neighbours, the first of several; they then touch each other.
//
// Of a heap that takes too many products this is known long before they are reached: all pairs that are left are still
// to be eliminated, and new ones only come on top. So the numbers of neighbours add up to the pairs at least, and their
// squares to the least that such a sum allows, which is with all of them equal.
bool BodyLu::order_bodies(int bodies, std::span<const Coupling> couplings, std::int64_t most_products) {
  if (neighbours_.size() < static_cast<std::size_t>(bodies)) neighbours_.resize(bodies);
  for (int body = 0; body < bodies; ++body) neighbours_[body].clear();
  for (const Coupling& coupling : couplings) {
    if (coupling.first == coupling.second) continue;
    neighbours_[coupling.first].push_back(coupling.second);
    neighbours_[coupling.second].push_back(coupling.first);
  }
  for (int body = 0; body < bodies; ++body) {
    std::vector<int>& own = neighbours_[body];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  order_.clear();
  position_.assign(bodies, -1);
  std::int64_t products = 0, ends = 0;  // two for each pair of neighbours that are left
  for (int body = 0; body < bodies; ++body) ends += static_cast<std::int64_t>(neighbours_[body].size());
  // The next one is on top of a heap. A body whose neighbours change enters it again; the older entry, whose number is
  // no longer true, is passed over when it comes up. (Looking at all bodies each time takes the square of their
  // number.)
  waiting_.clear();
  for (int body = 0; body < bodies; ++body) waiting_.emplace_back(static_cast<int>(neighbours_[body].size()), body);
  std::make_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  const auto take_next = [&] {
    for (;;) {
      std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
      const auto [degree, body] = waiting_.back();
      waiting_.pop_back();
      if (position_[body] < 0 && static_cast<std::size_t>(degree) == neighbours_[body].size()) return body;
    }
  };
  for (int place = 0; place < bodies; ++place) {
    const double pairs = 0.5 * static_cast<double>(ends);
    if (static_cast<double>(products) + pairs * pairs / (bodies - place) > static_cast<double>(most_products)) {
      return false;
    }
    const int next = take_next();
    position_[next] = place;
    order_.push_back(next);
    const auto degree = static_cast<std::int64_t>(neighbours_[next].size());
    products += degree * degree;
    ends -= degree;
    for (const int other : neighbours_[next]) {
      merged_.clear();
      std::set_union(neighbours_[other].begin(), neighbours_[other].end(), neighbours_[next].begin(),
                     neighbours_[next].end(), std::back_inserter(merged_));
      std::erase_if(merged_, [&](int body) { return body == next || body == other; });
      const bool same_number = merged_.size() == neighbours_[other].size();
      ends += static_cast<std::int64_t>(merged_.size()) - static_cast<std::int64_t>(neighbours_[other].size());
      neighbours_[other].assign(merged_.begin(), merged_.end());
      if (same_number) continue;
      waiting_.emplace_back(static_cast<int>(merged_.size()), other);
      std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    }
  }
  return products <= most_products;
}

bool BodyLu::set_pattern(int bodies, std::span<const Coupling> couplings, std::int64_t most_products) {
  if (!order_bodies(bodies, couplings, most_products)) return false;
  first_.assign(1, 0);
  rows_.clear();
  for (const int body : order_) {
    for (const int other : neighbours_[body]) rows_.push_back(position_[other]);
    std::sort(rows_.begin() + first_.back(), rows_.end());
    first_.push_back(static_cast<int>(rows_.size()));
  }
  targets_.clear();
  for (int k = 0; k < bodies; ++k) {
    for (int a = first_[k]; a < first_[k + 1]; ++a) {
      int target = first_[rows_[a]];  // what k couples is among what its row couples, in the same order
      for (int b = a + 1; b < first_[k + 1]; ++b) {
        while (rows_[target] != rows_[b]) ++target;
        targets_.push_back(target);
      }
    }
  }
  diagonal_.resize(bodies);
  inverse_pivots_.resize(bodies);
  solution_.resize(bodies);
  lower_.resize(rows_.size());
  upper_.resize(rows_.size());
  return true;
}

BodyLu::Place BodyLu::place(int row, int column) const {
  const int i = position_[row], j = position_[column];
  if (i == j) return {Place::Part::diagonal, i};
  const auto begin = rows_.begin() + first_[std::min(i, j)], end = rows_.begin() + first_[std::min(i, j) + 1];
  const auto index = static_cast<int>(std::lower_bound(begin, end, std::max(i, j)) - rows_.begin());
  return {i > j ? Place::Part::lower : Place::Part::upper, index};
}

// --- The numbers -----------------------------------------------------------------------------------------------------

void BodyLu::set_identity() {
  for (Matrix6& block : diagonal_) block.setIdentity();
  for (Matrix6& block : lower_) block.setZero();
  for (RowMajor6& block : upper_) block.setZero();
}

RICOCHET_WIDE_REGISTERS
bool BodyLu::factorise(double smallest_pivot) {
  const int* target = targets_.data();
  for (std::size_t k = 0; k < diagonal_.size(); ++k) {
    Matrix6& own = diagonal_[k];
    Vector6& inverse = inverse_pivots_[k];
    for (int c = 0; c < kComponents; ++c) {
      const double pivot = own(c, c);
      if (!(std::abs(pivot) >= smallest_pivot && std::isfinite(pivot))) return false;
      inverse[c] = 1 / pivot;
      for (int i = c + 1; i < kComponents; ++i) own(i, c) *= inverse[c];
      for (int j = c + 1; j < kComponents; ++j) {
        for (int i = c + 1; i < kComponents; ++i) own(i, j) -= own(i, c) * own(c, j);
      }
    }
    for (int a = first_[k]; a < first_[k + 1]; ++a) {
      Matrix6& lower = lower_[a];
      RowMajor6& upper = upper_[a];
      for (int c = 0; c < kComponents; ++c) {
        lower.col(c) *= inverse[c];
        for (int j = c + 1; j < kComponents; ++j) {
          lower.col(j) -= own(c, j) * lower.col(c);
          upper.row(j) -= own(j, c) * upper.row(c);
        }
      }
    }
    for (int a = first_[k]; a < first_[k + 1]; ++a) {
      subtract_product(diagonal_[rows_[a]].data(), lower_[a].data(), upper_[a].data());
      for (int b = a + 1; b < first_[k + 1]; ++b, ++target) {
        subtract_product(lower_[*target].data(), lower_[b].data(), upper_[a].data());
        subtract_product(upper_[*target].data(), upper_[b].data(), lower_[a].data());
      }
    }
  }
  return true;
}

void BodyLu::solve(double* right) const {
  for (std::size_t k = 0; k < order_.size(); ++k) solution_[k] = Vector6::Map(right + kComponents * order_[k]);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    Vector6& own = solution_[k];
    for (int c = 0; c < kComponents; ++c) {
      for (int i = c + 1; i < kComponents; ++i) own[i] -= diagonal_[k](i, c) * own[c];
    }
    for (int a = first_[k]; a < first_[k + 1]; ++a) solution_[rows_[a]].noalias() -= lower_[a].lazyProduct(own);
  }
  for (std::size_t k = order_.size(); k-- > 0;) {
    Vector6& own = solution_[k];
    for (int a = first_[k]; a < first_[k + 1]; ++a) own.noalias() -= upper_[a].lazyProduct(solution_[rows_[a]]);
    for (int c = kComponents; c-- > 0;) {
      own[c] *= inverse_pivots_[k][c];
      for (int i = 0; i < c; ++i) own[i] -= diagonal_[k](i, c) * own[c];
    }
    Vector6::Map(right + kComponents * order_[k]) = own;
  }
}

}  // namespace ricochet::linalg
