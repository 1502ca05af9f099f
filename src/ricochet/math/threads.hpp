// A team of threads that shares the work of a loop (oneTBB, which only threads.cpp knows).
//
// Results must not depend on the number of threads. So a loop is cut into chunks that depend on its length only; each
// chunk writes to a place of its own, and whoever asked joins these places in the order of the chunks. No sum is ever
// formed across chunks in the order in which threads happen to finish.
#pragma once

#include <memory>

#include "ricochet/math/function_reference.hpp"

namespace ricochet::math {

class Threads {
 public:
  explicit Threads(int count = 1);  // 0: one per core; never more than there are cores
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads();

  int count() const { return count_; }

  // Calls work(chunk) once for each chunk from 0 on, in any order, several at a time. `work` must not throw. With one
  // thread, or one chunk, everything happens here and in order. Does not allocate for itself.
  template <class Work>
  void for_each(int chunks, const Work& work) const {
    if (count_ == 1 || chunks <= 1) {
      for (int chunk = 0; chunk < chunks; ++chunk) work(chunk);
      return;
    }
    share(chunks, work);
  }

  // The chunks of a loop of `length` rounds: chunk i has the rounds from i * size up to (i + 1) * size, or to the end.
  static int chunks(int length, int size) { return (length + size - 1) / size; }

 private:
  struct Arena;

  void share(int chunks, FunctionReference<void(int chunk)> work) const;

  int count_ = 1;
  std::unique_ptr<Arena> arena_;  // null with one thread
};

}  // namespace ricochet::math
