#include "ricochet/model/lagrangian_system.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace ricochet::model {

namespace {

// Central differences have an error of the step squared and of rounding over the step: the cube root balances both.
constexpr double kRelativeStep = 6e-6;
// What is left of both errors, of the largest derivative there is. A wrong entry is wrong by far more.
constexpr double kAllowed = 1e-6;

constexpr std::array<const char*, 3> displacement_names = {"the gap", "the tangential displacement",
                                                           "the second tangential displacement"};

class Check {
 public:
  Check(const System& system, double time, std::span<const double> q, std::span<const double> v)
      : system_(system),
        equations_(*system.equations),
        names_(equations_.coordinates()),
        time_(time),
        q_(q.begin(), q.end()),
        v_(v.begin(), v.end()),
        count_(static_cast<int>(q.size())) {}

  void run() {
    check_mass();
    check_force();
    contacts_ = equations_.contacts();
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) check_contact(i);
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw std::invalid_argument(fmt::format("system '{}': {}", system_.name, sentence));
  }

  void check_mass() const {
    MatrixX mass = MatrixX::Zero(count_, count_);
    equations_.mass(time_, q_, {mass.data(), static_cast<std::size_t>(mass.size())});
    const double largest = mass.cwiseAbs().maxCoeff();
    for (int i = 0; i < count_; ++i) {
      for (int k = 0; k < i; ++k) {
        if (std::abs(mass(i, k) - mass(k, i)) <= 1e-12 * largest) continue;
        refuse(fmt::format("the mass matrix is not symmetric: entry ({}, {}) is {}, entry ({}, {}) is {}", names_[k],
                           names_[i], mass(i, k), names_[i], names_[k], mass(k, i)));
      }
      if (!std::isfinite(mass(i, i))) refuse(fmt::format("the mass of '{}' is not finite", names_[i]));
      if (!(mass(i, i) > 0)) {
        refuse(
            fmt::format("the mass of '{}' is {}; a coordinate without inertia has no motion", names_[i], mass(i, i)));
      }
    }
    const Eigen::LLT<MatrixX> factors(mass);
    if (factors.info() != Eigen::Success) refuse("the mass matrix is not positive definite");
  }

  void check_force() const {
    std::vector<double> force(count_, 0.0);
    equations_.force(time_, q_, v_, force);
    for (int i = 0; i < count_; ++i) {
      if (!std::isfinite(force[i])) refuse(fmt::format("the force along '{}' is not finite at the start", names_[i]));
    }
  }

  void check_contact(int contact) {
    const int rows = 1 + equations_.slip_directions();
    std::vector<double> gradients(static_cast<std::size_t>(rows) * count_, 0.0), rates(rows, 0.0);
    equations_.gradients(contact, time_, q_, gradients);
    equations_.rates(contact, time_, q_, rates);
    const std::vector<double> here = displacements(contact, time_, q_);
    for (int row = 0; row < rows; ++row) {
      if (!std::isfinite(here[row])) {
        refuse(fmt::format("{} of contact '{}' is not finite at the start", displacement_names[row], name(contact)));
      }
    }
    const double time_step = kRelativeStep * std::max(1.0, std::abs(time_));
    const std::vector<double> later = displacements(contact, time_ + time_step, q_);
    const std::vector<double> earlier = displacements(contact, time_ - time_step, q_);
    for (int row = 0; row < rows; ++row) {
      const auto begin = gradients.begin() + static_cast<std::ptrdiff_t>(row) * count_;
      double largest = 0;
      for (int k = 0; k < count_; ++k) largest = std::max(largest, std::abs(begin[k]));
      const double rate = (later[row] - earlier[row]) / (2 * time_step);
      const double allowed_rate =
          kAllowed * std::max({std::abs(rate), std::abs(rates[row]), largest, std::abs(here[row])});
      if (!(std::abs(rate - rates[row]) <= allowed_rate)) {
        refuse(
            fmt::format("the derivative of {} of contact '{}' with respect to time is given as {}, but differences "
                        "of the displacement give {:.6g}",
                        displacement_names[row], name(contact), rates[row], rate));
      }
    }
    for (int k = 0; k < count_; ++k) check_column(contact, k, gradients, here);
  }

  void check_column(int contact, int k, const std::vector<double>& gradients, const std::vector<double>& here) const {
    // Whether a coordinate is an angle or a length is not known: short enough for both.
    const double step = kRelativeStep * std::max(std::min(1.0, equations_.size()), std::abs(q_[k]));
    std::vector<double> moved = q_;
    moved[k] = q_[k] + step;
    const std::vector<double> after = displacements(contact, time_, moved);
    moved[k] = q_[k] - step;
    const std::vector<double> before = displacements(contact, time_, moved);
    const int rows = 1 + equations_.slip_directions();
    for (int row = 0; row < rows; ++row) {
      const double given = gradients[static_cast<std::size_t>(row) * count_ + k];
      const double found = (after[row] - before[row]) / (2 * step);
      double largest = std::max({std::abs(given), std::abs(found), std::abs(here[row])});
      for (int i = 0; i < count_; ++i) {
        largest = std::max(largest, std::abs(gradients[static_cast<std::size_t>(row) * count_ + i]));
      }
      if (std::abs(given - found) <= kAllowed * largest) continue;
      refuse(
          fmt::format("the gradient of {} of contact '{}' along '{}' is given as {}, but differences of the "
                      "displacement give {:.6g}",
                      displacement_names[row], name(contact), names_[k], given, found));
    }
  }

  std::vector<double> displacements(int contact, double time, const std::vector<double>& q) const {
    std::vector<double> values(1 + equations_.slip_directions(), 0.0);
    equations_.displacements(contact, time, q, values);
    return values;
  }

  std::string name(int contact) const { return contacts_[contact].first; }

  const System& system_;
  const LagrangianSystem& equations_;
  std::vector<std::string> names_;
  std::vector<LagrangianSystem::ContactName> contacts_;
  double time_ = 0;
  std::vector<double> q_, v_;
  int count_ = 0;
};

// A system need not be defined everywhere.
bool is_defined_at(const System& system, double time, const std::vector<double>& q) {
  const LagrangianSystem& equations = *system.equations;
  std::vector<double> values(1 + equations.slip_directions(), 0.0);
  for (int i = 0; i < static_cast<int>(equations.contacts().size()); ++i) {
    equations.displacements(i, time, q, values);
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) return false;
  }
  std::vector<double> mass(q.size() * q.size(), 0.0);
  equations.mass(time, q, mass);
  return std::all_of(mass.begin(), mass.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

void check_system(const System& system, double time, std::span<const double> q, std::span<const double> v) {
  Check(system, time, q, v).run();
  // Once more beside the start: where angles are zero a wrong sign of a sine does not show.
  std::vector<double> beside(q.begin(), q.end());
  const double shift = 0.05 * std::min(1.0, system.equations->size());
  for (std::size_t i = 0; i < beside.size(); ++i) beside[i] += shift * (1 + 0.3 * static_cast<double>(i));
  if (is_defined_at(system, time, beside)) Check(system, time, beside, v).run();
}

}  // namespace ricochet::model
