#include "ricochet/study/thinned_table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ricochet::study {

void ThinnedTable::Extremes::add(const Row& row, std::size_t column) {
  if (!std::isfinite(row.values[column])) {
    if (!gap) gap = row;
    return;
  }
  if (!smallest || row.values[column] < smallest->values[column]) smallest = row;
  if (!largest || row.values[column] > largest->values[column]) largest = row;
}

ThinnedTable::ThinnedTable(std::size_t columns, std::size_t limit)
    : columns_(columns), most_buckets_(std::max<std::size_t>(2, limit / (2 * std::max<std::size_t>(columns, 1)))) {
  if (columns == 0 || columns > most_columns) throw std::logic_error("a thinned table has one or two columns");
}

void ThinnedTable::merge_neighbours() {
  for (std::size_t i = 0; i < buckets_.size(); i += 2) {
    Bucket bucket = buckets_[i];
    if (i + 1 < buckets_.size()) {
      bucket.rows += buckets_[i + 1].rows;
      for (std::size_t column = 0; column < columns_; ++column) {
        const Extremes& later = buckets_[i + 1].columns[column];
        for (const std::optional<Row>& row : {later.smallest, later.largest, later.gap}) {
          if (row) bucket.columns[column].add(*row, column);
        }
      }
    }
    buckets_[i / 2] = bucket;
  }
  buckets_.resize((buckets_.size() + 1) / 2);
  width_ *= 2;
}

void ThinnedTable::add(double time, std::span<const double> values) {
  Row row{rows_++, time, {}};
  std::copy_n(values.begin(), columns_, row.values.begin());
  if (row.number == 0) first_ = row;
  last_ = row;
  if (buckets_.empty() || buckets_.back().rows == width_) {
    if (buckets_.size() == most_buckets_) merge_neighbours();
    if (buckets_.empty() || buckets_.back().rows == width_) buckets_.emplace_back();
  }
  ++buckets_.back().rows;
  for (std::size_t column = 0; column < columns_; ++column) buckets_.back().columns[column].add(row, column);
}

Trajectory ThinnedTable::table() const {
  std::vector<Row> rows;
  if (rows_ > 0) rows = {first_, last_};
  for (const Bucket& bucket : buckets_) {
    for (const Extremes& column : bucket.columns) {
      for (const std::optional<Row>& row : {column.smallest, column.largest, column.gap}) {
        if (row) rows.push_back(*row);
      }
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.number < b.number; });
  const auto same = [](const Row& a, const Row& b) { return a.number == b.number; };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  Trajectory result;
  result.values.resize(columns_);
  for (const Row& row : rows) {
    result.time.push_back(row.time);
    for (std::size_t column = 0; column < columns_; ++column) result.values[column].push_back(row.values[column]);
  }
  return result;
}

}  // namespace ricochet::study
