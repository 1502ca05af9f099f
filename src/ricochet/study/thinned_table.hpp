// A history that is thinned while it grows: what a plot needs of it, in a memory that does not grow with the run.
//
// Rows are gathered in buckets of equal numbers of rows, and of each bucket those are kept where a column is smallest
// and largest, and the first where it is no number: every peak survives, at its own time and with its own value, as in
// the report of a run. When the buckets run out, neighbours become one, and buckets are twice as wide from then on.
// Rows come in whole, so that columns can be drawn over each other.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ricochet/study/trajectory.hpp"

namespace ricochet::study {

class ThinnedTable {
 public:
  static constexpr std::size_t most_columns = 2;

  // Of `limit` rows or less nothing is lost if there is one column. With gaps there may be half as many rows more.
  ThinnedTable(std::size_t columns, std::size_t limit);

  void add(double time, std::span<const double> values);
  Trajectory table() const;  // with the first and the last row

 private:
  struct Row {
    std::size_t number = 0;  // of the run
    double time = 0;         // s
    std::array<double, most_columns> values = {};
  };
  struct Extremes {
    std::optional<Row> smallest, largest, gap;
    void add(const Row& row, std::size_t column);
  };
  struct Bucket {
    std::size_t rows = 0;
    std::array<Extremes, most_columns> columns;
  };

  void merge_neighbours();

  std::size_t columns_;
  std::size_t most_buckets_;
  std::size_t width_ = 1;  // rows of a full bucket
  std::size_t rows_ = 0;
  std::vector<Bucket> buckets_;
  Row first_, last_;
};

}  // namespace ricochet::study
