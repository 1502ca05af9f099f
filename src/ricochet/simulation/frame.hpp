// What a recorder sees after a step: the state, what happened in the step, and the accounts so far. A view; it owns
// nothing.
#pragma once

#include <span>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/integrate/scheme.hpp"
#include "ricochet/integrate/step_report.hpp"
#include "ricochet/mechanics/equations.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/simulation/ledger.hpp"

namespace ricochet::simulation {

struct Frame {
  const model::Model& model;
  const mechanics::Equations& equations;
  const contact::ContactSet& contact_set;
  const mechanics::State& initial_state;
  const mechanics::State& state;
  const Ledger& ledger;
  const integrate::StepReport& report;  // of the last step; empty at t = 0
  // Contacts that carried impulses: of the last step or, in a row of the output, summed since the previous row.
  std::span<const integrate::ContactRecord> contacts;
  long step_index = 0;
  long step_count = 0;
  integrate::StepProblem problem = {};  // of the last step, or of the step that failed
};

}  // namespace ricochet::simulation
