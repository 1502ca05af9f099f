// Everything that a run must remember from one step to the next. ONE `visit` lists the members: the determinism hash
// uses it, and whatever stores or restores a run must use it too. What is not visited does not survive.
#pragma once

#include <cstdint>
#include <string>

#include "ricochet/integrate/scheme.hpp"
#include "ricochet/simulation/ledger.hpp"

namespace ricochet::simulation {

struct Snapshot {
  long step_index = 0;
  integrate::Instant instant;
  Ledger ledger;
};

// Calls visitor(name, member) for every member, in a fixed order. Members are long, int, double, VectorX.
template <class SnapshotType, class Visitor>
void visit(SnapshotType& snapshot, Visitor&& visitor) {
  visitor("step_index", snapshot.step_index);
  auto& state = snapshot.instant.state;
  visitor("time", state.time);
  visitor("q", state.q);
  visitor("v", state.v);
  visitor("a", state.a);
  for (auto& contact : snapshot.instant.memory.contacts) {
    visitor("rule", contact.key.rule);
    visitor("participant_a", contact.key.participant_a);
    visitor("feature_a", contact.key.feature_a);
    visitor("participant_b", contact.key.participant_b);
    visitor("feature_b", contact.key.feature_b);
    visitor("impulse", contact.impulse);
    visitor("slack", contact.slack);
  }
  auto& ledger = snapshot.ledger;
  visitor("kinetic", ledger.kinetic);
  visitor("potential", ledger.potential);
  visitor("strain", ledger.strain);
  visitor("initial", ledger.initial);
  visitor("initial_potential", ledger.initial_potential);
  visitor("work_loads", ledger.work_loads);
  visitor("dissipated_damping", ledger.dissipated_damping);
  visitor("contact_normal", ledger.contact_normal);
  visitor("contact_tangential", ledger.contact_tangential);
  visitor("contact_created", ledger.contact_created);
  visitor("numerical", ledger.numerical);
  visitor("scale", ledger.scale);
}

// 64-bit FNV-1a over the bytes of all members, as 16 hexadecimal digits. Equal runs have equal hashes within one build.
std::string state_hash(const Snapshot& snapshot);

}  // namespace ricochet::simulation
