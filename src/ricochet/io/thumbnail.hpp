// A small picture of a result as SVG, drawn without a browser: the bodies of one row, seen from where the replay of the
// report begins (planar scenes from the front, others from a corner), without perspective. Triangles that look away are
// left out, the others are painted from far to near; spheres are circles. The picture has room for the whole run, and
// with few bodies their paths.
#pragma once

#include <cstddef>
#include <string>

#include "ricochet/io/result_reader.hpp"

namespace ricochet::io {

struct ThumbnailSize {
  int width = 320;  // pixels
  int height = 200;
};

// Throws FileError if the result has no geometry.
std::string thumbnail_svg(const ResultReader& result, std::size_t row, ThumbnailSize size = {});

}  // namespace ricochet::io
