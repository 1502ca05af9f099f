#include "ricochet/cone/residual_scales.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/math/fetch.hpp"

namespace ricochet::cone {

namespace {

constexpr int kBlocksAhead = 8;  // whose diagonal blocks, far from each other, are asked for early

// The sum of `count` diagonal entries of a row-major block from component `start` on, zero rather than negative.
double part_trace(const double* block, int size, int start, int count) {
  double trace = 0;
  for (int k = start; k < start + count; ++k) trace += block[k * (size + 1)];
  return std::max(trace, 0.0);
}

}  // namespace

// `linear_part`: the trace of the components of force.
void ResidualScales::Sums::add(const BlockLaw& law, const double* block, double linear_part) {
  if (law.bilateral) {
    for (int k = 0; k < law.size && !(first_bilateral > 0); ++k) {
      first_bilateral = block[k * (law.size + 1)];
    }
    return;
  }
  const int linear = law.linear_size();
  linear_size += linear;
  linear_trace += linear_part;
  if (law.size == linear) return;
  angular_size += law.size - linear;
  angular_trace += part_trace(block, law.size, linear, law.size - linear);
}

double ResidualScales::Sums::mean_response() const {
  if (linear_trace > 0) return linear_trace / linear_size;
  return first_bilateral > 0 ? first_bilateral : 1.0;
}

double ResidualScales::Sums::mean_arm() const {
  return angular_trace > 0 ? std::sqrt(mean_response() / (angular_trace / angular_size)) : 1.0;
}

// The mass of a contact, its arms, and its law in the units that they make.
void ResidualScales::set_arms(const double* block, const Sums& sums, Contact& contact) {
  BlockLaw& law = contact.law;
  double* arms = arms_.data() + contact.offset;
  if (law.bilateral) {
    const double response = sums.mean_response();
    contact.mass = 1 / response;
    for (int k = 0; k < law.size; ++k) {
      const double own = block[k * (law.size + 1)];
      arms[k] = own > 0 ? std::sqrt(response / own) : 1.0;
    }
    return;
  }
  const int linear = law.linear_size();
  const double trace = contact.linear_trace;
  contact.mass = trace > 0 ? linear / trace : 1 / sums.mean_response();
  if (law.size <= 3) return;
  const double response = trace > 0 ? trace / linear : sums.mean_response();
  std::fill(arms, arms + linear, 1.0);
  const auto arm = [&](int start, int count) {
    const double own = part_trace(block, law.size, start, count);
    const double length = own > 0 ? std::sqrt(response / (own / count)) : sums.mean_arm();
    std::fill(arms + start, arms + start + count, length);
    return length;
  };
  if (law.size > linear) law.friction.rolling /= arm(linear, 2);
  if (law.size > linear + 2) law.friction.spinning /= arm(5, 1);
}

double ResidualScales::speed_squared(int contact, const linalg::VectorView& free_velocity) const {
  const double* b = free_velocity.data() + contacts_[contact].offset;
  double square = 0;
  for (int k = 0; k < law(contact).size; ++k) {
    const double speed = has_arms(contact) ? arms(contact)[k] * b[k] : b[k];
    square += speed * speed;
  }
  return square;
}

void ResidualScales::find_speeds(int island, const linalg::VectorView& free_velocity) {
  double largest_square = 0;
  for (const int i : islands_.contacts(island)) {
    largest_square = std::max(largest_square, speed_squared(i, free_velocity));
  }
  for (const int i : islands_.contacts(island)) contacts_[i].speed = std::sqrt(largest_square);
}

void ResidualScales::prepare(const linalg::BlockSparseMatrix& diagonal, std::span<const Friction> friction,
                             std::span<const char> bilateral, const linalg::VectorView& free_velocity) {
  const int contacts = diagonal.rows();
  sums_.reserve(contacts);
  sums_.assign(islands_.count(), {});
  contacts_.resize(contacts);
  arms_.resize(diagonal.scalar_rows());
  const double* values = diagonal.values().data();
  const auto find = [&](int i) {
    Contact& contact = contacts_[i];
    contact.law = {diagonal.row_size(i), !bilateral.empty() && bilateral[i] != 0, friction[i]};
    contact.offset = diagonal.row_offset(i);
    contact.block_start = diagonal_entry(diagonal, i).value_start;
    math::fetch(values + contact.block_start);
  };
  for (int i = 0; i < std::min(contacts, kBlocksAhead); ++i) find(i);
  for (int i = 0; i < contacts; ++i) {
    if (i + kBlocksAhead < contacts) find(i + kBlocksAhead);
    Contact& contact = contacts_[i];
    const double* block = values + contact.block_start;
    contact.linear_trace =
        contact.law.bilateral ? 0 : part_trace(block, contact.law.size, 0, contact.law.linear_size());
    sums_[islands_.island_of(i)].add(contact.law, block, contact.linear_trace);
  }
  for (int i = 0; i < contacts; ++i) {
    Contact& contact = contacts_[i];
    Sums& sums = sums_[islands_.island_of(i)];
    set_arms(values + contact.block_start, sums, contact);
    sums.largest_square = std::max(sums.largest_square, speed_squared(i, free_velocity));
  }
  for (int i = 0; i < contacts; ++i) contacts_[i].speed = std::sqrt(sums_[islands_.island_of(i)].largest_square);
}

void ResidualScales::prepare(const ContactProblem& problem) {
  islands_.find(problem.delassus);
  prepare(problem.delassus, problem.friction, problem.bilateral, problem.free_velocity);
}

}  // namespace ricochet::cone
