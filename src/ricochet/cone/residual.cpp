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

void require_fitting(const ContactProblem& problem, const linalg::VectorView& impulses) {
  if (impulses.size() == problem.delassus.scalar_rows()) return;
  throw std::invalid_argument("the impulses have " + std::to_string(impulses.size()) +
                              " entries, the contact problem " + std::to_string(problem.delassus.scalar_rows()));
}

// Makes `worst` the residual of one contact if that is larger. A NaN stays.
void look_at_contact(const ContactProblem& problem, const ResidualScales& scales, const double* impulses, int contact,
                     Residual& worst) {
  if (std::isnan(worst.value)) return;
  const int size = problem.block_size(contact), offset = problem.block_offset(contact);
  double u[kLargestBlock] = {};
  for (int k = 0; k < size; ++k) u[k] = problem.free_velocity[offset + k];
  problem.delassus.multiply_add_row(contact, impulses, u);
  const double* r = impulses + offset;
  const double friction = size > 1 ? problem.friction[contact] : 0.0;
  const double error = std::sqrt(natural_map_square(size, friction, scales.mass(contact), r, u));
  const double scale = std::max(scales.impulse(contact), kImpulseWeight * block_norm(r, size));
  // The scale is zero where b = 0 and r_i = 0. If other impulses then move the contact the wrong way, the error is
  // infinite compared with nothing.
  const double value = error == 0 ? 0.0 : error / scale;
  if (worst.worst_contact < 0 || !(value <= worst.value)) worst = {value, contact};
}

}  // namespace

void contact_velocity(const ContactProblem& problem, const linalg::VectorView& impulses,
                      linalg::ReusableVector& velocity) {
  require_fitting(problem, impulses);
  velocity = problem.free_velocity;
  problem.delassus.multiply_add(impulses, velocity);
}

Residual residual(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses) {
  require_fitting(problem, impulses);
  Residual worst;
  for (int i = 0; i < problem.contacts(); ++i) look_at_contact(problem, scales, impulses.data(), i, worst);
  return worst;
}

Residual residual(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses,
                  std::span<const int> contacts) {
  require_fitting(problem, impulses);
  Residual worst;
  for (const int i : contacts) look_at_contact(problem, scales, impulses.data(), i, worst);
  return worst;
}

Residual residual(const ContactProblem& problem, const linalg::VectorView& impulses) {
  ResidualScales scales;
  scales.prepare(problem);
  return residual(problem, scales, impulses);
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
