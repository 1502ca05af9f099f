#include "bench/solver_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "bench/contact_generators.hpp"
#include "bench/timed_child.hpp"

namespace ricochet::bench {
namespace {

using testing::HasSubstr;

TEST(TimedChild, HowItCanEnd) {
  EXPECT_EQ(run_timed(10, [] { return std::string("done"); }).answer, "done");
  EXPECT_EQ(run_timed(10, [] { return std::string(); }).end, ChildResult::End::finished);
  const std::string large(1'000'000, 'x');
  EXPECT_EQ(run_timed(10, [&] { return large; }).answer, large);
  EXPECT_EQ(run_timed(0.05,
                      [] {
                        for (;;) pause();
                        return std::string();
                      })
                .end,
            ChildResult::End::out_of_time);
  const ChildResult thrown = run_timed(10, []() -> std::string { throw std::runtime_error("no"); });
  EXPECT_EQ(thrown.end, ChildResult::End::broke_down);
  EXPECT_EQ(thrown.answer, "no");
  EXPECT_EQ(run_timed(10, []() -> std::string { _exit(7); }).end, ChildResult::End::broke_down);
}

TEST(SolverTable, OneSolverOnOneProblem) {
  const io::AnyContactProblem problem = hanging_chain(1);
  const TableEntry solved = measure_solver("chain", problem, *cone::find_solver("auto"), {});
  EXPECT_TRUE(solved.applicable);
  EXPECT_EQ(solved.reached, 3);
  EXPECT_EQ(solved.contacts, 1);
  EXPECT_GT(solved.seconds[2], 0);
  EXPECT_TRUE(solved.obstacle.empty());
  EXPECT_FALSE(measure_solver("chain", problem, *cone::find_solver("enumeration"), {}).applicable);

  // A hundred links in a sweep from the top need more than one sweep.
  const io::AnyContactProblem longer = hanging_chain(100);
  const cone::NamedSolver& sweeps = *cone::find_solver("gauss-seidel");
  const TableEntry missed = measure_solver("chain", longer, sweeps, {.max_iterations = 1});
  EXPECT_EQ(missed.reached, 0);
  EXPECT_THAT(missed.obstacle, HasSubstr("e-"));
  const TableEntry late = measure_solver("chain", longer, sweeps, {.max_iterations = 10'000'000, .seconds = 1e-4});
  EXPECT_EQ(late.reached, 0);
  EXPECT_EQ(late.obstacle, "time");
}

TEST(SolverTable, TextByHand) {
  const std::vector<TableEntry> entries = {
      {"a.dat", 4, "auto", true, 3, "", {1e-3, 2e-3, 3e-3}},
      {"a.dat", 4, "newton", true, 1, "2.0e-06", {1e-3, 1e-3, 0}},
      {"b.dat", 9, "auto", true, 2, "time", {1e-3, 4e-3, 10}},
      {"b.dat", 9, "newton", false, 0, "", {}},
  };
  const std::string text = solver_table_text(entries, {}, 50e-9, true);
  EXPECT_THAT(text, HasSubstr("2 problems, each solve from zero within 10000 iterations and 10 s"));
  EXPECT_THAT(text, HasSubstr("50 ns"));
  EXPECT_THAT(text, testing::ContainsRegex("\\| `auto` +\\| +2 \\| +2 \\| +2 \\| +1 \\| +3 ms \\| +10 s \\|"));
  EXPECT_THAT(text, testing::ContainsRegex("\\| `newton` +\\| +1 \\| +1 \\| +0 \\| +0 \\| +- \\| +2 ms \\|"));
  EXPECT_THAT(text, testing::ContainsRegex("\\| b.dat +\\| +9 \\| +1e-12 \\| +time \\| +10 s \\|"));
  EXPECT_THAT(text, HasSubstr("- `newton` misses 1e-8: a.dat (2.0e-06).\n"));
  EXPECT_THAT(solver_table_text(std::span(entries).first(1), {}, 50e-9, false),
              HasSubstr("auto reaches every tolerance on every problem.\n"));
}

}  // namespace
}  // namespace ricochet::bench
