#include "bench/timed_child.hpp"

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>

namespace ricochet::bench {

namespace {

constexpr char good = 'g', bad = 'b';  // the first byte of what a child sends

void start_clock(double seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(std::ceil(1e6 * (seconds - std::floor(seconds))));
  if (timer.it_value.tv_usec >= 1'000'000) timer.it_value.tv_usec = 999'999;
  std::signal(SIGALRM, SIG_DFL);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

[[noreturn]] void be_child(int descriptor, double seconds, const std::function<std::string()>& work) {
  start_clock(seconds);
  std::string answer;
  try {
    answer = good + work();
  } catch (const std::exception& error) {
    answer = bad + std::string(error.what());
  }
  start_clock(0);  // no longer; the answer is there
  for (std::size_t sent = 0; sent < answer.size();) {
    const ssize_t count = write(descriptor, answer.data() + sent, answer.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(1);
    sent += static_cast<std::size_t>(count);
  }
  _exit(0);  // without the destructors and buffers of the parent
}

}  // namespace

ChildResult run_timed(double seconds, const std::function<std::string()>& work) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) be_child(ends[1], seconds, work);
  close(ends[1]);
  std::string answer;
  std::array<char, 4096> buffer = {};
  while (child > 0) {
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    answer.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  if (child < 0) return {};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return {ChildResult::End::out_of_time, {}};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty()) return {};
  return {answer.front() == good ? ChildResult::End::finished : ChildResult::End::broke_down, answer.substr(1)};
}

}  // namespace ricochet::bench
