// The keys of the section `clearances`.
#pragma once

#include "ricochet/io/schema.hpp"

namespace ricochet::io {

Type clearance_type();

}  // namespace ricochet::io
