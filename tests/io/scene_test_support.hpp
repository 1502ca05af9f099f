// What the tests of scenes share: a small scene that uses every section, and what the reader says about changes of it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/input_error.hpp"
#include "ricochet/io/scene_reader.hpp"

namespace ricochet::test {

inline constexpr const char* kSlideScene = R"(ricochet: 1
name: Slide
planar: true
gravity: [0, -9.81, 0]
parameters: {friction: 0.3, slope: 15*deg, speed: 2, mass: 1.5}
time: {end: 1, step: 1e-3}
bodies:
  block: {mass: mass, position: [0, 0.1, 0], velocity: [speed, 0, 0]}
  box: {shape: {type: box, size: [0.2, 0.1]}, mass: 2, position: [1, 0.05, 0]}
surfaces:
  ground: {type: plane, normal: [0, 1, 0]}
springs:
  link: {start: block, end: {body: box, at: [0.1, 0, 0]}, stiffness: 20}
loads:
  push: {on: block, force: [sin(t), 0, 0]}
contacts:
  slide: {between: [[block, box], ground], friction: friction}
probes:
  along: block.position.x*cos(slope) + block.position.y*sin(slope)
  gap: contact.slide.gap
expect:
  - {fact: distance, probe: along, take: last, value: speed*end, tolerance: {relative: 0.1}, source: derived}
  - {fact: no penetration, probe: gap, bound: {above: -1e-10}, source: derived}
variants:
  fast: {set: {parameters.speed: 4}}
)";

// The scene with the first occurrence of a text replaced.
inline std::string slide_scene_with(std::string_view from, std::string_view to) {
  std::string text = kSlideScene;
  const std::size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return position == std::string::npos ? text : text.replace(position, from.size(), to);
}

inline study::Case slide_case(std::string_view from = "", std::string_view to = "",
                              const std::vector<std::string>& overrides = {}, const std::string& variant = "") {
  return io::read_scene_text(slide_scene_with(from, to), "slide.yaml", overrides, variant).run_case;
}

// The message of the InputError that `action` throws; empty if it throws nothing.
template <class Action>
std::string input_complaint(const Action& action) {
  try {
    action();
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

inline std::string scene_complaint(const std::string& text, const std::vector<std::string>& overrides = {},
                                   const std::string& variant = "") {
  return input_complaint([&] { io::read_scene_text(text, "slide.yaml", overrides, variant); });
}

// A change that makes the scene wrong, and what must be said about it.
struct WrongChange {
  std::string_view from;
  std::string_view to;
  std::string_view message;
};

inline void expect_complaints(const std::vector<WrongChange>& changes) {
  for (const WrongChange& change : changes) {
    EXPECT_EQ(scene_complaint(slide_scene_with(change.from, change.to)), change.message) << change.to;
  }
}

}  // namespace ricochet::test
