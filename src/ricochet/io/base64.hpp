// Bytes as text (RFC 4648, section 4): three bytes become four letters. Numbers keep the order of bytes of this
// machine, which is little-endian everywhere Ricochet runs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace ricochet::io {

static_assert(std::endian::native == std::endian::little);

inline void append_base64(std::string& text, std::span<const std::byte> bytes) {
  constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  text.reserve(text.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? letters[group >> (18 - 6 * k) & 63u] : '=';
    }
  }
}

template <class Value>
std::string base64(std::span<const Value> values) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::string text;
  append_base64(text, std::as_bytes(values));
  return text;
}

}  // namespace ricochet::io
