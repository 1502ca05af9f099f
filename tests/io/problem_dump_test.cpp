#include "ricochet/io/problem_dump.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/output_test_support.hpp"
#include "io/problem_test_support.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::io {
namespace {

using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;

study::Case scene(const std::vector<std::string>& overrides) {
  return read_scene(shipped_scene_path("box-on-incline"), overrides).run_case;
}

TEST(ProblemDump, RulesAreRead) {
  EXPECT_EQ(parse_dump_rule("12").number, 12);
  EXPECT_EQ(parse_dump_rule("every:50").kind, DumpRule::Kind::every);
  EXPECT_EQ(parse_dump_rule("failed").kind, DumpRule::Kind::failed);
  for (const char* wrong :
       {"", "0", "-1", "every", "every:", "every:0", "1.5", "12x", "last", "99999999999999999999"}) {
    EXPECT_THROW(parse_dump_rule(wrong), InputError) << wrong;
  }
}

TEST(ProblemDump, NamesOfItsFiles) {
  EXPECT_TRUE(is_problem_name("problem-17.hdf5"));
  for (const std::string name : {"problem-.hdf5", "problem-a.hdf5", "problem-1.dat", "my-problem-1.hdf5"}) {
    EXPECT_FALSE(is_problem_name(name)) << name;
  }
}

TEST(ProblemDump, ProblemsOfChosenStepsAndTheirSolutions) {
  const TemporaryDirectory folder;
  const study::Case run_case = scene({"time.end=0.01"});
  ProblemDump dump(folder.path(), "box", {parse_dump_rule("2"), parse_dump_rule("every:4")});
  simulation::Recorder* const recorders[] = {&dump};
  study::run_case(run_case, recorders);
  EXPECT_THAT(dump.written(), ElementsAre("problem-2.hdf5", "problem-4.hdf5", "problem-8.hdf5"));
  for (const std::string& name : dump.written()) {
    const ProblemFile file = read_problem(folder / name);
    EXPECT_THAT(file.title, HasSubstr("box, step "));
    const cone::ContactProblem& problem = test::local(file);
    EXPECT_EQ(problem.contacts(), 2);
    ASSERT_TRUE(file.solution.has_value());
    EXPECT_LE(cone::residual(problem, file.solution->impulses).value, run_case.settings.solver.tolerance);
    EXPECT_GT(file.solution->impulses.norm(), 0);
  }
}

TEST(ProblemDump, StepsThatFail) {
  const TemporaryDirectory folder;
  study::Case run_case = scene({"time.end=0.01", "solver.max_iterations=1", "solver.tolerance=1e-15"});
  {
    ProblemDump dump(folder.path(), "box", {parse_dump_rule("failed")});
    simulation::Recorder* const recorders[] = {&dump};
    study::run_case(run_case, recorders);
    EXPECT_THAT(dump.written(), ElementsAre("problem-1.hdf5"));
    EXPECT_THAT(read_problem(folder / "problem-1.hdf5").description, HasSubstr("not solved"));
  }
  {  // the step that ended the run, also if nobody asked
    std::filesystem::remove(folder / "problem-1.hdf5");
    ProblemDump dump(folder.path(), "box", {});
    simulation::Recorder* const recorders[] = {&dump};
    study::run_case(run_case, recorders);
    EXPECT_FALSE(dump.was_asked());
    EXPECT_THAT(dump.written(), ElementsAre("problem-1.hdf5"));
  }
  run_case.settings.accept_unconverged = true;
  ProblemDump dump(folder.path(), "box", {parse_dump_rule("failed")});
  simulation::Recorder* const recorders[] = {&dump};
  const study::CaseResult result = study::run_case(run_case, recorders);
  EXPECT_EQ(static_cast<long>(dump.written().size()), result.statistics.unconverged_steps);
}

TEST(ProblemDump, FlightHasNoProblem) {
  const TemporaryDirectory folder;
  const study::Case run_case = read_scene(shipped_scene_path("bouncing-ball"), {"time.end=0.01"}).run_case;
  ProblemDump dump(folder.path(), "ball", {parse_dump_rule("every:1")});
  simulation::Recorder* const recorders[] = {&dump};
  const study::CaseResult result = study::run_case(run_case, recorders);
  EXPECT_TRUE(dump.written().empty());
  EXPECT_EQ(dump.skipped(), result.run.steps);
}

}  // namespace
}  // namespace ricochet::io
