// Values of a scene that are replaced from outside: `--set PATH=VALUE` on the command line, and the `set` of a variant.
//
// A path is keys joined by dots; an integer counts the entries of a list from zero: bodies.block.position.1. It is
// walked along the schema, so it reaches every scalar that the schema allows, whether the scene writes it or not: maps
// that are missing are created, lists that are missing begin as their default. What the author names (bodies,
// parameters,
// ...) must exist. Overrides change the tree before anything is checked or evaluated, so a value may be an expression,
// and the last one wins.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/document.hpp"
#include "ricochet/io/schema.hpp"

namespace ricochet::io {

struct Override {
  std::string path;
  Place path_place;
  Value value;  // a scalar
};

// Reads `PATH=VALUE`. Throws InputError, like everything here.
Override parse_override(const std::string& text);

// The overrides of a `set`, which is a map from paths to scalars.
std::vector<Override> overrides_of(const Value& set);

struct OverrideEffects {
  bool changes_physics = false;      // something else than names, times, schemes, solvers and output has a new value
  std::vector<std::string> notices;  // for the user: keys that were dropped because the kind of a thing has changed
};

// Applies overrides in order to the tree of a scene, as revisions from the given one on.
void apply_overrides(const std::vector<Override>& overrides, const Type& schema, Value& scene, OverrideEffects& effects,
                     int first_revision = 1);

}  // namespace ricochet::io
