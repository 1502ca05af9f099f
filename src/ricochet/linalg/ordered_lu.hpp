// LU factorisation of a sparse matrix (SuiteSparse KLU) with the pivots on its diagonal, in an order that is given.
//
// Pattern and order decide everything that is not arithmetic: the same values give the same bits whatever was
// factorised before, and once a pattern is known nothing is allocated. That is three times faster than the search for
// pivots of SparseLu, and as accurate for matrices that are definite or quasi-definite in this order. For others it is
// not: `factorise` says so when entries have grown, and whoever asked turns to SparseLu.
#pragma once

#include <memory>
#include <span>

namespace ricochet::linalg {

class OrderedLu {
 public:
  OrderedLu();
  OrderedLu(const OrderedLu&) = delete;
  OrderedLu& operator=(const OrderedLu&) = delete;
  OrderedLu(OrderedLu&&) noexcept;
  OrderedLu& operator=(OrderedLu&&) noexcept;
  ~OrderedLu();

  // A square matrix in compressed columns, as for SparseLu, with an entry for every place on the diagonal. The unknown
  // order[k] is the k-th to be eliminated. Entries outside the diagonal may be zero and cost only time.
  void set_pattern(std::span<const int> starts, std::span<const int> rows, std::span<const int> order);

  // False if a pivot vanishes, a number is not finite, or entries grow by more than `max_growth`, in which case digits
  // are lost.
  bool factorise(std::span<const double> values, double max_growth = usual_growth);
  static constexpr double usual_growth = 100;

  // In place, `columns` right sides one after the other. Each comes out as if it had been alone.
  void solve(double* right, int columns = 1) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace ricochet::linalg
