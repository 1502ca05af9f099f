// The part of the scene's schema that describes joints: see model/joint.hpp for what each type holds together.
#pragma once

#include "ricochet/io/schema.hpp"

namespace ricochet::io {

Type joint_type();

}  // namespace ricochet::io
