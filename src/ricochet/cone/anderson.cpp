#include "ricochet/cone/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cstddef>

namespace ricochet::cone {

namespace {

constexpr double kLegGain = 0.95;  // of |f|, for a leg to be kept
constexpr int kFirstPatience = 2;
constexpr int kMostPatience = 32;
constexpr double kWindowRegularisation = 1e-14;  // of the trace of the normal equations

using WindowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Anderson::kWindow, Anderson::kWindow>;
using WindowVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Anderson::kWindow, 1>;

double inner_product(const double* x, const double* y, int size) {
  double sum = 0;
  for (int k = 0; k < size; ++k) sum += x[k] * y[k];
  return sum;
}

}  // namespace

void Anderson::reset(int size) {
  size_ = size;
  restart();
  const auto grow = [](std::vector<double>& vector, std::size_t length) {
    if (vector.size() < length) vector.resize(length);
  };
  const auto length = static_cast<std::size_t>(size);
  grow(last_change_, length);
  grow(last_image_, length);
  grow(change_steps_, length * kWindow);
  grow(image_steps_, length * kWindow);
}

bool Anderson::find_coefficients(const double* change, double* gamma) const {
  const int used = std::min(columns_, kWindow);
  WindowMatrix matrix(used, used);
  WindowVector right(used);
  for (int i = 0; i < used; ++i) {
    for (int j = 0; j < used; ++j) matrix(i, j) = gram_[i * kWindow + j];
    right[i] = inner_product(change_steps_.data() + static_cast<std::ptrdiff_t>(i) * size_, change, size_);
  }
  const double trace = matrix.trace();
  if (!(trace > 0)) return false;
  matrix.diagonal().array() += kWindowRegularisation * trace;
  const Eigen::LDLT<WindowMatrix> factors(matrix);
  const WindowVector solution = factors.solve(right);
  if (!solution.allFinite()) return false;
  std::copy(solution.data(), solution.data() + used, gamma);
  return true;
}

bool Anderson::extrapolate(const double* change, const double* image, double* next) {
  std::copy(image, image + size_, next);
  if (past_ != 0) {
    const int slot = columns_ % kWindow;
    double* change_step = change_steps_.data() + static_cast<std::ptrdiff_t>(slot) * size_;
    double* image_step = image_steps_.data() + static_cast<std::ptrdiff_t>(slot) * size_;
    for (int k = 0; k < size_; ++k) {
      change_step[k] = change[k] - last_change_[k];
      image_step[k] = image[k] - last_image_[k];
    }
    ++columns_;
    for (int j = 0; j < std::min(columns_, kWindow); ++j) {
      const double product =
          inner_product(change_step, change_steps_.data() + static_cast<std::ptrdiff_t>(j) * size_, size_);
      gram_[slot * kWindow + j] = gram_[j * kWindow + slot] = product;
    }
  }
  std::copy(change, change + size_, last_change_.data());
  std::copy(image, image + size_, last_image_.data());
  past_ = 1;
  double gamma[kWindow] = {};
  if (columns_ == 0 || !find_coefficients(change, gamma)) return false;
  for (int j = 0; j < std::min(columns_, kWindow); ++j) {
    const double* image_step = image_steps_.data() + static_cast<std::ptrdiff_t>(j) * size_;
    for (int k = 0; k < size_; ++k) next[k] -= gamma[j] * image_step[k];
  }
  return true;
}

void SafeguardedAnderson::reset(int size) {
  size_ = size;
  anderson_.reset(size);
  for (std::vector<double>* vector : {&weights_, &change_, &last_change_, &next_, &last_image_, &leg_start_}) {
    if (vector->size() < static_cast<std::size_t>(size)) vector->resize(size);
  }
  std::fill(change_.data(), change_.data() + size, 0.0);
  jumped_ = false;
  leg_ = pause_ = 0;
  patience_ = kFirstPatience;
}

bool SafeguardedAnderson::find_jump(const double* image) {
  if (!anderson_.extrapolate(change_.data(), image, next_.data()) || pause_ > 0) return false;
  double forward = 0;
  for (int k = 0; k < size_; ++k) forward += (next_[k] - image[k]) * weights_[k] * change_[k];
  return forward > 0 || alignment_ <= 0;
}

void SafeguardedAnderson::begin_leg(const double* image, double square) {
  std::copy(image, image + size_, leg_start_.data());
  leg_square_ = square;
  leg_ = 0;
}

// Judges the leg that ends with this |f|^2.
bool SafeguardedAnderson::leg_is_kept(double square) {
  const bool kept = square <= kLegGain * kLegGain * leg_square_;
  if (kept) {
    patience_ = std::max(patience_ / 2, kFirstPatience);
  } else {
    pause_ = patience_ * leg_;
    patience_ = std::min(2 * patience_, kMostPatience);
  }
  return kept;
}

bool SafeguardedAnderson::return_to(const std::vector<double>& point, double* image) {
  std::copy(point.data(), point.data() + size_, image);
  anderson_.restart();
  jumped_ = false;
  return true;
}

bool SafeguardedAnderson::choose_next(const double* x, double* image) {
  last_change_.swap(change_);
  double square = 0;
  alignment_ = 0;
  for (int k = 0; k < size_; ++k) {
    change_[k] = (image[k] - x[k]) * weights_[k];
    square += change_[k] * change_[k];
    alignment_ += change_[k] * last_change_[k];
  }
  if (jumped_) {
    ++leg_;
    const bool worse = !(square < last_square_);
    if (worse) return return_to(leg_is_kept(last_square_) ? last_image_ : leg_start_, image);
    if (leg_ == kLongestLeg) {
      if (!leg_is_kept(square)) return return_to(leg_start_, image);
      begin_leg(image, square);
    }
  } else if (pause_ > 0) {
    --pause_;
  }
  last_square_ = square;
  if (!find_jump(image)) {
    jumped_ = false;
    return false;
  }
  if (!jumped_) begin_leg(image, square);
  jumped_ = true;
  std::copy(image, image + size_, last_image_.data());
  std::copy(next_.data(), next_.data() + size_, image);
  return true;
}

}  // namespace ricochet::cone
