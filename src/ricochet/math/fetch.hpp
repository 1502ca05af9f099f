// Asking for memory before it is needed, where a loop knows early which places it will look at and they lie anywhere.
// (What is read in order comes by itself.) It changes no result, only how long a large problem waits.
#pragma once

namespace ricochet::math {

inline constexpr int kBytesOfACacheLine = 64;  // on all common processors
inline constexpr int kNumbersOfACacheLine = kBytesOfACacheLine / static_cast<int>(sizeof(double));

// A function that does nothing else would be without effect in the eyes of a compiler, which would leave out its calls:
// the empty instruction says that it is not.
inline void fetch(const void* place) {
  __builtin_prefetch(place);
  asm volatile("" : : "r"(place));
}

}  // namespace ricochet::math
