#include "ricochet/simulation/ledger.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::simulation {

void Ledger::begin(double kinetic_energy, double potential_energy, double strain_energy) {
  *this = {};
  kinetic = kinetic_energy;
  potential = potential_energy;
  strain = strain_energy;
  initial = kinetic + potential;
  initial_potential = potential;
  scale = kinetic + std::abs(strain);
}

void Ledger::add(const integrate::StepWorks& works, double kinetic_energy, double potential_energy,
                 double strain_energy) {
  work_loads += works.loads;
  work_drivers += works.drivers;
  dissipated_damping += works.damping;
  contact_normal += works.contact_normal;
  contact_tangential += works.contact_tangential;
  contact_resistance += works.contact_resistance;
  contact_normal_positive += works.contact_normal_positive;
  contact_tangential_positive += works.contact_tangential_positive;
  contact_resistance_positive += works.contact_resistance_positive;
  contact_created += works.contact_created;
  numerical += works.numerical;
  projection += works.projection;
  appeared += works.appeared;
  joints += works.joints;
  kinetic = kinetic_energy;
  potential = potential_energy;
  strain = strain_energy;
  const double moved = kinetic + std::abs(strain) + std::abs(potential - initial_potential) + std::abs(work_loads) +
                       std::abs(work_drivers) + dissipated_damping + std::abs(contact_normal) +
                       std::abs(contact_tangential) + std::abs(contact_resistance) + std::abs(joints);
  scale = std::max(scale, moved);
}

std::array<double, ledger_entries.size()> ledger_values(const Ledger& ledger) {
  return {ledger.kinetic,
          ledger.potential,
          ledger.strain,
          ledger.total(),
          ledger.initial,
          ledger.work_loads,
          ledger.work_drivers,
          ledger.dissipated_damping,
          ledger.contact_normal,
          ledger.contact_tangential,
          ledger.contact_resistance,
          ledger.contact_normal_positive,
          ledger.contact_tangential_positive,
          ledger.contact_resistance_positive,
          ledger.contact_created,
          ledger.numerical,
          ledger.projection,
          ledger.appeared,
          ledger.joints,
          ledger.closing_error(),
          ledger.scale};
}

}  // namespace ricochet::simulation
