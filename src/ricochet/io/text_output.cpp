#include "ricochet/io/text_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace ricochet::io {
namespace {

constexpr std::size_t text_output_buffer = 64 * 1024;  // bytes

[[noreturn]] void text_output_failed(const std::filesystem::path& path, int error) {
  throw WriteError(fmt::format("{}: cannot be written: {}.", path.string(), std::generic_category().message(error)));
}

}  // namespace

TextOutput::TextOutput(std::filesystem::path path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
  if (!file_) {
    throw OutputError(
        fmt::format("{}: cannot be written: {}.", path_.string(), std::generic_category().message(errno)));
  }
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // ours is the only buffer
  buffer_.reserve(text_output_buffer + text_output_buffer / 4);
}

void TextOutput::write_buffer() {
  if (!buffer_.empty() && std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) {
    text_output_failed(path_, errno);
  }
  buffer_.clear();
}

void TextOutput::drain() {
  if (buffer_.size() >= text_output_buffer) write_buffer();
}

void TextOutput::flush() {
  write_buffer();
  if (std::fflush(file_.get()) != 0) text_output_failed(path_, errno);
}

void TextOutput::sync() {
  flush();
  if (fsync(fileno(file_.get())) != 0) text_output_failed(path_, errno);
}

void TextOutput::close() {
  if (!file_) return;
  flush();
  if (std::fclose(file_.release()) != 0) text_output_failed(path_, errno);
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  TextOutput output(path);
  output.buffer().append(text);
  output.close();
}

}  // namespace ricochet::io
