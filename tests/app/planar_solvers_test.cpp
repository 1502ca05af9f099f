#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.hpp"

namespace ricochet::app {
namespace {

using test::ProgramResult;
using test::read_file;
using test::run_program;
using test::TemporaryDirectory;
using test::write_file;
using testing::HasSubstr;
using testing::Not;

// A uniform rod of length 2 with its lower end on the floor at tan = 2, of which the end lifts with 0.1 m/s and slides
// with 2 m/s: with a friction above 4/3 it may open, slide and stick (cone/planar_uniqueness_test has the numbers).
constexpr const char* kRod = R"(ricochet: 1
name: Rod of Painleve
planar: true
gravity: [0, 0, 0]
time: {end: 0.002, step: 1e-3}
integrator: {theta: 1}
bodies:
  rod:
    parts:
      tip: {shape: {type: point}, position: [-1, 0, 0]}
    mass: 1
    center_of_mass: [0, 0, 0]
    inertia: 1/3
    position: [0, sin(atan(2)), 0]
    orientation: {angle: atan(2)}
    velocity: [-2, 0.1, 0]
surfaces:
  floor: {type: plane, normal: [0, 1, 0]}
contacts:
  end: {between: [rod, floor], friction: 3}
probes:
  solutions: solver.solutions
)";

// A point between a floor and a ceiling that comes down: no impulses keep it from both.
constexpr const char* kPress = R"(ricochet: 1
name: Point in a press
planar: true
gravity: [0, 0, 0]
time: {end: 0.01, step: 1e-3}
integrator: {theta: 1}
bodies:
  point: {shape: {type: point}, mass: 1}
surfaces:
  floor: {type: plane, normal: [0, 1, 0]}
  ceiling: {type: plane, normal: [0, -1, 0]}
drivers:
  press: {surface: ceiling, position: [0, -t, 0]}
contacts:
  below: {between: [point, floor], friction: 0.3}
  above: {between: [point, ceiling], friction: 0.3}
)";

TEST(PlanarSolvers, ASecondSolutionIsTold) {
  const TemporaryDirectory directory;
  write_file(directory / "rod.yaml", kRod);
  for (const std::string solver : {"lemke", "enumeration"}) {
    const ProgramResult result =
        run_program({"run", "rod.yaml", "--out", solver, "--solver", solver, "--dump-problem", "1"}, directory.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("at t = 0.001 s the contact problem has a second solution: "));
    EXPECT_THAT(result.output, HasSubstr("ends the step with u = (0.1, 2) m/s, and could do so with ("));
    const std::string summary = read_file(directory / (solver + "/summary.json"));
    EXPECT_THAT(summary, HasSubstr("\"second_solutions\": 1,"));
    EXPECT_THAT(summary, HasSubstr("\"first_second_solution_time\": 0.001"));
    EXPECT_THAT(read_file(directory / (solver + "/history.csv")), HasSubstr(",3"));
  }
  const ProgramResult solved = run_program(
      {"solve", "lemke/problem-1.hdf5", "--solver", "enumeration", "--json", "solved.json"}, directory.path());
  EXPECT_EQ(solved.exit_code, 0) << solved.errors;
  EXPECT_THAT(solved.output, HasSubstr("several solutions with different velocities: contact 0 has u = (0.1, 2)"));
  EXPECT_THAT(read_file(directory / "solved.json"), HasSubstr("\"solutions\":3,\"all_solutions_known\":true"));
}

TEST(PlanarSolvers, WithoutOneNothingIsTold) {
  const TemporaryDirectory directory;
  write_file(directory / "rod.yaml", kRod);
  const ProgramResult unique = run_program(
      {"run", "rod.yaml", "--out", "a", "--solver", "lemke", "--set", "contacts.end.friction=1.3"}, directory.path());
  EXPECT_THAT(unique.output, Not(HasSubstr("second solution")));
  EXPECT_THAT(read_file(directory / "a/summary.json"), HasSubstr("\"first_second_solution_time\": null"));
  const ProgramResult careless = run_program({"run", "rod.yaml", "--out", "b"}, directory.path());
  EXPECT_EQ(careless.exit_code, 0) << careless.errors;
  EXPECT_THAT(read_file(directory / "b/summary.json"), Not(HasSubstr("second_solutions")));
}

TEST(PlanarSolvers, ARayEndsTheRunAndLeavesItsProblem) {
  const TemporaryDirectory directory;
  write_file(directory / "press.yaml", kPress);
  for (const std::string solver : {"lemke", "enumeration"}) {
    const ProgramResult result =
        run_program({"run", "press.yaml", "--out", solver, "--solver", solver}, directory.path());
    EXPECT_EQ(result.exit_code, 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("found no contact impulses: "));
    EXPECT_THAT(result.errors, HasSubstr(solver == "lemke" ? "ended on a ray" : "no combination of statuses"));
    EXPECT_THAT(result.errors, HasSubstr("try integrator.impact=fremond"));
    EXPECT_THAT(result.output, HasSubstr("problem-1.hdf5"));
    const ProgramResult again =
        run_program({"solve", solver + "/problem-1.hdf5", "--solver", solver}, directory.path());
    EXPECT_EQ(again.exit_code, 1) << again.errors;
    EXPECT_THAT(again.output, HasSubstr(solver == "lemke" ? "ended on a ray" : "no combination of statuses"));
  }
}

TEST(PlanarSolversBadInput, SpatialScenesAndRollingAreRefused) {
  const TemporaryDirectory directory;
  const ProgramResult spatial = run_program({"check", "box-stack", "--set", "solver.name=lemke"}, directory.path());
  EXPECT_EQ(spatial.exit_code, 2) << spatial.output;
  EXPECT_THAT(spatial.errors, HasSubstr("takes planar contacts only, and this scene is spatial"));
  write_file(directory / "rod.yaml", std::string(kRod));
  const ProgramResult rolling = run_program(
      {"check", "rod.yaml", "--set", "solver.name=enumeration", "--set", "contacts.end.rolling=0.1"}, directory.path());
  EXPECT_EQ(rolling.exit_code, 2) << rolling.output;
  EXPECT_THAT(rolling.errors, HasSubstr("knows no resistance to rolling and spinning, which contact 'end' has"));
  const ProgramResult wrong = run_program({"check", "rod.yaml", "--set", "solver.name=lemk"}, directory.path());
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("lemke"));
}

// Seven points on one bar feel each other.
TEST(PlanarSolversBadInput, TooManyContactsForEnumerationEndTheRun) {
  const TemporaryDirectory directory;
  std::string scene =
      "ricochet: 1\nname: Comb\nplanar: true\ngravity: [0, -10, 0]\ntime: {end: 0.01, step: 1e-3}\nbodies:\n"
      "  comb:\n    parts:\n";
  for (int i = 0; i < 7; ++i) {
    scene += "      p" + std::to_string(i) + ": {shape: {type: point}, position: [" + std::to_string(i) + ", 0, 0]}\n";
  }
  scene +=
      "    mass: 1\n    center_of_mass: [3, 0.5, 0]\n    inertia: 1\nsurfaces:\n"
      "  floor: {type: plane, normal: [0, 1, 0]}\ncontacts:\n  teeth: {between: [comb, floor], friction: 0.3}\n";
  write_file(directory / "comb.yaml", scene);
  const ProgramResult result =
      run_program({"run", "comb.yaml", "--out", "a", "--solver", "enumeration"}, directory.path());
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("enumeration takes 6"));
  EXPECT_THAT(result.errors, HasSubstr("Use solver.name=auto"));
  EXPECT_EQ(run_program({"run", "comb.yaml", "--out", "b", "--solver", "lemke"}, directory.path()).exit_code, 0);
}

}  // namespace
}  // namespace ricochet::app
