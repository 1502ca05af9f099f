// The row log: all rows of a run in one file that only grows, so that a killed run can be resumed.
//
// result.h5 of a killed process may be damaged. A log of which a part is known to be on the disk is not: a checkpoint
// notes how far the log was and its checksum, and `resume` reads just that much and writes the result files again. A
// row is a length and the bytes of an archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "ricochet/io/text_output.hpp"
#include "ricochet/math/hash.hpp"

namespace ricochet::io {

// How much of a log a checkpoint stands on.
struct RowLogExtent {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("bytes", self.bytes);
    visitor("checksum", self.checksum);
  }
};

class RowLog {
 public:
  explicit RowLog(const std::filesystem::path& path) : output_(path) {}

  void append(const std::string& row);
  RowLogExtent sync();  // all rows so far are on the disk

 private:
  TextOutput output_;
  math::ByteHash hash_;
  std::uint64_t bytes_ = 0;
};

class RowLogReader {
 public:
  // Reads the whole part once to check it. Throws FileError if the file is shorter or has other bytes.
  RowLogReader(const std::filesystem::path& path, const RowLogExtent& extent);

  bool next(std::string& row);  // false after the last one

 private:
  [[noreturn]] void fail(const std::string& why) const;

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t left_ = 0;  // bytes
};

inline constexpr const char* row_log_name = "rows.log";

}  // namespace ricochet::io
