// Work in a process of its own: a crash there is an answer like any other here.
//
// The child is a copy of this process (fork). It does the work, sends the text that the work gives, and ends without
// the destructors and buffers of its parent. It dies with its parent, says nothing on standard error, and does not hear
// Ctrl-C, which a terminal sends to both: the parent decides what becomes of it.
//
// A copy has only the thread that made it: no other thread of this process should hold a lock that the work needs.
#pragma once

#include <functional>
#include <string>

namespace ricochet::math {

class ChildProcess {
 public:
  // Starts. Throws std::runtime_error if the system gives no process.
  explicit ChildProcess(const std::function<std::string()>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // kills a child that has not ended

  // Can be read (poll) when the child has sent something or has ended.
  int descriptor() const { return pipe_; }
  // Takes what has come, and waits if nothing has. False once nothing more will come: then `finish` does not wait.
  bool receive();

  struct Ending {
    bool is_whole = false;  // the work came to its end; it did not throw
    int signal = 0;         // that ended the child, 0 if none did
    std::string answer;     // what the work gave, if it is whole
  };
  Ending finish();  // receives the rest, and waits for the end

 private:
  int pipe_ = -1;
  int process_ = -1;
  std::string received_;
};

}  // namespace ricochet::math
