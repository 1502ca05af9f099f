// The HDF5 library serves one thread at a time, and Python has many.
#pragma once

#include <mutex>

namespace ricochet::python {

// To be locked around all reading and writing of files, after the interpreter lock was released: whoever waits for
// files must not hold what their owner may want. Recursive, because a progress function may open a result.
std::recursive_mutex& files_in_use();

}  // namespace ricochet::python
