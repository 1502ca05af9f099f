// HDF5 files: the part of the HDF5 C library that Ricochet needs, with owned handles and errors as exceptions.
//
// Writing. A file is made of groups, datasets and attributes, addressed by paths such as "/bodies/position". A dataset
// is either written whole, or it is a *series* that grows by rows along its first dimension: appending a row copies it
// into a buffer of one chunk, and full chunks go to the disk shuffled and deflated. The file owns its series, so that
// `flush` and `close` forget none of them.
//
//   Hdf5File file = Hdf5File::create("result.h5");
//   Hdf5Series<double> position = file.make_series<double>("/bodies/position", {bodies, 3});   // [n, bodies, 3]
//   position.append(row);                                                                        // 3 * bodies numbers
//   file.close();                                                                                // the only proof of
//   success
//
// A file that is destroyed without `close` is abandoned: what was buffered is lost, and no error is reported. After a
// WriteError it is worthless.
//
// Reading. Whole datasets, or a range of their rows, are read with conversion to double, 64-bit integer or text. A file
// is material from outside: it may be damaged, or promise more data than it holds; every such case is a FileError.
//
// Texts are UTF-8 strings of fixed length, padded with zeros. (Strings of variable length are neither written nor read:
// a damaged file that has them makes the library crash.) Files have the default version bounds of the library: what was
// flushed can be read after the program was killed. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/file_error.hpp"

namespace ricochet::io {

// An owned identifier of the HDF5 library (its hid_t is a 64-bit integer; negative means none).
class Hdf5Handle {
 public:
  using Id = std::int64_t;
  using Closer = int (*)(Id);

  Hdf5Handle() = default;
  Hdf5Handle(Id id, Closer closer) : id_(id), closer_(closer) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle(Hdf5Handle&& other) noexcept;
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  ~Hdf5Handle() { close(); }

  Id id() const { return id_; }
  bool valid() const { return id_ >= 0; }
  int close();  // negative if the library reports a failure
  void forget() { id_ = -1; }

 private:
  Id id_ = -1;
  Closer closer_ = nullptr;
};

struct Hdf5FileState;
struct Hdf5SeriesStorage;

// A dataset that grows by rows. A light handle: the rows live in the file that made it and must not outlive that file.
// Value is double or std::int64_t.
template <class Value>
class Hdf5Series {
 public:
  Hdf5Series() = default;

  // Appends one or several whole rows; a row that has no values by the empty span.
  void append(std::span<const Value> rows);
  void append(Value value) { append(std::span<const Value>(&value, 1)); }  // for rows of one number

  std::int64_t rows() const;

 private:
  friend class Hdf5File;
  explicit Hdf5Series(Hdf5SeriesStorage* storage) : storage_(storage) {}
  Hdf5SeriesStorage* storage_ = nullptr;
};

// The same for texts, one per row.
class Hdf5TextSeries {
 public:
  Hdf5TextSeries() = default;
  void append(std::string_view text);  // std::invalid_argument if it is longer than the series allows
  std::int64_t rows() const;

 private:
  friend class Hdf5File;
  explicit Hdf5TextSeries(Hdf5SeriesStorage* storage) : storage_(storage) {}
  Hdf5SeriesStorage* storage_ = nullptr;
};

class Hdf5File {
 public:
  using Shape = std::vector<std::int64_t>;

  static Hdf5File create(const std::filesystem::path& path);  // replaces a file that is there
  static Hdf5File open(const std::filesystem::path& path);    // to read

  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  Hdf5File(Hdf5File&& other) noexcept;
  Hdf5File& operator=(Hdf5File&& other) noexcept;
  ~Hdf5File();

  const std::filesystem::path& path() const;

  // --- writing; groups on the way to a dataset are made as needed ---

  void make_group(const std::string& name);

  // A dataset [n, row_shape...] with n = 0 rows for now; `row_shape` is empty for a plain list of numbers.
  template <class Value>
  Hdf5Series<Value> make_series(const std::string& name, const Shape& row_shape = {});
  Hdf5TextSeries make_text_series(const std::string& name, std::size_t longest);  // bytes of the longest text to come

  // A dataset of known size; without a shape it is a list of all values.
  void write(const std::string& name, std::span<const double> values, const Shape& shape = {});
  void write(const std::string& name, std::span<const std::int64_t> values, const Shape& shape = {});
  void write(const std::string& name, std::span<const std::string> texts);
  void write_number(const std::string& name, std::int64_t value);   // a scalar
  void write_text(const std::string& name, std::string_view text);  // a scalar

  // An attribute of a group or dataset; "/" is the file itself.
  void write_attribute(const std::string& object, const std::string& name, double value);
  void write_attribute(const std::string& object, const std::string& name, std::int64_t value);
  void write_attribute(const std::string& object, const std::string& name, std::string_view value);

  void flush();  // everything so far is with the operating system
  void close();  // flushes and closes; the file and its series cannot be used any more

  // --- reading ---

  bool contains(const std::string& name) const;
  std::vector<std::string> list(const std::string& group) const;  // names in a group, sorted
  Shape shape(const std::string& name) const;                     // empty for a scalar

  std::vector<double> read_doubles(const std::string& name) const;  // integers are converted
  std::vector<std::int64_t> read_integers(const std::string& name) const;
  std::vector<std::string> read_texts(const std::string& name) const;
  // Of a dataset only the rows begin <= row < end of its first dimension: for what is larger than the memory.
  std::vector<double> read_double_rows(const std::string& name, std::int64_t begin, std::int64_t end) const;
  std::vector<std::int64_t> read_integer_rows(const std::string& name, std::int64_t begin, std::int64_t end) const;
  double read_double(const std::string& name) const;  // the single value of a dataset
  std::int64_t read_integer(const std::string& name) const;
  std::string read_text(const std::string& name) const;

  bool has_attribute(const std::string& object, const std::string& name) const;
  double read_double_attribute(const std::string& object, const std::string& name) const;
  std::int64_t read_integer_attribute(const std::string& object, const std::string& name) const;
  std::string read_text_attribute(const std::string& object, const std::string& name) const;

 private:
  explicit Hdf5File(std::unique_ptr<Hdf5FileState> state);
  std::unique_ptr<Hdf5FileState> state_;
};

}  // namespace ricochet::io
