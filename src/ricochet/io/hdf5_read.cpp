// Reading of whole datasets and attributes.
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <utility>

#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/io/hdf5_support.hpp"

namespace ricochet::io {
namespace {

constexpr std::size_t hdf5_longest_text = std::size_t{1} << 28;  // bytes; a fixed length beyond it is damage

// A dataset or an attribute, opened to be read.
struct Hdf5Source {
  Hdf5Handle object;
  Hdf5Handle space;
  Hdf5Handle type;
  Hdf5Handle rows;         // in memory, if only some rows of a dataset are read; `space` has them selected then
  std::int64_t count = 0;  // values
  bool is_attribute = false;

  H5T_class_t type_class() const { return H5Tget_class(type.id()); }
  bool read(hid_t memory_type, void* memory) const {
    if (is_attribute) return H5Aread(object.id(), memory_type, memory) >= 0;
    const bool whole = !rows.valid();
    return H5Dread(object.id(), memory_type, whole ? H5S_ALL : rows.id(), whole ? H5S_ALL : space.id(), H5P_DEFAULT,
                   memory) >= 0;
  }
};

[[noreturn]] void hdf5_refuse(const Hdf5FileState& state, const std::string& what) {
  H5Eclear2(H5E_DEFAULT);
  throw FileError(fmt::format("{}: {}.", state.path.string(), what));
}

bool hdf5_contains(const Hdf5FileState& state, const std::string& name) {
  // The library can only be asked for the last part of a path whose other parts exist.
  for (std::size_t end = name.find('/', 1); end != std::string::npos; end = name.find('/', end + 1)) {
    if (H5Lexists(state.file.id(), name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return name == "/" || H5Lexists(state.file.id(), name.c_str(), H5P_DEFAULT) > 0;
}

// False if a dataset cannot be what it says. A damaged or malicious file may promise terabytes: deflate shrinks by at
// most 1032 to 1, so the stored bytes limit the honest size; a little more may come from fill values that are not
// stored.
bool hdf5_plausible(const Hdf5FileState& state, const Hdf5Source& source) {
  constexpr double deflate_limit = 1032;
  constexpr double not_stored = 1 << 20;
  std::error_code error;
  const auto file_bytes = static_cast<double>(std::filesystem::file_size(state.path, error));
  const double stored = std::min(static_cast<double>(H5Dget_storage_size(source.object.id())), file_bytes);
  const double promised = static_cast<double>(source.count) * static_cast<double>(H5Tget_size(source.type.id()));
  return promised <= deflate_limit * stored + not_stored;
}

// False if a chunk is larger than the dataset can ever be: no program writes such a file, but the library does not
// notice the damage and reads beyond its memory.
bool hdf5_sound_chunks(const Hdf5Source& source) {
  const Hdf5Handle creation(H5Dget_create_plist(source.object.id()), H5Pclose);
  if (H5Pget_layout(creation.id()) != H5D_CHUNKED) return true;
  const int dimensions = H5Sget_simple_extent_ndims(source.space.id());
  if (dimensions <= 0) return false;
  std::vector<hsize_t> sizes(static_cast<std::size_t>(dimensions)), maxima(sizes.size()), chunk(sizes.size());
  H5Sget_simple_extent_dims(source.space.id(), sizes.data(), maxima.data());
  if (H5Pget_chunk(creation.id(), dimensions, chunk.data()) != dimensions) return false;
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (maxima[i] != H5S_UNLIMITED && chunk[i] > maxima[i]) return false;
  }
  return true;
}

Hdf5Source hdf5_open_dataset(Hdf5FileState& state, const std::string& name) {
  Hdf5Source source;
  source.object = Hdf5Handle(H5Dopen2(state.file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!source.object.valid()) {
    if (!hdf5_contains(state, name)) hdf5_refuse(state, fmt::format("there is no {} in this file", name));
    state.fail("cannot read " + name);
  }
  source.space = Hdf5Handle(H5Dget_space(source.object.id()), H5Sclose);
  source.type = Hdf5Handle(H5Dget_type(source.object.id()), H5Tclose);
  source.count = H5Sget_simple_extent_npoints(source.space.id());
  if (source.count < 0) state.fail("cannot read the size of " + name);
  if (!hdf5_sound_chunks(source)) hdf5_refuse(state, name + " is damaged: its chunks do not fit into it");
  if (!hdf5_plausible(state, source)) {
    hdf5_refuse(state, fmt::format("{} promises {} values, more than the file can hold", name, source.count));
  }
  return source;
}

Hdf5Source hdf5_open_attribute(Hdf5FileState& state, const std::string& object, const std::string& name) {
  Hdf5Source source;
  source.is_attribute = true;
  source.object =
      Hdf5Handle(H5Aopen_by_name(state.file.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!source.object.valid()) state.fail(fmt::format("{} has no attribute {}", object, name));
  source.space = Hdf5Handle(H5Aget_space(source.object.id()), H5Sclose);
  source.type = Hdf5Handle(H5Aget_type(source.object.id()), H5Tclose);
  source.count = H5Sget_simple_extent_npoints(source.space.id());
  if (source.count != 1) hdf5_refuse(state, fmt::format("the attribute {} of {} is not a single value", name, object));
  return source;
}

void hdf5_select_rows(Hdf5FileState& state, const std::string& name, std::int64_t begin, std::int64_t end,
                      Hdf5Source& source) {
  const int dimensions = H5Sget_simple_extent_ndims(source.space.id());
  if (dimensions < 1) hdf5_refuse(state, name + " has no rows");
  std::vector<hsize_t> sizes(static_cast<std::size_t>(dimensions)), offset(sizes.size());
  H5Sget_simple_extent_dims(source.space.id(), sizes.data(), nullptr);
  if (begin < 0 || begin > end || end > static_cast<std::int64_t>(sizes[0])) {
    hdf5_refuse(state, fmt::format("{} has {} rows where {} are expected", name, sizes[0], end));
  }
  sizes[0] = static_cast<hsize_t>(end - begin);
  offset[0] = static_cast<hsize_t>(begin);
  source.rows = Hdf5Handle(H5Screate_simple(dimensions, sizes.data(), nullptr), H5Sclose);
  source.count = 1;
  for (const hsize_t size : sizes) source.count *= static_cast<std::int64_t>(size);
  if (H5Sselect_hyperslab(source.space.id(), H5S_SELECT_SET, offset.data(), nullptr, sizes.data(), nullptr) < 0) {
    state.fail("cannot read " + name);
  }
}

std::vector<double> hdf5_doubles(Hdf5FileState& state, const Hdf5Source& source, const std::string& name) {
  if (source.type_class() != H5T_FLOAT && source.type_class() != H5T_INTEGER) {
    hdf5_refuse(state, name + " does not hold numbers");
  }
  std::vector<double> values(static_cast<std::size_t>(source.count));
  if (!source.read(H5T_NATIVE_DOUBLE, values.data())) state.fail("cannot read " + name);
  return values;
}

std::vector<std::int64_t> hdf5_integers(Hdf5FileState& state, const Hdf5Source& source, const std::string& name) {
  if (source.type_class() != H5T_INTEGER) hdf5_refuse(state, name + " does not hold whole numbers");
  std::vector<std::int64_t> values(static_cast<std::size_t>(source.count));
  if (!source.read(H5T_NATIVE_INT64, values.data())) state.fail("cannot read " + name);
  return values;
}

std::vector<std::string> hdf5_texts(Hdf5FileState& state, const Hdf5Source& source, const std::string& name) {
  if (source.type_class() != H5T_STRING || H5Tis_variable_str(source.type.id()) != 0) {
    hdf5_refuse(state, name + " does not hold texts of fixed length");
  }
  std::vector<std::string> texts;
  if (source.count == 0) return texts;
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_cset(type.id(), H5Tget_cset(source.type.id()));
  // One byte more than stored, so that the library always has room to end the text with a zero.
  const std::size_t size = H5Tget_size(source.type.id()) + 1;
  if (size > hdf5_longest_text) hdf5_refuse(state, name + " holds texts of an impossible length");
  H5Tset_size(type.id(), size);
  std::vector<char> bytes(static_cast<std::size_t>(source.count) * size, '\0');
  if (!source.read(type.id(), bytes.data())) state.fail("cannot read " + name);
  for (std::size_t start = 0; start < bytes.size(); start += size) texts.emplace_back(bytes.data() + start);
  return texts;
}

template <class Value>
Value hdf5_single(const Hdf5FileState& state, const std::string& name, std::vector<Value> values) {
  if (values.size() != 1) {
    hdf5_refuse(state, fmt::format("{} should be a single value but has {}", name, values.size()));
  }
  return std::move(values.front());
}

std::string hdf5_attribute_title(const std::string& object, const std::string& name) {
  return fmt::format("the attribute {} of {}", name, object);
}

}  // namespace

bool Hdf5File::contains(const std::string& name) const {
  const bool found = hdf5_contains(*state_, name);
  H5Eclear2(H5E_DEFAULT);
  return found;
}

std::vector<std::string> Hdf5File::list(const std::string& group) const {
  const Hdf5Handle opened(H5Gopen2(state_->file.id(), group.c_str(), H5P_DEFAULT), H5Gclose);
  if (!opened.valid()) hdf5_refuse(*state_, fmt::format("there is no group {} in this file", group));
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  if (H5Literate(opened.id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names) < 0) {
    state_->fail("cannot list the group " + group);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Hdf5File::Shape Hdf5File::shape(const std::string& name) const {
  const Hdf5Source source = hdf5_open_dataset(*state_, name);
  const int dimensions = std::max(H5Sget_simple_extent_ndims(source.space.id()), 0);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(dimensions));
  if (H5Sget_simple_extent_dims(source.space.id(), sizes.data(), nullptr) != dimensions) {
    state_->fail("cannot read the shape of " + name);
  }
  return {sizes.begin(), sizes.end()};
}

std::vector<double> Hdf5File::read_doubles(const std::string& name) const {
  return hdf5_doubles(*state_, hdf5_open_dataset(*state_, name), name);
}

std::vector<std::int64_t> Hdf5File::read_integers(const std::string& name) const {
  return hdf5_integers(*state_, hdf5_open_dataset(*state_, name), name);
}

std::vector<std::string> Hdf5File::read_texts(const std::string& name) const {
  return hdf5_texts(*state_, hdf5_open_dataset(*state_, name), name);
}

std::vector<double> Hdf5File::read_double_rows(const std::string& name, std::int64_t begin, std::int64_t end) const {
  Hdf5Source source = hdf5_open_dataset(*state_, name);
  hdf5_select_rows(*state_, name, begin, end, source);
  return source.count == 0 ? std::vector<double>{} : hdf5_doubles(*state_, source, name);
}

std::vector<std::int64_t> Hdf5File::read_integer_rows(const std::string& name, std::int64_t begin,
                                                      std::int64_t end) const {
  Hdf5Source source = hdf5_open_dataset(*state_, name);
  hdf5_select_rows(*state_, name, begin, end, source);
  return source.count == 0 ? std::vector<std::int64_t>{} : hdf5_integers(*state_, source, name);
}

double Hdf5File::read_double(const std::string& name) const { return hdf5_single(*state_, name, read_doubles(name)); }

std::int64_t Hdf5File::read_integer(const std::string& name) const {
  return hdf5_single(*state_, name, read_integers(name));
}

std::string Hdf5File::read_text(const std::string& name) const { return hdf5_single(*state_, name, read_texts(name)); }

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  return contains(object) && H5Aexists_by_name(state_->file.id(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

double Hdf5File::read_double_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Source source = hdf5_open_attribute(*state_, object, name);
  return hdf5_doubles(*state_, source, hdf5_attribute_title(object, name)).front();
}

std::int64_t Hdf5File::read_integer_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Source source = hdf5_open_attribute(*state_, object, name);
  return hdf5_integers(*state_, source, hdf5_attribute_title(object, name)).front();
}

std::string Hdf5File::read_text_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Source source = hdf5_open_attribute(*state_, object, name);
  return hdf5_texts(*state_, source, hdf5_attribute_title(object, name)).front();
}

}  // namespace ricochet::io
