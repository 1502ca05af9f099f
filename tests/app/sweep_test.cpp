// ricochet sweep from the outside: tables, exit codes, failures, Ctrl-C, kill -9, resuming, wrong input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "app/killed_program.hpp"
#include "app/program.hpp"

namespace ricochet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// x = cos(rate t). A load breaks off at the time `broken`.
const std::string swept_scene =
    "ricochet: 1\n"
    "name: Swing\n"
    "parameters: {stiffness: 4, rate: sqrt(stiffness), broken: 9, near: 2e-2}\n"
    "time: {end: 1, step: 1e-2}\n"
    "integrator: {scheme: moreau-jean, theta: 0.5}\n"
    "bodies: {mass: {mass: 1, position: [1, 0, 0]}}\n"
    "springs: {spring: {start: {body: world, at: [0, 0, 0]}, end: mass, stiffness: stiffness, free_length: 0}}\n"
    "loads: {bad: {on: mass, force: [\"t > broken ? 1/(t - t) : 0\", 0, 0]}}\n"
    "probes: {x: mass.position.x, v: mass.velocity.x}\n"
    "output: {portraits: {phase: [x, v]}}\n"
    "expect: [{fact: end, probe: x, value: cos(rate), tolerance: {absolute: near}, source: derived}]\n";

std::vector<std::vector<std::string>> table_of(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

// The table without the times that samples took.
std::vector<std::vector<std::string>> table_without_times(const fs::path& path) {
  std::vector<std::vector<std::string>> rows = table_of(path);
  if (rows.empty()) return rows;
  const auto times = std::find(rows[0].begin(), rows[0].end(), "wall_seconds") - rows[0].begin();
  for (auto& row : rows) row.erase(row.begin() + times);
  return rows;
}

class SweepCommand : public ::testing::Test {
 protected:
  SweepCommand() { write_file(directory_ / "swing.yaml", swept_scene); }

  static std::vector<std::string> sweep(std::vector<std::string> words) {
    words.insert(words.begin(), {"sweep", "swing.yaml"});
    return words;
  }
  ProgramResult run(const std::vector<std::string>& words) const {
    return run_program(sweep(words), directory_.path());
  }
  nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(read_file(directory_ / name), nullptr, false);
  }
  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& parts) const {
    const ProgramResult result = run(words);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    for (const std::string& part : parts) EXPECT_THAT(result.errors, HasSubstr(part));
    EXPECT_FALSE(fs::exists(directory_ / "out")) << "nothing is left behind";
  }
  // Waits until the log of a running sweep has so many bytes.
  bool log_grows_to(const std::string& out, std::uintmax_t bytes) const {
    std::error_code error;
    for (int i = 0; i < 2000; ++i) {
      const std::uintmax_t size = fs::file_size(directory_ / (out + "/samples.log"), error);
      if (!error && size >= bytes) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  TemporaryDirectory directory_;
};

// A noticeable time each, and long enough histories that a sample shows in the log.
const std::vector<std::string> slow_words = {"--vary", "parameters.stiffness=linear(1,5):8", "--step", "3e-5"};
constexpr std::uintmax_t few_samples = 40'000;  // bytes of the log

std::vector<std::string> slow_sweep(const std::string& out) {
  std::vector<std::string> words = slow_words;
  words.insert(words.end(), {"--out", out});
  return words;
}

TEST_F(SweepCommand, AGridGivesOneTable) {
  const ProgramResult result = run({"--vary", "parameters.stiffness=1,2*2", "--vary", "integrator.theta=0.5,0.75,1"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "") << "no progress bar where there is no terminal";
  EXPECT_THAT(result.output, HasSubstr("6 of 6 samples ran to their end"));
  const auto table = table_of(directory_ / "out/swing-sweep/sweep.csv");
  ASSERT_EQ(table.size(), 7u);
  EXPECT_EQ(table[0][1], "parameters.stiffness");
  EXPECT_EQ(table[2][1], "1");
  EXPECT_EQ(table[2][2], "0.75");
  EXPECT_EQ(table[4][1], "2*2");
  EXPECT_EQ(table[4][2], "0.5");
  const nlohmann::json study = json("out/swing-sweep/sweep.json");
  EXPECT_EQ(study["complete"], true);
  for (const auto& sample : study["samples"]) {
    const double rate = sample["values"]["parameters.stiffness"] == "1" ? 1 : 2;
    EXPECT_NEAR(sample["probes"]["x"]["last"].get<double>(), std::cos(rate), 2e-2);
    EXPECT_EQ(sample["expectations"][0]["status"], "holds");
  }
  EXPECT_TRUE(fs::exists(directory_ / "out/swing-sweep/report.html"));
  EXPECT_FALSE(fs::exists(directory_ / "out/swing-sweep/samples.log"));
}

// A sample is the run with the same values.
TEST_F(SweepCommand, ASampleHasTheNumbersOfARun) {
  ASSERT_EQ(run({"--vary", "parameters.stiffness=1,3"}).exit_code, 0);
  const ProgramResult single = run_program({"run", "swing.yaml", "--set", "parameters.stiffness=3"}, directory_.path());
  ASSERT_EQ(single.exit_code, 0) << single.errors;
  const nlohmann::json sample = json("out/swing-sweep/sweep.json")["samples"][1],
                       summary = json("out/swing/summary.json");
  for (const char* key : {"state_hash", "probes", "expectations", "steps"}) EXPECT_EQ(sample[key], summary[key]) << key;
}

TEST_F(SweepCommand, TheTableDoesNotDependOnThreads) {
  const std::vector<std::string> words = {"--vary", "parameters.stiffness=uniform(1,9):20", "--seed", "5", "--quiet"};
  for (const char* threads : {"1", "2", "7"}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--threads", threads, "--out", threads});
    const ProgramResult result = run(all);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(table_without_times(directory_ / threads / "sweep.csv"), table_without_times(directory_ / "1/sweep.csv"));
  }
  EXPECT_EQ(table_of(directory_ / "1/sweep.csv").size(), 21u);
}

TEST_F(SweepCommand, FailuresAreListedAndTheOthersGoOn) {
  const ProgramResult result = run({"--vary", "parameters.broken=0.3,9,0.6"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("sample 0 (parameters.broken=0.3) stopped at t = 0.3"));
  EXPECT_THAT(result.errors, HasSubstr("sample 2 (parameters.broken=0.6) stopped at t = 0.6"));
  EXPECT_THAT(result.errors, Not(HasSubstr("sample 1")));
  const nlohmann::json samples = json("out/swing-sweep/sweep.json")["samples"];
  EXPECT_EQ(samples[1]["status"], "completed");
  EXPECT_EQ(samples[2]["status"], "stopped");
  EXPECT_NEAR(samples[2]["stopped_at"].get<double>(), 0.6, 2e-2);
}

TEST_F(SweepCommand, RandomValuesThatMakeNoSceneAreListed) {
  const ProgramResult result = run({"--vary", "bodies.mass.mass=normal(1,1):30"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("refused: --set bodies.mass.mass=-"));
  std::size_t refused = 0;
  const nlohmann::json samples = json("out/swing-sweep/sweep.json")["samples"];
  for (const auto& sample : samples) {
    const bool negative = std::stod(sample["values"]["bodies.mass.mass"].get<std::string>()) <= 0;
    EXPECT_EQ(sample["status"], negative ? "refused" : "completed");
    refused += negative ? 1 : 0;
  }
  EXPECT_GE(refused, 1u);
}

TEST_F(SweepCommand, FactsThatFailEndWithFour) {
  const ProgramResult result = run({"--vary", "parameters.near=1e-9,1"});
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("sample 0 (parameters.near=1e-9): 'end' does not hold"));
  const auto table = table_of(directory_ / "out/swing-sweep/sweep.csv");
  EXPECT_EQ(table[0].back(), "verdict end");
  EXPECT_EQ(table[1].back(), "fails");
  EXPECT_EQ(table[2].back(), "holds");
}

TEST_F(SweepCommand, GoesOnAfterControlC) {
  const RunningProgram program(sweep(slow_sweep("stopped")), directory_.path());
  ASSERT_TRUE(log_grows_to("stopped", few_samples));
  program.send(SIGINT);
  const ProgramResult first = program.wait();
  EXPECT_EQ(first.exit_code, 130) << first.errors;
  EXPECT_THAT(first.errors, HasSubstr("samples are finished and kept. The same command goes on from there."));
  const nlohmann::json part = json("stopped/sweep.json");
  EXPECT_EQ(part["complete"], false);
  ASSERT_GE(part["samples"].size(), 1u);
  ASSERT_LT(part["samples"].size(), 8u);

  // Another sweep does not take its place.
  const ProgramResult other = run({"--vary", "parameters.stiffness=1,2", "--out", "stopped"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.errors, HasSubstr("with other overrides (--set and its short forms), with other values of --vary"));

  const ProgramResult second = run(slow_sweep("stopped"));
  EXPECT_EQ(second.exit_code, 0) << second.errors;
  EXPECT_THAT(second.output, HasSubstr(" of 8 samples were finished before"));
  ASSERT_EQ(run(slow_sweep("whole")).exit_code, 0);
  EXPECT_EQ(table_without_times(directory_ / "stopped/sweep.csv"), table_without_times(directory_ / "whole/sweep.csv"));
  EXPECT_FALSE(fs::exists(directory_ / "stopped/samples.log"));
  // What was finished was not computed again: it took the same time to the last digit.
  const nlohmann::json all = json("stopped/sweep.json")["samples"];
  for (const auto& sample : part["samples"]) {
    EXPECT_EQ(all[sample["sample"].get<std::size_t>()]["wall_seconds"], sample["wall_seconds"]);
  }
}

bool is_alive(pid_t process) {
  std::string name, state;
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  pid_t number = 0;
  return static_cast<bool>(stat >> number >> name >> state) && state != "Z" && state != "X";
}

std::vector<pid_t> children_of(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream list("/proc/" + id + "/task/" + id + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

TEST_F(SweepCommand, GoesOnAfterAKill) {
  const RunningProgram program(sweep(slow_sweep("killed")), directory_.path());
  ASSERT_TRUE(log_grows_to("killed", few_samples));
  std::vector<pid_t> children;
  for (int i = 0; i < 100 && children.empty(); ++i) children = children_of(program.process());
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().signal, SIGKILL);
  EXPECT_FALSE(children.empty());
  for (const pid_t child : children) {
    for (int i = 0; i < 1000 && is_alive(child); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(is_alive(child)) << "no sample goes on for nobody";
  }
  const ProgramResult second = run(slow_sweep("killed"));
  EXPECT_EQ(second.exit_code, 0) << second.errors;
  EXPECT_THAT(second.output, HasSubstr(" of 8 samples were finished before"));
  ASSERT_EQ(run(slow_sweep("whole")).exit_code, 0);
  EXPECT_EQ(table_without_times(directory_ / "killed/sweep.csv"), table_without_times(directory_ / "whole/sweep.csv"));
}

TEST_F(SweepCommand, ASampleThatCrashesIsListed) {
  const RunningProgram program(sweep({"--vary", "parameters.stiffness=1,2,3", "--step", "1e-5", "--threads", "1"}),
                               directory_.path());
  std::vector<pid_t> children;
  for (int i = 0; i < 2000 && children.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    children = children_of(program.process());
  }
  ASSERT_FALSE(children.empty());
  kill(children.front(), SIGSEGV);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors,
              HasSubstr("sample 0 (parameters.stiffness=1) crashed: its process was ended by the signal 11"));
  const nlohmann::json samples = json("out/swing-sweep/sweep.json")["samples"];
  EXPECT_EQ(samples[0]["status"], "crashed");
  EXPECT_EQ(samples[1]["status"], "completed");
  EXPECT_EQ(samples[2]["status"], "completed");
}

// Killed before every change of a directory: the same command always completes the same table.
TEST_F(SweepCommand, CanBeKilledAtAnyChangeOfADirectory) {
  const std::vector<std::string> words = {"--vary", "parameters.stiffness=1,2,3", "--quiet", "--out"};
  const auto to = [&](const std::string& out) {
    std::vector<std::string> all = words;
    all.push_back(out);
    return all;
  };
  ASSERT_EQ(run(to("whole")).exit_code, 0);
  const auto whole = table_without_times(directory_ / "whole/sweep.csv");
  for (int call = 1;; ++call) {
    const std::string out = "part" + std::to_string(call);
    const KilledProgram killed = run_until_call(sweep(to(out)), directory_.path(), call, changes_names);
    if (killed.calls < call) {
      EXPECT_GE(call, 5) << "the log, three files, and the end of the log";
      break;
    }
    const ProgramResult again = run(to(out));
    EXPECT_EQ(again.exit_code, 0) << call << ": " << again.errors;
    EXPECT_EQ(table_without_times(directory_ / out / "sweep.csv"), whole) << call;
    EXPECT_FALSE(fs::exists(directory_ / out / "samples.log")) << call;
  }
}

TEST_F(SweepCommand, AnotherDirectoryIsLeftAlone) {
  fs::create_directory(directory_ / "mine");
  write_file(directory_ / "mine/notes.txt", "mine");
  EXPECT_EQ(run({"--vary", "parameters.stiffness=1,2", "--out", "mine"}).exit_code, 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_ / "mine"), {}), 1);
}

using SweepCommandBadInput = SweepCommand;

TEST_F(SweepCommandBadInput, Paths) {
  expect_refused({"--vary", "parameters.stifness=1,2"},
                 {"--vary parameters.stifness=1,2: there is no parameter 'stifness'", "did you mean 'stiffness'?"});
  expect_refused({"--vary", "bodies.mass=1,2"}, {"--vary bodies.mass=1,2", "override one of its keys"});
  expect_refused({"--vary", "parameters.stiffness"}, {"--vary parameters.stiffness: write PATH=VALUES"});
  expect_refused({"--vary", "=1,2"}, {"write PATH=VALUES"});
  expect_refused({"--vary", "parameters.rate=1,2", "--vary", "parameters.rate=3"}, {"parameters.rate is varied twice"});
  expect_refused({}, {"--vary"});
  expect_refused({"--vary", "parameters.rate=1,2", "--seed", "-1"}, {"--seed", "whole number from 0 on"});
}

TEST_F(SweepCommandBadInput, Values) {
  const auto refuse = [&](const std::string& values, const std::vector<std::string>& parts) {
    expect_refused({"--vary", "parameters.stiffness=" + values}, parts);
  };
  refuse("", {"there are no values"});
  refuse("1,,2", {"a value is missing"});
  refuse("1,2,1", {"'1' comes twice"});
  refuse("1,x", {"--vary parameters.stiffness=1,x", "'x'"});
  refuse("linear(1,2)", {"how many values? Write linear(1,2):COUNT"});
  refuse("linear(1,2):1", {"whole number from 2"});
  refuse("uniform(1,2):0", {"whole number from 1"});
  refuse("uniform(1,2):2.5", {"whole number from 1"});
  refuse("uniform(1,2):99999999999", {"whole number from 1"});
  refuse("unifrom(1,2):3", {"did you mean 'uniform'?"});
  refuse("uniform(1):3", {"needs two numbers"});
  refuse("uniform(2,1):3", {"must be below the second"});
  refuse("uniform(1,rate):3", {"'rate'", "expressions without names of the scene"});
  refuse("uniform(1,1/0):3", {"not finite"});
  refuse("logarithmic(0,1):3", {"both be above 0"});
  refuse("linear(2,2):3", {"must differ"});
  refuse("normal(2,0):3", {"deviation must be above 0"});
  // Every value of a list, and the ends of a range, are tried before anything runs.
  expect_refused({"--vary", "bodies.mass.mass=1,2,-1"}, {"--vary bodies.mass.mass=1,2,-1", "greater than 0"});
  expect_refused({"--vary", "bodies.mass.mass=linear(1,-1):5"}, {"--vary bodies.mass.mass=linear(1,-1):5"});
  expect_refused({"--vary", "parameters.stiffness=1,-4"}, {"--vary parameters.stiffness=1,-4: with -4"});
  expect_refused({"--vary", "integrator.scheme=moreau-jean,moreau-jaen"}, {"--vary integrator.scheme", "moreau-jean"});
  expect_refused({"--vary", "parameters.rate=uniform(1,2):3", "--vary", "parameters.stiffness=uniform(1,2):4"},
                 {"need the same count, but parameters.rate has 3 and parameters.stiffness has 4"});
}

}  // namespace
}  // namespace ricochet::test
