#include "ricochet/io/result_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>
#include <system_error>

#include "ricochet/io/checkpoint.hpp"
#include "ricochet/io/row_log.hpp"
#include "ricochet/io/summary.hpp"

namespace ricochet::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view partial_infix = ".partial-";

[[noreturn]] void output_refused(const fs::path& path, std::string_view why) {
  throw OutputError(fmt::format("{}: {}.", path.string(), why));
}

bool is_mount_point(const fs::path& path) {
  struct statx status = {};
  return statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &status) == 0 &&
         (status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

constexpr std::array<std::string_view, 6> result_files = {"summary.json", "history.csv", "contacts.csv",
                                                          "result.h5",    "report.html", row_log_name};

bool is_result_file(const std::string& name) {
  return std::find(result_files.begin(), result_files.end(), name) != result_files.end();
}

// Something in a result directory that no run has written there; empty if there is nothing.
std::string foreign_entry(const fs::path& target) {
  std::error_code error;
  for (fs::directory_iterator entry(target, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!is_result_file(name) && !name.starts_with("checkpoint-")) return name;
  }
  return "";
}

// Nothing if DIR may be replaced, else a sentence.
std::string why_not_replaceable(const fs::path& target) {
  std::error_code error;
  const auto status = fs::symlink_status(target, error);
  if (!fs::exists(status)) return "";
  if (!fs::is_directory(status)) return "exists and is not a directory";
  const bool empty = fs::is_empty(target, error);
  if (error) return fmt::format("cannot be read: {}", error.message());
  if (!empty && !is_result_directory(target)) {
    return "exists and is not a Ricochet result, so it is not replaced: choose another directory or empty this one";
  }
  if (const std::string foreign = foreign_entry(target); !foreign.empty()) {
    return fmt::format(
        "is a result, but also contains '{}', which a new result would delete: move that, or choose another "
        "directory",
        foreign);
  }
  // The kernel would refuse to rename it at the end of the run.
  if (is_mount_point(target)) return "is a mount point and cannot be replaced: choose a directory inside it";
  return "";
}

// The absolute path without links, dots and a trailing slash: what is renamed must be the directory itself.
fs::path resolved_directory(const fs::path& path) {
  if (path.empty()) throw OutputError("The name of the result directory is empty.");
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(path), error);
  if (error) output_refused(path, fmt::format("cannot be used: {}", error.message()));
  if (!result.has_filename()) result = result.parent_path();
  if (!result.has_filename()) output_refused(path, "cannot be a result directory");
  return result;
}

// Only files that a run leaves behind: without a checkpoint nobody will miss them.
bool holds_only_our_files(const fs::path& partial, bool with_checkpoints) {
  std::error_code error;
  fs::directory_iterator entry(partial, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!entry->is_regular_file(error) || error) return false;
    const std::string name = entry->path().filename().string();
    const bool ours =
        is_result_file(name) || is_checkpoint_draft_name(name) || (with_checkpoints && is_checkpoint_name(name));
    if (!ours) return false;
  }
  return !error;
}

bool holds_checkpoint(const fs::path& directory) {
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_checkpoint_name(entry->path().filename().string())) return true;
  }
  return false;
}

// DIR of a path DIR.partial-PID; nothing if it is none.
std::pair<fs::path, pid_t> partial_of(const fs::path& directory) {
  const std::string name = directory.filename().string();
  const std::size_t at = name.rfind(partial_infix);
  if (at == std::string::npos || at == 0) return {};
  pid_t process = 0;
  const char* end = name.data() + name.size();
  const auto [read_to, problem] = std::from_chars(name.data() + at + partial_infix.size(), end, process);
  if (problem != std::errc() || read_to != end || process <= 0) return {};
  return {directory.parent_path() / name.substr(0, at), process};
}

// An open descriptor of the directory with an exclusive lock, or -1 if another holds it. The lock ends with its
// process, however that ends.
int open_locked_directory(const fs::path& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

void remove_if_left_over(const fs::path& partial, pid_t process) {
  const bool alive = process != getpid() && (kill(process, 0) == 0 || errno != ESRCH);
  if (alive || !holds_only_our_files(partial, false)) return;
  const int lock = open_locked_directory(partial);  // a process in another container is not visible, but its lock is
  if (lock < 0) return;
  std::error_code ignored;
  fs::remove_all(partial, ignored);
  close(lock);
}

}  // namespace

ResultDirectory::ResultDirectory(const fs::path& target) : target_(resolved_directory(target)) {
  if (const std::string why = why_not_replaceable(target_); !why.empty()) output_refused(target, why);
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (error) output_refused(target, fmt::format("cannot be made: {}", error.message()));
  remove_leftovers();
  constexpr int beyond_all_processes = 1 << 22;  // the largest pid_max of Linux
  for (int number = getpid(); partial_.empty() || holds_checkpoint(partial_); number += beyond_all_processes) {
    partial_ = target_;
    partial_ += fmt::format("{}{}", partial_infix, number);
  }
  if (!fs::create_directory(partial_, error)) {
    const bool exists = !error;
    output_refused(target, exists ? fmt::format("cannot be written while {} exists", partial_.string())
                                  : fmt::format("cannot be made: {}", error.message()));
  }
  lock_ = open_locked_directory(partial_);
}

void ResultDirectory::remove_leftovers() const {
  std::error_code error;
  fs::directory_iterator entry(target_.parent_path(), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const auto [owner, process] = partial_of(entry->path());
    std::error_code unreadable;
    if (process == 0 || owner != target_) continue;
    if (fs::is_directory(entry->symlink_status(unreadable))) remove_if_left_over(entry->path(), process);
  }
}

void ResultDirectory::finish() {
  finished_ = true;  // from now on the data are kept, whatever happens
  const auto kept = [this](std::string_view why) {
    return WriteError(fmt::format("{}: {}; the result is in {}.", target_.string(), why, partial_.string()));
  };
  if (const std::string why = why_not_replaceable(target_); !why.empty()) throw kept(why);

  std::error_code error;
  fs::path old;
  if (fs::exists(target_)) {
    old = target_;
    old += fmt::format(".old-{}", getpid());
    fs::rename(target_, old, error);
    if (error) throw kept(fmt::format("cannot be replaced: {}", error.message()));
  }
  fs::rename(partial_, target_, error);
  if (error) {
    std::error_code ignored;
    if (!old.empty()) fs::rename(old, target_, ignored);
    throw kept(fmt::format("cannot be made: {}", error.message()));
  }
  if (!old.empty()) fs::remove_all(old, error);
}

ResultDirectory::~ResultDirectory() {
  std::error_code ignored;
  if (!finished_ && !holds_checkpoint(partial_)) fs::remove_all(partial_, ignored);
  if (lock_ >= 0) close(lock_);
}

ResumedDirectory::ResumedDirectory(const fs::path& checkpoint) {
  path_ = fs::absolute(checkpoint).lexically_normal().parent_path();
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0 && flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(lock_);
    output_refused(checkpoint, "is in use: its run is still going, or is being resumed");
  }
}

ResumedDirectory::~ResumedDirectory() {
  if (lock_ >= 0) close(lock_);
}

fs::path ResumedDirectory::target(const fs::path& asked_for) const {
  if (const auto [target, process] = partial_of(path_); process != 0) return target;
  return is_result_directory(path_) ? path_ : asked_for;
}

void remove_partial_directory(const fs::path& partial) {
  if (partial_of(partial).second == 0 || !holds_only_our_files(partial, true)) return;
  const int lock = open_locked_directory(partial);
  if (lock < 0) return;
  std::error_code ignored;
  fs::remove_all(partial, ignored);
  close(lock);
}

bool is_result_directory(const fs::path& directory) { return is_run_summary(directory / "summary.json"); }

}  // namespace ricochet::io
