// What can go wrong with files, told apart by what the user can do about it. Every message is a sentence that names the
// file.
//
//   OutputError   the place for the output cannot be used; thrown before anything is computed      exit code 2
//   WriteError    a file could not be written to its end, as on a full disk                        exit code 1
//   FileError     a result or problem file cannot be read; the base of WriteError: catch that one first  exit code 3
#pragma once

#include <stdexcept>

namespace ricochet::io {

class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class WriteError : public FileError {
 public:
  using FileError::FileError;
};

class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ricochet::io
