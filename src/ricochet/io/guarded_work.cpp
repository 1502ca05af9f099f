#include "ricochet/io/guarded_work.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <new>

namespace ricochet::io {

namespace {

constexpr char kGuardedResult = 'r';  // the first byte that a child sends; what follows is the result
constexpr char kGuardedComplaint = 'c';
constexpr double kMegabyte = 1 << 20;

void limit_resource(int resource, double amount) {
  rlimit limit = {};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  const auto wanted = static_cast<rlim_t>(amount);
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > wanted) limit.rlim_cur = wanted;
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

void limit_child(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  const double megabytes = error ? 0.0 : static_cast<double>(size) / kMegabyte;
  limit_resource(RLIMIT_CPU, 10 + megabytes);
  limit_resource(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)
  double pages = 0;  // that this process already has
  std::ifstream("/proc/self/statm") >> pages;
  limit_resource(RLIMIT_AS, pages * static_cast<double>(sysconf(_SC_PAGESIZE)) + (512 + 64 * megabytes) * kMegabyte);
#endif
}

bool send_bytes(int descriptor, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(descriptor, bytes.data() + sent, bytes.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

[[noreturn]] void be_child(int descriptor, const std::filesystem::path& file,
                           const std::function<std::string()>& work) {
  // The death of the child is reported by the parent, in one sentence.
  if (const int silent = open("/dev/null", O_WRONLY); silent >= 0) dup2(silent, STDERR_FILENO);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGPIPE}) std::signal(fatal, SIG_DFL);
  limit_child(file);
  std::string answer;
  try {
    answer = kGuardedResult + work();
  } catch (const std::bad_alloc&) {
    answer = kGuardedComplaint +
             fmt::format("{}: reading it takes more memory than a file of its size can need.", file.string());
  } catch (const std::exception& error) {
    answer = kGuardedComplaint + std::string(error.what());
  }
  _exit(send_bytes(descriptor, answer) ? 0 : 1);  // without the destructors and buffers of the parent
}

std::string receive_bytes(int descriptor) {
  std::string bytes;
  std::array<char, 1 << 16> buffer = {};
  for (;;) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string do_guarded(const std::filesystem::path& file, const std::function<std::string()>& work) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw FileError(fmt::format("{}: no pipe to read it.", file.string()));
  const pid_t child = fork();
  if (child == 0) be_child(ends[1], file, work);
  close(ends[1]);
  std::string answer;
  if (child > 0) answer = receive_bytes(ends[0]);
  close(ends[0]);
  if (child < 0) throw FileError(fmt::format("{}: no process to read it.", file.string()));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty()) {
    const bool endless = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    throw FileError(fmt::format("{}: is damaged: the HDF5 library {} while it was read.", file.string(),
                                endless ? "did not come to an end" : "broke down"));
  }
  const bool good = answer.front() == kGuardedResult;
  answer.erase(0, 1);
  if (!good) throw FileError(answer);
  return answer;
}

}  // namespace ricochet::io
