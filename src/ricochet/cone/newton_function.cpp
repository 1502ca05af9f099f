#include "ricochet/cone/newton_function.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::cone {

namespace {

// What is projected.
void projection_argument(NewtonFunction function, const BlockLaw& law, const double* x, const double* y, double* z) {
  for (int k = 0; k < law.size; ++k) z[k] = x[k] - y[k];
  if (function == NewtonFunction::natural_map) z[0] -= de_saxce_term(law, y);
}

void project(NewtonFunction function, const BlockLaw& law, double* z) {
  if (function == NewtonFunction::natural_map) return project_onto_law(law, z);
  z[0] = std::max(z[0], 0.0);
  for (int g = 0; g < law.group_count(); ++g) {
    const BlockLaw::Group group = law.groups()[g];
    const double radius = group.coefficient * z[0], length = group.length(z);
    if (!(length > radius)) continue;
    for (int k = group.start; k < group.start + group.size; ++k) z[k] *= radius / length;
  }
}

// The derivative of the projection at z, row by row; false if it is zero.
bool projection_derivative(NewtonFunction function, const BlockLaw& law, const double* z, double* rows) {
  const int size = law.size;
  double projected[kLargestBlock] = {};
  std::copy(z, z + size, projected);
  project(function, law, projected);
  const double normal = projected[0];
  std::fill(rows, rows + size * size, 0.0);
  if (!(normal > 0)) return false;
  bool outside[3] = {};
  double length[3] = {}, denominator = 1;
  for (int g = 0; g < law.group_count(); ++g) {
    const BlockLaw::Group group = law.groups()[g];
    length[g] = group.length(z);
    outside[g] = length[g] > group.coefficient * normal;
    if (outside[g] && function == NewtonFunction::natural_map) denominator += group.coefficient * group.coefficient;
  }
  rows[0] = 1 / denominator;
  for (int g = 0; g < law.group_count() && function == NewtonFunction::natural_map; ++g) {
    const BlockLaw::Group group = law.groups()[g];
    for (int k = group.start; k < group.start + group.size && outside[g]; ++k) {
      rows[k] = group.coefficient * (z[k] / length[g]) / denominator;
    }
  }
  for (int g = 0; g < law.group_count(); ++g) {
    const BlockLaw::Group group = law.groups()[g];
    const int end = group.start + group.size;
    if (!outside[g]) {
      for (int k = group.start; k < end; ++k) rows[k * size + k] = 1;
      continue;
    }
    // c n d with d = z_g / |z_g|: the disc grows along d, and z_g turns on it.
    const double ratio = group.coefficient * normal / length[g];
    for (int k = group.start; k < end; ++k) {
      const double direction = z[k] / length[g];
      for (int l = 0; l < size; ++l) rows[k * size + l] = group.coefficient * direction * rows[l];
      for (int l = group.start; l < end; ++l) {
        rows[k * size + l] += ratio * ((k == l ? 1.0 : 0.0) - direction * (z[l] / length[g]));
      }
    }
  }
  return true;
}

}  // namespace

void newton_value(NewtonFunction function, const BlockLaw& law, const double* x, const double* y, double* value) {
  if (law.bilateral) {
    std::copy(y, y + law.size, value);
    return;
  }
  double z[kLargestBlock] = {};
  projection_argument(function, law, x, y, z);
  project(function, law, z);
  for (int k = 0; k < law.size; ++k) value[k] = x[k] - z[k];
}

void newton_derivative(NewtonFunction function, const BlockLaw& law, const double* x, const double* y,
                       BlockDerivative& derivative) {
  const int size = law.size, squares = size * size;
  double* by_impulse = derivative.by_impulse;
  double* by_velocity = derivative.by_velocity;
  std::fill(by_impulse, by_impulse + squares, 0.0);
  derivative.only_impulse = false;
  if (law.bilateral) {
    std::fill(by_velocity, by_velocity + squares, 0.0);
    for (int k = 0; k < size; ++k) by_velocity[k * (size + 1)] = 1;
    return;
  }
  double z[kLargestBlock] = {};
  projection_argument(function, law, x, y, z);
  derivative.only_impulse = !projection_derivative(function, law, z, by_velocity);
  for (int k = 0; k < squares; ++k) by_impulse[k] = (k % (size + 1) == 0 ? 1.0 : 0.0) - by_velocity[k];
  if (function == NewtonFunction::alart_curnier || derivative.only_impulse) return;
  // dz_N = dx_N - dy_N - ds.
  for (int g = 0; g < law.group_count(); ++g) {
    const BlockLaw::Group group = law.groups()[g];
    const double speed = group.length(y);
    if (!(speed > 0)) continue;
    for (int l = group.start; l < group.start + group.size; ++l) {
      const double slope = group.coefficient * (y[l] / speed);
      for (int k = 0; k < size; ++k) by_velocity[k * size + l] += by_velocity[k * size] * slope;
    }
  }
}

}  // namespace ricochet::cone
