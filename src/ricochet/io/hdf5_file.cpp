#include "ricochet/io/hdf5_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "ricochet/io/hdf5_support.hpp"

namespace ricochet::io {

static_assert(std::is_same_v<hid_t, Hdf5Handle::Id> && std::is_same_v<herr_t, int>);

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), closer_(std::exchange(other.closer_, nullptr)) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  if (this != &other) {
    close();
    id_ = std::exchange(other.id_, -1);
    closer_ = std::exchange(other.closer_, nullptr);
  }
  return *this;
}

int Hdf5Handle::close() {
  if (!valid()) return 0;
  return closer_(std::exchange(id_, -1));
}

void hdf5_prepare() {
  static const bool once = [] {
    H5dont_atexit();  // counts only before the library's first use
    return true;
  }();
  static_cast<void>(once);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // a setting of the thread
}

std::string hdf5_reason() {
  struct Reason {
    std::string innermost;
    std::string system;
  } reason;
  const auto look = [](unsigned level, const H5E_error2_t* error, void* data) -> herr_t {
    auto& found = *static_cast<Reason*>(data);
    const std::string description = error->desc != nullptr ? error->desc : "";
    if (level == 0) found.innermost = description;
    // The library reports a failed read or write with errno and "error message = '...'".
    constexpr std::string_view mark = "error message = '";
    if (const auto start = description.find(mark); start != std::string::npos) {
      const auto first = start + mark.size();
      found.system = description.substr(first, description.find('\'', first) - first);
    }
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &reason);
  return reason.system.empty() ? reason.innermost : reason.system;
}

Hdf5Handle hdf5_text_type(std::size_t longest) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(longest, 1));  // the library knows no type of zero bytes
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Hdf5FileState::~Hdf5FileState() {
  if (!write_failed) return;
  for (const auto& one : series) one->dataset.forget();
  // The directory entry will be removed by whoever made it, but the space of an open file is only free when it is cut.
  void* descriptor = nullptr;
  if (file.valid() && H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) >= 0 && descriptor != nullptr) {
    static_cast<void>(!ftruncate(*static_cast<int*>(descriptor), 0));
  }
  file.forget();
}

void Hdf5FileState::fail(const std::string& what) {
  const std::string reason = hdf5_reason();
  const std::string message = fmt::format("{}: {}{}{}.", path.string(), what, reason.empty() ? "" : ": ", reason);
  H5Eclear2(H5E_DEFAULT);
  if (!writing) throw FileError(message);
  write_failed = true;
  throw WriteError(message);
}

Hdf5Handle Hdf5FileState::make_dataset(const std::string& name, hid_t type, const Hdf5File::Shape& shape) {
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  const Hdf5Handle space(
      sizes.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
      H5Sclose);
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  Hdf5Handle dataset(H5Dcreate2(file.id(), name.c_str(), type, space.id(), links.id(), H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose);
  if (!dataset.valid()) fail("cannot make the dataset " + name);
  return dataset;
}

void Hdf5FileState::write_dataset(const std::string& name, hid_t stored, hid_t memory, const Hdf5File::Shape& shape,
                                  const void* values) {
  Hdf5Handle dataset = make_dataset(name, stored, shape);
  if (H5Dwrite(dataset.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0 || dataset.close() < 0) {
    dataset.forget();
    fail("cannot write " + name);
  }
}

void Hdf5FileState::write_attribute(const std::string& object, const std::string& name, hid_t stored, hid_t memory,
                                    const void* value) {
  const Hdf5Handle owner(H5Oopen(file.id(), object.c_str(), H5P_DEFAULT), H5Oclose);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  Hdf5Handle attribute(
      owner.valid() ? H5Acreate2(owner.id(), name.c_str(), stored, space.id(), H5P_DEFAULT, H5P_DEFAULT) : -1,
      H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute.id(), memory, value) < 0 || attribute.close() < 0) {
    attribute.forget();
    fail(fmt::format("cannot write the attribute {} of {}", name, object));
  }
}

Hdf5File::Hdf5File(std::unique_ptr<Hdf5FileState> state) : state_(std::move(state)) {}
Hdf5File::Hdf5File(Hdf5File&& other) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept = default;
Hdf5File::~Hdf5File() = default;

const std::filesystem::path& Hdf5File::path() const { return state_->path; }

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
  hdf5_prepare();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  // The library crashes on files that cannot be read back, such as /dev/null (HDF5 issue 1498).
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw WriteError(fmt::format("{}: cannot be created: it exists and is not a file.", path.string()));
  }
  auto state = std::make_unique<Hdf5FileState>();
  state->path = path;
  state->writing = true;
  state->file = Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  if (!state->file.valid()) state->fail("cannot be created");
  return Hdf5File(std::move(state));
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  hdf5_prepare();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw FileError(fmt::format("{}: there is no such file.", path.string()));
  // A pipe or device would block or mislead the library.
  if (!std::filesystem::is_regular_file(status)) throw FileError(fmt::format("{}: is not a file.", path.string()));
  auto state = std::make_unique<Hdf5FileState>();
  state->path = path;
  state->file = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!state->file.valid()) state->fail("cannot be read as an HDF5 file");
  return Hdf5File(std::move(state));
}

void Hdf5File::flush() {
  state_->write_compressed(true);
  for (const auto& series : state_->series) series->write_buffer();
  if (H5Fflush(state_->file.id(), H5F_SCOPE_GLOBAL) < 0) state_->fail("cannot be written");
}

void Hdf5File::close() {
  if (!state_->file.valid()) return;
  if (state_->writing) flush();
  for (const auto& series : state_->series) {
    if (series->dataset.close() < 0) state_->fail("cannot be written");
  }
  state_->series.clear();
  if (state_->file.close() < 0) state_->fail("cannot be closed");
}

void Hdf5File::make_group(const std::string& name) {
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  const Hdf5Handle group(H5Gcreate2(state_->file.id(), name.c_str(), links.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group.valid()) state_->fail("cannot make the group " + name);
}

namespace {

// The shape of a dataset of `count` values: a list unless told otherwise.
Hdf5File::Shape hdf5_checked_shape(const std::string& name, std::size_t count, const Hdf5File::Shape& shape) {
  if (shape.empty()) return {static_cast<std::int64_t>(count)};
  std::int64_t values = 1;
  for (const std::int64_t size : shape) values *= size;
  if (values != static_cast<std::int64_t>(count)) {
    throw std::invalid_argument(fmt::format("{} values do not fill the shape of {}", count, name));
  }
  return shape;
}

}  // namespace

void Hdf5File::write(const std::string& name, std::span<const double> values, const Shape& shape) {
  state_->write_dataset(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, hdf5_checked_shape(name, values.size(), shape),
                        values.data());
}

void Hdf5File::write(const std::string& name, std::span<const std::int64_t> values, const Shape& shape) {
  state_->write_dataset(name, H5T_STD_I64LE, H5T_NATIVE_INT64, hdf5_checked_shape(name, values.size(), shape),
                        values.data());
}

void Hdf5File::write(const std::string& name, std::span<const std::string> texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string padded;
  padded.reserve(texts.size() * longest);
  for (const std::string& text : texts) padded.append(text).append(longest - text.size(), '\0');
  const Hdf5Handle type = hdf5_text_type(longest);
  state_->write_dataset(name, type.id(), type.id(), {static_cast<std::int64_t>(texts.size())}, padded.data());
}

void Hdf5File::write_number(const std::string& name, std::int64_t value) {
  state_->write_dataset(name, H5T_STD_I64LE, H5T_NATIVE_INT64, {}, &value);
}

void Hdf5File::write_text(const std::string& name, std::string_view text) {
  const std::string terminated(text);  // at least one byte, also if the text is empty
  const Hdf5Handle type = hdf5_text_type(text.size());
  state_->write_dataset(name, type.id(), type.id(), {}, terminated.c_str());
}

void Hdf5File::write_attribute(const std::string& object, const std::string& name, double value) {
  state_->write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::write_attribute(const std::string& object, const std::string& name, std::int64_t value) {
  state_->write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void Hdf5File::write_attribute(const std::string& object, const std::string& name, std::string_view value) {
  const std::string terminated(value);
  const Hdf5Handle type = hdf5_text_type(value.size());
  state_->write_attribute(object, name, type.id(), type.id(), terminated.c_str());
}

}  // namespace ricochet::io
