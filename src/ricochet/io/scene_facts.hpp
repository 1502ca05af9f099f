// Probes and facts of a checked scene.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/checked.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/simulation/probe.hpp"
#include "ricochet/study/fact.hpp"

namespace ricochet::io {

// What probes and facts are read against.
struct FactContext {
  const model::Model& model;
  const SceneNames& names;  // with the settings of the run
  simulation::ProbeSet& probes;
};

// The section `probes`. Throws InputError, like everything here.
void read_probes(const Entry& section, const FactContext& context);

// A list of facts, added to those that are there; a fact with the name of an earlier one replaces it. `physics_changed`
// is a sentence if overrides have changed what the facts were written for: facts with literal numbers then do not
// apply.
void read_facts(const Entry& list, const FactContext& context, const std::string& physics_changed,
                std::vector<study::Fact>& facts);

}  // namespace ricochet::io
