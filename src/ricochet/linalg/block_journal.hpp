// A sequence of blocks that comes again and again with other values, as a matrix is assembled at every step.
//
// While the same blocks come in the same order, their values go to the same places, and everything that was worked out
// about these places stays good: where each value belongs in a compressed matrix, for instance. Entries that have been
// zero since the sequence began are known too, so that a pattern need not have them. They cost time, but not a bit of
// the result: what a sequence is followed by, or was before, cannot be told from it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet::linalg {

class BlockJournal {
 public:
  struct Block {
    int row = 0;
    int column = 0;
    int start = 0;        // of its values
    int size = 0;         // how many
    bool is_zero = true;  // all of them, in this round
  };

  // The first block of the next round is expected.
  void begin() {
    count_ = 0;
    zeros_changed_ = false;
  }

  // The next block; returns where its values are to be written. Valid until the next call.
  double* next(int row, int column, int size, bool is_zero) {
    if (count_ == static_cast<int>(blocks_.size()) || blocks_[count_].row != row || blocks_[count_].column != column ||
        blocks_[count_].size != size) {
      truncate();
      blocks_.push_back({row, column, end_of_values(), size, is_zero});
      values_.resize(static_cast<std::size_t>(end_of_values()));
      is_new_ = true;
    }
    zeros_changed_ = zeros_changed_ || blocks_[count_].is_zero != is_zero;
    blocks_[count_].is_zero = is_zero;
    return values_.data() + blocks_[count_++].start;
  }

  // The round is over. True if its blocks are not those of the round before.
  bool end() {
    if (count_ < static_cast<int>(blocks_.size())) {
      truncate();
      is_new_ = true;
    }
    const bool is_new = is_new_;
    if (is_new) {
      has_value_.assign(values_.size(), 0);
      note_values();
    }
    is_new_ = false;
    return is_new;
  }

  // Of blocks that were there before: whether one became zero in this round, or ceased to be.
  bool zeros_changed() const { return zeros_changed_; }

  std::span<const Block> blocks() const { return blocks_; }
  std::span<const double> values() const { return values_; }

  // Whether a value is, or has been, anything but zero since the blocks are these.
  bool has_value(std::size_t value) const { return has_value_[value] != 0; }
  // Brings that up to date. Only whoever keeps places for values knows when this is needed.
  void note_values() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i] != 0) has_value_[i] = 1;
    }
  }

 private:
  int end_of_values() const { return blocks_.empty() ? 0 : blocks_.back().start + blocks_.back().size; }
  void truncate() {
    blocks_.resize(count_);
    values_.resize(static_cast<std::size_t>(end_of_values()));
  }

  std::vector<Block> blocks_;
  std::vector<double> values_;
  std::vector<char> has_value_;
  int count_ = 0;
  bool is_new_ = true;
  bool zeros_changed_ = false;
};

}  // namespace ricochet::linalg
