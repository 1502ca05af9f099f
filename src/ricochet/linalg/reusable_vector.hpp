// A vector that keeps its memory when its size changes, for data with one entry per contact: contacts come and go at
// every step, and a vector of Eigen would ask for new memory each time. In expressions it is an ordinary vector.
#pragma once

#include <new>
#include <vector>

#include "ricochet/math/types.hpp"

namespace ricochet::linalg {

class ReusableVector : public Eigen::Map<VectorX> {
 public:
  using Base = Eigen::Map<VectorX>;

  ReusableVector() : Base(nullptr, 0) {}
  ReusableVector(const ReusableVector& other) : Base(nullptr, 0) { *this = other; }
  ~ReusableVector() = default;
  template <class Derived>
  ReusableVector(const Eigen::MatrixBase<Derived>& other) : Base(nullptr, 0) {  // NOLINT: as implicit as for VectorX
    *this = other;
  }

  ReusableVector& operator=(const ReusableVector& other) {
    resize(other.size());
    Base::operator=(other);
    return *this;
  }
  template <class Derived>
  ReusableVector& operator=(const Eigen::MatrixBase<Derived>& other) {
    resize(other.size());
    Base::operator=(other);
    return *this;
  }

  // The entries are not defined afterwards, unless the size stays the same.
  void resize(Eigen::Index size) {
    if (size == this->size()) return;
    if (static_cast<std::size_t>(size) > storage_.size()) storage_.resize(static_cast<std::size_t>(size));
    new (static_cast<Base*>(this)) Base(storage_.data(), size);  // how Eigen lets a map look elsewhere
  }

  // The entries that there are stay, those that come are zero.
  void extend(Eigen::Index size) {
    const Eigen::Index before = this->size();
    resize(size);
    if (size > before) this->tail(size - before).setZero();
  }

  using Base::setZero;
  void setZero(Eigen::Index size) {
    resize(size);
    Base::setZero();
  }

 private:
  std::vector<double> storage_;
};

// A vector given to a function that only reads it.
using VectorView = Eigen::Ref<const VectorX>;

}  // namespace ricochet::linalg
