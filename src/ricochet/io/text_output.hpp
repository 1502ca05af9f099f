// A text file that is being written. Nothing is lost silently: a full disk is a WriteError at the latest in `close`,
// and a file that cannot be opened at all is an OutputError.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "ricochet/io/file_error.hpp"

namespace ricochet::io {

class TextOutput {
 public:
  explicit TextOutput(std::filesystem::path path);  // replaces a file that is there

  const std::filesystem::path& path() const { return path_; }

  // Where text is added; `drain` now and then keeps it short.
  std::string& buffer() { return buffer_; }
  void drain();  // passes the buffer on when it has grown to a few hundred lines
  void flush();  // everything so far is with the operating system
  void sync();   // everything so far is on the disk
  void close();  // flushes and closes; a file destroyed without it may be incomplete

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void write_buffer();

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::string buffer_;
};

void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace ricochet::io
