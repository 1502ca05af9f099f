// A sparse matrix of numbers, as problem files hold it, and its translation into the blocks that solvers work on.
//
// Files store matrices number by number, in one of several orders; `cone/` wants blocks, one row of blocks per contact
// or node. This is the common ground: a list of entries. The order of entries does not matter until `compress`, and
// entries at the same place add up, as in CSparse.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ricochet/linalg/block_sparse_matrix.hpp"

namespace ricochet::io {

struct ScalarMatrix {
  struct Entry {
    int row = 0;
    int column = 0;
    double value = 0;
    bool operator==(const Entry&) const = default;

    template <class Self, class Visitor>
    static void visit(Self& self, Visitor&& visitor) {
      visitor("row", self.row);
      visitor("column", self.column);
      visitor("value", self.value);
    }
  };

  int rows = 0;
  int columns = 0;
  std::vector<Entry> entries;  // each within `rows` and `columns`

  bool empty() const { return rows == 0 && columns == 0; }
  void add(int row, int column, double value) { entries.push_back({row, column, value}); }

  void compress();   // row by row, columns ascending, every place once
  void transpose();  // the order of entries is that of the untransposed matrix

  // Puts another matrix to where its first entry is at (row, column). The sizes stay.
  void place(const ScalarMatrix& part, int row, int column);

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("rows", self.rows);
    visitor("columns", self.columns);
    visitor("entries", self.entries);
  }
};

// The blocks of a matrix; those without an entry other than zero are left out, except on the diagonal if
// `keep_diagonal`. The sizes must add up to the rows and columns. Throws std::invalid_argument if the blocks hold more
// numbers than a block matrix can address.
linalg::BlockSparseMatrix to_blocks(ScalarMatrix matrix, std::span<const int> row_sizes,
                                    std::span<const int> column_sizes, bool keep_diagonal);

// All entries other than zero, row by row.
ScalarMatrix to_scalars(const linalg::BlockSparseMatrix& blocks);

// How to cut a square matrix into nodes: where it falls apart into diagonal blocks of at most 6 rows, these; single
// rows elsewhere. The sizes add up to its rows.
std::vector<int> natural_blocks(const ScalarMatrix& matrix);

}  // namespace ricochet::io
