#include "ricochet/cone/residual.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ricochet::cone {

namespace {

constexpr double kImpulseWeight = 1e-4;  // see the header: keeps round-off of large impulses from counting as error

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
  const double value = contact_residual(problem, scales, contact, impulses);
  if (worst.worst_contact < 0 || !(value <= worst.value)) worst = {value, contact};
}

// 1e-4 |r_i|, N s.
double weighted_impulse(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses,
                        int contact) {
  const int size = problem.block_size(contact);
  const double* r = impulses.data() + problem.block_offset(contact);
  double by_arm[kLargestBlock] = {};
  for (int k = 0; k < size; ++k) by_arm[k] = scales.has_arms(contact) ? r[k] / scales.arms(contact)[k] : r[k];
  return kImpulseWeight * block_norm(by_arm, size);
}

// The residual times the impulse bounds the error that a contact would have without the weight of impulses.
bool is_credible(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses,
                 int contact, double residual_value) {
  constexpr double largest_error = 0.01;  // of V_i
  return residual_value * weighted_impulse(problem, scales, impulses, contact) <=
         largest_error * scales.impulse(contact);
}

}  // namespace

double velocity_scale(const ContactProblem& problem, const ResidualScales& scales, int contact,
                      const linalg::VectorView& impulses) {
  const double mass = scales.mass(contact);
  if (!(mass > 0)) return scales.speed(contact);
  return std::max(scales.speed(contact), weighted_impulse(problem, scales, impulses, contact) / mass);
}

double natural_map_square(const BlockLaw& law, double rho, const double* impulse, const double* velocity) {
  double square = 0;
  if (law.bilateral) {
    for (int k = 0; k < law.size; ++k) square += (rho * velocity[k]) * (rho * velocity[k]);
    return square;
  }
  double projected[kLargestBlock] = {};
  projected[0] = impulse[0] - rho * (velocity[0] + de_saxce_term(law, velocity));
  for (int k = 1; k < law.size; ++k) projected[k] = impulse[k] - rho * velocity[k];
  project_onto_law(law, projected);
  for (int k = 0; k < law.size; ++k) square += (impulse[k] - projected[k]) * (impulse[k] - projected[k]);
  return square;
}

double contact_residual(const ResidualScales& scales, int contact, const double* impulse, const double* velocity) {
  const BlockLaw& law = scales.law(contact);
  const auto relative_error = [&](const double* r, const double* u) {
    double error = std::sqrt(natural_map_square(law, scales.mass(contact), r, u));
    if (!law.bilateral) error = std::max(error, -scales.mass(contact) * u[0]);
    const double scale = std::max(scales.impulse(contact), kImpulseWeight * block_norm(r, law.size));
    // The scale is zero where b = 0 and r_i = 0. If other impulses then move the contact the wrong way, the error is
    // infinite compared with nothing.
    return error == 0 ? 0.0 : error / scale;
  };
  if (!scales.has_arms(contact)) return relative_error(impulse, velocity);
  const double* arms = scales.arms(contact);
  double impulse_by_arm[kLargestBlock] = {}, velocity_by_arm[kLargestBlock] = {};
  for (int k = 0; k < law.size; ++k) {
    impulse_by_arm[k] = impulse[k] / arms[k];
    velocity_by_arm[k] = velocity[k] * arms[k];
  }
  return relative_error(impulse_by_arm, velocity_by_arm);
}

double contact_residual(const ContactProblem& problem, const ResidualScales& scales, int contact,
                        const double* impulses) {
  const int size = problem.block_size(contact), offset = problem.block_offset(contact);
  double velocity[kLargestBlock] = {};
  for (int k = 0; k < size; ++k) velocity[k] = problem.free_velocity[offset + k];
  problem.delassus.multiply_add_row(contact, impulses, velocity);
  return contact_residual(scales, contact, impulses + offset, velocity);
}

bool credible(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses,
              double residual_value) {
  for (int i = 0; i < problem.contacts(); ++i) {
    if (!is_credible(problem, scales, impulses, i, residual_value)) return false;
  }
  return true;
}

bool credible(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses,
              std::span<const int> contacts, double residual_value) {
  return std::all_of(contacts.begin(), contacts.end(),
                     [&](int i) { return is_credible(problem, scales, impulses, i, residual_value); });
}

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
    square += natural_map_square(problem.law(i), 1.0, impulses.data() + problem.block_offset(i),
                                 velocity.data() + problem.block_offset(i));
  }
  return std::sqrt(square) / (1.0 + problem.free_velocity.norm());
}

}  // namespace ricochet::cone
