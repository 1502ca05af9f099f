// The energy ledger: where every joule went. Closing error = what the accounts do not explain.
//
//   kinetic + potential - initial = work of loads + work of drivers - damping + contact normal + contact tangential +
//   contact resistance + joints + numerical + projection + appeared + closing error
//
// The scheme's own numerical change of energy is computed independently of this balance, so the closing error measures
// the truth of all other entries.
#pragma once

#include <array>
#include <string_view>

#include "ricochet/integrate/step_report.hpp"

namespace ricochet::simulation {

struct Ledger {
  double kinetic = 0;    // J, now
  double potential = 0;  // J, now: gravity and springs
  double strain = 0;     // J, now: springs only
  double initial = 0;    // J, total at t = 0
  double initial_potential = 0;
  double work_loads = 0;
  double work_drivers = 0;
  double dissipated_damping = 0;
  double contact_normal = 0;
  double contact_tangential = 0;
  double contact_resistance = 0;       // against rolling and spinning
  double contact_normal_positive = 0;  // the parts of the three that contacts gave; the rest is what they took
  double contact_tangential_positive = 0;
  double contact_resistance_positive = 0;
  double contact_created = 0;  // see integrate::StepWorks
  double numerical = 0;
  double appeared = 0;    // brought by bodies that appeared, less what those took that vanished
  double projection = 0;  // closing joints again, see mechanics/joints/joint_projection
  double joints = 0;      // done on the bodies by limits and friction of joints
  double scale = 0;       // J, size of the energies that moved so far: kinetic, change of potential, works

  double total() const { return kinetic + potential; }
  double closing_error() const {
    return total() - initial -
           (work_loads + work_drivers - dissipated_damping + contact_normal + contact_tangential + contact_resistance +
            numerical + projection + appeared + joints);
  }

  void begin(double kinetic_energy, double potential_energy, double strain_energy);
  void add(const integrate::StepWorks& works, double kinetic_energy, double potential_energy, double strain_energy);

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("kinetic", self.kinetic);
    visitor("potential", self.potential);
    visitor("strain", self.strain);
    visitor("initial", self.initial);
    visitor("initial_potential", self.initial_potential);
    visitor("work_loads", self.work_loads);
    visitor("work_drivers", self.work_drivers);
    visitor("dissipated_damping", self.dissipated_damping);
    visitor("contact_normal", self.contact_normal);
    visitor("contact_tangential", self.contact_tangential);
    visitor("contact_resistance", self.contact_resistance);
    visitor("contact_normal_positive", self.contact_normal_positive);
    visitor("contact_tangential_positive", self.contact_tangential_positive);
    visitor("contact_resistance_positive", self.contact_resistance_positive);
    visitor("contact_created", self.contact_created);
    visitor("numerical", self.numerical);
    visitor("projection", self.projection);
    visitor("appeared", self.appeared);
    visitor("joints", self.joints);
    visitor("scale", self.scale);
  }
};

// The names under which probes, result files and the report show the accounts, and their values in that order.
inline constexpr std::array<std::string_view, 21> ledger_entries = {"kinetic",
                                                                    "potential",
                                                                    "strain",
                                                                    "total",
                                                                    "initial",
                                                                    "work_loads",
                                                                    "work_drivers",
                                                                    "dissipated_damping",
                                                                    "contact_normal",
                                                                    "contact_tangential",
                                                                    "contact_resistance",
                                                                    "contact_normal_positive",
                                                                    "contact_tangential_positive",
                                                                    "contact_resistance_positive",
                                                                    "contact_created",
                                                                    "numerical",
                                                                    "projection",
                                                                    "appeared",
                                                                    "joints",
                                                                    "closing_error",
                                                                    "scale"};
std::array<double, ledger_entries.size()> ledger_values(const Ledger& ledger);

}  // namespace ricochet::simulation
