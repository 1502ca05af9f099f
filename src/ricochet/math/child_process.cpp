#include "ricochet/math/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace ricochet::math {

namespace {

bool send_bytes(int descriptor, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(descriptor, bytes.data() + sent, bytes.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

[[noreturn]] void be_child(int descriptor, pid_t parent, const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it was killed before it could be watched
  // The death of the child is reported by the parent, in one sentence.
  if (const int silent = open("/dev/null", O_WRONLY); silent >= 0) dup2(silent, STDERR_FILENO);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGPIPE}) std::signal(fatal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  try {
    _exit(send_bytes(descriptor, work()) ? 0 : 1);
  } catch (...) {
    _exit(1);
  }
}

}  // namespace

ChildProcess::ChildProcess(const std::function<std::string()>& work) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error(std::string("no pipe to another process: ") + std::strerror(errno));
  }
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) be_child(ends[1], parent, work);
  const int error = errno;
  close(ends[1]);
  pipe_ = ends[0];
  if (process_ < 0) {
    close(pipe_);
    throw std::runtime_error(std::string("no other process: ") + std::strerror(error));
  }
}

ChildProcess::~ChildProcess() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  finish();
}

bool ChildProcess::receive() {
  std::array<char, 1 << 16> buffer = {};
  for (;;) {
    const ssize_t count = read(pipe_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }
}

ChildProcess::Ending ChildProcess::finish() {
  while (receive()) {
  }
  close(pipe_);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  Ending ending;
  ending.is_whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  if (ending.is_whole) ending.answer = std::move(received_);
  return ending;
}

}  // namespace ricochet::math
