// Datasets that grow by rows.
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/io/hdf5_support.hpp"

namespace ricochet::io {
namespace {

// A chunk is what is deflated at once and what a reader must inflate to see one number: 64 kB deflate well, and forty
// series need only a few megabytes of buffers.
constexpr std::size_t hdf5_chunk_bytes = 64 * 1024;

std::int64_t hdf5_rows_per_chunk(std::size_t row_bytes) {
  return static_cast<std::int64_t>(std::max<std::size_t>(hdf5_chunk_bytes / row_bytes, 1));
}

Hdf5Handle hdf5_make_series(Hdf5FileState& state, const std::string& name, hid_t type, const Hdf5File::Shape& row_shape,
                            std::int64_t rows_per_chunk) {
  std::vector<hsize_t> sizes = {0}, maxima = {H5S_UNLIMITED}, chunk = {static_cast<hsize_t>(rows_per_chunk)};
  for (const std::int64_t size : row_shape) {
    sizes.push_back(static_cast<hsize_t>(size));
    // A chunk must have a size and fit into the dataset: an empty dimension (no bodies, no probes) is left open.
    maxima.push_back(size > 0 ? static_cast<hsize_t>(size) : H5S_UNLIMITED);
    chunk.push_back(static_cast<hsize_t>(std::max<std::int64_t>(size, 1)));
  }
  const int dimensions = static_cast<int>(sizes.size());
  const Hdf5Handle space(H5Screate_simple(dimensions, sizes.data(), maxima.data()), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (H5Pset_chunk(creation.id(), dimensions, chunk.data()) < 0) state.fail("cannot make the dataset " + name);
  H5Pset_shuffle(creation.id());
  H5Pset_deflate(creation.id(), ChunkCompressor::deflate_level);
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  // Whole chunks are written once: a cache of chunks would only hold memory.
  H5Pset_chunk_cache(access.id(), 1, 0, 1.0);
  Hdf5Handle dataset(
      H5Dcreate2(state.file.id(), name.c_str(), type, space.id(), links.id(), creation.id(), access.id()), H5Dclose);
  if (!dataset.valid()) state.fail("cannot make the dataset " + name);
  return dataset;
}

}  // namespace

void Hdf5SeriesStorage::write_rows(std::int64_t start, std::int64_t count, hid_t memory_type, const void* data) {
  std::vector<hsize_t> extent = {static_cast<hsize_t>(start + count)};
  std::vector<hsize_t> offset = {static_cast<hsize_t>(start)};
  std::vector<hsize_t> block = {static_cast<hsize_t>(count)};
  for (const std::int64_t size : row_shape) {
    extent.push_back(static_cast<hsize_t>(size));
    offset.push_back(0);
    block.push_back(static_cast<hsize_t>(size));
  }
  if (H5Dset_extent(dataset.id(), extent.data()) < 0) fail();
  if (row_values == 0) return;
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
  const Hdf5Handle target(H5Dget_space(dataset.id()), H5Sclose);
  if (H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, offset.data(), nullptr, block.data(), nullptr) < 0) fail();
  if (H5Dwrite(dataset.id(), memory_type, memory.id(), target.id(), H5P_DEFAULT, data) < 0) fail();
}

void Hdf5SeriesStorage::write_buffer() {
  if (!dirty) return;
  write_rows(chunk_start, rows - chunk_start, type, buffer.data());
  dirty = false;
}

void Hdf5SeriesStorage::write_chunk(std::int64_t first_row, const std::vector<unsigned char>& stored) {
  std::vector<hsize_t> extent = {static_cast<hsize_t>(first_row + rows_per_chunk)};
  std::vector<hsize_t> offset = {static_cast<hsize_t>(first_row)};
  for (const std::int64_t size : row_shape) {
    extent.push_back(static_cast<hsize_t>(size));
    offset.push_back(0);
  }
  constexpr std::uint32_t all_filters = 0;
  if (H5Dset_extent(dataset.id(), extent.data()) < 0) fail();
  if (H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, all_filters, offset.data(), stored.size(), stored.data()) < 0) fail();
}

void Hdf5FileState::write_compressed(bool all) {
  try {
    while (const auto chunk = compressor.take(all)) chunk->series->write_chunk(chunk->first_row, chunk->bytes);
  } catch (const WriteError&) {
    throw;
  } catch (const std::exception& error) {
    fail(std::string("cannot be compressed: ") + error.what());
  }
}

void Hdf5SeriesStorage::append(const void* data, std::size_t values) {
  const std::size_t width = std::max<std::size_t>(row_values, 1);  // a row without values is appended by an empty span
  if (values % width != 0) throw std::invalid_argument(name + ": these are not whole rows");
  std::int64_t left = row_values == 0 ? 1 : static_cast<std::int64_t>(values / width);
  const auto* source = static_cast<const unsigned char*>(data);
  while (left > 0) {
    const std::int64_t buffered = rows - chunk_start;
    const std::int64_t taken = std::min(left, rows_per_chunk - buffered);
    const std::size_t bytes = static_cast<std::size_t>(taken) * row_bytes;
    if (buffer.empty()) buffer.resize(static_cast<std::size_t>(rows_per_chunk) * row_bytes);
    if (bytes > 0) {
      std::memcpy(buffer.data() + static_cast<std::size_t>(buffered) * row_bytes, source, bytes);
      source += bytes;
    }
    rows += taken;
    left -= taken;
    dirty = true;
    if (rows - chunk_start == rows_per_chunk) {
      if (row_values > 0) {
        const std::int64_t first_row = std::exchange(chunk_start, rows);
        dirty = false;
        owner->compressor.add({this, first_row, H5Tget_size(type), std::exchange(buffer, {})});
        owner->write_compressed(false);
      } else {
        write_buffer();
        chunk_start = rows;
      }
    }
  }
}

template <class Value>
Hdf5Series<Value> Hdf5File::make_series(const std::string& name, const Shape& row_shape) {
  auto series = std::make_unique<Hdf5SeriesStorage>();
  series->owner = state_.get();
  series->name = name;
  series->type = std::is_same_v<Value, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  series->row_shape = row_shape;
  for (const std::int64_t size : row_shape) series->row_values *= static_cast<std::size_t>(size);
  series->row_bytes = series->row_values * sizeof(Value);
  series->rows_per_chunk = hdf5_rows_per_chunk(std::max(series->row_bytes, sizeof(Value)));
  const hid_t stored = std::is_same_v<Value, double> ? H5T_IEEE_F64LE : H5T_STD_I64LE;
  series->dataset = hdf5_make_series(*state_, name, stored, row_shape, series->rows_per_chunk);
  return Hdf5Series<Value>(state_->series.emplace_back(std::move(series)).get());
}

Hdf5TextSeries Hdf5File::make_text_series(const std::string& name, std::size_t longest) {
  auto series = std::make_unique<Hdf5SeriesStorage>();
  series->owner = state_.get();
  series->name = name;
  series->text_type = hdf5_text_type(longest);
  series->type = series->text_type.id();
  series->row_bytes = std::max<std::size_t>(longest, 1);
  series->rows_per_chunk = hdf5_rows_per_chunk(series->row_bytes);
  series->dataset = hdf5_make_series(*state_, name, series->type, {}, series->rows_per_chunk);
  return Hdf5TextSeries(state_->series.emplace_back(std::move(series)).get());
}

template <class Value>
void Hdf5Series<Value>::append(std::span<const Value> rows) {
  storage_->append(rows.data(), rows.size());
}

template <class Value>
std::int64_t Hdf5Series<Value>::rows() const {
  return storage_->rows;
}

void Hdf5TextSeries::append(std::string_view text) {
  if (text.size() > storage_->row_bytes) {
    throw std::invalid_argument(storage_->name + ": the text is too long: " + std::string(text));
  }
  std::string padded(text);
  padded.resize(storage_->row_bytes, '\0');
  storage_->append(padded.data(), 1);
}

std::int64_t Hdf5TextSeries::rows() const { return storage_->rows; }

template class Hdf5Series<double>;
template class Hdf5Series<std::int64_t>;
template Hdf5Series<double> Hdf5File::make_series<double>(const std::string&, const Shape&);
template Hdf5Series<std::int64_t> Hdf5File::make_series<std::int64_t>(const std::string&, const Shape&);

}  // namespace ricochet::io
