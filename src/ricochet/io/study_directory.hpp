// The directory of a study: several runs of one scene, and what they say together.
//
// A study computes first and writes at the end: its files appear within moments of each other, also after Ctrl-C. That
// the place can be used is found out before anything is computed.
#pragma once

#include <filesystem>
#include <string_view>

#include "ricochet/io/file_error.hpp"

namespace ricochet::io {

// Makes the directory, with its parents. It may exist if it is empty, or if its file `mark` ("converge.json") is one of
// ours: then its files are replaced. Anything else is an OutputError.
void prepare_study_directory(const std::filesystem::path& directory, std::string_view mark);

}  // namespace ricochet::io
