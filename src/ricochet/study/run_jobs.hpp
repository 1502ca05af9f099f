// Several jobs on several threads: the runs of a validation or of a convergence study, which do not know of each other.
#pragma once

#include <functional>

namespace ricochet::study {

// Calls job(i) once for each i from 0 on, in increasing order, at most `threads` at a time: the longest job should come
// first. An exception of a job keeps those that have not begun from beginning, and goes to the caller.
void run_jobs(int count, int threads, const std::function<void(int)>& job);

}  // namespace ricochet::study
