// A case: one machine, how to run it, what to watch and which facts must come out. `io/` makes it from a scene; a
// program can fill it in code.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ricochet/model/model.hpp"
#include "ricochet/simulation/probe.hpp"
#include "ricochet/simulation/settings.hpp"
#include "ricochet/study/fact.hpp"

namespace ricochet::study {

// A phase portrait: one probe over another.
struct Portrait {
  std::string name;
  int x = 0, y = 0;  // indices into Case::probes, of visible ones
};

struct Case {
  std::string id;  // file name without .yaml, with /variant
  std::string name;
  std::string description;
  std::string source_text;  // the scene as read, for the result file
  std::vector<std::string> overrides;
  std::vector<std::pair<std::string, double>> parameters;  // as evaluated, in the order of the scene
  model::Model model;
  simulation::Settings settings;
  simulation::ProbeSet probes;
  std::vector<Portrait> portraits;
  std::vector<Fact> facts;
  int output_every = 1;         // steps between rows of the result
  bool end_is_chosen = false;   // the user set the end: facts that need more time do not apply
  double checkpoint_every = 0;  // s of wall time from one checkpoint to the next; 0: none
};

}  // namespace ricochet::study
