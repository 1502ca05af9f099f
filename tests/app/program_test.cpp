// The program from the outside: what it prints, what it writes, how it ends.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/program.hpp"

namespace ricochet::test {
namespace {

int count_lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

TEST(Program, VersionAndHelp) {
  const TemporaryDirectory directory;
  const ProgramResult version = run_program({"--version"}, directory.path());
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.output.find("ricochet 0."), 0U) << version.output;
  const ProgramResult help = run_program({"--help"}, directory.path());
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.output.find("Examples:"), std::string::npos);
  for (const char* command : {"run", "check", "validate", "scenes"}) {
    const ProgramResult command_help = run_program({command, "--help"}, directory.path());
    EXPECT_EQ(command_help.exit_code, 0);
    EXPECT_NE(command_help.output.find("Example"), std::string::npos) << command;
  }
}

TEST(Program, RunWritesAResultDirectory) {
  const TemporaryDirectory directory;
  const ProgramResult result = run_program(
      {"run", "bouncing-ball", "--out", "ball", "--end", "0.1", "--step", "1e-3", "--set", "output.every=1"},
      directory.path());
  EXPECT_EQ(result.errors, "") << "no progress bar where there is no terminal";
  for (const char* name : {"summary.json", "history.csv", "contacts.csv", "result.h5", "report.html"}) {
    EXPECT_TRUE(fs::exists(directory / ("ball/" + std::string(name)))) << name;
  }
  EXPECT_EQ(count_lines(read_file(directory / "ball/history.csv")), 1 + 101) << "a header, t = 0, and 100 steps";
  const std::string summary = read_file(directory / "ball/summary.json");
  EXPECT_NE(summary.find("\"complete\": true"), std::string::npos);
  EXPECT_NE(summary.find("\"steps\": 100"), std::string::npos);
  EXPECT_NE(summary.find("\"time.end=0.1\""), std::string::npos);
}

// The Newton iterations of chosen steps, of one that failed, and a notice for one that there is not.
TEST(Program, TracesSteps) {
  const TemporaryDirectory directory;
  const std::vector<std::string> arguments = {
      "run", "galvez-5.1-inclined-plane", "--no-report", "--end", "0.01", "--out", "traced", "--trace-step"};
  std::vector<std::string> traced = arguments;
  traced.emplace_back("3,99");
  const ProgramResult result = run_program(traced, directory.path());
  EXPECT_NE(result.output.find("step 3 to t = 0.003 s"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("position  1 iterations, 0 halvings;"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("there is no step 99 to trace"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("newton      smooth 1 on average"), std::string::npos) << result.output;
  // With one iteration the first impact is not solved; the step is found by running to it.
  const std::vector<std::string> impatient = {"run",
                                              "box-tumble",
                                              "--no-report",
                                              "--integrator",
                                              "nonsmooth-generalized-alpha",
                                              "--out",
                                              "box",
                                              "--set",
                                              "integrator.max_iterations=1",
                                              "--set",
                                              "integrator.subproblem_solver=newton",
                                              "--set",
                                              "integrator.halvings=0"};
  const ProgramResult first = run_program(impatient, directory.path());
  EXPECT_EQ(first.exit_code, 1) << first.output;
  EXPECT_NE(first.errors.find("worst at contact land:box.corner"), std::string::npos) << first.errors;
  const std::string summary = read_file(directory / "box/summary.json");
  const long steps = std::stol(summary.substr(summary.find("\"steps\": ") + 9));
  traced = impatient;
  traced.insert(traced.end(), {"--trace-step", std::to_string(steps + 1)});
  const ProgramResult failed = run_program(traced, directory.path());
  EXPECT_NE(failed.output.find("step " + std::to_string(steps + 1) + " failed, from t = "), std::string::npos);
}

TEST(Program, AResultIsReplacedAndReproduced) {
  const TemporaryDirectory directory;
  const std::vector<std::string> arguments = {"run", "newton-cradle-pair", "--out", "pair", "--quiet"};
  EXPECT_EQ(run_program(arguments, directory.path()).exit_code, 0);
  const std::string first = read_file(directory / "pair/history.csv");
  const ProgramResult again = run_program(arguments, directory.path());
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(again.output, "");
  EXPECT_EQ(read_file(directory / "pair/history.csv"), first);
}

TEST(Program, AFactThatDoesNotHoldEndsWithFour) {
  const TemporaryDirectory directory;
  EXPECT_EQ(run_program({"scenes", "copy", "newton-cradle-pair", "."}, directory.path()).exit_code, 0);
  std::string scene = read_file(directory / "newton-cradle-pair.yaml");
  scene += "\n";
  const std::size_t at = scene.find("\nexpect:\n");
  ASSERT_NE(at, std::string::npos);
  scene.insert(at + 9,
               "  - {fact: wrong, probe: time, take: last, value: -1, tolerance: {absolute: 1e-3}, source: derived}\n");
  write_file(directory / "wrong.yaml", scene);
  const ProgramResult result = run_program({"run", "wrong.yaml", "--out", "wrong"}, directory.path());
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  EXPECT_NE(result.output.find("FAILS  wrong"), std::string::npos) << result.output;
}

TEST(Program, AToleranceOutOfReachEndsWithOne) {
  const TemporaryDirectory directory;
  const ProgramResult result =
      run_program({"run", "box-on-incline", "--out", "box", "--tolerance", "1e-15", "--set", "solver.max_iterations=1"},
                  directory.path());
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_NE(result.errors.find("did not reach the contact tolerance"), std::string::npos) << result.errors;
  EXPECT_NE(read_file(directory / "box/summary.json").find("\"complete\": false"), std::string::npos);
}

TEST(Program, CtrlCKeepsWhatWasComputed) {
  const TemporaryDirectory directory;
  const RunningProgram program({"run", "galvez-5.3-sliding-chain", "--out", "chain", "--end", "1e5"}, directory.path());
  const auto is_running = [&] {
    for (const auto& entry : fs::directory_iterator(directory.path())) {
      if (entry.path().filename().string().find(".partial-") != std::string::npos) return true;
    }
    return false;
  };
  for (int i = 0; i < 500 && !is_running(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(is_running());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130) << result.errors;
  EXPECT_FALSE(is_running()) << "the partial directory got its name";
  const std::string summary = read_file(directory / "chain/summary.json");
  EXPECT_NE(summary.find("\"complete\": false"), std::string::npos);
  EXPECT_GT(count_lines(read_file(directory / "chain/history.csv")), 1);
}

TEST(Program, CheckSaysWhatIsInAScene) {
  const TemporaryDirectory directory;
  const ProgramResult result = run_program({"check", "galvez-5.3-sliding-chain"}, directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("21 bodies"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("42 degrees of freedom"), std::string::npos) << result.output;
  const ProgramResult schema = run_program({"check", "--schema"}, directory.path());
  EXPECT_EQ(schema.exit_code, 0);
  EXPECT_NE(schema.output.find("\"$schema\""), std::string::npos);
}

// A rod that is a bit too long for its masses: both commands say what was moved.
TEST(Program, AssemblyIsTold) {
  const TemporaryDirectory directory;
  write_file(directory / "rod.yaml",
             "ricochet: 1\ntime: {end: 0.1, step: 0.01}\nbodies:\n  a: {mass: 1}\n  b: {mass: 3, position: [1, 0, 0]}\n"
             "joints: {rod: {type: distance, first: a, second: b, target: 1.004}}\n");
  const std::string notice =
      "notice: bodies were moved to close the joints ('joints.rod' was open by 0.004 m): 'a' most, by 0.003 m\n";
  for (const std::string command : {"check", "run"}) {
    const ProgramResult result = run_program({command, "rod.yaml"}, directory.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_NE(result.output.find(notice), std::string::npos) << result.output;
  }
  const ProgramResult refused = run_program({"check", "rod.yaml", "--set", "assembly.tolerance=0"}, directory.path());
  EXPECT_EQ(refused.exit_code, 2);
}

TEST(Program, ScenesCanBeListedShownAndCopied) {
  const TemporaryDirectory directory;
  const ProgramResult list = run_program({"scenes", "list"}, directory.path());
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_NE(list.output.find("bouncing-ball"), std::string::npos);
  EXPECT_EQ(run_program({"scenes", "show", "bouncing-ball"}, directory.path()).output,
            read_file(fs::path(RICOCHET_SOURCE_DIR) / "scenes/bouncing-ball.yaml"));
  EXPECT_EQ(run_program({"scenes", "copy", "bouncing-ball", "copies"}, directory.path()).exit_code, 0);
  EXPECT_TRUE(fs::exists(directory / "copies/bouncing-ball.yaml"));
  EXPECT_EQ(run_program({"scenes", "copy", "bouncing-ball", "copies"}, directory.path()).exit_code, 2);
}

// The directory of shipped scenes can be replaced, here by one with a scene that is right, wrong or broken.
TEST(Program, ValidateTellsByItsExitCode) {
  const TemporaryDirectory directory;
  setenv("RICOCHET_SCENES", directory.path().c_str(), 1);
  const std::string scene =
      "ricochet: 1\ntime: {end: 1, step: 0.1}\nexpect:\n"
      "  - {fact: end, probe: time, take: last, value: 1, tolerance: {absolute: 1e-9}, source: derived}\n";
  write_file(directory / "right.yaml", scene);
  EXPECT_EQ(run_program({"validate"}, directory.path()).exit_code, 0);
  std::string wrong = scene;
  write_file(directory / "wrong.yaml", wrong.replace(wrong.find("value: 1"), 8, "value: 2"));
  const ProgramResult result = run_program({"validate"}, directory.path());
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.output.find("1 of 2 scenes and variants hold"), std::string::npos) << result.output;
  EXPECT_EQ(run_program({"validate", "right"}, directory.path()).exit_code, 0);
  write_file(directory / "broken.yaml", "ricochet: 1\n");
  const ProgramResult broken = run_program({"validate", "broken"}, directory.path());
  EXPECT_EQ(broken.exit_code, 4);
  EXPECT_NE(broken.output.find("error  broken"), std::string::npos) << broken.output;
  unsetenv("RICOCHET_SCENES");
}

TEST(Program, TheLastOverrideWins) {
  const TemporaryDirectory directory;
  const auto steps = [&](const std::vector<std::string>& overrides) {
    std::vector<std::string> arguments = {"run", "newton-cradle-pair", "--out", "pair", "--end", "0.01"};
    arguments.insert(arguments.end(), overrides.begin(), overrides.end());
    run_program(arguments, directory.path());
    const std::string summary = read_file(directory / "pair/summary.json");
    const std::size_t at = summary.find("\"steps\": ");
    return at == std::string::npos ? 0 : std::stoi(summary.substr(at + 9));
  };
  EXPECT_EQ(steps({"--step", "1e-3", "--set", "time.step=5e-4"}), 20);
  EXPECT_EQ(steps({"--set", "time.step=5e-4", "--step", "1e-3"}), 10);
}

TEST(Program, VariantsCanBeRun) {
  const TemporaryDirectory directory;
  const ProgramResult shipped = run_program({"run", "bouncing-ball/moon", "--out", "moon"}, directory.path());
  EXPECT_EQ(shipped.exit_code, 0) << shipped.errors;
  EXPECT_NE(read_file(directory / "moon/summary.json").find("bouncing-ball/moon"), std::string::npos);
  EXPECT_EQ(run_program({"scenes", "copy", "bouncing-ball", "."}, directory.path()).exit_code, 0);
  const ProgramResult own =
      run_program({"run", "bouncing-ball.yaml", "--variant", "moon", "--out", "own"}, directory.path());
  EXPECT_EQ(own.exit_code, 0) << own.errors;
  EXPECT_EQ(run_program({"run", "bouncing-ball", "--variant", "mon", "--out", "own"}, directory.path()).exit_code, 2);
}

TEST(Program, QuietRunsStillSayWhatDoesNotHold) {
  const TemporaryDirectory directory;
  write_file(directory / "wrong.yaml",
             "ricochet: 1\ntime: {end: 1, step: 0.1}\nexpect:\n"
             "  - {fact: late, probe: time, take: last, value: 2, tolerance: {absolute: 1e-9}, source: derived}\n");
  const ProgramResult result = run_program({"run", "wrong.yaml", "--quiet"}, directory.path());
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("the fact 'late' does not hold"), std::string::npos) << result.errors;
}

TEST(Program, AResultWithForeignFilesIsNotReplaced) {
  const TemporaryDirectory directory;
  const std::vector<std::string> arguments = {"run", "newton-cradle-pair", "--out", "pair", "--quiet"};
  EXPECT_EQ(run_program(arguments, directory.path()).exit_code, 0);
  write_file(directory / "pair/notes.txt", "mine");
  const ProgramResult again = run_program(arguments, directory.path());
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.errors.find("notes.txt"), std::string::npos) << again.errors;
  EXPECT_EQ(read_file(directory / "pair/notes.txt"), "mine");
}

TEST(Program, AReportCanBeMadeAnew) {
  const TemporaryDirectory directory;
  EXPECT_EQ(run_program({"run", "newton-cradle-pair", "--out", "pair", "--no-report"}, directory.path()).exit_code, 0);
  EXPECT_FALSE(fs::exists(directory / "pair/report.html"));
  EXPECT_EQ(run_program({"report", "pair"}, directory.path()).exit_code, 0);
  EXPECT_NE(read_file(directory / "pair/report.html").find("newton-cradle-pair"), std::string::npos);
  EXPECT_EQ(run_program({"report", "nowhere"}, directory.path()).exit_code, 3);
}

TEST(Program, AStepThatCannotBeComputedKeepsTheResult) {
  const TemporaryDirectory directory;
  write_file(directory / "stiff.yaml",
             "ricochet: 1\ntime: {end: 1, step: 0.1}\nbodies: {a: {mass: 1}, b: {mass: 1, position: [1, 0, 0]}}\n"
             "springs: {s: {start: a, end: b, stiffness: 1e308, free_length: 0.5, axis: [1, 0, 0]}}\n");
  const ProgramResult result = run_program({"run", "stiff.yaml", "--out", "stiff"}, directory.path());
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_NE(result.errors.find("t = 0 s"), std::string::npos) << result.errors;
  EXPECT_NE(read_file(directory / "stiff/summary.json").find("\"complete\": false"), std::string::npos);
}

// What joints carry stands in the history as facts see it: on a pendulum that hangs, its weight.
TEST(Program, ReactionsOfJointsStandInTheHistory) {
  const TemporaryDirectory directory;
  write_file(directory / "rod.yaml",
             "ricochet: 1\nplanar: true\ngravity: [0, -10, 0]\ntime: {end: 0.01, step: 1e-3}\n"
             "bodies: {rod: {shape: {type: box, size: [0.1, 1]}, mass: 2, position: [0, -0.5, 0]}}\n"
             "joints: {pin: {type: revolute, second: rod, at: [0, 0, 0]}}\n"
             "probes: {carried: joint.pin.force.y}\n");
  const ProgramResult result = run_program({"run", "rod.yaml", "--out", "rod", "--no-report"}, directory.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string history = read_file(directory / "rod/history.csv");
  const double last = std::stod(history.substr(history.rfind(',') + 1));
  EXPECT_NEAR(last, 20, 1e-9) << history;
}

TEST(ProgramScene, EveryShippedSceneHolds) {
  const TemporaryDirectory directory;
  const ProgramResult result = run_program({"validate", "--json", "verdicts.json"}, directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  const std::string json = read_file(directory / "verdicts.json");
  EXPECT_NE(json.find("\"status\": \"holds\""), std::string::npos);
  EXPECT_EQ(json.find("\"status\": \"fails\""), std::string::npos);
  EXPECT_EQ(json.find("\"status\": \"error\""), std::string::npos);
}

}  // namespace
}  // namespace ricochet::test
