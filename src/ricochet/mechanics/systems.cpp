#include "ricochet/mechanics/systems.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::mechanics {

namespace {

constexpr int kComponentsOfBody = 6;
constexpr double kPartOfStep = 1e-3;  // over which derivatives along the motion are taken

std::span<const double> part(const VectorX& of, int start, int size) {
  return {of.data() + start, static_cast<std::size_t>(size)};
}

}  // namespace

Systems::Systems(const model::Model& model, const DofMap& map) {
  for (const model::System& system : model.systems) {
    const int node = system.node.index;
    const model::Node& at = model.nodes[node];
    const auto size = static_cast<std::size_t>(map.v_size(node));
    model::check_system(system, 0, {at.coordinates.data(), size}, {at.rates.data(), size});
    entries_.push_back({system.equations.get(), node, map.q_start(node), map.v_start(node), map.v_size(node)});
    has_large_ = has_large_ || map.v_size(node) > kComponentsOfBody;
  }
}

const MatrixX& Systems::mass(const Entry& entry, double time, const double* q) {
  entry.work.mass.setZero(entry.size, entry.size);
  entry.equations->mass(time, {q, static_cast<std::size_t>(entry.size)},
                        {entry.work.mass.data(), static_cast<std::size_t>(entry.work.mass.size())});
  return entry.work.mass;
}

void Systems::add_mass(const State& state, linalg::EffectiveMass& matrix) const {
  for (const Entry& entry : entries_) {
    matrix.add(entry.node, entry.node, mass(entry, state.time, state.q.data() + entry.q_start));
  }
}

void Systems::multiply_mass(const State& state, const VectorX& v, VectorX& momentum) const {
  for (const Entry& entry : entries_) {
    momentum.segment(entry.v_start, entry.size).noalias() =
        mass(entry, state.time, state.q.data() + entry.q_start) * v.segment(entry.v_start, entry.size);
  }
}

double Systems::mass_norm_squared(const State& state, const VectorX& dv) const {
  double sum = 0;
  for (const Entry& entry : entries_) {
    const auto change = dv.segment(entry.v_start, entry.size);
    entry.work.force.noalias() = mass(entry, state.time, state.q.data() + entry.q_start) * change;
    sum += change.dot(entry.work.force);
  }
  return sum;
}

void Systems::mass_diagonal(const State& state, VectorX& diagonal) const {
  for (const Entry& entry : entries_) {
    diagonal.segment(entry.v_start, entry.size) = mass(entry, state.time, state.q.data() + entry.q_start).diagonal();
  }
}

void Systems::add_force(const State& state, VectorX& force) const {
  for (const Entry& entry : entries_) {
    entry.work.force.setZero(entry.size);
    entry.equations->force(state.time, part(state.q, entry.q_start, entry.size),
                           part(state.v, entry.v_start, entry.size),
                           {entry.work.force.data(), static_cast<std::size_t>(entry.size)});
    force.segment(entry.v_start, entry.size) += entry.work.force;
  }
}

void Systems::add_tangents(const State& state, double damping_factor, double stiffness_factor,
                           linalg::EffectiveMass& matrix) const {
  if (damping_factor == 0 && stiffness_factor == 0) return;
  for (const Entry& entry : entries_) {
    entry.work.stiffness.setZero(entry.size, entry.size);
    entry.work.damping.setZero(entry.size, entry.size);
    const auto count = static_cast<std::size_t>(entry.work.stiffness.size());
    entry.equations->tangents(state.time, part(state.q, entry.q_start, entry.size),
                              part(state.v, entry.v_start, entry.size), {entry.work.stiffness.data(), count},
                              {entry.work.damping.data(), count});
    // The system writes row after row, a matrix stands column after column.
    entry.work.mass =
        damping_factor * entry.work.damping.transpose() + stiffness_factor * entry.work.stiffness.transpose();
    matrix.add(entry.node, entry.node, entry.work.mass);
  }
}

double Systems::potential(const State& state) const {
  double sum = 0;
  for (const Entry& entry : entries_) {
    sum += entry.equations->potential(state.time, part(state.q, entry.q_start, entry.size));
  }
  return sum;
}

double Systems::energy_size(const State& state) const { return std::abs(potential(state)); }

double Systems::kinetic(const Entry& entry, const State& state) {
  const auto v = state.v.segment(entry.v_start, entry.size);
  entry.work.force.noalias() = mass(entry, state.time, state.q.data() + entry.q_start) * v;
  return 0.5 * v.dot(entry.work.force);
}

double Systems::power(const Entry& entry, const Moment& at, double h) {
  const auto size = static_cast<std::size_t>(entry.size);
  entry.work.force.setZero(entry.size);
  entry.equations->force(at.time, {at.q.data(), size}, {at.v.data(), size}, {entry.work.force.data(), size});
  double power = at.v.dot(entry.work.force);
  const double small = kPartOfStep * h;
  for (const double sign : {1.0, -1.0}) {
    entry.work.moved.time = at.time + sign * small;
    entry.work.moved.q = at.q + sign * small * at.v;
    entry.work.force.noalias() = mass(entry, entry.work.moved.time, entry.work.moved.q.data()) * at.v;
    const double energy = 0.5 * at.v.dot(entry.work.force) +
                          entry.equations->potential(entry.work.moved.time, {entry.work.moved.q.data(), size});
    power += sign * energy / (2 * small);
  }
  return power;
}

void Systems::set_middle(const Entry& entry, const State& begin, const State& end) {
  entry.work.middle.time = 0.5 * (begin.time + end.time);
  entry.work.middle.q = 0.5 * (begin.q.segment(entry.q_start, entry.size) + end.q.segment(entry.q_start, entry.size));
  entry.work.middle.v = 0.5 * (begin.v.segment(entry.v_start, entry.size) + end.v.segment(entry.v_start, entry.size));
}

double Systems::prescribed_work(const State& begin, const State& end) const {
  const double h = end.time - begin.time;
  if (!(h > 0)) return 0;
  double sum = 0;
  for (const Entry& entry : entries_) {
    set_middle(entry, begin, end);
    sum += h * power(entry, entry.work.middle, h);
  }
  return sum;
}

double Systems::stage_excess(const State& begin, const State& stage, const State& end, double theta, double h) const {
  double sum = potential(end) - potential(begin) - prescribed_work(begin, end);
  for (const Entry& entry : entries_) {
    sum += kinetic(entry, end) - kinetic(entry, begin);
    const auto mean = stage.v.segment(entry.v_start, entry.size);
    entry.work.middle.v = end.v.segment(entry.v_start, entry.size) - begin.v.segment(entry.v_start, entry.size);
    entry.work.force.noalias() = mass(entry, stage.time, stage.q.data() + entry.q_start) * entry.work.middle.v;
    // The scheme counts (1/2 - theta) |dv|^2 of all masses itself.
    sum -= mean.dot(entry.work.force) + (0.5 - theta) * entry.work.middle.v.dot(entry.work.force);
    entry.work.force.setZero(entry.size);
    const auto size = static_cast<std::size_t>(entry.size);
    entry.equations->force(stage.time, part(stage.q, entry.q_start, entry.size), {mean.data(), size},
                           {entry.work.force.data(), size});
    sum += h * mean.dot(entry.work.force);
  }
  return sum;
}

}  // namespace ricochet::mechanics
