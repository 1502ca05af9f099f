#include "ricochet/io/chunk_compressor.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "ricochet/math/random.hpp"

namespace ricochet::io {
namespace {

std::vector<unsigned char> chunk_bytes(math::Random& random, std::size_t size) {
  std::vector<unsigned char> bytes(size);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.integer(7));
  return bytes;
}

std::vector<unsigned char> inflate_and_sort(const std::vector<unsigned char>& stored, std::size_t size,
                                            std::size_t value_bytes) {
  std::vector<unsigned char> shuffled(size), result(size);
  uLongf length = static_cast<uLongf>(size);
  EXPECT_EQ(uncompress(shuffled.data(), &length, stored.data(), static_cast<uLong>(stored.size())), Z_OK);
  EXPECT_EQ(length, size);
  const std::size_t values = size / value_bytes;
  for (std::size_t i = 0; i < values; ++i) {
    for (std::size_t k = 0; k < value_bytes; ++k) result[i * value_bytes + k] = shuffled[k * values + i];
  }
  return result;
}

// More chunks than may wait, of several sizes, taken now and then: each comes back once, whole and in order.
TEST(ChunkCompressor, ChunksComeBackInOrder) {
  math::Random random(1);
  ChunkCompressor compressor;
  std::vector<std::vector<unsigned char>> given;
  std::vector<std::size_t> widths;
  std::size_t back = 0;
  const auto check = [&](const ChunkCompressor::Chunk& chunk) {
    ASSERT_LT(back, given.size());
    EXPECT_EQ(chunk.first_row, static_cast<std::int64_t>(back));
    EXPECT_LT(chunk.bytes.size(), given[back].size());
    EXPECT_EQ(inflate_and_sort(chunk.bytes, given[back].size(), widths[back]), given[back]);
    ++back;
  };
  EXPECT_FALSE(compressor.take(true).has_value()) << "nothing to wait for";
  for (int i = 0; i < 1500; ++i) {  // some 20 MB, of which 16 may wait
    widths.push_back(i % 3 == 0 ? 20 : 8);
    given.push_back(chunk_bytes(random, widths.back() * (100 + random.integer(2000))));
    compressor.add({nullptr, i, widths.back(), given.back()});
    if (i % 5 == 0) {
      while (const auto chunk = compressor.take(false)) check(*chunk);
    }
  }
  while (const auto chunk = compressor.take(true)) check(*chunk);
  EXPECT_EQ(back, given.size());
}

TEST(ChunkCompressor, EndsWithChunksThatNobodyTook) {
  math::Random random(2);
  ChunkCompressor compressor;
  for (int i = 0; i < 20; ++i) compressor.add({nullptr, i, 8, chunk_bytes(random, 64 * 1024)});
}

}  // namespace
}  // namespace ricochet::io
