#include "ricochet/study/process_pool.hpp"

#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <list>
#include <vector>

namespace ricochet::study {

namespace {

constexpr int question_interval = 100;  // ms

struct RunningJob {
  RunningJob(int number, const ProcessPool& pool) : job(number), child([&] { return pool.work(number); }) {}

  int job;
  math::ChildProcess child;
};

}  // namespace

bool run_in_processes(std::span<const int> jobs, const ProcessPool& pool) {
  std::list<RunningJob> running;
  std::size_t next = 0;
  while (next < jobs.size() || !running.empty()) {
    if (pool.keep_going && !pool.keep_going()) return false;
    while (next < jobs.size() && static_cast<int>(running.size()) < std::max(1, pool.processes)) {
      running.emplace_back(jobs[next++], pool);
    }
    std::vector<pollfd> ends;
    for (const RunningJob& each : running) ends.push_back({each.child.descriptor(), POLLIN, 0});
    if (poll(ends.data(), ends.size(), question_interval) <= 0) continue;  // nothing yet, or a signal
    std::size_t i = 0;
    for (auto each = running.begin(); each != running.end(); ++i) {
      if (ends[i].revents == 0 || each->child.receive()) {
        ++each;
        continue;
      }
      pool.finished(each->job, each->child.finish());
      each = running.erase(each);
    }
  }
  return true;
}

}  // namespace ricochet::study
