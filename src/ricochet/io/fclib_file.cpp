#include "ricochet/io/fclib_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "ricochet/io/hdf5_file.hpp"

namespace ricochet::io {

namespace {

constexpr std::int64_t kCompressedColumns = -1;
constexpr std::int64_t kCompressedRows = -2;

class FclibReader {
 public:
  explicit FclibReader(const std::filesystem::path& path) : file_(Hdf5File::open(path)) {}

  ScalarProblem read() {
    ScalarProblem scalars;
    const std::string group = problem_group();
    scalars.global = group.starts_with("/fclib_global");
    scalars.dimension = integer(group + "/spacedim");
    const std::string vectors = group + "/vectors/";
    if (scalars.global) {
      scalars.M = matrix(group + "/M");
      scalars.H = matrix(group + "/H");
      scalars.f = numbers(vectors + "f");
      scalars.w = numbers(vectors + "w");
      if (file_.contains(group + "/G")) {
        scalars.G = matrix(group + "/G");
        scalars.b = numbers(vectors + "b");
      }
    } else {
      scalars.W = matrix(group + "/W");
      scalars.q = numbers(vectors + "q");
      if (file_.contains(group + "/V") || file_.contains(group + "/R")) {
        scalars.V = matrix(group + "/V");
        scalars.R = matrix(group + "/R");
        scalars.s = numbers(vectors + "s");
      }
    }
    scalars.mu = numbers(vectors + "mu");
    if (scalars.dimension > 3) scalars.mu_r = numbers(vectors + "mu_r");
    if (scalars.dimension > 5) scalars.mu_s = numbers(vectors + "mu_s");
    scalars.title = comment(group + "/info/title");
    scalars.description = comment(group + "/info/description");
    scalars.math_info = comment(group + "/info/math_info");
    read_points(scalars);
    return scalars;
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw FileError(fmt::format("{}: {}.", file_.path().string(), sentence));
  }

  std::string problem_group() const {
    constexpr std::array names = {"/fclib_local", "/fclib_global", "/fclib_local_rolling", "/fclib_global_rolling"};
    std::string found;
    for (const char* name : names) {
      if (!file_.contains(name)) continue;
      if (!found.empty()) refuse(fmt::format("there are two problems in this file, {} and {}", found, name));
      found = name;
    }
    if (found.empty()) refuse("there is no contact problem in this file: no group fclib_local or fclib_global");
    return found;
  }

  int integer(const std::string& name) const {
    const std::int64_t value = file_.read_integer(name);
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
      refuse(fmt::format("{} is {}: impossible", name, value));
    }
    return static_cast<int>(value);
  }

  std::vector<double> numbers(const std::string& name) const { return file_.read_doubles(name); }

  // What is written for people is not worth a failure; texts of variable length in particular are not read.
  std::string comment(const std::string& name) const {
    try {
      return file_.contains(name) ? file_.read_text(name) : std::string();
    } catch (const FileError&) {
      return {};
    }
  }

  ScalarMatrix matrix(const std::string& group) const {
    ScalarMatrix result;
    result.rows = integer(group + "/m");
    result.columns = integer(group + "/n");
    const int storage = integer(group + "/nz");
    if (result.rows < 0 || result.columns < 0) {
      refuse(fmt::format("{} is a matrix of {} x {}", group, result.rows, result.columns));
    }
    const std::vector<std::int64_t> p = file_.read_integers(group + "/p");
    const std::vector<std::int64_t> i = file_.read_integers(group + "/i");
    const std::vector<double> x = file_.read_doubles(group + "/x");
    if (storage == kCompressedColumns || storage == kCompressedRows) {
      const bool by_rows = storage == kCompressedRows;
      read_compressed(group, by_rows, p, i, x, result);
    } else if (storage >= 0) {
      read_triplets(group, static_cast<std::size_t>(storage), p, i, x, result);
    } else {
      refuse(fmt::format("{}/nz is {}: -1, -2 or the number of triplets is expected", group, storage));
    }
    return result;
  }

  [[noreturn]] void refuse_index(const std::string& group, std::int64_t row, std::int64_t column,
                                 const ScalarMatrix& matrix) const {
    refuse(fmt::format("{} has an entry in row {}, column {}, but it is a matrix of {} x {}", group, row, column,
                       matrix.rows, matrix.columns));
  }

  void read_compressed(const std::string& group, bool by_rows, std::span<const std::int64_t> p,
                       std::span<const std::int64_t> i, std::span<const double> x, ScalarMatrix& result) const {
    const int lines = by_rows ? result.rows : result.columns;
    const int across = by_rows ? result.columns : result.rows;
    if (p.size() != static_cast<std::size_t>(lines) + 1) {
      refuse(fmt::format("{}/p has {} entries; {} are needed for {} {}", group, p.size(),
                         static_cast<std::int64_t>(lines) + 1, lines, by_rows ? "rows" : "columns"));
    }
    const auto stored = static_cast<std::int64_t>(std::min(i.size(), x.size()));
    if (p.front() != 0 || p.back() > stored) {
      refuse(fmt::format("{}/p counts entries from {} to {}, but there are {}", group, p.front(), p.back(), stored));
    }
    for (int line = 0; line < lines; ++line) {
      if (p[line + 1] < p[line]) refuse(fmt::format("{}/p decreases after entry {}", group, line));
    }
    result.entries.reserve(static_cast<std::size_t>(p.back()));
    for (int line = 0; line < lines; ++line) {
      for (std::int64_t k = p[line]; k < p[line + 1]; ++k) {
        if (i[k] < 0 || i[k] >= across) {
          refuse_index(group, by_rows ? line : i[k], by_rows ? i[k] : line, result);
        }
        const int other = static_cast<int>(i[k]);
        result.add(by_rows ? line : other, by_rows ? other : line, x[k]);
      }
    }
  }

  void read_triplets(const std::string& group, std::size_t count, std::span<const std::int64_t> p,
                     std::span<const std::int64_t> i, std::span<const double> x, ScalarMatrix& result) const {
    if (p.size() < count || i.size() < count || x.size() < count) {
      refuse(fmt::format("{} should have {} triplets, but p, i and x have {}, {} and {}", group, count, p.size(),
                         i.size(), x.size()));
    }
    // The first triplet that is outside the matrix, `count` if there is none.
    const auto first_outside = [&](std::span<const std::int64_t> rows, std::span<const std::int64_t> columns) {
      std::size_t k = 0;
      while (k < count && rows[k] >= 0 && rows[k] < result.rows && columns[k] >= 0 && columns[k] < result.columns) ++k;
      return k;
    };
    const std::size_t outside = first_outside(i, p);
    const bool as_csparse = outside == count;
    if (!as_csparse && first_outside(p, i) < count) refuse_index(group, i[outside], p[outside], result);
    const std::span<const std::int64_t> rows = as_csparse ? i : p, columns = as_csparse ? p : i;
    result.entries.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      result.add(static_cast<int>(rows[k]), static_cast<int>(columns[k]), x[k]);
    }
  }

  ScalarPoint point(const std::string& group) const {
    const auto optional_numbers = [&](const char* name) {
      return file_.contains(group + name) ? numbers(group + name) : std::vector<double>();
    };
    return {optional_numbers("/v"), optional_numbers("/u"), optional_numbers("/r"), optional_numbers("/l")};
  }

  void read_points(ScalarProblem& scalars) const {
    if (file_.contains("/solution")) scalars.solution = point("/solution");
    if (!file_.contains("/guesses/number_of_guesses")) return;
    const int count = integer("/guesses/number_of_guesses");
    for (int k = 1; k <= count; ++k) {
      const std::string group = fmt::format("/guesses/{}", k);
      if (!file_.contains(group)) refuse(fmt::format("there should be {} guesses, but {} is missing", count, group));
      scalars.guesses.push_back(point(group));
    }
  }

  Hdf5File file_;
};

class FclibWriter {
 public:
  explicit FclibWriter(const std::filesystem::path& path) : file_(Hdf5File::create(path)) {}

  void write(const ScalarProblem& scalars) {
    std::string group = scalars.global ? "/fclib_global" : "/fclib_local";
    if (scalars.dimension > 3) group += "_rolling";
    integer(group + "/spacedim", scalars.dimension);
    const std::string vectors = group + "/vectors/";
    if (scalars.global) {
      matrix(group + "/M", scalars.M);
      matrix(group + "/H", scalars.H);
      numbers(vectors + "f", scalars.f);
      numbers(vectors + "w", scalars.w);
      if (!scalars.b.empty()) {
        matrix(group + "/G", scalars.G);
        numbers(vectors + "b", scalars.b);
      }
    } else {
      matrix(group + "/W", scalars.W);
      numbers(vectors + "q", scalars.q);
      if (!scalars.s.empty()) {
        matrix(group + "/V", scalars.V);
        matrix(group + "/R", scalars.R);
        numbers(vectors + "s", scalars.s);
      }
    }
    numbers(vectors + "mu", scalars.mu);
    if (scalars.dimension > 3) numbers(vectors + "mu_r", scalars.mu_r);
    if (scalars.dimension > 5) numbers(vectors + "mu_s", scalars.mu_s);
    text(group + "/info/title", scalars.title);
    text(group + "/info/description", scalars.description);
    text(group + "/info/math_info", scalars.math_info);
    if (scalars.solution) point("/solution", *scalars.solution);
    if (!scalars.guesses.empty()) integer("/guesses/number_of_guesses", static_cast<int>(scalars.guesses.size()));
    for (std::size_t k = 0; k < scalars.guesses.size(); ++k) {
      point(fmt::format("/guesses/{}", k + 1), scalars.guesses[k]);
    }
    file_.close();
  }

 private:
  void integer(const std::string& name, std::int64_t value) { file_.write(name, std::span(&value, 1)); }
  void text(const std::string& name, const std::string& value) {  // with a zero at its end, which C wants
    file_.write_text(name, std::string_view(value.c_str(), value.size() + 1));
  }

  template <class Value>
  void list(const std::string& name, const std::vector<Value>& values) {
    const Value none{};  // the library wants an address even where there is nothing to write
    file_.write(name, std::span<const Value>(values.empty() ? &none : values.data(), values.size()));
  }
  void numbers(const std::string& name, const std::vector<double>& values) { list(name, values); }

  void matrix(const std::string& group, ScalarMatrix scalars) {
    const int columns = scalars.columns;
    integer(group + "/m", scalars.rows);
    integer(group + "/n", columns);
    scalars.transpose();  // so that its rows, one after the other, are columns
    scalars.compress();
    std::vector<std::int64_t> starts = {0}, rows;
    std::vector<double> values;
    for (const ScalarMatrix::Entry& entry : scalars.entries) {
      while (static_cast<int>(starts.size()) <= entry.row) starts.push_back(static_cast<std::int64_t>(values.size()));
      rows.push_back(entry.column);
      values.push_back(entry.value);
    }
    starts.resize(static_cast<std::size_t>(columns) + 1, static_cast<std::int64_t>(values.size()));
    integer(group + "/nzmax", static_cast<std::int64_t>(values.size()));
    integer(group + "/nz", kCompressedColumns);
    list(group + "/p", starts);
    list(group + "/i", rows);
    list(group + "/x", values);
  }

  void point(const std::string& group, const ScalarPoint& values) {
    const auto given = [&](const char* name, const std::vector<double>& part) {
      if (!part.empty()) numbers(group + name, part);
    };
    given("/v", values.v);
    given("/u", values.u);
    given("/r", values.r);
    given("/l", values.l);
  }

  Hdf5File file_;
};

}  // namespace

ScalarProblem read_fclib_file(const std::filesystem::path& path) { return FclibReader(path).read(); }

void write_fclib_file(const std::filesystem::path& path, const ScalarProblem& scalars) {
  FclibWriter(path).write(scalars);
}

}  // namespace ricochet::io
