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
#include <utility>
#include <vector>

#include "ricochet/io/problem_dump.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/row_log.hpp"
#include "ricochet/io/summary.hpp"

namespace ricochet::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view partial_infix = ".partial-", old_infix = ".partial-old-";

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

// A file that a run writes, or was writing when it was killed.
bool is_run_file(std::string_view name) {
  return std::find(result_files.begin(), result_files.end(), name) != result_files.end() || is_problem_name(name) ||
         is_report_draft_name(name) || is_checkpoint_name(name) || is_checkpoint_draft_name(name);
}

// Something in a result directory that no run has written there; empty if there is nothing.
std::string foreign_entry(const fs::path& target) {
  std::error_code error;
  for (fs::directory_iterator entry(target, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!is_run_file(name)) return name;
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

bool holds_only_run_files(const fs::path& directory) {
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!entry->is_regular_file(error) || error || !is_run_file(entry->path().filename().string())) return false;
  }
  return !error;
}

std::vector<fs::path> checkpoints_of(const fs::path& directory) {
  std::vector<fs::path> checkpoints;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_checkpoint_name(entry->path().filename().string())) checkpoints.push_back(entry->path());
  }
  return checkpoints;
}

struct NumberedDirectory {
  fs::path path;
  fs::path target;    // DIR
  pid_t process = 0;  // 0 if the path is not of the form DIR<infix>PID
};

NumberedDirectory numbered_directory(const fs::path& path, std::string_view infix) {
  const std::string name = path.filename().string();
  const std::size_t at = name.rfind(infix);
  if (at == std::string::npos || at == 0) return {};
  pid_t process = 0;
  const char* end = name.data() + name.size();
  const auto [read_to, problem] = std::from_chars(name.data() + at + infix.size(), end, process);
  if (problem != std::errc() || read_to != end || process <= 0) return {};
  return {path, path.parent_path() / name.substr(0, at), process};
}

// What a killed run has left, a partial directory or the result that it was replacing.
NumberedDirectory left_directory(const fs::path& path) {
  NumberedDirectory partial = numbered_directory(path, partial_infix);
  return partial.process != 0 ? partial : numbered_directory(path, old_infix);
}

// All directories DIR<infix>PID beside DIR.
std::vector<NumberedDirectory> numbered_directories(const fs::path& target, std::string_view infix) {
  std::vector<NumberedDirectory> found;
  std::error_code error, unreadable;
  fs::directory_iterator entry(target.parent_path(), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    NumberedDirectory directory = numbered_directory(entry->path(), infix);
    if (directory.process == 0 || directory.target != target) continue;
    if (fs::is_directory(entry->symlink_status(unreadable))) found.push_back(std::move(directory));
  }
  return found;
}

// An exclusive lock of a directory. It ends with its process, however that ends.
class DirectoryLock {
 public:
  explicit DirectoryLock(const fs::path& directory)
      : descriptor_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    taken_ = errno == EWOULDBLOCK;
    impossible_ = !taken_;
  }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool taken() const { return taken_; }            // by somebody else
  bool impossible() const { return impossible_; }  // the file system knows no locks
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
  bool taken_ = false, impossible_ = false;
};

bool in_use(const NumberedDirectory& directory, const DirectoryLock& lock) {
  if (!lock.impossible()) return lock.taken();
  return directory.process != getpid() && (kill(directory.process, 0) == 0 || errno != ESRCH);
}

// Checkpoints first: they need the rest.
void remove_run_directory(const fs::path& directory) {
  std::error_code ignored;
  for (const fs::path& checkpoint : checkpoints_of(directory)) fs::remove(checkpoint, ignored);
  fs::remove_all(directory, ignored);
}

bool is_same_run(const fs::path& checkpoint, const CheckpointInfo& done) {
  try {
    const Checkpoint file(checkpoint);
    const CheckpointInfo& info = file.info();
    return info.scene_path == done.scene_path && info.scene_text == done.scene_text && info.variant == done.variant &&
           info.overrides == done.overrides && info.accept_unconverged == done.accept_unconverged;
  } catch (const FileError&) {  // damaged, or of another version: not ours to judge
    return false;
  }
}

void remove_partial_directories(const fs::path& target, const CheckpointInfo* done) {
  for (const NumberedDirectory& partial : numbered_directories(target, partial_infix)) {
    const DirectoryLock lock(partial.path);
    if (in_use(partial, lock) || !holds_only_run_files(partial.path)) continue;
    const std::vector<fs::path> checkpoints = checkpoints_of(partial.path);
    const bool needless = std::all_of(checkpoints.begin(), checkpoints.end(), [&](const fs::path& checkpoint) {
      return done != nullptr && is_same_run(checkpoint, *done);
    });
    if (needless) remove_run_directory(partial.path);
  }
}

// Results that were being replaced when the process was killed.
void settle_old_results(const fs::path& target) {
  for (const NumberedDirectory& old : numbered_directories(target, old_infix)) {
    const DirectoryLock lock(old.path);
    if (in_use(old, lock) || !holds_only_run_files(old.path)) continue;
    std::error_code error;
    if (is_result_directory(target) || !is_result_directory(old.path)) {
      remove_run_directory(old.path);
    } else if (!fs::exists(fs::symlink_status(target, error))) {
      fs::rename(old.path, target, error);
    }
  }
}

}  // namespace

ResultDirectory::ResultDirectory(const fs::path& target) : target_(resolved_directory(target)) {
  settle_old_results(target_);
  if (const std::string why = why_not_replaceable(target_); !why.empty()) output_refused(target, why);
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (error) output_refused(target, fmt::format("cannot be made: {}", error.message()));
  remove_partial_directories(target_, nullptr);
  make_partial(target);
}

void ResultDirectory::make_partial(const fs::path& asked_for) {
  constexpr int beyond_all_processes = 1 << 22;  // the largest pid_max of Linux
  for (int number = getpid();; number += beyond_all_processes) {
    partial_ = target_;
    partial_ += fmt::format("{}{}", partial_infix, number);
    if (!checkpoints_of(partial_).empty()) continue;
    std::error_code error;
    if (!fs::create_directory(partial_, error)) {
      const bool exists = !error;
      output_refused(asked_for, exists ? fmt::format("cannot be written while {} exists", partial_.string())
                                       : fmt::format("cannot be made: {}", error.message()));
    }
    // Another run to the same place may take it for a leftover before it is locked.
    DirectoryLock lock(partial_);
    if (lock.taken() || !fs::exists(partial_, error)) continue;
    lock_ = lock.release();
    return;
  }
}

void ResultDirectory::finish() {
  kept_ = true;  // from now on the data are kept, whatever happens
  const auto kept = [this](std::string_view why) {
    return WriteError(fmt::format("{}: {}; the result is in {}.", target_.string(), why, partial_.string()));
  };
  if (const std::string why = why_not_replaceable(target_); !why.empty()) throw kept(why);

  std::error_code error;
  fs::path old;
  const DirectoryLock old_lock(target_);  // nobody takes it for a leftover while it has the other name
  if (fs::exists(target_)) {
    old = target_;
    old += fmt::format("{}{}", old_infix, getpid());
    fs::rename(target_, old, error);
    if (error) throw kept(fmt::format("cannot be replaced: {}", error.message()));
  }
  fs::rename(partial_, target_, error);
  if (error) {
    std::error_code ignored;
    if (!old.empty()) fs::rename(old, target_, ignored);
    throw kept(fmt::format("cannot be made: {}", error.message()));
  }
  if (!old.empty()) remove_run_directory(old);
}

ResultDirectory::~ResultDirectory() {
  std::error_code ignored;
  if (!kept_ && checkpoints_of(partial_).empty()) fs::remove_all(partial_, ignored);
  if (lock_ >= 0) close(lock_);
}

ResumedDirectory::ResumedDirectory(const fs::path& checkpoint) {
  path_ = fs::absolute(checkpoint).lexically_normal().parent_path();
  DirectoryLock lock(path_);
  if (lock.taken()) output_refused(checkpoint, "is in use: its run is still going, or is being resumed");
  lock_ = lock.release();
}

ResumedDirectory::~ResumedDirectory() {
  if (lock_ >= 0) close(lock_);
}

fs::path ResumedDirectory::target(const fs::path& asked_for) const {
  if (const NumberedDirectory left = left_directory(path_); left.process != 0) return left.target;
  return is_result_directory(path_) ? path_ : asked_for;
}

void remove_partial_directory(const fs::path& partial) {
  const DirectoryLock lock(partial);
  if (lock.taken() || left_directory(partial).process == 0) return;
  if (holds_only_run_files(partial)) remove_run_directory(partial);
}

void remove_superseded(const fs::path& target, const CheckpointInfo& done) {
  remove_partial_directories(target, &done);
}

bool is_result_directory(const fs::path& directory) { return is_run_summary(directory / "summary.json"); }

}  // namespace ricochet::io
