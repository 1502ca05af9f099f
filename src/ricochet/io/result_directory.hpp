// The directory of a result. It appears under its name only when it is whole.
//
// A run writes to `DIR.partial-PID` beside DIR. `finish` moves it to DIR; an older result there is first renamed to
// `DIR.partial-old-PID` and deleted last, so that at every moment one whole result exists. Without `finish` (an
// exception, an early return) the partial directory is removed, unless it holds a checkpoint or `keep` was called.
//
// DIR may exist if it is empty or a result of ours, that is, if its summary.json says so and nothing else lies in
// it. Anything else is an OutputError before the run starts, as is a parent that cannot be written.
//
// A process may be killed at any moment. What it leaves is cleaned up by those who write to the same DIR after it:
//
//   DIR.partial-PID       without a checkpoint: removed when the next run begins. With checkpoints: kept for `resume`,
//                         and removed when a run is complete to which each of them would lead (`remove_superseded`)
//   DIR.partial-old-PID   removed when the next run begins; but if DIR is missing, because the kill came between the
//                         two renames, it becomes DIR again
//
// A directory is removed only if all its files are ours and nobody works in it. The lock that its process holds decides
// that, not the number in its name: the lock ends with the process, however that ends, and is seen from other
// containers, while a number is soon given to another process, and in a container always to the next run. Only where
// the file system knows no locks, a directory stays while any process has the number. Checkpoints are removed before
// the rows that they need: a removal that is itself killed leaves nothing that looks like a way to resume and is none.
//
// If a directory with checkpoints has the number of this process by chance, a number beyond all processes is added to
// the name.
#pragma once

#include <filesystem>
#include <string_view>

#include "ricochet/io/checkpoint.hpp"
#include "ricochet/io/file_error.hpp"

namespace ricochet::io {

class ResultDirectory {
 public:
  // Makes the partial directory, and the parents of DIR as needed.
  explicit ResultDirectory(const std::filesystem::path& target);
  ResultDirectory(const ResultDirectory&) = delete;
  ResultDirectory& operator=(const ResultDirectory&) = delete;
  ~ResultDirectory();

  const std::filesystem::path& target() const { return target_; }    // DIR, absolute
  const std::filesystem::path& partial() const { return partial_; }  // where to write now
  std::filesystem::path file(std::string_view name) const { return partial_ / name; }

  // All files are closed: gives the directory its name. If that fails, the partial directory stays, and the WriteError
  // tells where the result is.
  void finish();

  // What is written so far stays in the partial directory, although the result is not whole.
  void keep() { kept_ = true; }

 private:
  void make_partial(const std::filesystem::path& asked_for);

  std::filesystem::path target_;
  std::filesystem::path partial_;
  int lock_ = -1;  // an open descriptor of the partial directory; locked while this process lives
  bool kept_ = false;
};

// The directory of the checkpoint from which a run is resumed: while this object lives, no other process can resume
// from there.
class ResumedDirectory {
 public:
  explicit ResumedDirectory(const std::filesystem::path& checkpoint);  // OutputError if a process works there
  ResumedDirectory(const ResumedDirectory&) = delete;
  ResumedDirectory& operator=(const ResumedDirectory&) = delete;
  ~ResumedDirectory();

  // DIR for DIR.partial-PID, the directory itself if it is a result; else `asked_for`, as for a copy elsewhere.
  std::filesystem::path target(const std::filesystem::path& asked_for) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

// The result that a run left behind as `partial` when it was killed is complete elsewhere. Removes the directory if it
// is such a one and nobody works there.
void remove_partial_directory(const std::filesystem::path& partial);

// The run `done` is complete as `target`. Removes what killed runs to the same place left behind, if each of their
// checkpoints is of the same run: resuming would only give this result again. Those of other runs are kept.
void remove_superseded(const std::filesystem::path& target, const CheckpointInfo& done);

// True for a directory with a summary.json of a run of ours, complete or not.
bool is_result_directory(const std::filesystem::path& directory);

}  // namespace ricochet::io
