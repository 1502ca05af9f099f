#include "ricochet/io/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "ricochet/io/document.hpp"
#include "ricochet/io/file_error.hpp"
#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/io/version.hpp"
#include "ricochet/math/hash.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view checkpoint_prefix = "checkpoint-", checkpoint_suffix = ".h5", draft_suffix = ".tmp";
constexpr std::string_view checkpoint_mark = "RICOCHET";
constexpr std::size_t checkpoint_trailer = 16;  // bytes: the mark and the checksum
constexpr std::size_t checkpoints_kept = 2;

[[noreturn]] void checkpoint_refused(const fs::path& path, std::string_view why) {
  throw FileError(fmt::format("{}: {}.", path.string(), why));
}

[[noreturn]] void checkpoint_write_failed(const fs::path& path) {
  throw WriteError(fmt::format("{}: cannot be written: {}.", path.string(), std::generic_category().message(errno)));
}

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : id_(open(path.c_str(), flags | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (id_ >= 0) close(id_);
  }
  int id() const { return id_; }

 private:
  int id_;
};

// The checksum of the first `size` bytes of a file; false if it is shorter.
bool add_to_hash(std::ifstream& file, std::uintmax_t size, math::ByteHash& hash) {
  std::vector<char> chunk(1 << 16);
  while (size > 0) {
    const std::size_t wanted = std::min<std::uintmax_t>(size, chunk.size());
    if (!file.read(chunk.data(), static_cast<std::streamsize>(wanted))) return false;
    hash.add(chunk.data(), wanted);
    size -= wanted;
  }
  return true;
}

// Bytes as a list of 64-bit words, of which the first is their number.
template <class Value>
void write_archive(Hdf5File& file, const std::string& name, const Value& value) {
  std::string bytes;
  simulation::ByteWriter writer(bytes);
  writer(name.c_str(), value);
  std::vector<std::int64_t> words(1 + (bytes.size() + 7) / 8);
  words[0] = static_cast<std::int64_t>(bytes.size());
  if (!bytes.empty()) std::memcpy(&words[1], bytes.data(), bytes.size());
  file.write(name, words);
}

std::string read_archive(const Hdf5File& file, const std::string& name) {
  const std::vector<std::int64_t> words = file.read_integers(name);
  const auto size = words.empty() ? std::size_t{0} : static_cast<std::size_t>(words[0]);
  if (words.size() != 1 + (size + 7) / 8) checkpoint_refused(file.path(), name + " is damaged");
  std::string bytes(size, '\0');
  if (size > 0) std::memcpy(bytes.data(), &words[1], size);
  return bytes;
}

// Adds the checksum, and makes sure that the file is on the disk.
void seal(const fs::path& path) {
  math::ByteHash hash;
  std::ifstream file(path, std::ios::binary);
  if (!add_to_hash(file, fs::file_size(path), hash)) checkpoint_write_failed(path);
  std::array<char, checkpoint_trailer> trailer = {};
  const std::uint64_t checksum = hash.value();
  std::memcpy(trailer.data(), checkpoint_mark.data(), checkpoint_mark.size());
  std::memcpy(trailer.data() + checkpoint_mark.size(), &checksum, sizeof(checksum));
  const Descriptor descriptor(path, O_WRONLY | O_APPEND);
  if (descriptor.id() < 0 ||
      ::write(descriptor.id(), trailer.data(), trailer.size()) != static_cast<ssize_t>(trailer.size()) ||
      fsync(descriptor.id()) != 0) {
    checkpoint_write_failed(path);
  }
}

void check_seal(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) checkpoint_refused(path, "there is no such file");
  if (!fs::is_regular_file(status)) checkpoint_refused(path, "is not a file");
  const std::uintmax_t size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) checkpoint_refused(path, "cannot be read");
  constexpr std::string_view not_one = "is not a checkpoint of Ricochet, or its end is missing";
  if (size < checkpoint_trailer) checkpoint_refused(path, not_one);
  std::array<char, checkpoint_trailer> trailer = {};
  file.seekg(static_cast<std::streamoff>(size - checkpoint_trailer));
  if (!file.read(trailer.data(), trailer.size())) checkpoint_refused(path, "cannot be read");
  if (std::string_view(trailer.data(), checkpoint_mark.size()) != checkpoint_mark) checkpoint_refused(path, not_one);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, trailer.data() + checkpoint_mark.size(), sizeof(checksum));
  math::ByteHash hash;
  file.seekg(0);
  if (!add_to_hash(file, size - checkpoint_trailer, hash) || hash.value() != checksum) {
    checkpoint_refused(path, "is damaged: its checksum is wrong. The last two checkpoints are kept: use the other one");
  }
}

}  // namespace

CheckpointWriter::CheckpointWriter(fs::path directory, CheckpointInfo info)
    : directory_(std::move(directory)), info_(std::move(info)) {
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(info_.every));
}

void CheckpointWriter::write(const study::Run& run, ResultRecorder& recorder) {
  const simulation::Snapshot& snapshot = run.simulation().snapshot();
  const std::string name = fmt::format("{}{}{}", checkpoint_prefix, snapshot.step_index, checkpoint_suffix);
  if (!names_.empty() && names_.back() == name) return;
  info_.rows = recorder.sync_log();

  const fs::path draft = directory_ / (name + std::string(draft_suffix));
  try {
    write_draft(draft, run, recorder);
  } catch (...) {
    std::error_code ignored;
    fs::remove(draft, ignored);  // on a full disk it is in the way of the rest
    throw;
  }

  std::error_code error;
  fs::rename(draft, directory_ / name, error);
  if (error) throw WriteError(fmt::format("{}: cannot be written: {}.", (directory_ / name).string(), error.message()));
  const Descriptor directory(directory_, O_RDONLY | O_DIRECTORY);
  if (directory.id() >= 0) static_cast<void>(fsync(directory.id()));  // not every file system can
  names_.push_back(name);
  if (names_.size() > checkpoints_kept) {
    fs::remove(directory_ / names_.front(), error);
    names_.erase(names_.begin());
  }
  // From now, not from when it was due: writing may take longer than the interval.
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(info_.every));
}

void CheckpointWriter::write_draft(const fs::path& draft, const study::Run& run, const ResultRecorder& recorder) const {
  const simulation::Snapshot& snapshot = run.simulation().snapshot();
  Hdf5File file = Hdf5File::create(draft);
  file.write_number("/format", file_format);
  file.write_attribute("/", "program", program_name);
  file.write_attribute("/", "version", version());
  file.write_attribute("/", "kind", "checkpoint");
  file.write_attribute("/", "step", static_cast<std::int64_t>(snapshot.step_index));
  file.write_attribute("/", "time", snapshot.instant.state.time);
  file.write_text("/scene", info_.scene_text);
  write_archive(file, "/info", info_);
  write_archive(file, "/run", run);
  write_archive(file, "/recorder", recorder);
  file.close();
  seal(draft);
}

Checkpoint::Checkpoint(const fs::path& path) : path_(path) {
  check_seal(path);
  const Hdf5File file = Hdf5File::open(path);
  if (!file.has_attribute("/", "kind") || file.read_text_attribute("/", "kind") != "checkpoint") {
    checkpoint_refused(path, "is not a checkpoint of Ricochet");
  }
  if (const std::string writer = file.read_text_attribute("/", "version"); writer != version()) {
    checkpoint_refused(path, fmt::format("was written by ricochet {}, but this is ricochet {}: only the same program "
                                         "continues a run bit for bit",
                                         writer, version()));
  }
  restore_from(read_archive(file, "/info"), info_);
  run_bytes_ = read_archive(file, "/run");
  recorder_bytes_ = read_archive(file, "/recorder");
}

template <class Value>
void Checkpoint::restore_from(const std::string& bytes, Value& value) const {
  try {
    simulation::ByteReader reader(bytes);
    reader("archive", value);
    if (!reader.done()) throw simulation::ArchiveError("there are more data than this program knows");
  } catch (const simulation::ArchiveError& error) {
    checkpoint_refused(path_, fmt::format("does not fit this program: {}", error.what()));
  }
}

void Checkpoint::check_scene() const {
  std::error_code error;
  if (!fs::is_regular_file(info_.scene_path, error)) return;
  if (read_document_text(info_.scene_path) == info_.scene_text) return;
  checkpoint_refused(path_, fmt::format("belongs to another scene: {} has changed since this run began. Undo the "
                                        "change, or rename that file to continue with the scene as it was",
                                        info_.scene_path));
}

void Checkpoint::restore(study::Run& run) const { restore_from(run_bytes_, run); }

RowLogReader Checkpoint::rows() const { return {path_.parent_path() / row_log_name, info_.rows}; }

void Checkpoint::restore(ResultRecorder& recorder) const { restore_from(recorder_bytes_, recorder); }

bool is_checkpoint_name(std::string_view file_name) {
  if (!file_name.starts_with(checkpoint_prefix) || !file_name.ends_with(checkpoint_suffix)) return false;
  file_name.remove_prefix(checkpoint_prefix.size());
  file_name.remove_suffix(std::min(checkpoint_suffix.size(), file_name.size()));
  return !file_name.empty() && file_name.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_checkpoint_draft_name(std::string_view file_name) {
  if (!file_name.ends_with(draft_suffix)) return false;
  file_name.remove_suffix(draft_suffix.size());
  return is_checkpoint_name(file_name);
}

}  // namespace ricochet::io
