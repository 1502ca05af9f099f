#include "ricochet/study/process_pool.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <map>
#include <stdexcept>
#include <vector>

namespace ricochet::study {
namespace {

using math::ChildProcess;

const std::vector<int> five_jobs = {4, 0, 1, 2, 3};

TEST(ProcessPool, DoesEveryJobOnceWithAnyNumberOfProcesses) {
  for (const int processes : {0, 1, 2, 9}) {
    std::map<int, std::string> answers;
    ProcessPool pool;
    pool.processes = processes;
    pool.work = [](int job) { return std::string(100'000 * static_cast<std::size_t>(job), 'x'); };
    pool.finished = [&](int job, const ChildProcess::Ending& ending) {
      EXPECT_TRUE(answers.emplace(job, ending.answer).second);
    };
    EXPECT_TRUE(run_in_processes(five_jobs, pool));
    ASSERT_EQ(answers.size(), 5u);
    for (const auto& [job, answer] : answers) EXPECT_EQ(answer.size(), 100'000 * static_cast<std::size_t>(job));
  }
}

TEST(ProcessPool, ACrashLeavesTheOthersAlone) {
  int whole = 0, killed = 0, thrown = 0;
  ProcessPool pool{2,
                   [](int job) -> std::string {
                     if (job == 1) std::raise(SIGKILL);
                     if (job == 2) throw std::runtime_error("no");
                     return "good";
                   },
                   [&](int job, const ChildProcess::Ending& ending) {
                     whole += ending.is_whole ? 1 : 0;
                     killed += ending.signal == SIGKILL ? job : 0;
                     thrown += !ending.is_whole && ending.signal == 0 ? job : 0;
                   },
                   {}};
  EXPECT_TRUE(run_in_processes(five_jobs, pool));
  EXPECT_EQ(whole, 3);
  EXPECT_EQ(killed, 1);
  EXPECT_EQ(thrown, 2);
}

TEST(ProcessPool, StopsWhenItIsToldTo) {
  const auto start = std::chrono::steady_clock::now();
  int finished = 0;
  ProcessPool pool{2,
                   [](int job) -> std::string {
                     if (job != 4) sleep(100);
                     return "";
                   },
                   [&](int, const ChildProcess::Ending&) { ++finished; }, [&] { return finished == 0; }};
  EXPECT_FALSE(run_in_processes(five_jobs, pool));
  EXPECT_EQ(finished, 1);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(50));
}

TEST(ProcessPool, AnExceptionOfWhoListensEndsIt) {
  ProcessPool pool{2,
                   [](int) { return std::string(); },
                   [&](int, const ChildProcess::Ending&) { throw std::runtime_error("the disk is full"); },
                   {}};
  EXPECT_THROW(run_in_processes(five_jobs, pool), std::runtime_error);
}

}  // namespace
}  // namespace ricochet::study
