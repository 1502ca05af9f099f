#include "ricochet/study/run_jobs.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ricochet::study {

void run_jobs(int count, int threads, const std::function<void(int)>& job) {
  std::atomic<int> next = 0;
  std::mutex mutex;  // of failure
  std::exception_ptr failure;
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        job(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> workers;  // joined at the end of the block
    for (int i = 1; i < std::min(threads, count); ++i) workers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ricochet::study
