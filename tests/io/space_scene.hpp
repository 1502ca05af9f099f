// A scene in space with one body and one floor, for tests of bodies, shapes and drivers.
#pragma once

#include <fmt/format.h>

#include "io/scene_test_support.hpp"

namespace ricochet::test {

// `body`: the text of bodies.top; `more`: further sections.
inline std::string space_scene(std::string_view body, std::string_view more = "") {
  return fmt::format(
      "ricochet: 1\ntime: {{end: 1, step: 0.1}}\nbodies:\n  top: {}\nsurfaces:\n  floor: {{type: plane, normal: [0, 0, "
      "1]}}\n{}",
      body, more);
}

inline model::Model space_model(std::string_view body, std::string_view more = "") {
  return io::read_scene_text(space_scene(body, more), "space.yaml").run_case.model;
}

inline std::string space_complaint(std::string_view body, std::string_view more = "") {
  return input_complaint([&] { io::read_scene_text(space_scene(body, more), "space.yaml"); });
}

}  // namespace ricochet::test
