// Which scene the user means: a file, the id of a shipped scene, or SCENE/VARIANT of a shipped one.
#pragma once

#include <string>

namespace ricochet::io {

struct SceneChoice {
  std::string path;
  std::string variant;  // empty: the scene as it is written
};

SceneChoice choose_scene(const std::string& text, const std::string& variant);

}  // namespace ricochet::io
