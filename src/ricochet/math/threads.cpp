#include "ricochet/math/threads.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace ricochet::math {

struct Threads::Arena {
  tbb::task_arena arena;
};

Threads::Threads(int count) {
  const int cores = std::max(1, tbb::info::default_concurrency());
  count_ = count <= 0 ? cores : std::min(count, cores);
  if (count_ > 1) arena_ = std::make_unique<Arena>(Arena{tbb::task_arena(count_)});
}

Threads::~Threads() = default;

void Threads::share(int chunks, FunctionReference<void(int chunk)> work) const {
  arena_->arena.execute([&] { tbb::parallel_for(0, chunks, [&](int chunk) { work(chunk); }); });
}

}  // namespace ricochet::math
