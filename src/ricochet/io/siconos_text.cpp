#include "ricochet/io/siconos_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "ricochet/io/input_error.hpp"

namespace ricochet::io {

namespace {

enum SiconosStorage { kSiconosDense = 0, kSiconosBlocks = 1, kSiconosSparse = 2 };
enum SiconosSparse { kSiconosTriplets = 1, kSiconosColumns = 2 };

// The words of a text, one after the other.
class WordStream {
 public:
  WordStream(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw FileError(fmt::format("{}:{}: {}.", name_, line_, sentence));
  }

  bool at_end() {
    skip_space();
    return position_ == text_.size();
  }

  std::string_view word(std::string_view meaning) {
    if (at_end()) refuse(fmt::format("the file ends where {} should be", meaning));
    const std::size_t start = position_;
    while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
    return std::string_view(text_).substr(start, position_ - start);
  }

  int integer(std::string_view meaning, int least, int most = std::numeric_limits<int>::max()) {
    const std::string_view found = word(meaning);
    const int value = parse<int>(found, meaning, "a whole number");
    if (value < least || value > most) refuse(fmt::format("{} is {}: impossible", meaning, value));
    return value;
  }

  double number(std::string_view meaning) { return parse<double>(word(meaning), meaning, "a number"); }

  void expect(std::string_view expected) {
    const std::string_view found = word(in_quotes(expected));
    if (found != expected) refuse(fmt::format("{} is expected instead of {}", in_quotes(expected), in_quotes(found)));
  }

  // Every number takes two characters at least, so a count beyond that is wrong, and no reason to ask for memory.
  void expect_room(std::int64_t numbers, std::string_view meaning) const {
    const auto room = static_cast<std::int64_t>((text_.size() - position_ + 1) / 2);
    if (numbers > room) {
      refuse(fmt::format("{} should have {} numbers, more than the rest of the file can hold", meaning, numbers));
    }
  }

  std::int64_t words_left() const {
    std::int64_t count = 0;
    bool inside = false;
    for (std::size_t i = position_; i < text_.size(); ++i) {
      const bool now_inside = !is_space(text_[i]);
      if (now_inside && !inside) ++count;
      inside = now_inside;
    }
    return count;
  }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  void skip_space() {
    for (; position_ < text_.size() && is_space(text_[position_]); ++position_)
      line_ += text_[position_] == '\n' ? 1 : 0;
  }

  template <class Number>
  Number parse(std::string_view found, std::string_view meaning, std::string_view kind) const {
    std::string_view digits = found;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    Number value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) {
      refuse(fmt::format("{} is {}: out of range", meaning, in_quotes(found)));
    }
    if (error != std::errc() || end != digits.data() + digits.size()) {
      refuse(fmt::format("{} should be {}, but it is {}", meaning, kind, in_quotes(found)));
    }
    return value;
  }

  std::string name_;
  std::string text_;
  std::size_t position_ = 0;
  int line_ = 1;
};

void read_dense_matrix(WordStream& words, ScalarMatrix& matrix) {
  const int rows = words.integer("the number of rows", 0), columns = words.integer("the number of columns", 0);
  if (rows != matrix.rows || columns != matrix.columns) {
    words.refuse(fmt::format("a matrix of {} x {} is announced, but its entries are those of one of {} x {}",
                             matrix.rows, matrix.columns, rows, columns));
  }
  const std::int64_t count = static_cast<std::int64_t>(rows) * columns;
  words.expect_room(count, "a dense matrix");
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) {
      if (const double value = words.number("an entry of a matrix"); value != 0) matrix.add(row, column, value);
    }
  }
}

// Where each block row or column ends; returns where they begin, and the total.
std::vector<int> read_block_ends(WordStream& words, int count, int total) {
  words.expect_room(count, "a matrix of blocks");
  std::vector<int> starts = {0};
  for (int i = 0; i < count; ++i) starts.push_back(words.integer("the end of a block", starts.back(), total));
  if (starts.back() != total) {
    words.refuse(fmt::format("blocks end at {}, but the matrix has {} rows or columns", starts.back(), total));
  }
  return starts;
}

void read_block_matrix(WordStream& words, ScalarMatrix& matrix) {
  const int blocks = words.integer("the number of blocks", 0);
  const int block_rows = words.integer("the number of block rows", 0);
  const int block_columns = words.integer("the number of block columns", 0);
  const std::vector<int> row_starts = read_block_ends(words, block_rows, matrix.rows);
  const std::vector<int> column_starts = read_block_ends(words, block_columns, matrix.columns);
  const int start_count = words.integer("the number of row starts", 1);
  const int column_count = words.integer("the number of block indices", 0);
  if (start_count - 1 > block_rows || column_count < blocks) {
    words.refuse(fmt::format("{} row starts and {} block indices do not fit {} blocks in {} rows", start_count,
                             column_count, blocks, block_rows));
  }
  words.expect_room(static_cast<std::int64_t>(start_count) + column_count, "a matrix of blocks");
  std::vector<int> starts, columns;
  for (int i = 0; i < start_count; ++i) {
    starts.push_back(words.integer("the start of a block row", starts.empty() ? 0 : starts.back(), blocks));
  }
  if (starts.front() != 0 || starts.back() != blocks) {
    words.refuse(
        fmt::format("the block rows hold blocks {} to {}, but there are {}", starts.front(), starts.back(), blocks));
  }
  for (int i = 0; i < column_count; ++i) {
    columns.push_back(words.integer("the column of a block", 0, std::max(block_columns - 1, 0)));
  }
  int block_row = 0;
  for (int block = 0; block < blocks; ++block) {
    while (starts[block_row + 1] <= block) ++block_row;
    words.integer("the number of a block", block, block);
    if (columns[block] >= block_columns) words.refuse("there is a block but no block column");
    for (int column = column_starts[columns[block]]; column < column_starts[columns[block] + 1]; ++column) {
      for (int row = row_starts[block_row]; row < row_starts[block_row + 1]; ++row) {
        matrix.add(row, column, words.number("an entry of a block"));
      }
    }
  }
}

// "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016"
// "triplet: 768-by-768, nzmax: 1536 nnz: 1536" or "10-by-10, nzmax: 100 nnz: 100, 1-norm: 1.85469e+07"
int read_sparse_title(WordStream& words, bool columns) {
  constexpr int longest = 30;  // words
  int left = longest;
  while (words.word("the title of a sparse matrix") != "nnz:") {
    if (--left == 0) words.refuse("a sparse matrix should begin with lines of CSparse, with 'nnz:' and a number");
  }
  std::string count(words.word("the number of entries"));
  if (count.ends_with(',')) count.pop_back();
  int entries = -1;
  std::from_chars(count.data(), count.data() + count.size(), entries);
  if (entries < 0) words.refuse(fmt::format("the number of entries should not be {}", in_quotes(count)));
  if (columns) {
    words.expect("1-norm:");
    words.word("a norm");
  }
  words.expect_room(entries, "a sparse matrix");
  return entries;
}

void read_sparse_matrix(WordStream& words, ScalarMatrix& matrix) {
  const int order =
      words.integer("the order of a sparse matrix (1 triplets, 2 columns)", kSiconosTriplets, kSiconosColumns);
  const int entries = read_sparse_title(words, order == kSiconosColumns);
  const auto row = [&] { return words.integer("a row", 0, matrix.rows - 1); };
  const auto column = [&] { return words.integer("a column", 0, matrix.columns - 1); };
  const auto value = [&] {
    words.expect(":");
    return words.number("an entry of a matrix");
  };
  if (order == kSiconosTriplets) {
    for (int k = 0; k < entries; ++k) {
      const int i = row(), j = column();
      matrix.add(i, j, value());
    }
    return;
  }
  int found = 0;
  for (int j = 0; j < matrix.columns; ++j) {
    words.expect("col");
    words.integer("a column", j, j);
    words.expect(":");
    words.expect("locations");
    words.integer("the first location of a column", found, found);
    words.expect("to");
    const int end = words.integer("the last location of a column", found - 1, entries - 1);
    for (; found <= end; ++found) {
      const int i = row();
      matrix.add(i, j, value());
    }
  }
  if (found != entries) words.refuse(fmt::format("{} entries are announced, but there are {}", entries, found));
}

ScalarMatrix read_siconos_matrix(WordStream& words) {
  const int storage =
      words.integer("the storage of a matrix (0 dense, 1 blocks, 2 sparse)", kSiconosDense, kSiconosSparse);
  ScalarMatrix matrix;
  matrix.rows = words.integer("the number of rows", 0);
  matrix.columns = words.integer("the number of columns", 0);
  if (storage == kSiconosDense) read_dense_matrix(words, matrix);
  if (storage == kSiconosBlocks) read_block_matrix(words, matrix);
  if (storage == kSiconosSparse) read_sparse_matrix(words, matrix);
  return matrix;
}

std::vector<double> read_siconos_vector(WordStream& words, std::int64_t count, std::string_view name) {
  words.expect_room(count, name);
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(words.number(fmt::format("an entry of {}", name)));
  return values;
}

std::string problem_text(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw FileError(fmt::format("{}: there is no such file.", path.string()));
  if (!std::filesystem::is_regular_file(path, error)) throw FileError(fmt::format("{}: is not a file.", path.string()));
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw FileError(fmt::format("{}: cannot be read.", path.string()));
  return text;
}

}  // namespace

ScalarProblem read_siconos_text(const std::filesystem::path& path) {
  WordStream words(path.string(), problem_text(path));
  ScalarProblem scalars;
  scalars.dimension = words.integer("the dimension of a contact", 1, cone::kLargestBlock);
  if (scalars.dimension != 2 && scalars.dimension != 3 && scalars.dimension != 5) {
    words.refuse(fmt::format("contacts should have the dimension 2, 3 or 5, not {}", scalars.dimension));
  }
  const std::int64_t contacts = words.integer("the number of contacts", 0);
  const std::int64_t velocities = scalars.dimension * contacts;
  const std::int64_t coefficients = (scalars.dimension > 3 ? 2 : 1) * contacts;
  ScalarMatrix first = read_siconos_matrix(words);
  if (first.rows != first.columns) {
    words.refuse(fmt::format("the first matrix should be square, but it is one of {} x {}", first.rows, first.columns));
  }
  const std::int64_t needed = velocities + coefficients;  // by a local problem
  const std::int64_t left = words.words_left();
  if (first.rows == velocities && left >= needed && left <= needed + 1) {
    scalars.W = std::move(first);
    scalars.q = read_siconos_vector(words, velocities, "q");
  } else {
    if (first.rows == velocities && left < needed) {
      words.refuse(fmt::format("{} numbers are needed after W for q and mu, but there are {}", needed, left));
    }
    scalars.global = true;
    scalars.M = std::move(first);
    scalars.H = read_siconos_matrix(words);
    scalars.f = read_siconos_vector(words, scalars.M.rows, "q");
    scalars.w = read_siconos_vector(words, velocities, "b");
  }
  scalars.mu = read_siconos_vector(words, contacts, "mu");
  if (scalars.dimension > 3) scalars.mu_r = read_siconos_vector(words, contacts, "mu_r");
  if (!words.at_end()) words.integer("what follows the coefficients of friction", 0, 1);
  if (!words.at_end()) words.refuse("the problem is complete here, but the file goes on");
  return scalars;
}

}  // namespace ricochet::io
