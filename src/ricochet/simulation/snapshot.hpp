// Everything that a run must remember from one step to the next. ONE `visit` lists the members: the determinism hash,
// checkpoints and rollback all use it. What is not visited does not survive.
#pragma once

#include <string>

#include "ricochet/integrate/scheme.hpp"
#include "ricochet/simulation/ledger.hpp"

namespace ricochet::simulation {

struct Snapshot {
  long step_index = 0;
  integrate::Instant instant;
  Ledger ledger;

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("step_index", self.step_index);
    visitor("instant", self.instant);
    visitor("ledger", self.ledger);
  }
};

// 64-bit FNV-1a over names and bytes of all members, as 16 hexadecimal digits. Equal runs have equal hashes within one
// build.
std::string state_hash(const Snapshot& snapshot);

}  // namespace ricochet::simulation
