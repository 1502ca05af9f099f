// ricochet converge and ricochet compare from the outside: tables, files, exit codes, wrong input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/program.hpp"

namespace ricochet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// x = cos(rate t); y stays 0.
const std::string swinging_scene =
    "ricochet: 1\n"
    "name: Swing\n"
    "parameters: {stiffness: 4, rate: sqrt(stiffness)}\n"
    "time: {end: 1, step: 1e-2}\n"
    "integrator: {scheme: moreau-jean, theta: 1}\n"
    "bodies: {mass: {mass: 1, position: [1, 0, 0]}}\n"
    "springs: {spring: {start: {body: world, at: [0, 0, 0]}, end: mass, stiffness: stiffness, free_length: 0}}\n"
    "probes: {x: mass.position.x, y: mass.position.y}\n"
    "expect: [{fact: end, probe: x, value: cos(rate), tolerance: {absolute: 5e-3}, source: derived}]\n";

class StudyCommand : public ::testing::Test {
 protected:
  StudyCommand() { write_file(directory_ / "swing.yaml", swinging_scene); }

  ProgramResult run(std::vector<std::string> arguments) const { return run_program(arguments, directory_.path()); }
  nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(read_file(directory_ / name), nullptr, false);
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) const {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    for (const std::string& part : parts) EXPECT_THAT(result.errors, HasSubstr(part));
    EXPECT_FALSE(fs::exists(directory_ / "out")) << "nothing is left behind";
  }

  TemporaryDirectory directory_;
};

TEST_F(StudyCommand, ConvergeGivesTheOrderOfTheScheme) {
  const ProgramResult first = run({"converge", "swing.yaml", "--steps", "2e-2,1e-2,5e-3", "--json", "more.json"});
  EXPECT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_EQ(first.errors, "") << "no progress bar where there is no terminal";
  EXPECT_THAT(first.output, HasSubstr("\n          0.01  "));
  EXPECT_THAT(first.output, HasSubstr("y: order none"));
  EXPECT_THAT(first.output, HasSubstr("against the run with the step 0.0005 s"));
  EXPECT_THAT(first.output, Not(HasSubstr("to be believed"))) << "there are no contacts";
  const nlohmann::json study = json("out/swing-converge/converge.json");
  EXPECT_EQ(study, json("more.json"));
  EXPECT_NEAR(study["probes"][0]["order"].get<double>(), 1, 0.05);
  EXPECT_EQ(study["probes"][0]["points"].size(), 3u);
  for (const char* name : {"converge.csv", "report.html"}) {
    EXPECT_TRUE(fs::exists(directory_ / ("out/swing-converge/" + std::string(name)))) << name;
  }
  // Again, to the same place, with an option of the scheme.
  const ProgramResult second =
      run({"converge", "swing.yaml", "--steps", "2e-2:2e-3:5", "--set", "integrator.theta=0.5", "--quiet"});
  EXPECT_EQ(second.exit_code, 0) << second.errors;
  EXPECT_EQ(second.output, "");
  EXPECT_NEAR(json("out/swing-converge/converge.json")["probes"][0]["order"].get<double>(), 2, 0.05);
}

TEST_F(StudyCommand, ConvergeAgainstAKnownSolution) {
  const ProgramResult result = run({"converge", "swing.yaml", "--steps", "2*step:step/10:8", "--probe", "x",
                                    "--reference", "cos(rate*t)", "--out", "known", "--threads", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("against cos(rate*t)"));
  const nlohmann::json study = json("known/converge.json");
  EXPECT_TRUE(study["reference_step"].is_null());
  EXPECT_EQ(study["runs"].size(), 8u);
  EXPECT_EQ(study["probes"][0]["points"][0]["step"], 0.02);
  EXPECT_NEAR(study["probes"][0]["order"].get<double>(), 1, 0.05);
  // Implicit Euler damps: after the time t the amplitude is exp(-rate^2 h t/2), and the phase is right to h^2. So the
  // error is rate^2 h/2 times the mean of t |cos(rate t)| over that of |cos(rate t)|.
  double above = 0, below = 0;
  for (int i = 0; i <= 1000; ++i) {
    above += i / 1000.0 * std::abs(std::cos(2 * i / 1000.0));
    below += std::abs(std::cos(2 * i / 1000.0));
  }
  const double expected = 4 * 1e-3 / 2 * above / below;
  EXPECT_NEAR(study["probes"][0]["points"][7]["error"].get<double>(), expected, 0.02 * expected);
}

TEST_F(StudyCommand, TheDefaultIsTwentyStepsInTwoDecades) {
  const ProgramResult result = run({"converge", "swing.yaml", "--reference", "x=cos(2*t)", "--reference", "y=0"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const nlohmann::json points = json("out/swing-converge/converge.json")["probes"][0]["points"];
  ASSERT_EQ(points.size(), 20u);
  EXPECT_EQ(points[0]["step"], 1e-2);
  EXPECT_EQ(points[19]["step"], 1e-4);
}

TEST_F(StudyCommand, FewStepsWithContactsAreNotToBeBelieved) {
  const ProgramResult result =
      run({"converge", "bouncing-ball", "--end", "1", "--steps", "1e-2,1e-3", "--probe", "altitude"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("to be believed from 20 steps"));
}

TEST_F(StudyCommand, ARunThatFailsIsListed) {
  write_file(directory_ / "bad.yaml", swinging_scene +
                                          "loads: {bad: {on: mass, force: [\"abs(t - 0.7) < 1e-9 ? 1/(t - t) : 0\", "
                                          "0, 0]}}\n");
  const ProgramResult check = run({"check", "bad.yaml"});
  ASSERT_EQ(check.exit_code, 0) << check.errors;
  const ProgramResult result =
      run({"converge", "bad.yaml", "--steps", "0.1,0.03,0.008", "--probe", "x", "--reference", "cos(rate*t)"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("the run with the step 0.1 s did not complete"));
  const nlohmann::json study = json("out/bad-converge/converge.json");
  EXPECT_EQ(study["complete"], false);
  EXPECT_FALSE(study["probes"][0]["order"].is_null()) << "the others have one";
}

TEST_F(StudyCommand, ConvergeIsInterrupted) {
  const RunningProgram program({"converge", "swing.yaml", "--steps", "1e-7,2e-7"}, directory_.path());
  for (int i = 0; i < 500 && !fs::exists(directory_ / "out/swing-converge"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130) << result.errors;
  EXPECT_EQ(json("out/swing-converge/converge.json")["complete"], false);
}

TEST_F(StudyCommand, CompareRunsEveryScheme) {
  const std::vector<std::string> arguments = {"compare", "swing.yaml", "--integrator",
                                              "moreau-jean:theta=0.5,moreau-jean:theta=0.75:projection=none"};
  for (int time = 0; time < 2; ++time) {  // the second time it replaces the first
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    for (const char* part : {"moreau-jean:theta=0.75:projection=none", "ms_per_step", "energy_numerical", "1 of 1",
                             "last x", "difference x"}) {
      EXPECT_THAT(result.output, HasSubstr(part));
    }
  }
  const nlohmann::json entries = json("out/swing-compare/compare.json")["entries"];
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0]["summary"]["integrator"]["theta"], 0.5);
  EXPECT_EQ(entries[1]["summary"]["integrator"]["theta"], 0.75);
  EXPECT_EQ(entries[1]["summary"]["integrator"]["projection"], "none");
  EXPECT_EQ(entries[0]["row"]["steps"], 100);
  EXPECT_EQ(entries[0]["probes"]["x"]["difference"], 0);
  EXPECT_GT(entries[1]["probes"]["x"]["difference"], 1e-3);
  EXPECT_NEAR(entries[0]["row"]["energy_numerical"].get<double>(), 0, 1e-12);
  EXPECT_LT(entries[1]["row"]["energy_numerical"].get<double>(), -1e-3);
  for (const char* name : {"compare.csv", "report.html", "1-moreau-jean/summary.json", "2-moreau-jean/report.html"}) {
    EXPECT_TRUE(fs::exists(directory_ / ("out/swing-compare/" + std::string(name)))) << name;
  }
}

TEST_F(StudyCommand, AFactThatFailsInOneOfTheRunsEndsWithFour) {
  const ProgramResult result = run({"compare", "swing.yaml", "--integrator",
                                    "moreau-jean:theta=0.5,moreau-jean:theta=1", "--step", "0.05", "--out", "two"});
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("moreau-jean:theta=1: 'end' does not hold"));
  EXPECT_THAT(result.errors, Not(HasSubstr("theta=0.5")));
  EXPECT_TRUE(fs::exists(directory_ / "two/report.html"));
}

TEST_F(StudyCommand, AnotherDirectoryIsLeftAlone) {
  fs::create_directory(directory_ / "mine");
  write_file(directory_ / "mine/notes.txt", "mine");
  const std::vector<std::string> compare = {
      "compare", "swing.yaml", "--integrator", "moreau-jean,moreau-jean:theta=0.5", "--out", "mine"};
  EXPECT_EQ(run(compare).exit_code, 2);
  EXPECT_EQ(run({"converge", "swing.yaml", "--steps", "1e-2,1e-3", "--out", "mine"}).exit_code, 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_ / "mine"), {}), 1);
}

using StudyCommandBadInput = StudyCommand;

TEST_F(StudyCommandBadInput, Probes) {
  expect_refused({"converge", "swing.yaml", "--probe", "z"}, {"--probe", "'z'", "the probes are x, y"});
  expect_refused({"converge", "swing.yaml", "--probe", "x", "--reference", "y=1"}, {"--reference", "'y'"});
  expect_refused({"converge", "swing.yaml", "--reference", "1"}, {"--reference '1'", "NAME=EXPR"});
  expect_refused({"converge", "swing.yaml", "--reference", "x=cos(raet*t)"}, {"--reference", "did you mean 'rate'?"});
  expect_refused({"converge", "swing.yaml", "--reference", "x=1/t"}, {"--reference", "not finite at t = 0"});
}

TEST_F(StudyCommandBadInput, Steps) {
  const auto refuse = [&](const std::string& steps, const std::vector<std::string>& parts) {
    expect_refused({"converge", "swing.yaml", "--steps", steps}, parts);
  };
  refuse("1e-2,0", {"greater than 0"});
  refuse("1e-2,-1e-3", {"greater than 0"});
  refuse("1e-2", {"at least two different steps"});
  refuse("1e-2,1e-2", {"at least two different steps"});
  refuse("1e-2:1e-2:5", {"at least two different steps"});
  refuse("1e-2:1e-3", {"LARGEST:SMALLEST:COUNT"});
  refuse("1e-2:1e-3:1", {"whole number from 2"});
  refuse("1e-2:1e-3:2.5", {"whole number from 2"});
  refuse("2,1", {"longer than the run"});
  refuse("1e-2,x", {"--steps", "'x'"});
  refuse("1e-2,,1e-3", {"--steps"});
  expect_refused({"converge", "swing.yaml", "--steps", "1e-2,1e-3", "--reference-step", "2e-3"},
                 {"--reference-step", "below the smallest step"});
}

TEST_F(StudyCommandBadInput, Integrators) {
  const auto refuse = [&](const std::string& list, const std::vector<std::string>& parts) {
    expect_refused({"compare", "swing.yaml", "--integrator", list}, parts);
  };
  refuse("moreau-jean,moreau-jaen", {"--integrator moreau-jaen", "moreau-jean"});
  refuse("moreau-jean", {"at least two entries"});
  refuse("moreau-jean,moreau-jean", {"comes twice"});
  refuse("moreau-jean,:theta=1", {"names no scheme"});
  refuse("moreau-jean,moreau-jean:theta", {"'theta' should be option=value"});
  refuse("moreau-jean,moreau-jean:thta=1", {"unknown key 'thta'", "did you mean 'theta'?"});
  refuse("moreau-jean,moreau-jean:theta=3", {"theta", "3"});
  expect_refused({"compare", "swing.yaml"}, {"--integrator"});
  expect_refused({"compare", "sing.yaml", "--integrator", "a,b"}, {"sing.yaml"});
}

}  // namespace
}  // namespace ricochet::test
