#include "ricochet/io/result_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ricochet/io/version.hpp"

namespace ricochet::io {

ResultReader::ResultReader(const std::filesystem::path& path) : file_(Hdf5File::open(path)) {
  const std::int64_t format = file_.read_integer("/format");
  if (format != file_format) {
    fail(fmt::format("the file has format {}, this program reads format {}", format, file_format));
  }
  time_ = file_.read_doubles("/time");
  if (time_.empty()) fail("the file has no rows");
}

void ResultReader::fail(const std::string& what) const {
  throw FileError(fmt::format("{}: {}.", file_.path().string(), what));
}

void ResultReader::require(const std::string& name, std::size_t found, std::size_t expected) const {
  if (found != expected) fail(fmt::format("{} has {} values where {} are expected", name, found, expected));
}

ResultColumn ResultReader::column(const std::string& group, const std::string& name) const {
  const std::string path = fmt::format("/{}/{}", group, name);
  ResultColumn result = {name, file_.read_doubles(path)};
  require(path, result.values.size(), rows());
  return result;
}

std::vector<ResultColumn> ResultReader::probes() const {
  std::vector<ResultColumn> result;
  for (std::string& name : file_.read_texts("/probes/names")) result.push_back({std::move(name), {}});
  const std::vector<double> values = file_.read_doubles("/probes/values");
  const std::size_t count = result.size();
  require("/probes/values", values.size(), rows() * count);
  for (std::size_t i = 0; i < values.size(); ++i) result[i % count].values.push_back(values[i]);
  return result;
}

std::vector<ResultPortrait> ResultReader::portraits() const {
  std::vector<ResultPortrait> result;
  if (!file_.contains("/portraits")) return result;
  const std::vector<std::string> probes = file_.read_texts("/probes/names");
  const std::vector<std::string> names = file_.read_texts("/portraits/names");
  const std::vector<std::string> x = file_.read_texts("/portraits/x"), y = file_.read_texts("/portraits/y");
  require("/portraits/x", x.size(), names.size());
  require("/portraits/y", y.size(), names.size());
  const auto find = [&](const std::string& name) {
    const auto found = std::find(probes.begin(), probes.end(), name);
    if (found == probes.end()) fail(fmt::format("/portraits names the probe '{}', which is not there", name));
    return static_cast<std::size_t>(found - probes.begin());
  };
  for (std::size_t i = 0; i < names.size(); ++i) result.push_back({names[i], find(x[i]), find(y[i])});
  return result;
}

void ResultReader::load_row_start() const {
  if (!row_start_.empty()) return;
  std::vector<std::int64_t> starts = file_.read_integers("/contacts/row_start");
  require("/contacts/row_start", starts.size(), rows() + 1);
  const Hdf5File::Shape shape = file_.shape("/contacts/identity");
  if (!std::is_sorted(starts.begin(), starts.end()) || starts.front() != 0 || shape.size() != 1 ||
      starts.back() != shape[0]) {
    fail("/contacts/row_start does not divide the contacts into rows");
  }
  row_start_ = std::move(starts);
}

ResultContacts ResultReader::contacts() const {
  load_row_start();
  ResultContacts result = {file_.read_texts("/contacts/names"),       row_start_,
                           file_.read_integers("/contacts/identity"), file_.read_integers("/contacts/status"),
                           file_.read_doubles("/contacts/gap"),       file_.read_doubles("/contacts/impulse")};
  const std::size_t count = result.identity.size();
  require("/contacts/status", result.status.size(), count);
  require("/contacts/gap", result.gap.size(), count);
  require("/contacts/impulse", result.impulse.size(), 3 * count);
  for (const std::int64_t identity : result.identity) {
    if (identity < 0 || identity >= static_cast<std::int64_t>(result.names.size())) {
      fail("/contacts/identity points outside /contacts/names");
    }
  }
  return result;
}

std::vector<int> ResultReader::driven_surfaces(std::size_t surfaces) const {
  std::vector<int> result;
  for (const std::int64_t surface : file_.read_integers("/surfaces/driven")) {
    if (surface < 0 || surface >= static_cast<std::int64_t>(surfaces)) fail("/surfaces/driven names no surface");
    result.push_back(static_cast<int>(surface));
  }
  return result;
}

std::vector<double> ResultReader::row_values(const std::string& name, std::size_t width, std::size_t begin,
                                             std::size_t end) const {
  std::vector<double> values =
      file_.read_double_rows(name, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  require(name, values.size(), width * (end - begin));
  return values;
}

BodyRows ResultReader::body_rows(std::size_t bodies, std::size_t begin, std::size_t end) const {
  return {row_values("/bodies/position", 3 * bodies, begin, end),
          row_values("/bodies/quaternion", 4 * bodies, begin, end),
          row_values("/bodies/velocity", 6 * bodies, begin, end)};
}

DrivenRows ResultReader::driven_rows(std::size_t driven, std::size_t begin, std::size_t end) const {
  return {row_values("/surfaces/driven_point", 3 * driven, begin, end),
          row_values("/surfaces/driven_normal", 3 * driven, begin, end)};
}

ContactRows ResultReader::contact_rows(std::size_t begin, std::size_t end) const {
  load_row_start();
  const std::int64_t first = row_start_[begin], last = row_start_[end];
  const auto lasting = [&](const char* name, std::size_t width) {
    return row_values(name, width, static_cast<std::size_t>(first), static_cast<std::size_t>(last));
  };
  ContactRows result;
  for (std::size_t row = begin; row <= end; ++row) result.row_start.push_back(row_start_[row] - first);
  result.identity = file_.read_integer_rows("/contacts/identity", first, last);
  result.body_a = file_.read_integer_rows("/contacts/body_a", first, last);
  result.body_b = file_.read_integer_rows("/contacts/body_b", first, last);
  result.status = file_.read_integer_rows("/contacts/status", first, last);
  result.point = lasting("/contacts/point", 3);
  result.normal = lasting("/contacts/normal", 3);
  result.tangent1 = lasting("/contacts/tangent1", 3);
  result.gap = lasting("/contacts/gap", 1);
  result.impulse = lasting("/contacts/impulse", 3);
  return result;
}

ContactMotion ResultReader::contact_motion(std::size_t begin, std::size_t end) const {
  load_row_start();
  const auto first = static_cast<std::size_t>(row_start_[begin]), last = static_cast<std::size_t>(row_start_[end]);
  return {row_values("/contacts/velocity", 3, first, last), row_values("/contacts/work", 3, first, last),
          row_values("/contacts/moment", 3, first, last)};
}

}  // namespace ricochet::io
