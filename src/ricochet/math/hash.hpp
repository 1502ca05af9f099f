// 64-bit FNV-1a: a checksum of bytes in the order in which they come. A single changed byte always changes it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ricochet::math {

class ByteHash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ byte[i]) * 1099511628211ULL;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

}  // namespace ricochet::math
