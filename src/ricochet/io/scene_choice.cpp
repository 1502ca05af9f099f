#include "ricochet/io/scene_choice.hpp"

#include <algorithm>
#include <filesystem>

#include "ricochet/io/shipped_scenes.hpp"

namespace ricochet::io {

SceneChoice choose_scene(const std::string& text, const std::string& variant) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos && !std::filesystem::exists(text)) {
    const std::vector<std::string> shipped = shipped_scenes();
    const std::string scene = text.substr(0, slash);
    if (std::find(shipped.begin(), shipped.end(), scene) != shipped.end()) {
      return {shipped_scene_path(scene), text.substr(slash + 1)};
    }
  }
  return {find_scene(text), variant};
}

}  // namespace ricochet::io
