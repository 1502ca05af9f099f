#include "ricochet/io/sample_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>

#include "ricochet/math/hash.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet::io {

namespace {

constexpr std::string_view sample_log_title = "ricochet sweep 1\n";
constexpr double sync_interval = 1;  // s

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t record_checksum(std::string_view bytes) {
  math::ByteHash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

// A file as a sequence of records. What is not whole is not there.
class RecordReader {
 public:
  explicit RecordReader(int file) : file_(file), place_(sample_log_title.size()) {
    struct stat status = {};
    if (fstat(file, &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
  }

  bool next(std::string& bytes) {
    std::uint64_t length = 0, checksum = 0;
    if (!read_at(place_, &length, sizeof(length)) || !read_at(place_ + 8, &checksum, sizeof(checksum))) return false;
    if (length > size_ - place_ - 16) return false;
    bytes.resize(length);
    if (!read_at(place_ + 16, bytes.data(), length) || record_checksum(bytes) != checksum) return false;
    place_ += 16 + length;
    return true;
  }

  std::uint64_t place() const { return place_; }  // behind the last record
  std::uint64_t size() const { return size_; }

 private:
  bool read_at(std::uint64_t place, void* to, std::size_t count) const {
    if (place + count > size_) return false;
    char* next = static_cast<char*>(to);
    while (count > 0) {
      const ssize_t got = pread(file_, next, count, static_cast<off_t>(place));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      next += got;
      place += static_cast<std::uint64_t>(got);
      count -= static_cast<std::size_t>(got);
    }
    return true;
  }

  int file_;
  std::uint64_t place_;
  std::uint64_t size_ = 0;
};

// In which respects they differ, in words; empty if in none.
std::vector<std::string> differing_parts(const SweepIdentity& there, const SweepIdentity& asked) {
  std::vector<std::string> words;
  if (there.version != asked.version) words.push_back(fmt::format("by ricochet {}", there.version));
  if (there.scene_text != asked.scene_text) words.emplace_back("with another text of the scene");
  if (there.variant != asked.variant) words.emplace_back("with another variant");
  if (there.overrides != asked.overrides) words.emplace_back("with other overrides (--set and its short forms)");
  if (there.variations != asked.variations) words.emplace_back("with other values of --vary");
  if (there.seed != asked.seed) words.push_back(fmt::format("with --seed {}", there.seed));
  return words;
}

}  // namespace

SampleLog::SampleLog(const std::filesystem::path& directory, const SweepIdentity& identity)
    : path_(directory / sample_log_name) {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) {
    throw OutputError(fmt::format("{}: cannot be written: {}.", path_.string(), std::strerror(errno)));
  }
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw OutputError(fmt::format("{}: another process works on this sweep.", path_.string()));
    }
    forget_the_rest(read_records(identity));
  } catch (...) {
    close(file_);
    throw;
  }
}

SampleLog::~SampleLog() {
  if (is_ahead_) fsync(file_);
  close(file_);
}

std::uint64_t SampleLog::read_records(const SweepIdentity& identity) {
  RecordReader reader(file_);
  std::string title(std::min<std::uint64_t>(reader.size(), sample_log_title.size()), '\0');
  const ssize_t got = pread(file_, title.data(), title.size(), 0);
  if (got != static_cast<ssize_t>(title.size()) || !sample_log_title.starts_with(title)) {
    throw OutputError(fmt::format("{}: is no log of a sweep; choose another directory with --out.", path_.string()));
  }
  std::string bytes;
  const auto begin_anew = [&]() -> std::uint64_t {
    forget_the_rest(0);
    write_bytes(std::string(sample_log_title));
    std::string record;
    simulation::ByteWriter writer(record);
    writer("identity", identity);
    write_record(record);
    return sample_log_title.size() + 16 + record.size();
  };
  if (!reader.next(bytes)) return begin_anew();  // killed in the first moment
  try {
    SweepIdentity there;
    simulation::ByteReader archive(bytes);
    archive("identity", there);
    if (const std::vector<std::string> words = differing_parts(there, identity); !words.empty()) {
      throw OutputError(
          fmt::format("{}: an unfinished sweep is here that was begun {}. The command that began it goes on with it. "
                      "To begin anew delete this file, or choose another directory with --out.",
                      path_.string(), fmt::join(words, ", ")));
    }
    while (reader.next(bytes)) {
      simulation::ByteReader each(bytes);
      each("sample", finished_.emplace_back());
    }
  } catch (const simulation::ArchiveError&) {  // of a program with another layout but the same version
    throw OutputError(fmt::format("{}: was written by another program. Delete it to begin anew.", path_.string()));
  }
  return reader.place();
}

void SampleLog::forget_the_rest(std::uint64_t good) {
  if (ftruncate(file_, static_cast<off_t>(good)) != 0 || lseek(file_, static_cast<off_t>(good), SEEK_SET) < 0) {
    throw OutputError(fmt::format("{}: cannot be written: {}.", path_.string(), std::strerror(errno)));
  }
}

void SampleLog::write_bytes(const std::string& bytes) {
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count = write(file_, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw WriteError(fmt::format("{}: cannot be written: {}.", path_.string(), std::strerror(errno)));
    written += static_cast<std::size_t>(count);
  }
}

void SampleLog::write_record(const std::string& bytes) {
  std::string record;
  simulation::ByteWriter head(record);
  std::uint64_t length = bytes.size(), checksum = record_checksum(bytes);
  head("length", length);
  head("checksum", checksum);
  write_bytes(record + bytes);
}

void SampleLog::append(const SweepSample& sample) {
  std::string bytes;
  simulation::ByteWriter writer(bytes);
  writer("sample", sample);
  write_record(bytes);
  is_ahead_ = true;
  if (const double now = steady_seconds(); now - last_sync_ > sync_interval) {
    fsync(file_);
    is_ahead_ = false;
    last_sync_ = now;
  }
}

void SampleLog::remove() {
  std::error_code ignored;  // it may have been deleted already
  std::filesystem::remove(path_, ignored);
}

}  // namespace ricochet::io
