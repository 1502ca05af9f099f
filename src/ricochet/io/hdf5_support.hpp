// What the hdf5_*.cpp files share, and nobody else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/chunk_compressor.hpp"
#include "ricochet/io/hdf5_file.hpp"

namespace ricochet::io {

// To be called before anything else: keeps the library from printing errors (ours are exceptions) and from cleaning up
// when the program ends, see Hdf5FileState.
void hdf5_prepare();

// Why the last call failed, in a few words: the operating system's own, such as "No space left on device", if it was
// asked.
std::string hdf5_reason();

// The type of texts of at most so many bytes.
Hdf5Handle hdf5_text_type(std::size_t longest);

// An open file. When a write fails, as on a full disk, HDF5 1.10 cannot close the file any more: the attempt writes
// again, fails again, and what is left makes the library crash when the program ends (h5py issue 914). So after a
// failed write nothing of the file is touched again: its identifiers are forgotten, and only its disk space is given
// back.
struct Hdf5FileState {
  std::filesystem::path path;
  bool writing = false;
  bool write_failed = false;
  Hdf5Handle file;
  std::vector<std::unique_ptr<Hdf5SeriesStorage>> series;  // declared after, so closed before `file`
  ChunkCompressor compressor;                              // of their full chunks

  Hdf5FileState() = default;
  Hdf5FileState(const Hdf5FileState&) = delete;
  Hdf5FileState& operator=(const Hdf5FileState&) = delete;
  ~Hdf5FileState();
  void write_compressed(bool all);                  // chunks that are ready, or all
  [[noreturn]] void fail(const std::string& what);  // adds what the library says; WriteError if writing
  Hdf5Handle make_dataset(const std::string& name, Hdf5Handle::Id type, const Hdf5File::Shape& shape);
  void write_dataset(const std::string& name, Hdf5Handle::Id stored, Hdf5Handle::Id memory,
                     const Hdf5File::Shape& shape, const void* values);
  void write_attribute(const std::string& object, const std::string& name, Hdf5Handle::Id stored, Hdf5Handle::Id memory,
                       const void* value);
};

// A series holds back the rows of its last chunk until the chunk is full, and then gives it to the compressor. After a
// flush the rows stay in the buffer, so that every chunk is written from its start and never has to be read back.
struct Hdf5SeriesStorage {
  Hdf5FileState* owner = nullptr;
  std::string name;
  Hdf5Handle dataset;
  Hdf5Handle::Id type = -1;  // of a value in memory
  Hdf5Handle text_type;      // owns `type` if the values are texts
  Hdf5File::Shape row_shape;
  std::size_t row_values = 1;
  std::size_t row_bytes = 0;
  std::int64_t rows_per_chunk = 1;
  std::int64_t rows = 0;         // in the file and in the buffer
  std::int64_t chunk_start = 0;  // the row with which the buffer begins
  bool dirty = false;            // the buffer holds rows that are not in the file
  std::vector<unsigned char> buffer;

  void append(const void* data, std::size_t values);
  void write_buffer();
  void write_chunk(std::int64_t first_row, const std::vector<unsigned char>& stored);  // a full one, compressed

 private:
  [[noreturn]] void fail() const { owner->fail("cannot write " + name); }
  void write_rows(std::int64_t start, std::int64_t count, Hdf5Handle::Id memory_type, const void* data);
};

}  // namespace ricochet::io
