// Work on files from outside that a library does badly: done in a process of its own, with limits.
//
// The HDF5 library of Debian 12 has no answer to some damaged files: it reads beyond its memory, or allocates for ever
// (of 12,000 mutations of a small file, one is enough). We do not repair it, and do not want to die with it: the file
// is read in a child process, and what it holds comes back as bytes. A child that crashes, or asks for more time or
// memory than an honest file of that size can need, is a FileError like any other.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "ricochet/io/file_error.hpp"

namespace ricochet::io {

// Returns what `work` returns. Throws FileError with the words of an exception thrown by `work`, or with a sentence
// about the file if the child did not come to an end. The limits are 512 MB and 64 times the size of the file for
// memory (not under the address sanitizer, which has its own idea of memory), 10 s and 1 s per MB for time.
//
// The caller should have no other thread that is inside the HDF5 library at this moment.
std::string do_guarded(const std::filesystem::path& file, const std::function<std::string()>& work);

}  // namespace ricochet::io
