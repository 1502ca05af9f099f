// The schema of a scene: every key there is, with its type, unit, range, default and meaning.
#pragma once

#include "ricochet/io/schema.hpp"

namespace ricochet::io {

constexpr int kSceneFormat = 1;  // the value of the key `ricochet`

const Type& scene_schema();

// Does a change of the value at this path change the physics, so that facts with literal numbers may no longer hold?
bool is_physical_path(const std::vector<std::string>& path);

}  // namespace ricochet::io
