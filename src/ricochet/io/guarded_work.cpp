#include "ricochet/io/guarded_work.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <new>

#include "ricochet/math/child_process.hpp"

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

std::string answer_of_child(const std::filesystem::path& file, const std::function<std::string()>& work) {
  limit_child(file);
  try {
    return kGuardedResult + work();
  } catch (const std::bad_alloc&) {
    return kGuardedComplaint +
           fmt::format("{}: reading it takes more memory than a file of its size can need.", file.string());
  } catch (const std::exception& error) {
    return kGuardedComplaint + std::string(error.what());
  }
}

}  // namespace

std::string do_guarded(const std::filesystem::path& file, const std::function<std::string()>& work) {
  math::ChildProcess::Ending ending;
  try {
    ending = math::ChildProcess([&] { return answer_of_child(file, work); }).finish();
  } catch (const std::runtime_error& error) {
    throw FileError(fmt::format("{}: cannot be read: {}.", file.string(), error.what()));
  }
  std::string& answer = ending.answer;
  if (answer.empty()) {
    throw FileError(fmt::format("{}: is damaged: the HDF5 library {} while it was read.", file.string(),
                                ending.signal == SIGXCPU ? "did not come to an end" : "broke down"));
  }
  const bool good = answer.front() == kGuardedResult;
  answer.erase(0, 1);
  if (!good) throw FileError(answer);
  return answer;
}

}  // namespace ricochet::io
