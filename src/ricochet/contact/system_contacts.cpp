#include "ricochet/contact/system_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

using mechanics::State;

namespace {

constexpr double kRelativeStep = 1e-5;  // of differences of gradients: curvature need not be exact

}  // namespace

SystemContacts::SystemContacts(const model::Model& model, const mechanics::DofMap& map, const PairRules& rules)
    : planar_(model.planar), first_participant_(static_cast<int>(model.bodies.size() + model.surfaces.size())) {
  entry_of_rule_.assign(model.contacts.size(), -1);
  for (std::size_t rule = 0; rule < model.contacts.size(); ++rule) {
    const model::SystemId id = model.contacts[rule].system;
    if (!id.valid()) continue;
    const model::System& system = model.systems[id.index];
    const int directions = system.equations->slip_directions();
    if (directions != (planar_ ? 1 : 2)) {
      throw std::invalid_argument(
          fmt::format("the contacts of system '{}' have {} direction{} of slip; {}", system.name, directions,
                      directions == 1 ? "" : "s",
                      planar_ ? "a planar scene needs one" : "a scene in space needs two (or write planar: true)"));
    }
    entry_of_rule_[rule] = static_cast<int>(entries_.size());
    const int node = system.node.index;
    entries_.push_back({system.name, system.equations, system.equations->contacts(), static_cast<int>(rule),
                        rules.law_place(static_cast<int>(rule), {}, {}), id.index, node, map.q_start(node),
                        map.v_size(node), directions});
  }
}

void SystemContacts::detect(const State& state, double reach, std::vector<Contact>& contacts) const {
  for (const Entry& entry : entries_) {
    for (int i = 0; i < static_cast<int>(entry.contacts.size()); ++i) {
      // Not a number is found too: the step shall end with a sentence about it.
      if (displacements(entry, i, state)[0] > reach) continue;
      Contact contact;
      const int participant = first_participant_ + entry.system;
      contact.key = {entry.rule, participant, i, participant, 0};
      contact.kind = ContactKind::generalised;
      contact.law = entry.law;
      contact.gap_rounding = gap_rounding(entry.equations->size());
      contact.node_a = {entry.node};
      move(state, contact);
      contacts.push_back(contact);
    }
  }
}

void SystemContacts::move(const State& state, Contact& contact) const {
  const Entry& entry = entry_of(contact);
  contact.gap = displacements(contact, state)[0];
  const auto place = entry.equations->place(contact.key.feature_a, state.time, coordinates(entry, state));
  contact.point = place.point;
  contact.axes = axes_for_normal(place.normal, planar_);
  contact.surface_velocity = rates(contact, state);
}

Vector3 SystemContacts::displacements(const Entry& entry, int contact, const State& state) {
  std::array<double, 3> values = {};
  entry.equations->displacements(contact, state.time, coordinates(entry, state),
                                 std::span(values).first(1 + entry.directions));
  return {values[0], values[1], values[2]};
}

Vector3 SystemContacts::displacements(const Contact& contact, const State& state) const {
  return displacements(entry_of(contact), contact.key.feature_a, state);
}

Vector3 SystemContacts::rates(const Contact& contact, const State& state) const {
  const Entry& entry = entry_of(contact);
  std::array<double, 3> values = {};
  entry.equations->rates(contact.key.feature_a, state.time, coordinates(entry, state),
                         std::span(values).first(1 + entry.directions));
  return {values[0], values[1], values[2]};
}

Vector3 SystemContacts::point(const Contact& contact, const State& state) const {
  const Entry& entry = entry_of(contact);
  return entry.equations->place(contact.key.feature_a, state.time, coordinates(entry, state)).point;
}

double SystemContacts::minimum_gap(const State& state, int rule, double minimum) const {
  if (entry_of_rule_[rule] < 0) return minimum;
  const Entry& entry = entries_[entry_of_rule_[rule]];
  for (int i = 0; i < static_cast<int>(entry.contacts.size()); ++i) {
    minimum = std::min(minimum, displacements(entry, i, state)[0]);
  }
  return minimum;
}

void SystemContacts::evaluate_gradients(const Entry& entry, int contact, double time, std::span<const double> q) const {
  gradients_.assign(static_cast<std::size_t>(1 + entry.directions) * entry.size, 0.0);
  entry.equations->gradients(contact, time, q, gradients_);
}

void SystemContacts::append_gradients(const Contact& contact, const State& state, int components,
                                      linalg::BlockSparseMatrix& gradients) const {
  const Entry& entry = entry_of(contact);
  evaluate_gradients(entry, contact.key.feature_a, state.time, coordinates(entry, state));
  linalg::MutableBlockView rows = gradients.append(entry.node);
  for (int i = 0; i < components; ++i) {
    for (int k = 0; k < entry.size; ++k) rows(i, k) = gradients_[static_cast<std::size_t>(i) * entry.size + k];
  }
}

void SystemContacts::add_curvature(const Contact& contact, const State& state, const Vector3& multipliers,
                                   double factor, linalg::EffectiveMass& matrix) const {
  const Entry& entry = entry_of(contact);
  const std::span<const double> q = coordinates(entry, state);
  moved_.assign(q.begin(), q.end());
  curvature_.setZero(entry.size, entry.size);
  for (int k = 0; k < entry.size; ++k) {
    const double step = kRelativeStep * std::max(std::min(1.0, entry.equations->size()), std::abs(q[k]));
    for (const double sign : {1.0, -1.0}) {
      moved_[k] = q[k] + sign * step;
      evaluate_gradients(entry, contact.key.feature_a, state.time, moved_);
      for (int i = 0; i < 1 + entry.directions; ++i) {
        const Eigen::Map<const VectorX> row(gradients_.data() + static_cast<std::ptrdiff_t>(i) * entry.size,
                                            entry.size);
        curvature_.col(k) += sign * factor * multipliers[i] / (2 * step) * row;
      }
    }
    moved_[k] = q[k];
  }
  matrix.add(entry.node, entry.node, curvature_);
}

std::string SystemContacts::name(const ContactKey& key) const {
  const Entry& entry = entries_[entry_of_rule_[key.rule]];
  const auto& [first, second] = entry.contacts[key.feature_a];
  return fmt::format("{}.{}|{}.{}", entry.name, first, entry.name, second);
}

}  // namespace ricochet::contact
