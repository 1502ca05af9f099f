// Reading a scene: from a YAML file to a study::Case, ready to run.
//
//   text -> tree (document) -> overrides -> parameters -> generated elements -> check against the schema
//        -> settings, model, probes, facts
//
// Whatever is wrong with the input is an InputError that names file, line and column, or the override.
#pragma once

#include <string>
#include <vector>

#include "ricochet/study/case.hpp"

namespace ricochet::io {

struct Scene {
  study::Case run_case;
  std::vector<std::string> notices;  // sentences for the user: what was read, but perhaps not as it was meant
};

// `overrides` are texts PATH=VALUE; with the name of a variant, that variant's `set` is applied before them.
Scene read_scene(const std::string& path, const std::vector<std::string>& overrides = {},
                 const std::string& variant = "");

// The same for a text that is not in a file; `origin` takes the place of the path.
Scene read_scene_text(const std::string& text, const std::string& origin,
                      const std::vector<std::string>& overrides = {}, const std::string& variant = "");

// The names of the variants of a scene, in the order of the file.
std::vector<std::string> variant_names(const std::string& path);
// Those that are not marked as long.
std::vector<std::string> short_variant_names(const std::string& path);

}  // namespace ricochet::io
