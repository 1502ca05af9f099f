// The keys of a contact law, which several sections of a scene have.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/schema.hpp"

namespace ricochet::io {

// `absence` says what it means to leave one out.
std::vector<Field> law_fields(const std::string& absence);

}  // namespace ricochet::io
