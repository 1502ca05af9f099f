// Contact problems as plain text, the form in which Siconos keeps its test data (usually `.dat`).
//
//   dimension                 of a contact: 2, 3, or 5 with rolling
//   number of contacts
//   matrix                    W                      of a local problem,      M    of a global one
//                                                                             H
//   vectors                   q, mu, (mu_r)                                   q, b, mu, (mu_r)
//   0 or 1                    sometimes; means nothing
//
// in the notation of Siconos: its global q and b are the f and w of io/scalar_problem. Nothing says which form a file
// has; the form is the one for which the numbers after the first matrix suffice exactly. A matrix is a number for its
// storage, its rows and columns, and
//
//   0   dense: rows and columns again, then all entries *column by column* (whatever the lines look like)
//   1   blocks: their number, numbers of block rows and columns, where each block row and column ends, lengths of two
//       index lists, the lists (compressed rows: starts, block columns), and for each block its number and its entries,
//       column by column
//   2   sparse, as CSparse prints: 1 (triplets) or 2 (compressed columns), a line about CSparse, a line with the
//       sizes, then `row column : value` or, for each column, `col j : locations a to b` and `row : value`
//
// Sparse matrices are printed with six digits only: such a W is not symmetric to the last bit, and need not be.
#pragma once

#include <filesystem>

#include "ricochet/io/file_error.hpp"
#include "ricochet/io/scalar_problem.hpp"

namespace ricochet::io {

// Throws FileError, with the line, if the text is not of this form. What it returns is complete but not checked: see
// make_problem.
ScalarProblem read_siconos_text(const std::filesystem::path& path);

}  // namespace ricochet::io
