// The reference of all keys of a scene, in Markdown, written from the schema. docs/scene.md ends with it; a test
// compares the two.
#pragma once

#include <string>

namespace ricochet::io {

inline constexpr const char* kReferenceBegin = "<!-- generated from the schema: begin -->";
inline constexpr const char* kReferenceEnd = "<!-- generated from the schema: end -->";

std::string scene_reference();

}  // namespace ricochet::io
