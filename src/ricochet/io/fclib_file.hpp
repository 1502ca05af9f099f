// FCLIB files: contact problems as HDF5, the exchange format of the field (https://frictionalcontactlibrary.github.io).
//
// One group says which form the problem has; below it are the matrices and vectors under the names of
// io/scalar_problem:
//
//   fclib_local,  fclib_local_rolling       W, V, R      vectors/{q, s, mu, mu_r}
//   fclib_global, fclib_global_rolling      M, H, G      vectors/{f, w, b, mu, mu_r}
//
// with spacedim (the dimension of a contact), info/{title, description, math_info}, and at the root `solution` and
// `guesses/{number_of_guesses, 1, 2, ...}` with v, u, r, l. A matrix is {m, n, nzmax, nz, p, i, x}: nz = -1 compressed
// columns, -2 compressed rows, otherwise that many triplets.
//
// Beware of triplets: fclib.h calls p the rows and i the columns, but the files that exist hold what CSparse holds, p
// the columns and i the rows. We take p as columns, unless the indices only fit the other way round. We write
// compressed columns, where there is no doubt, and the only storage of which libfclib computes merit functions.
//
// libfclib 3.1 knows neither the rolling groups nor spacedim 1, and a spinning resistance (spacedim 6, vectors/mu_s) is
// our addition; what it knows it reads from our files as we do (tests/io/fclib_file_test.cpp).
#pragma once

#include <filesystem>

#include "ricochet/io/file_error.hpp"
#include "ricochet/io/scalar_problem.hpp"

namespace ricochet::io {

// Throws FileError if the file is not such a file. What it returns is complete but not checked: see make_problem. On a
// damaged file the HDF5 library may crash: read_problem reads in a guarded process.
ScalarProblem read_fclib_file(const std::filesystem::path& path);

// Replaces a file that is there. Throws WriteError.
void write_fclib_file(const std::filesystem::path& path, const ScalarProblem& scalars);

}  // namespace ricochet::io
