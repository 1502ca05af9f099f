// What a scene may say about the time scheme and the contact solver.
#pragma once

#include "ricochet/io/schema.hpp"

namespace ricochet::io {

Type integrator_type();
Type solver_type();

}  // namespace ricochet::io
