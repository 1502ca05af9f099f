// Our files against our own reader, and against libfclib where it is installed.
#include "ricochet/io/fclib_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "io/output_test_support.hpp"
#include "io/problem_test_support.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/io/hdf5_file.hpp"

#ifdef RICOCHET_FCLIB
extern "C" {
#include <fclib.h>
}
#endif

namespace ricochet::io {
namespace {

using test::TemporaryDirectory;
using testing::HasSubstr;

void write_integers(Hdf5File& file, const std::string& name, const std::vector<std::int64_t>& values) {
  file.write(name, std::span<const std::int64_t>(values));
}
void write_numbers(Hdf5File& file, const std::string& name, const std::vector<double>& values) {
  file.write(name, std::span<const double>(values));
}

// Two frictional contacts in the plane with an unsymmetric W, stored as told.
struct StoredMatrix {
  std::int64_t m = 4, n = 4, nz = 5;
  std::vector<std::int64_t> p, i;
  std::vector<double> x;
};

void write_by_hand(const std::filesystem::path& path, const StoredMatrix& matrix) {
  Hdf5File file = Hdf5File::create(path);
  write_integers(file, "/fclib_local/spacedim", {2});
  write_integers(file, "/fclib_local/W/m", {matrix.m});
  write_integers(file, "/fclib_local/W/n", {matrix.n});
  write_integers(file, "/fclib_local/W/nz", {matrix.nz});
  write_integers(file, "/fclib_local/W/nzmax", {static_cast<std::int64_t>(matrix.x.size())});
  write_integers(file, "/fclib_local/W/p", matrix.p);
  write_integers(file, "/fclib_local/W/i", matrix.i);
  write_numbers(file, "/fclib_local/W/x", matrix.x);
  write_numbers(file, "/fclib_local/vectors/q", {-1, 0, -1, 0.5});
  write_numbers(file, "/fclib_local/vectors/mu", {0.5, 0.25});
  file.close();
}

const StoredMatrix stored_triplets{4, 4, 5, {0, 1, 2, 3, 3}, {0, 1, 2, 3, 0}, {1, 2, 3, 4, 9}};  // W(0, 3) = 9
const StoredMatrix stored_columns{4, 4, -1, {0, 1, 2, 3, 5}, {0, 1, 2, 0, 3}, {1, 2, 3, 9, 4}};
const StoredMatrix stored_rows{4, 4, -2, {0, 2, 3, 4, 5}, {0, 3, 1, 2, 3}, {1, 9, 2, 3, 4}};

TEST(FclibFile, ThreeWaysToStoreAMatrix) {
  const TemporaryDirectory folder;
  MatrixX expected = VectorX{{1.0, 2.0, 3.0, 4.0}}.asDiagonal();
  expected(0, 3) = 9;
  for (const StoredMatrix& stored : {stored_triplets, stored_columns, stored_rows}) {
    write_by_hand(folder / "problem.hdf5", stored);
    const cone::ContactProblem problem = test::local(read_problem(folder / "problem.hdf5"));
    EXPECT_EQ(problem.delassus.dense(), expected) << stored.nz;
    EXPECT_EQ(problem.contacts(), 2);
    EXPECT_EQ(problem.friction[1].sliding, 0.25);
  }
}

TEST(FclibFile, TripletsAsTheHeaderOfFclibSays) {
  // A matrix that is not square shows which index is the row: here p is, as fclib.h says and nobody does.
  const TemporaryDirectory folder;
  StoredMatrix stored{4, 2, 2, {3, 0}, {1, 0}, {5, 6}};
  write_by_hand(folder / "problem.hdf5", stored);
  const ScalarProblem read = read_fclib_file(folder / "problem.hdf5");
  EXPECT_THAT(read.W.entries, testing::ElementsAre(ScalarMatrix::Entry{3, 1, 5}, ScalarMatrix::Entry{0, 0, 6}));
}

TEST(FclibFile, EverythingSurvives) {
  const TemporaryDirectory folder;
  for (const int dimension : {1, 2, 3, 5, 6}) {
    ProblemFile file;
    file.problem = test::chain_problem(3, dimension);
    file.title = "a chain";
    file.description = "three contacts, größer";
    file.math_info = "";
    ProblemPoint point;
    point.impulses = VectorX::Random(3 * dimension);
    file.guesses = {point, point};
    point.velocity = VectorX::Random(3 * dimension);
    file.solution = point;
    write_problem(folder / "problem.hdf5", file);
    const ProblemFile back = read_problem(folder / "problem.hdf5");
    EXPECT_TRUE(test::same(test::local(back), test::local(file)));
    EXPECT_EQ(back.title, file.title);
    EXPECT_EQ(back.description, file.description);
    ASSERT_TRUE(back.solution.has_value());
    EXPECT_EQ(back.solution->impulses, point.impulses);
    EXPECT_EQ(back.solution->velocity, point.velocity);
    ASSERT_EQ(back.guesses.size(), 2u);
    EXPECT_EQ(back.guesses[1].impulses, point.impulses);
    EXPECT_EQ(back.guesses[1].velocity, VectorX::Zero(3 * dimension));
    EXPECT_EQ(contact_dimension(back.problem), dimension);
  }
}

TEST(FclibFileBadInput, MatricesThatCannotBe) {
  const TemporaryDirectory folder;
  const auto complaint = [&](StoredMatrix stored, const std::function<void(StoredMatrix&)>& spoil) {
    spoil(stored);
    write_by_hand(folder / "problem.hdf5", stored);
    return test::reading_complaint(folder / "problem.hdf5");
  };
  EXPECT_EQ(complaint(stored_triplets, [](StoredMatrix&) {}), "");
  EXPECT_THAT(complaint(stored_triplets, [](StoredMatrix& s) { s.nz = 6; }), HasSubstr("should have 6 triplets"));
  EXPECT_THAT(complaint(stored_triplets, [](StoredMatrix& s) { s.nz = -3; }), HasSubstr("nz is -3"));
  EXPECT_THAT(complaint(stored_triplets, [](StoredMatrix& s) { s.i[2] = 4; }), HasSubstr("row 4, column 2"));
  EXPECT_THAT(complaint(stored_triplets, [](StoredMatrix& s) { s.p[2] = -1; }), HasSubstr("column -1"));
  EXPECT_THAT(complaint(stored_triplets, [](StoredMatrix& s) { s.m = -4; }), HasSubstr("-4 x 4"));
  EXPECT_THAT(complaint(stored_triplets, [](StoredMatrix& s) { s.m = 1L << 40; }), HasSubstr("impossible"));
  EXPECT_THAT(complaint(stored_triplets, [](StoredMatrix& s) { s.m = 2'000'000'000; }), HasSubstr("2000000000 x 4"));
  EXPECT_THAT(complaint(stored_columns,
                        [](StoredMatrix& s) {
                          s.p = {0, 1, 2, 3};
                        }),
              HasSubstr("4 entries; 5 are needed"));
  EXPECT_THAT(complaint(stored_columns, [](StoredMatrix& s) { s.p[4] = 6; }), HasSubstr("0 to 6, but there are 5"));
  EXPECT_THAT(complaint(stored_columns, [](StoredMatrix& s) { s.p[1] = 3; }), HasSubstr("decreases"));
  EXPECT_THAT(complaint(stored_columns, [](StoredMatrix& s) { s.p[0] = 1; }), HasSubstr("from 1"));
  EXPECT_THAT(complaint(stored_columns, [](StoredMatrix& s) { s.i[4] = 7; }), HasSubstr("row 7, column 3"));
  EXPECT_THAT(complaint(stored_rows, [](StoredMatrix& s) { s.i[4] = -7; }), HasSubstr("row 3, column -7"));
  EXPECT_THAT(complaint(stored_rows, [](StoredMatrix& s) { s.n = 2'000'000'000; }), HasSubstr("4 x 2000000000"));
}

TEST(FclibFileBadInput, OtherHdf5Files) {
  const TemporaryDirectory folder;
  const auto complaint = [&](const std::function<void(Hdf5File&)>& fill) {
    Hdf5File file = Hdf5File::create(folder / "problem.hdf5");
    fill(file);
    file.close();
    return test::reading_complaint(folder / "problem.hdf5");
  };
  EXPECT_THAT(complaint([](Hdf5File&) {}), HasSubstr("there is no contact problem in this file"));
  EXPECT_THAT(complaint([](Hdf5File& file) { file.make_group("/fclib_local"); }),
              HasSubstr("there is no /fclib_local/spacedim"));
  EXPECT_THAT(complaint([](Hdf5File& file) { write_integers(file, "/fclib_local", {1}); }), HasSubstr("spacedim"));
  EXPECT_THAT(complaint([](Hdf5File& file) {
                file.make_group("/fclib_local");
                file.make_group("/fclib_global");
              }),
              HasSubstr("two problems"));
  EXPECT_THAT(complaint([](Hdf5File& file) { file.write_text("/fclib_local/spacedim", "three"); }),
              HasSubstr("whole numbers"));
}

#ifdef RICOCHET_FCLIB

void delete_problem(fclib_local* problem) {
  fclib_delete_local(problem);
  std::free(problem);  // version 3.1 deletes what is in it, but not the problem itself
}

TEST(FclibFile, LibfclibReadsWhatWeWrite) {
  const TemporaryDirectory folder;
  for (const int dimension : {2, 3}) {
    ProblemFile file;
    const cone::ContactProblem problem = test::chain_problem(4, dimension);
    file.problem = problem;
    file.title = "a chain";
    ProblemPoint point;
    point.impulses = VectorX::Random(4 * dimension);
    point.velocity = VectorX::Random(4 * dimension);
    file.solution = point;
    point.velocity.resize(0);
    file.guesses = {point};
    const std::string path = (folder / "problem.hdf5").string();
    write_problem(path, file);
    fclib_local* read = fclib_read_local(path.c_str());
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(read->spacedim, dimension);
    EXPECT_STREQ(read->info->title, "a chain");
    ASSERT_EQ(read->W->nz, -1);
    MatrixX dense = MatrixX::Zero(read->W->m, read->W->n);
    for (int column = 0; column < read->W->n; ++column) {
      for (int k = read->W->p[column]; k < read->W->p[column + 1]; ++k) dense(read->W->i[k], column) = read->W->x[k];
    }
    EXPECT_EQ(dense, problem.delassus.dense());
    EXPECT_EQ(Eigen::Map<VectorX>(read->q, 4 * dimension), problem.free_velocity);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(read->mu[i], problem.friction[i].sliding);
    fclib_solution* solution = fclib_read_solution(path.c_str());
    ASSERT_NE(solution, nullptr);
    EXPECT_EQ(Eigen::Map<VectorX>(solution->r, 4 * dimension), point.impulses);
    EXPECT_EQ(Eigen::Map<VectorX>(solution->u, 4 * dimension), file.solution->velocity);
    fclib_delete_solutions(solution, 1);
    int count = 0;
    fclib_solution* guesses = fclib_read_guesses(path.c_str(), &count);
    ASSERT_EQ(count, 1);
    EXPECT_EQ(Eigen::Map<VectorX>(guesses->r, 4 * dimension), point.impulses);
    fclib_delete_solutions(guesses, count);
    delete_problem(read);
  }
}

TEST(FclibFile, WeReadWhatLibfclibWrites) {
  const TemporaryDirectory folder;
  for (StoredMatrix stored : {stored_triplets, stored_columns, stored_rows}) {
    std::vector<int> p(stored.p.begin(), stored.p.end()), i(stored.i.begin(), stored.i.end());
    fclib_matrix matrix{5, 4, 4, p.data(), i.data(), stored.x.data(), static_cast<int>(stored.nz), nullptr};
    fclib_matrix coupling{1, 4, 1, nullptr, nullptr, nullptr, 1, nullptr};
    int zero = 0, three = 3;
    double half = 0.5, two = 2;
    coupling.p = &zero;  // column
    coupling.i = &three;
    coupling.x = &half;
    fclib_matrix bilateral{1, 1, 1, &zero, &zero, &two, 1, nullptr};
    std::vector<double> q = {-1, 0, -1, 0.5}, mu = {0.5, 0.25}, s = {7}, r = {1, 2, 3, 4}, l = {5};
    std::string title = "by libfclib", description = "two contacts", math_info = "none";
    fclib_info info{title.data(), description.data(), math_info.data()};
    fclib_local local{&matrix, &coupling, &bilateral, mu.data(), q.data(), s.data(), 2, &info};
    const std::string path = (folder / ("problem" + std::to_string(stored.nz) + ".hdf5")).string();
    ASSERT_EQ(fclib_write_local(&local, path.c_str()), 1);
    fclib_solution solution{nullptr, r.data(), r.data(), l.data()};
    ASSERT_EQ(fclib_write_solution(&solution, path.c_str()), 1);
    ASSERT_EQ(fclib_write_guesses(1, &solution, path.c_str()), 1);

    const ProblemFile file = read_problem(path);
    const cone::ContactProblem& problem = test::local(file);
    MatrixX expected = MatrixX::Zero(5, 5);
    expected.diagonal() << 1, 2, 3, 4, 2;
    expected(0, 3) = 9;
    expected(3, 4) = expected(4, 3) = 0.5;
    EXPECT_EQ(problem.delassus.dense(), expected) << stored.nz;
    EXPECT_EQ(VectorX(problem.free_velocity), (VectorX{{-1.0, 0.0, -1.0, 0.5, 7.0}}));
    EXPECT_TRUE(problem.is_bilateral(2));
    EXPECT_EQ(file.title, title);
    EXPECT_EQ(file.solution->impulses, (VectorX{{1.0, 2.0, 3.0, 4.0, 5.0}}));
    EXPECT_EQ(file.guesses.size(), 1u);
  }
}

// Signs and order of the laws: libfclib's own measure of an error is zero at our solution, and only there.
TEST(FclibFile, LibfclibJudgesOurSolution) {
  const TemporaryDirectory folder;
  // One contact that slides: u_T = 1 - r_T with r_T at its limit 0.3.
  cone::ContactProblem problem;
  problem.delassus.reset(std::vector<int>{3});
  problem.delassus.begin_row(3);
  problem.delassus.append(0).setIdentity();
  problem.free_velocity = VectorX{{-1.0, 0.6, 0.8}};
  problem.friction = {0.3};
  VectorX solution{{1.0, -0.18, -0.24}};
  ASSERT_LT(cone::residual(problem, solution).value, 1e-15);
  ProblemFile file;
  file.problem = problem;
  const std::string path = (folder / "problem.hdf5").string();
  write_problem(path, file);
  fclib_local* read = fclib_read_local(path.c_str());
  ASSERT_NE(read, nullptr);
  linalg::ReusableVector u;
  cone::contact_velocity(problem, solution, u);
  fclib_solution judged{nullptr, u.data(), solution.data(), nullptr};
  EXPECT_LT(fclib_merit_local(read, MERIT_1, &judged), 1e-14);
  solution[1] = 0.18;  // friction that pushes
  EXPECT_GT(fclib_merit_local(read, MERIT_1, &judged), 1e-2);
  delete_problem(read);
}

#else
TEST(FclibFile, CrossCheckWithLibfclib) { GTEST_SKIP() << "libfclib-dev is not installed"; }
#endif

}  // namespace
}  // namespace ricochet::io
