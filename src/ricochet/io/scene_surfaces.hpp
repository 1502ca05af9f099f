// The section `surfaces`: planes, meshes and height fields.
#pragma once

#include "ricochet/io/checked.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

void read_surface(const Entry& entry, const BodyIndex& bodies, model::Model& model);

// The keys `file` and `scale` of a shape or a surface. A path that is not absolute begins in the folder of the scene.
// Throws InputError.
model::TriangleMesh read_mesh_of_file(const Entry& entry);

}  // namespace ricochet::io
