#include "ricochet/mechanics/presence.hpp"

#include <cmath>

namespace ricochet::mechanics {

Presence::Presence(const model::Model& model, const DofMap& map) : nodes_(map.nodes()) {
  for (const model::Body& body : model.bodies) {
    if (body.appears <= 0 && std::isinf(body.disappears)) continue;
    Visit visit;
    visit.node = body.node.index;
    visit.v_start = map.v_start(visit.node);
    visit.v_size = map.v_size(visit.node);
    visit.appears = body.appears;
    visit.disappears = body.disappears;
    const model::Node& node = model.nodes[visit.node];
    visit.velocity << node.velocity, node.angular_velocity;
    for (int k = 0; k < visit.v_size; ++k) {
      if (!map.is_free(visit.v_start + k)) visit.velocity[k] = 0;
    }
    visits_.push_back(visit);
  }
}

// Times of steps are multiples of h with their rounding.
bool Presence::is_there(const Visit& visit, double time) {
  const double now = time * (1 + 1e-12);
  return visit.appears <= now && !(visit.disappears <= now);
}

void Presence::set_start(State& state) const {
  if (always()) return;
  state.present = VectorX::Ones(nodes_);
  for (const Visit& visit : visits_) {
    if (is_there(visit, state.time)) continue;
    state.present[visit.node] = 0;
    state.v.segment(visit.v_start, visit.v_size).setZero();
  }
}

bool Presence::update(State& state) const {
  bool changed = false;
  for (const Visit& visit : visits_) {
    const bool now = is_there(visit, state.time);
    if (now == is_present(state, visit.node)) continue;
    changed = true;
    state.present[visit.node] = now ? 1 : 0;
    auto velocity = state.v.segment(visit.v_start, visit.v_size);
    velocity.setZero();
    if (now) velocity = visit.velocity.head(visit.v_size);
  }
  return changed;
}

void Presence::clear_absent(const State& state, VectorX& force) const {
  for (const Visit& visit : visits_) {
    if (!is_present(state, visit.node)) force.segment(visit.v_start, visit.v_size).setZero();
  }
}

}  // namespace ricochet::mechanics
