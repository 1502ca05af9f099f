#include "ricochet/math/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

namespace ricochet::math {
namespace {

TEST(Threads, NeverMoreThanThereAreCores) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  EXPECT_EQ(Threads().count(), 1);
  EXPECT_EQ(Threads(1).count(), 1);
  EXPECT_GE(Threads(0).count(), 1);
  EXPECT_LE(Threads(0).count(), cores);
  EXPECT_LE(Threads(1000).count(), cores);
}

TEST(Threads, EveryChunkOnceWhateverTheNumberOfThreads) {
  for (const int count : {1, 2, 0}) {
    const Threads threads(count);
    for (const int chunks : {0, 1, 2, 7, 1000}) {
      std::vector<int> calls(chunks, 0);  // each chunk has a place of its own
      std::atomic<int> total = 0;
      threads.for_each(chunks, [&](int chunk) {
        ++calls[chunk];
        ++total;
      });
      EXPECT_EQ(calls, std::vector<int>(chunks, 1));
      EXPECT_EQ(total, chunks);
    }
  }
}

TEST(Threads, OneThreadGoesInOrder) {
  std::vector<int> order, expected(10);
  std::iota(expected.begin(), expected.end(), 0);
  Threads(1).for_each(10, [&](int chunk) { order.push_back(chunk); });
  EXPECT_EQ(order, expected);
}

TEST(Threads, TheLastChunkMayBeShorter) {
  EXPECT_EQ(Threads::chunks(0, 8), 0);
  EXPECT_EQ(Threads::chunks(1, 8), 1);
  EXPECT_EQ(Threads::chunks(16, 8), 2);
  EXPECT_EQ(Threads::chunks(17, 8), 3);
}

}  // namespace
}  // namespace ricochet::math
