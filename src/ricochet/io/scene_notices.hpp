// Things of a scene that are allowed but perhaps not meant, as sentences: notices of the reader, bodies that start
// inside each other by more than rounding, and bodies that fall through everything because no contact rule names them.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/scene_reader.hpp"

namespace ricochet::io {

std::vector<std::string> notices_of(const Scene& scene);

}  // namespace ricochet::io
