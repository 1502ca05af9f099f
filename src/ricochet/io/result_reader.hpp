// Reads result.h5 (result_file.hpp has its layout). The file is material from outside: everything is checked against
// everything else, and what does not fit is a FileError. Rows of bodies and contacts are read in pieces: a long run of
// many bodies does not fit into the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/io/result_geometry.hpp"

namespace ricochet::io {

struct ResultColumn {
  std::string name;
  std::vector<double> values;
};

// A probe over another.
struct ResultPortrait {
  std::string name;
  std::size_t x = 0, y = 0;  // indices into the probes
};

// The contacts of all rows, one entry per contact and row: what fits into the memory.
struct ResultContacts {
  std::vector<std::string> names;
  std::vector<std::int64_t> row_start, identity, status;
  std::vector<double> gap, impulse;
};

// Rows begin <= row < end of all bodies; flat, row by row, body by body.
struct BodyRows {
  std::vector<double> position, quaternion, velocity;
};

// The contacts of rows begin <= row < end; `identity` and the rest as in the file.
struct ContactRows {
  std::vector<std::int64_t> row_start;  // of these rows, the first is 0
  std::vector<std::int64_t> identity, body_a, body_b, status;
  std::vector<double> point, normal, tangent1, gap, impulse;
};

// The rest of what is known of them.
struct ContactMotion {
  std::vector<double> velocity, work, moment;  // 3 numbers each
};

// Where the surfaces that drivers move are in rows begin <= row < end.
struct DrivenRows {
  std::vector<double> point, normal;
};

class ResultReader {
 public:
  explicit ResultReader(const std::filesystem::path& path);

  const std::vector<double>& time() const { return time_; }  // at least one row
  std::size_t rows() const { return time_.size(); }
  std::string scene_id() const { return file_.read_text_attribute("/", "scene"); }
  std::string scene_text() const { return file_.read_text("/scene"); }

  ResultColumn column(const std::string& group, const std::string& name) const;
  std::vector<ResultColumn> probes() const;
  std::vector<ResultPortrait> portraits() const;  // none in older results
  ResultContacts contacts() const;

  bool has_geometry() const { return file_.contains("/geometry"); }  // older results have none
  ResultGeometry geometry() const { return read_geometry(file_); }
  std::vector<int> driven_surfaces(std::size_t surfaces) const;

  std::vector<std::string> body_names() const { return file_.read_texts("/bodies/names"); }
  std::vector<std::string> surface_names() const { return file_.read_texts("/surfaces/names"); }

  BodyRows body_rows(std::size_t bodies, std::size_t begin, std::size_t end) const;
  ContactRows contact_rows(std::size_t begin, std::size_t end) const;
  ContactMotion contact_motion(std::size_t begin, std::size_t end) const;
  DrivenRows driven_rows(std::size_t driven, std::size_t begin, std::size_t end) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void require(const std::string& name, std::size_t found, std::size_t expected) const;
  std::vector<double> row_values(const std::string& name, std::size_t width, std::size_t begin, std::size_t end) const;

  Hdf5File file_;
  std::vector<double> time_;
  mutable std::vector<std::int64_t> row_start_;  // of contacts, when they were asked for
  void load_row_start() const;
};

}  // namespace ricochet::io
