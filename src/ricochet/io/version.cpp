#include "ricochet/io/version.hpp"

#ifndef RICOCHET_VERSION  // CMake defines it for this file alone
#define RICOCHET_VERSION "0.0.0"
#endif

namespace ricochet::io {

std::string_view version() { return RICOCHET_VERSION; }

}  // namespace ricochet::io
