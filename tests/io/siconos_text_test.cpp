#include "ricochet/io/siconos_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/output_test_support.hpp"
#include "io/problem_test_support.hpp"

namespace ricochet::io {
namespace {

using test::TemporaryDirectory;
using testing::HasSubstr;

// One planar contact, W = (4 1; 2 3).
const std::string dense_text = "2\n1\n0\n2\n2\n2\t2\n 4 2\n 1 3\n-1 0.5\n0.3\n";
const std::string blocks_text =
    "2\n1\n1\n2\n2\n1\n1\n1\n2\t\n2\t\n2\n1\n0\t1\t\n0\t\n0\n 4\n 2\n 1\n 3\n-1 0.5\n0.3\n1\n";
const std::string cs_title = "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n";
const std::string triplets_text = "2\n1\n2\n2\n2\n1\n" + cs_title + "triplet: 2-by-2, nzmax: 8 nnz: 4\n" +
                                  "    0 0 : 4\n    1 0 : 2\n    0 1 : 1\n    1 1 : 3\n-1 0.5\n0.3\n0\n";
const std::string columns_text = "2\n1\n2\n2\n2\n2\n" + cs_title + "2-by-2, nzmax: 4 nnz: 4, 1-norm: 6\n" +
                                 "    col 0 : locations 0 to 1\n      0 : 4\n      1 : 2\n" +
                                 "    col 1 : locations 2 to 3\n      0 : 1\n      1 : 3\n-1 0.5\n0.3\n";
// The same contact of a point with the mass matrix W^-1 and H = 1.
const std::string global_text = "2 1  0 2 2 2 2 0.3 -0.2 -0.1 0.4  0 2 2 2 2 1 0 0 1   0 0   -1 0.5  0.3 1\n";

class SiconosTextBadInput : public testing::Test {
 protected:
  std::string complaint(const std::string& text) {
    test::put_file(folder_ / "problem.dat", text);
    return test::reading_complaint(folder_ / "problem.dat");
  }
  // After replacing the first `from`.
  std::string complaint(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return complaint(text.replace(at, from.size(), to));
  }

  TemporaryDirectory folder_;
};

TEST(SiconosText, FourWaysToWriteAMatrix) {
  const TemporaryDirectory folder;
  for (const std::string& text : {dense_text, blocks_text, triplets_text, columns_text}) {
    test::put_file(folder / "problem.dat", text);
    const cone::ContactProblem problem = test::local(read_problem(folder / "problem.dat"));
    EXPECT_EQ(problem.delassus.dense(), (MatrixX{{4, 1}, {2, 3}})) << text;
    EXPECT_EQ(VectorX(problem.free_velocity), (VectorX{{-1.0, 0.5}}));
    EXPECT_EQ(problem.friction.front().sliding, 0.3);
  }
}

TEST(SiconosText, GlobalForm) {
  const TemporaryDirectory folder;
  test::put_file(folder / "problem.dat", global_text);
  const ProblemFile file = read_problem(folder / "problem.dat");
  cone::GlobalSystem system;
  system.prepare(test::global(file));
  cone::ContactProblem reduced;
  system.reduce(test::global(file), reduced);
  EXPECT_TRUE(reduced.delassus.dense().isApprox(MatrixX{{4, 1}, {2, 3}}, 1e-14)) << reduced.delassus.dense();
  EXPECT_EQ(VectorX(reduced.free_velocity), (VectorX{{-1.0, 0.5}}));
}

TEST(SiconosText, RollingForm) {
  const TemporaryDirectory folder;
  std::string text = "5\n1\n0\n5\n5\n5\t5\n";
  for (int i = 0; i < 25; ++i) text += i % 6 == 0 ? "1 " : "0 ";
  test::put_file(folder / "problem.dat", text + "\n-1 0 0 0 0\n0.6\n0.5\n");
  const cone::ContactProblem problem = test::local(read_problem(folder / "problem.dat"));
  EXPECT_EQ(problem.block_size(0), 5);
  EXPECT_EQ(problem.friction[0], cone::Friction(0.6, 0.5, 0));
}

TEST_F(SiconosTextBadInput, EveryCutAndEveryWord) {
  for (const std::string& text : {dense_text, blocks_text, triplets_text, columns_text, global_text}) {
    // Cut within the coefficient of friction, another coefficient is left. And a global problem that ends after the
    // sizes of H is, by accident, a local one.
    for (std::size_t length = 0; length < text.rfind("0.3"); ++length) {
      const std::string start = text.substr(0, length);
      if (start.ends_with("0.4  0 2 2") || start.ends_with("0.4  0 2 2 ")) continue;
      EXPECT_NE(complaint(start), "") << start;
    }
    for (std::size_t at = 0; at < text.size(); ++at) {  // every word replaced by something that is no number
      if (at > 0 && !std::isspace(static_cast<unsigned char>(text[at - 1]))) continue;
      if (std::isspace(static_cast<unsigned char>(text[at]))) continue;
      std::string spoiled = text;
      spoiled[at] = 'x';
      const bool title = text.find("CSparse") <= at && at < text.find("nnz:");
      if (title || text.compare(at, 6, "6\n    ") == 0) continue;  // what nobody reads
      EXPECT_NE(complaint(spoiled), "") << spoiled;
    }
  }
}

TEST_F(SiconosTextBadInput, Sentences) {
  EXPECT_EQ(complaint(dense_text), "");
  EXPECT_THAT(complaint(""), HasSubstr(":1: the file ends where the dimension of a contact should be"));
  EXPECT_THAT(complaint("hello world\n"), HasSubstr("should be a whole number, but it is 'hello'"));
  EXPECT_THAT(complaint("4 1 0 4 4 4 4\n"), HasSubstr("2, 3 or 5, not 4"));
  EXPECT_THAT(complaint("3 -1\n"), HasSubstr("the number of contacts is -1"));
  EXPECT_THAT(complaint("3 99999999999\n"), HasSubstr("out of range"));
  EXPECT_THAT(complaint(dense_text, "0.3", "-0.3"), HasSubstr("mu of contact 0 is negative"));
  EXPECT_THAT(complaint(dense_text, "0.3", "nan"), HasSubstr("not finite"));
  EXPECT_THAT(complaint(dense_text, " 4 2", " inf 2"), HasSubstr("not finite"));
  EXPECT_THAT(complaint(dense_text, "0.5", "1e999"), HasSubstr("problem.dat:9: "));
  EXPECT_THAT(complaint(dense_text, "2\t2", "2\t3"), HasSubstr("2 x 3"));
  EXPECT_THAT(complaint(dense_text, "2\n2\n2\t2", "2\n3\n2\t3"), HasSubstr("problem.dat:"));
  EXPECT_THAT(complaint(dense_text, "2\n2\n2\t2", "2000000000\n2000000000\n2000000000\t2000000000"),
              HasSubstr("more than the rest of the file can hold"));
  EXPECT_THAT(complaint(dense_text, "\n0\n2", "\n7\n2"), HasSubstr("the storage of a matrix"));
  EXPECT_THAT(complaint(dense_text + "1 1\n"), HasSubstr("problem.dat:"));
  EXPECT_THAT(complaint(triplets_text, "1 0 :", "2 0 :"), HasSubstr("a row is 2: impossible"));
  EXPECT_THAT(complaint(triplets_text, "nnz: 4", "nnz: 2000000000"), HasSubstr("more than the rest"));
  EXPECT_THAT(complaint(columns_text, "to 3", "to 2000000000"), HasSubstr("last location"));
  EXPECT_THAT(complaint(blocks_text, "1\n1\n1\n2\t", "2000000000\n1\n1\n2\t"), HasSubstr("do not fit"));
  EXPECT_THAT(complaint(blocks_text, "1\n1\n1\n2\t", "1\n2000000000\n1\n2\t"), HasSubstr("more than the rest"));
  EXPECT_THAT(complaint(blocks_text, "0\t1\t", "0\t2\t"), HasSubstr("the start of a block row is 2"));
  EXPECT_THAT(complaint(global_text, "0.3 -0.2 -0.1 0.4", "1 1 1 nan"), HasSubstr("not finite"));
}

// What the public files say twice, in two forms, must come out the same: the storage is understood.
TEST(SiconosText, PublicFilesAgree) {
  const std::filesystem::path folder = test::contact_problems();
  if (folder.empty()) GTEST_SKIP() << "the public problems are not there";
  const auto delassus = [&](const char* name) {
    const ProblemFile file = read_problem(folder / name);
    if (std::holds_alternative<cone::ContactProblem>(file.problem)) return test::local(file).delassus.dense();
    cone::GlobalSystem system;
    system.prepare(test::global(file));
    cone::ContactProblem reduced;
    system.reduce(test::global(file), reduced);
    return reduced.delassus.dense();
  };
  EXPECT_EQ(delassus("GFC3D_Example0.dat"), delassus("GFC3D_Example0_SBM.dat"));
  EXPECT_EQ(delassus("FC3D_Example1.dat"), delassus("FC3D_Example1_SBM.dat"));
  // Six digits in one of the two.
  EXPECT_TRUE(delassus("rfc3d_sphere_from_grfc3d_dense.dat").isApprox(delassus("rfc3d_sphere_from_grfc3d.dat"), 1e-5));
  EXPECT_TRUE(delassus("GRFC3D_Chute-ndof-768-nc-4-3.dat").isApprox(delassus("Chute-ndof-768-nc-4-3.hdf5"), 1e-4));
}

}  // namespace
}  // namespace ricochet::io
