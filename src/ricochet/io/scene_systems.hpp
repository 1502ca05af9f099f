// The section `systems`: Lagrangian systems in minimal coordinates that the program knows by name. Others are written
// in C++ or Python (model/lagrangian_system.hpp).
#pragma once

#include "ricochet/io/checked.hpp"
#include "ricochet/io/schema.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

Type system_type();

// Adds the systems of a scene to its model: node, equations, and the rule of their contacts. Throws InputError.
void read_systems(const Entry& scene, model::Model& model);

}  // namespace ricochet::io
