// Several jobs in processes of their own (math/child_process.hpp): the samples of a sweep, of which one that crashes
// must not take the others with it. What run_jobs.hpp does with threads, where every job can be trusted.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "ricochet/math/child_process.hpp"

namespace ricochet::study {

struct ProcessPool {
  int processes = 1;                                                                // at a time
  std::function<std::string(int job)> work;                                         // in a process of its own
  std::function<void(int job, const math::ChildProcess::Ending& ending)> finished;  // here, one call at a time
  // Asked ten times a second and after every job; a no kills the jobs that run, and none begins any more.
  std::function<bool()> keep_going = {};
};

// Begins the jobs in the order of the list. False if `keep_going` said no before all had finished. An exception of
// `finished` kills the jobs that run and goes to the caller.
bool run_in_processes(std::span<const int> jobs, const ProcessPool& pool);

}  // namespace ricochet::study
