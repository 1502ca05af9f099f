// A result for ParaView: three series in a directory, made from result.h5 alone.
//
//   bodies.pvd      surfaces of the bodies that are there; on points: velocity (m/s), on triangles: body
//   contacts.pvd    points of contact; impulse (N s, world, on the first body, since the frame before), normal, gap
//   (m),
//                   status (0 open, 1 stick, 2 slip), body_a, body_b (numbers of bodies, then of surfaces)
//   surfaces.pvd    meshes, and planes as squares as large as the scene; on triangles: surface
//
// Each lists files <name>-<number>.vtp. `names` in the data of a file tells which number is which body or surface.
#pragma once

#include <cstddef>
#include <filesystem>

#include "ricochet/io/file_error.hpp"

namespace ricochet::io {

struct VtkExport {
  std::size_t frames = 0;  // written
  std::size_t rows = 0;    // of the result
};

// At most `frames` rows at equal distances; 0 means all. The directory is made; it may hold an older export, which is
// replaced, but nothing else. Throws FileError if the result cannot be read or has no geometry, OutputError if the
// directory cannot be used, WriteError if a file cannot be written.
VtkExport export_vtk(const std::filesystem::path& result_directory, const std::filesystem::path& directory,
                     std::size_t frames);

}  // namespace ricochet::io
