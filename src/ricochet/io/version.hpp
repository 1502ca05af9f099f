// The version of this program, as in 0.1.0+1a2b3c4: the release and, from a git checkout, the commit.
#pragma once

#include <string_view>

namespace ricochet::io {

std::string_view version();

// What every file of ours carries under `program` and `format`, so that it can be recognised.
inline constexpr std::string_view program_name = "ricochet";
inline constexpr int file_format = 1;

}  // namespace ricochet::io
