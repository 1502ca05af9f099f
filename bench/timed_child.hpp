// Work with a limit of wall time, for programs that do not know when to stop: done in a child process, which the clock
// ends. Whatever happens to the child, the parent goes on.
#pragma once

#include <functional>
#include <string>

namespace ricochet::bench {

struct ChildResult {
  enum class End {
    finished,
    out_of_time,
    broke_down,  // an exception, a signal, or no process to be had
  };
  End end = End::broke_down;
  std::string answer;  // what the work returned, or what its exception said
};

// Throws nothing. The process should have no other thread.
ChildResult run_timed(double seconds, const std::function<std::string()>& work);

}  // namespace ricochet::bench
