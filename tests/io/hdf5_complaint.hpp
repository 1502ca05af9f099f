// How the tests of HDF5 files look at exceptions.
#pragma once

#include <string>

#include "ricochet/io/file_error.hpp"

namespace ricochet::test {

// The message of the exception that `action` throws, with its kind; empty if it throws nothing.
template <class Action>
std::string hdf5_complaint(const Action& action) {
  try {
    action();
  } catch (const io::WriteError& error) {
    return std::string("WriteError ") + error.what();
  } catch (const io::FileError& error) {
    return std::string("FileError ") + error.what();
  }
  return "";
}

}  // namespace ricochet::test
