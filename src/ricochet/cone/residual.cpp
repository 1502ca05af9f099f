#include "ricochet/cone/residual.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

#include "ricochet/math/projection.hpp"

namespace ricochet::cone {

namespace {

constexpr double kImpulseWeight = 1e-4;  // see the header: keeps round-off of large impulses from counting as error
constexpr int kLargestBlock = 3;

double residual_trace(const ContactProblem& problem, int contact) {
  const int size = problem.block_size(contact);
  const double* block = problem.delassus.values().data() + diagonal_entry(problem, contact).value_start;
  double trace = 0;
  for (int i = 0; i < size; ++i) trace += block[i * (size + 1)];
  return trace;
}

// The rho of contacts that have none of their own.
double mean_rho(const ContactProblem& problem) {
  double trace = 0;
  for (int i = 0; i < problem.contacts(); ++i) trace += std::max(residual_trace(problem, i), 0.0);
  return trace > 0 ? problem.delassus.scalar_rows() / trace : 1.0;
}

// |F_i|^2 from pointers to r_i and u_i.
double natural_map_square(int size, double friction, double rho, const double* r, const double* u) {
  double tangential_square = 0;
  for (int k = 1; k < size; ++k) tangential_square += u[k] * u[k];
  double projected[kLargestBlock] = {};
  projected[0] = r[0] - rho * (u[0] + friction * std::sqrt(tangential_square));
  for (int k = 1; k < size; ++k) projected[k] = r[k] - rho * u[k];
  math::project_onto_cone(friction, std::span<double>(projected, size));
  double square = 0;
  for (int k = 0; k < size; ++k) square += (r[k] - projected[k]) * (r[k] - projected[k]);
  return square;
}

double block_norm(const double* block, int size) {
  double square = 0;
  for (int k = 0; k < size; ++k) square += block[k] * block[k];
  return std::sqrt(square);
}

}  // namespace

void contact_velocity(const ContactProblem& problem, const linalg::VectorView& impulses,
                      linalg::ReusableVector& velocity) {
  if (impulses.size() != problem.delassus.scalar_rows()) {
    throw std::invalid_argument("the impulses have " + std::to_string(impulses.size()) +
                                " entries, the contact problem " + std::to_string(problem.delassus.scalar_rows()));
  }
  velocity = problem.free_velocity;
  problem.delassus.multiply_add(impulses, velocity);
}

Residual residual(const ContactProblem& problem, const linalg::VectorView& impulses, linalg::ReusableVector& velocity) {
  contact_velocity(problem, impulses, velocity);
  double largest_free_velocity = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    largest_free_velocity =
        std::max(largest_free_velocity,
                 block_norm(problem.free_velocity.data() + problem.block_offset(i), problem.block_size(i)));
  }
  Residual worst;
  double rho_without_mass = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const int size = problem.block_size(i);
    const double trace = residual_trace(problem, i);
    double rho = size / trace;
    if (!(trace > 0)) {
      if (rho_without_mass == 0) rho_without_mass = mean_rho(problem);
      rho = rho_without_mass;
    }
    const double* r = impulses.data() + problem.block_offset(i);
    const double* u = velocity.data() + problem.block_offset(i);
    const double friction = size > 1 ? problem.friction[i] : 0.0;
    const double error = std::sqrt(natural_map_square(size, friction, rho, r, u));
    const double scale = std::max(rho * largest_free_velocity, kImpulseWeight * block_norm(r, size));
    // The scale is zero where b = 0 and r_i = 0. If other impulses then move the contact the wrong way, the error is
    // infinite compared with nothing.
    const double value = error == 0 ? 0.0 : error / scale;
    if (worst.worst_contact < 0 || !(value <= worst.value)) worst = {value, i};
    if (std::isnan(value)) break;
  }
  return worst;
}

Residual residual(const ContactProblem& problem, const linalg::VectorView& impulses) {
  linalg::ReusableVector velocity;
  return residual(problem, impulses, velocity);
}

double fclib_residual(const ContactProblem& problem, const linalg::VectorView& impulses) {
  linalg::ReusableVector velocity;
  contact_velocity(problem, impulses, velocity);
  double square = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const int size = problem.block_size(i);
    const double friction = size > 1 ? problem.friction[i] : 0.0;
    square += natural_map_square(size, friction, 1.0, impulses.data() + problem.block_offset(i),
                                 velocity.data() + problem.block_offset(i));
  }
  return std::sqrt(square) / (1.0 + problem.free_velocity.norm());
}

}  // namespace ricochet::cone
