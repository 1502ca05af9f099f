// Problem files as a whole: the public collection, and everything that can be wrong with a file.
#include "ricochet/io/problem_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>

#include "io/output_test_support.hpp"
#include "io/problem_mutation.hpp"
#include "io/problem_test_support.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/solver_table.hpp"
#include "ricochet/io/fclib_file.hpp"

namespace ricochet::io {
namespace {

using test::TemporaryDirectory;
using testing::HasSubstr;

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".hdf5" || entry.path().extension() == ".dat") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::filesystem::path> corpus() {
  return files_of(std::filesystem::path(RICOCHET_SOURCE_DIR) / "tests/io/problem_corpus");
}

// Reads a file that may be anything. It is refused with a sentence that names it, or it is a problem that a solver can
// be given; nothing else may happen. True if it was refused.
bool refused_or_sound(const std::filesystem::path& path) {
  try {
    const ProblemFile file = read_problem(path);
    cone::ContactProblem reduced;
    const auto* problem = std::get_if<cone::ContactProblem>(&file.problem);
    if (problem == nullptr) {
      cone::GlobalSystem system;
      try {
        system.prepare(test::global(file));
      } catch (const std::invalid_argument&) {
        return true;  // a singular mass matrix
      }
      system.reduce(test::global(file), reduced);
      problem = &reduced;
    }
    linalg::ReusableVector impulses;
    try {
      cone::find_solver("auto")->solve(*problem, impulses, {.tolerance = 1e-8, .max_iterations = 20});
    } catch (const std::invalid_argument&) {  // no solver for such contacts
    }
    return false;
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(path.string() + ":"));
    return true;
  }
}

// In a process of its own, so that a crash is one failed test. The count of true answers.
int count_in_child(int cases, const std::function<bool(int)>& test_case) {
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    for (int i = 0; i < cases; ++i) count += test_case(i) ? 1 : 0;
    _exit(testing::Test::HasFailure() || count == 0 ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
}

TEST(ProblemFile, TheCorpusIsGood) {
  EXPECT_GE(corpus().size(), 6u);
  for (const std::filesystem::path& path : corpus()) EXPECT_EQ(test::reading_complaint(path), "");
}

TEST(ProblemFile, EveryPublicProblemIsRead) {
  const std::filesystem::path folder = test::contact_problems();
  if (folder.empty()) GTEST_SKIP() << "the public problems are not there";
  // The index lists file, format, kind, dimension, contacts, ...
  int count = 0;
  std::ifstream index(folder / "index.csv");
  std::string line;
  std::getline(index, line);
  while (std::getline(index, line)) {
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    const ProblemFile file = read_problem(folder / cells[0]);
    EXPECT_EQ(contact_dimension(file.problem), std::stoi(cells[3])) << cells[0];
    EXPECT_EQ(block_count(file.problem), std::stoi(cells[4])) << cells[0];
    ++count;
  }
  EXPECT_EQ(count, 58);
}

TEST(ProblemFileBadInput, NotAFile) {
  const TemporaryDirectory folder;
  EXPECT_THAT(test::reading_complaint(folder / "nowhere.hdf5"), HasSubstr("there is no such file"));
  EXPECT_THAT(test::reading_complaint(folder / "nowhere.dat"), HasSubstr("there is no such file"));
  EXPECT_THAT(test::reading_complaint(folder.path()), HasSubstr("is not a file"));
  test::put_file(folder / "empty.hdf5", "");
  EXPECT_THAT(test::reading_complaint(folder / "empty.hdf5"), HasSubstr("cannot be read as an HDF5 file"));
  EXPECT_THAT(test::reading_complaint("/dev/zero"), HasSubstr("is not a file"));
}

TEST(ProblemFileBadInput, SolutionsOfAnotherSize) {
  const TemporaryDirectory folder;
  ScalarProblem scalars = to_scalars(test::chain_problem(2, 3));
  scalars.solution = ScalarPoint{{}, {}, {1, 2, 3}, {}};
  write_fclib_file(folder / "problem.hdf5", scalars);
  EXPECT_THAT(test::reading_complaint(folder / "problem.hdf5"), HasSubstr("r of a guess or solution has 3 entries"));
}

// A file that promises more than it can hold.
TEST(ProblemFileBadInput, EveryTruncation) {
  const TemporaryDirectory folder;
  for (const std::filesystem::path& path : corpus()) {
    const std::string whole = test::file_text(path);
    if (path.extension() == ".dat") continue;  // tests/io/siconos_text_test.cpp
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 60) {
      test::put_file(folder / "cut.hdf5", whole.substr(0, length));
      EXPECT_NE(test::reading_complaint(folder / "cut.hdf5"), "") << path << " " << length;
    }
  }
}

// Every byte of a small file flipped, one at a time, without the guard: faster, and the guard is for worse.
TEST(ProblemFileBadInput, EveryByteFlipped) {
  const TemporaryDirectory folder;
  const std::filesystem::path path = folder / "flipped.hdf5";
  const std::string whole = test::file_text(corpus().back().parent_path() / "local.hdf5");
  const auto put_byte = [&](std::size_t place, char byte) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(place));
    file.put(byte);
  };
  test::put_file(path, whole);
  EXPECT_EQ(count_in_child(static_cast<int>(whole.size()),
                           [&](int i) {
                             put_byte(i, static_cast<char>(~whole[i]));
                             bool refused = false;
                             try {
                               make_problem(read_fclib_file(path));
                             } catch (const FileError&) {
                               refused = true;
                             } catch (const std::invalid_argument&) {
                               refused = true;
                             }
                             put_byte(i, whole[i]);
                             return refused;
                           }),
            1);
}

TEST(ProblemFileProperty, MutatedFiles) {
  const TemporaryDirectory folder;
  for (const std::filesystem::path& path : corpus()) {
    const std::string whole = test::file_text(path);
    const std::filesystem::path damaged = folder / ("damaged" + path.extension().string());
    const bool hdf5 = path.extension() == ".hdf5";
    EXPECT_EQ(count_in_child(hdf5 ? 40 : 400,
                             [&](int seed) {
                               test::put_file(damaged, test::mutated(whole, static_cast<std::uint64_t>(seed)));
                               return refused_or_sound(damaged);
                             }),
              1)
        << path;
  }
}

// The same for a minute, from other seeds. After a crash the file that caused it is still in the temporary directory.
TEST(ProblemFileSlow, MutatedFilesForAMinute) {
  using Clock = std::chrono::steady_clock;
  const TemporaryDirectory folder;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(60);
  std::uint64_t seed = 1'000'000, refused = 0;
  while (Clock::now() < end) {
    for (const std::filesystem::path& path : corpus()) {
      const std::string whole = test::file_text(path);
      const std::filesystem::path damaged = folder / ("damaged" + path.extension().string());
      for (int k = path.extension() == ".hdf5" ? 2 : 20; k > 0; --k) {
        test::put_file(damaged, test::mutated(whole, ++seed));
        refused += refused_or_sound(damaged) ? 1 : 0;
      }
    }
  }
  std::cout << seed - 1'000'000 << " mutations, " << refused << " refused\n";
  EXPECT_GT(refused, (seed - 1'000'000) / 10);
}

}  // namespace
}  // namespace ricochet::io
