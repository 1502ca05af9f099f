// Contact problems for the tests of problem files, and where the public ones are.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/io/problem_file.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::test {

// The collection of public problems beside the project, or where RICOCHET_CONTACT_PROBLEMS says. Empty if absent.
inline std::filesystem::path contact_problems() {
  const char* given = std::getenv("RICOCHET_CONTACT_PROBLEMS");
  const std::filesystem::path place =
      given != nullptr ? given : std::filesystem::path(RICOCHET_SOURCE_DIR) / "../shared/contact_problems";
  std::error_code error;
  return std::filesystem::is_directory(place, error) ? place : std::filesystem::path();
}

// Contacts in a row, each coupled to its neighbours; W is not symmetric.
inline cone::ContactProblem chain_problem(int contacts, int dimension, std::uint64_t seed = 1) {
  math::Random random(seed);
  const auto random_block = [&](double size) {
    MatrixX block(dimension, dimension);
    for (int i = 0; i < dimension; ++i) {
      for (int j = 0; j < dimension; ++j) block(i, j) = size * random.uniform(-1, 1);
    }
    return block;
  };
  cone::ContactProblem problem;
  problem.delassus.reset(std::vector<int>(static_cast<std::size_t>(contacts), dimension));
  for (int i = 0; i < contacts; ++i) {
    problem.delassus.begin_row(dimension);
    if (i > 0) problem.delassus.append(i - 1) = random_block(0.1);
    problem.delassus.append(i) = MatrixX::Identity(dimension, dimension) + random_block(0.1);
    if (i + 1 < contacts) problem.delassus.append(i + 1) = random_block(0.1);
    problem.friction.emplace_back(random.uniform(0.1, 1), dimension > 3 ? random.uniform(0.1, 1) : 0.0,
                                  dimension > 5 ? random.uniform(0.1, 1) : 0.0);
  }
  VectorX b(contacts * dimension);
  for (double& value : b) value = random.uniform(-1, 1);
  problem.free_velocity = b;
  return problem;
}

inline bool same(const linalg::BlockSparseMatrix& a, const linalg::BlockSparseMatrix& b) {
  return a.rows() == b.rows() && a.columns() == b.columns() && a.dense() == b.dense();
}

inline bool same(const cone::ContactProblem& a, const cone::ContactProblem& b) {
  return same(a.delassus, b.delassus) && a.free_velocity == b.free_velocity && a.friction == b.friction &&
         a.bilateral == b.bilateral;
}

inline const cone::ContactProblem& local(const io::ProblemFile& file) {
  return std::get<cone::ContactProblem>(file.problem);
}
inline const cone::GlobalContactProblem& global(const io::ProblemFile& file) {
  return std::get<cone::GlobalContactProblem>(file.problem);
}

// The message of a FileError, empty if there is none.
inline std::string reading_complaint(const std::filesystem::path& path) {
  try {
    io::read_problem(path);
  } catch (const io::FileError& error) {
    return error.what();
  }
  return {};
}

}  // namespace ricochet::test
