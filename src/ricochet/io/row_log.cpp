#include "ricochet/io/row_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ricochet/io/file_error.hpp"

namespace ricochet::io {

void RowLog::append(const std::string& row) {
  const std::uint64_t length = row.size();
  std::string& buffer = output_.buffer();
  const std::size_t start = buffer.size();
  buffer.append(reinterpret_cast<const char*>(&length), sizeof(length)).append(row);
  hash_.add(buffer.data() + start, buffer.size() - start);
  bytes_ += buffer.size() - start;
  output_.drain();
}

RowLogExtent RowLog::sync() {
  output_.sync();
  return {bytes_, hash_.value()};
}

RowLogReader::RowLogReader(const std::filesystem::path& path, const RowLogExtent& extent)
    : path_(path), file_(path, std::ios::binary), left_(extent.bytes) {
  if (!file_) fail("cannot be opened, but holds the rows before the checkpoint: it must lie beside it");
  math::ByteHash hash;
  std::vector<char> chunk(1 << 16);
  for (std::uint64_t left = extent.bytes; left > 0;) {
    const auto wanted = static_cast<std::streamsize>(std::min<std::uint64_t>(left, chunk.size()));
    if (!file_.read(chunk.data(), wanted)) fail("is shorter than the checkpoint says");
    hash.add(chunk.data(), static_cast<std::size_t>(wanted));
    left -= static_cast<std::uint64_t>(wanted);
  }
  if (hash.value() != extent.checksum) fail("is damaged, or belongs to another run: its checksum is wrong");
  file_.clear();
  file_.seekg(0);
}

bool RowLogReader::next(std::string& row) {
  if (left_ == 0) return false;
  std::uint64_t length = 0;
  if (left_ < sizeof(length) || !file_.read(reinterpret_cast<char*>(&length), sizeof(length))) fail("is damaged");
  left_ -= sizeof(length);
  if (length > left_) fail("is damaged");
  row.resize(length);
  if (!file_.read(row.data(), static_cast<std::streamsize>(length))) fail("is damaged");
  left_ -= length;
  return true;
}

void RowLogReader::fail(const std::string& why) const {
  throw FileError(fmt::format("{}: the log of rows {}.", path_.string(), why));
}

}  // namespace ricochet::io
