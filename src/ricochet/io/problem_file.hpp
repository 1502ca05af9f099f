// Contact problems in files: read whatever form a file has, write FCLIB.
//
//   ProblemFile file = read_problem("KaplasTower.hdf5");
//   const auto& problem = std::get<cone::ContactProblem>(file.problem);
//
// The form is told by the first bytes: HDF5 is FCLIB (io/fclib_file), anything else must be the text of Siconos
// (io/siconos_text). The bilateral rows of a file are bilateral blocks of one row each, after the contacts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/io/file_error.hpp"
#include "ricochet/io/scalar_problem.hpp"

namespace ricochet::io {

// A point that is stored with a problem; nobody has checked that it is a solution. Vectors may be empty.
struct ProblemPoint {
  VectorX impulses;       // r, then the multipliers of bilateral rows
  VectorX velocity;       // u, of the contacts only
  VectorX node_velocity;  // v, of global problems
};

struct ProblemFile {
  AnyContactProblem problem;
  std::string title, description, math_info;
  std::optional<ProblemPoint> solution;
  std::vector<ProblemPoint> guesses;
};

// Throws FileError with a sentence about everything that can be wrong with a file.
ProblemFile read_problem(const std::filesystem::path& path);

// Writes FCLIB, replacing a file that is there. Throws std::invalid_argument if the problem mixes contacts of different
// sizes, for which FCLIB has no place, and WriteError.
void write_problem(const std::filesystem::path& path, const ProblemFile& file);

// Of contacts and bilateral blocks together.
int block_count(const AnyContactProblem& problem);
// The size of a contact, 0 if they differ or if there is none; bilateral blocks do not count.
int contact_dimension(const AnyContactProblem& problem);

}  // namespace ricochet::io
