#include "ricochet/study/run_jobs.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <vector>

namespace ricochet::study {
namespace {

TEST(RunJobs, EachJobOnceForAnyNumberOfThreads) {
  for (const int threads : {-1, 0, 1, 2, 7, 100}) {
    std::vector<std::atomic<int>> calls(20);
    run_jobs(20, threads, [&](int i) { ++calls[i]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1) << threads << " threads";
  }
  run_jobs(0, 4, [](int) { FAIL() << "there is no job"; });
}

TEST(RunJobs, OneThreadKeepsTheOrder) {
  std::vector<int> order;
  run_jobs(4, 1, [&](int i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3}));
}

TEST(RunJobs, AnExceptionEndsTheWorkAndIsTold) {
  for (const int threads : {1, 3}) {
    std::atomic<int> begun = 0;
    const auto job = [&](int i) {
      ++begun;
      if (i == 2) throw std::runtime_error("job 2");
    };
    EXPECT_THROW(run_jobs(1000, threads, job), std::runtime_error);
    if (threads == 1) {
      EXPECT_EQ(begun, 3);
    }
  }
}

}  // namespace
}  // namespace ricochet::study
