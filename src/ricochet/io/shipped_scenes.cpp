#include "ricochet/io/shipped_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "ricochet/io/checked.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/schema.hpp"

namespace ricochet::io {

namespace {

bool directory_exists(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

// Does the pattern mean this id? A scene's id alone means the scene and all its variants.
bool selects(const std::string& pattern, const std::string& id) {
  return matches_pattern(pattern, id) ||
         (pattern.find('/') == std::string::npos && matches_pattern(pattern, id.substr(0, id.find('/'))));
}

}  // namespace

std::string shipped_scenes_directory() {
  namespace fs = std::filesystem;
  if (const char* chosen = std::getenv("RICOCHET_SCENES"); chosen != nullptr && *chosen != '\0') {
    if (directory_exists(chosen)) return chosen;
    throw InputError({}, fmt::format("the environment variable RICOCHET_SCENES names {}, which is not a directory",
                                     in_quotes(chosen)));
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / "share/ricochet/scenes";
    if (directory_exists(installed)) return installed.string();
  }
#ifdef RICOCHET_SCENES_DIR
  if (directory_exists(RICOCHET_SCENES_DIR)) return RICOCHET_SCENES_DIR;
#endif
  throw InputError({},
                   "the shipped scenes are not found; set the environment variable RICOCHET_SCENES to their directory");
}

std::vector<std::string> shipped_scenes() {
  std::vector<std::string> ids;
  for (const auto& file : std::filesystem::directory_iterator(shipped_scenes_directory())) {
    if (file.path().extension() == ".yaml") ids.push_back(file.path().stem().string());
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string shipped_scene_path(const std::string& id) {
  const std::vector<std::string> ids = shipped_scenes();
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
    throw InputError({},
                     fmt::format("there is no shipped scene {}{}", in_quotes(id), suggestion(id, ids, "there are")));
  }
  return (std::filesystem::path(shipped_scenes_directory()) / (id + ".yaml")).string();
}

std::vector<std::string> matching_scenes(const std::vector<std::string>& patterns) {
  std::vector<std::string> all, result;
  for (const std::string& scene : shipped_scenes()) {
    const std::string path = shipped_scene_path(scene);
    const std::vector<std::string> quick = short_variant_names(path);
    const auto consider = [&](const std::string& id, bool is_quick) {
      all.push_back(id);
      const bool is_meant = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return selects(pattern, id) && (is_quick || pattern.find('/') != std::string::npos);
      });
      if (patterns.empty() ? is_quick : is_meant) result.push_back(id);
    };
    consider(scene, true);
    for (const std::string& variant : variant_names(path)) {
      consider(fmt::format("{}/{}", scene, variant), std::find(quick.begin(), quick.end(), variant) != quick.end());
    }
  }
  for (const std::string& pattern : patterns) {
    if (std::any_of(all.begin(), all.end(), [&](const std::string& id) { return selects(pattern, id); })) continue;
    throw InputError(
        {}, fmt::format("no shipped scene matches {}{}", in_quotes(pattern), suggestion(pattern, all, "there are")));
  }
  return result;
}

std::string find_scene(const std::string& path_or_id) {
  std::error_code error;
  if (std::filesystem::exists(path_or_id, error)) return path_or_id;
  const bool looks_like_path =
      path_or_id.find('/') != std::string::npos || std::filesystem::path(path_or_id).extension() == ".yaml";
  if (looks_like_path) return path_or_id;  // reading it will say what is wrong
  return shipped_scene_path(path_or_id);
}

}  // namespace ricochet::io
