// Which scene the user means: a file, the id of a shipped scene, or SCENE/VARIANT of a shipped one.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/scene_reader.hpp"

namespace ricochet::io {

struct SceneChoice {
  std::string path;
  std::string variant;  // empty: the scene as it is written
};

SceneChoice choose_scene(const std::string& text, const std::string& variant);

// Things of a scene that are allowed but perhaps not meant: notices of the reader, and contacts that start closed by
// more than rounding.
std::vector<std::string> notices_of(const Scene& scene);

}  // namespace ricochet::io
