// A case as Python holds it: what the scene reader made, and what it takes to read the scene again with changes.
#pragma once

#include <memory>
#include <string>

#include "bindings/bindings.hpp"
#include "ricochet/io/scene_reader.hpp"

namespace ricochet::python {

struct LoadedCase {
  io::Scene scene;
  std::string origin;   // the file, or a name for the text
  std::string variant;  // empty: none

  const study::Case& run_case() const { return scene.run_case; }
};

}  // namespace ricochet::python
