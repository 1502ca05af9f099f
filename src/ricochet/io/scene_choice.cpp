#include "ricochet/io/scene_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/mechanics/state.hpp"

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

std::vector<std::string> notices_of(const Scene& scene) {
  std::vector<std::string> notices = scene.notices;
  const model::Model& model = scene.run_case.model;
  const mechanics::DofMap map(model);
  const contact::ContactSet contacts(model, map);
  std::vector<contact::Contact> closed;
  contacts.detect(mechanics::initial_state(model, map), 0, closed);
  for (const contact::Contact& contact : closed) {
    if (contact.gap >= -contact.gap_rounding) continue;
    notices.push_back(
        fmt::format("{} starts with a penetration of {:.3g} m", contacts.name(contact.key), -contact.gap));
  }
  return notices;
}

}  // namespace ricochet::io
