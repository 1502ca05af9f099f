// Triangles from a file, STL (text or binary) or OBJ, through the library assimp: mesh_file.cpp alone knows it.
//
// The library reads coordinates in single precision; that of 0.1 m is off by 1.5e-9 m. Everything after that is exact.
#pragma once

#include <string>

#include "ricochet/model/triangle_mesh.hpp"

namespace ricochet::io {

// All triangles of the file, polygons cut into triangles, vertices at the same place made one. Coordinates are
// multiplied by `scale`: files have no units, and many are in millimetres. Throws std::invalid_argument with a sentence
// that names the file if it cannot be read or has no triangles.
model::TriangleMesh read_mesh_file(const std::string& path, double scale);

}  // namespace ricochet::io
