// Damaged problem files, made from good ones: what a bad disk, a bad program or a bad person may do to them.
#pragma once

#include <array>
#include <cctype>
#include <string>

#include "ricochet/math/random.hpp"

namespace ricochet::test {

// One to four changes: bytes, numbers (of texts and of 32 and 64 bits), pieces left out, doubled or moved.
inline std::string mutated(std::string bytes, std::uint64_t seed) {
  math::Random random(seed);
  const auto place = [&] { return bytes.empty() ? 0 : random.integer(bytes.size()); };
  for (std::uint64_t changes = 1 + random.integer(4); changes > 0; --changes) {
    const std::size_t at = place();
    const std::size_t length = 1 + random.integer(16);
    switch (random.integer(8)) {
      case 0:  // a bit
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.integer(8)));
        break;
      case 1:  // a byte
        if (!bytes.empty()) bytes[at] = static_cast<char>(random.integer(256));
        break;
      case 2: {  // a word
        constexpr std::array words = {
            "-1",  "0",          "1",          "2",      "3", "1e308", "-1e308", "nan",
            "inf", "2147483647", "4294967296", "1e-320", "x", ":",     "col",    "99999999999999999999",
            ""};
        std::size_t begin = at;
        while (begin > 0 && std::isspace(static_cast<unsigned char>(bytes[begin - 1])) == 0) --begin;
        std::size_t end = at;
        while (end < bytes.size() && std::isspace(static_cast<unsigned char>(bytes[end])) == 0) ++end;
        if (end - begin < 40) bytes.replace(begin, end - begin, words[random.integer(words.size())]);
        break;
      }
      case 3: {  // a number of 32 or 64 bits
        constexpr std::array<std::uint64_t, 8> numbers = {0,          1,          ~0ULL,      0x7fffffff,
                                                          0x80000000, 0xffffffff, 1ULL << 62, 0x7ff0000000000000};
        const std::uint64_t number = numbers[random.integer(numbers.size())];
        const std::size_t size = random.integer(2) == 0 ? 4 : 8;
        for (std::size_t k = 0; k < size && at + k < bytes.size(); ++k) {
          bytes[at + k] = static_cast<char>(number >> (8 * k) & 0xff);
        }
        break;
      }
      case 4:
        bytes.erase(at, length);
        break;
      case 5:
        bytes.insert(at, bytes.substr(place(), length));
        break;
      case 6: {
        const std::string piece = bytes.substr(place(), length);
        bytes.replace(at, std::min(piece.size(), bytes.size() - at), piece);
        break;
      }
      default:
        if (random.integer(4) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

}  // namespace ricochet::test
