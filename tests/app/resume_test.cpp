// Runs that end too early and are resumed: whatever happens, the result is that of a run which was never stopped.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <regex>
#include <thread>

#include "app/program.hpp"
#include "app/resume_support.hpp"
#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/io/version.hpp"
#include "ricochet/math/hash.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::test {
namespace {

using std::chrono::milliseconds;

void wait_for_checkpoints(const fs::path& parent, const std::string& out, std::size_t count) {
  for (int i = 0; i < 30000 && checkpoints_in(parent, out).size() < count; ++i) {
    std::this_thread::sleep_for(milliseconds(2));
  }
}

int partial_directories(const fs::path& parent) {
  return static_cast<int>(std::count_if(
      fs::directory_iterator(parent), fs::directory_iterator(),
      [](const auto& entry) { return entry.path().filename().string().find(".partial-") != std::string::npos; }));
}

class Resume : public ::testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& arguments) { return run_program(arguments, directory_.path()); }

  // Starts a run with checkpoints and kills it when it has written two of them.
  void run_and_kill(std::vector<std::string> arguments, const std::string& out) {
    arguments.insert(arguments.end(), {"--out", out, "--checkpoint-every", often});
    const RunningProgram program(arguments, directory_.path());
    wait_for_checkpoints(directory_.path(), out, 2);
    program.send(SIGKILL);
    EXPECT_EQ(program.wait().signal, SIGKILL);
    EXPECT_FALSE(fs::exists(directory_ / out));
  }

  fs::path newest(const std::string& out) const {
    const std::vector<fs::path> all = checkpoints_in(directory_.path(), out);
    EXPECT_FALSE(all.empty());
    return all.empty() ? fs::path() : all.front();
  }

  TemporaryDirectory directory_;
};

using ResumeScene = Resume;
TEST_F(ResumeScene, EveryShippedSceneAfterKill) {
  for (const std::string& scene : io::shipped_scenes()) {
    SCOPED_TRACE(scene);
    const ProgramResult whole = run({"run", scene, "--out", "whole", "--quiet"});
    run_and_kill({"run", scene}, "part");
    const fs::path checkpoint = newest("part");
    const ProgramResult resumed = run({"resume", checkpoint.string(), "--quiet", "--checkpoint-every", "100"});
    EXPECT_EQ(resumed.exit_code, whole.exit_code) << resumed.errors;
    expect_same_result(directory_ / "part", directory_ / "whole");
    EXPECT_EQ(partial_directories(directory_.path()), 0);
    EXPECT_GE(checkpoints_in(directory_.path(), "part").size(), 1u);
    EXPECT_LE(checkpoints_in(directory_.path(), "part").size(), 2u);
    fs::remove_all(directory_ / "part");
  }
}

TEST_F(Resume, AfterCtrlC) {
  ASSERT_EQ(run({"run", "galvez-5.3-sliding-chain", "--out", "whole", "--quiet"}).exit_code, 0);
  // An interval that never ends: the only checkpoint is that of Ctrl-C. Many rows make the run last a little.
  const RunningProgram program(
      {"run", "galvez-5.3-sliding-chain", "--out", "part", "--checkpoint-every", "1e6", "--end", "1e5"},
      directory_.path());
  for (int i = 0; i < 500 && partial_directories(directory_.path()) == 0; ++i)
    std::this_thread::sleep_for(milliseconds(10));
  std::this_thread::sleep_for(milliseconds(30));
  program.send(SIGINT);
  const ProgramResult interrupted = program.wait();
  EXPECT_EQ(interrupted.exit_code, 130);
  const fs::path checkpoint = newest("part");
  EXPECT_EQ(checkpoint.parent_path(), directory_ / "part");
  EXPECT_NE(interrupted.output.find("ricochet resume " + checkpoint.string()), std::string::npos) << interrupted.output;

  const io::Hdf5File file = io::Hdf5File::open(checkpoint);
  const double time = file.read_double_attribute("/", "time");
  const std::string end = std::to_string(std::ceil(time * 10) / 10 + 0.1);
  ASSERT_EQ(run({"run", "galvez-5.3-sliding-chain", "--out", "longer", "--end", end}).signal, 0);
  const ProgramResult resumed = run({"resume", checkpoint.string(), "--end", end});
  EXPECT_TRUE(resumed.exit_code == 0 || resumed.exit_code == 4) << resumed.errors;
  for (const char* name : {"history.csv", "contacts.csv"}) {
    EXPECT_TRUE(read_file(directory_ / "part" / name) == read_file(directory_ / "longer" / name)) << name;
  }
  EXPECT_NE(read_file(directory_ / "part/summary.json").find("\"complete\": true"), std::string::npos);
}

TEST_F(Resume, ARunThatIsOverCanBeMadeLonger) {
  ASSERT_EQ(run({"run", "bouncing-ball", "--out", "part", "--end", "0.5003", "--checkpoint-every", "1e6"}).signal, 0);
  ASSERT_EQ(run({"run", "bouncing-ball", "--out", "whole", "--end", "0.9"}).signal, 0);
  const ProgramResult resumed = run({"resume", newest("part").string(), "--end", "0.9"});
  EXPECT_EQ(resumed.signal, 0) << resumed.errors;
  for (const char* name : {"history.csv", "contacts.csv"}) {
    EXPECT_TRUE(read_file(directory_ / "part" / name) == read_file(directory_ / "whole" / name)) << name;
  }
}

TEST_F(Resume, AnotherRunToTheSamePlaceKeepsTheCheckpoints) {
  run_and_kill({"run", "box-on-incline"}, "part");
  const fs::path checkpoint = newest("part");
  ASSERT_EQ(run({"run", "box-on-incline", "--out", "part", "--end", "0.01"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(checkpoint)) << "it leads to another result";
  ASSERT_EQ(run({"run", "box-on-incline", "--out", "part"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(checkpoint)) << "it leads to the result that is there";
  expect_nothing_left(directory_.path());
}

TEST_F(Resume, AVariantWithoutReport) {
  const std::string scene = "box-on-incline/slope-5-friction-0";
  const ProgramResult whole = run({"run", scene, "--out", "whole", "--no-report"});
  run_and_kill({"run", scene, "--no-report"}, "part");
  const ProgramResult resumed = run({"resume", newest("part").string(), "--checkpoint-every", "100"});
  EXPECT_EQ(resumed.exit_code, whole.exit_code) << resumed.errors;
  expect_same_result(directory_ / "part", directory_ / "whole");
  EXPECT_FALSE(fs::exists(directory_ / "part/report.html"));
}

TEST_F(Resume, TheSceneCanAskForCheckpoints) {
  ASSERT_EQ(run({"scenes", "copy", "newton-cradle-pair", "."}).exit_code, 0);
  write_file(directory_ / "scene.yaml",
             read_file(directory_ / "newton-cradle-pair.yaml") + "\ncheckpoint: {every: 50}\n");
  ASSERT_EQ(run({"run", "scene.yaml", "--out", "part"}).exit_code, 0);
  EXPECT_EQ(checkpoints_in(directory_.path(), "part").size(), 1u);
  ASSERT_EQ(run({"run", "newton-cradle-pair.yaml", "--out", "plain"}).exit_code, 0);
  EXPECT_TRUE(checkpoints_in(directory_.path(), "plain").empty());
  EXPECT_FALSE(fs::exists(directory_ / "plain/rows.log"));
}

TEST_F(Resume, ToContinueAfterAnUnconvergedStep) {
  const std::vector<std::string> hard = {"run",         "box-on-incline", "--out", "box",
                                         "--tolerance", "1e-15",          "--set", "solver.max_iterations=1"};
  EXPECT_EQ(run(hard).exit_code, 1);
  std::vector<std::string> patient = hard;
  patient.insert(patient.end(), {"--continue", "--quiet"});
  const ProgramResult result = run(patient);
  EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 4) << result.errors;
  EXPECT_NE(result.errors.find("did not reach the tolerance"), std::string::npos) << result.errors;
  const std::string summary = read_file(directory_ / "box/summary.json");
  EXPECT_NE(summary.find("\"complete\": true"), std::string::npos);
  EXPECT_EQ(summary.find("\"unconverged_steps\": 0,"), std::string::npos) << summary;
}

// A full disk, played by a limit on the size of files: what was written stays, and the message tells where.
TEST_F(Resume, AFullDisk) {
  const auto run_limited = [&](std::vector<std::string> arguments, rlim_t bytes) {
    arguments.insert(arguments.end(), {"--quiet", "--out", "part"});
    const pid_t child = fork();  // to have a limit of its own, which the program inherits
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit = {bytes, bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      _exit(run(arguments).exit_code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
    return read_file(directory_ / "stderr.txt");
  };
  // More than result.h5 has before the first step, less than contacts.csv has at the end.
  constexpr rlim_t full_disk = 120'000;
  const std::vector<std::string> scene = {"run", "box-on-incline"};
  const std::string without = run_limited(scene, full_disk);
  const auto kept = [&](const std::string& words) {
    std::smatch match;
    EXPECT_TRUE(std::regex_search(words, match, std::regex("is kept in ([^ ;]*partial-[0-9]+)"))) << words;
    return match.empty() ? fs::path() : fs::path(match[1].str());
  };
  EXPECT_GT(fs::file_size(kept(without) / "contacts.csv"), 60'000u);
  EXPECT_EQ(without.find("resume"), std::string::npos) << without;

  const std::string with = run_limited({"run", "box-on-incline", "--checkpoint-every", often}, full_disk);
  std::smatch match;
  ASSERT_TRUE(std::regex_search(with, match, std::regex("ricochet resume (.*h5)\\."))) << with;
  EXPECT_EQ(fs::path(match[1].str()).parent_path(), kept(with));
  EXPECT_EQ(partial_directories(directory_.path()), 1) << "the one without a checkpoint was of use to nobody any more";
  ASSERT_EQ(run({"run", "box-on-incline", "--out", "whole"}).exit_code, 0);
  const ProgramResult resumed = run({"resume", match[1].str(), "--quiet", "--checkpoint-every", "100"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
  expect_same_result(directory_ / "part", directory_ / "whole");
  expect_nothing_left(directory_.path());
}

using ResumeBadInput = Resume;

TEST_F(ResumeBadInput, FilesThatAreNoCheckpoint) {
  ASSERT_EQ(run({"run", "newton-cradle-pair", "--out", "part", "--checkpoint-every", "1e6"}).exit_code, 0);
  const std::string good = read_file(newest("part"));
  const auto expect_refused = [&](const std::string& bytes, const std::string& word) {
    write_file(directory_ / "part/checkpoint-1.h5", bytes);
    const ProgramResult result = run({"resume", "part/checkpoint-1.h5"});
    EXPECT_EQ(result.exit_code, 3) << result.errors;
    EXPECT_NE(result.errors.find(word), std::string::npos) << result.errors;
    EXPECT_EQ(partial_directories(directory_.path()), 0);
  };
  expect_refused("", "not a checkpoint");
  expect_refused("ricochet: 1\n", "not a checkpoint");
  expect_refused(read_file(directory_ / "part/result.h5"), "not a checkpoint");
  expect_refused(good.substr(0, good.size() / 2), "not a checkpoint");
  math::Random random(3);
  for (int i = 0; i < 10; ++i) {
    std::string bad = good;
    const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<double>(bad.size() - 16)));
    bad[at] = static_cast<char>(bad[at] ^ 1);
    expect_refused(bad, "damaged");
  }
  EXPECT_EQ(run({"resume", "none.h5"}).exit_code, 3);
  EXPECT_EQ(run({"resume", "part"}).exit_code, 3);
  EXPECT_EQ(run({"resume"}).exit_code, 2);
  EXPECT_EQ(run({"run", "newton-cradle-pair", "--checkpoint-every", "0"}).exit_code, 2);
  EXPECT_EQ(run({"run", "newton-cradle-pair", "--checkpoint-every", "soon"}).exit_code, 2);
}

TEST_F(ResumeBadInput, AnotherVersion) {
  ASSERT_EQ(run({"run", "newton-cradle-pair", "--out", "part", "--checkpoint-every", "1e6"}).exit_code, 0);
  std::string bytes = read_file(newest("part"));
  bytes.resize(bytes.size() - 16);  // without mark and checksum
  const std::size_t at = bytes.find(io::version());
  ASSERT_NE(at, std::string::npos);
  ++bytes[at];
  math::ByteHash hash;
  hash.add(bytes.data(), bytes.size());
  const std::uint64_t checksum = hash.value();
  bytes.append("RICOCHET").append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  write_file(directory_ / "part/checkpoint-1.h5", bytes);
  const ProgramResult result = run({"resume", "part/checkpoint-1.h5"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.errors.find("only the same program"), std::string::npos) << result.errors;
}

TEST_F(ResumeBadInput, AnotherScene) {
  ASSERT_EQ(run({"scenes", "copy", "newton-cradle-pair", "."}).exit_code, 0);
  ASSERT_EQ(run({"run", "newton-cradle-pair.yaml", "--out", "part", "--checkpoint-every", "1e6"}).exit_code, 0);
  const fs::path checkpoint = newest("part");
  const std::string scene = read_file(directory_ / "newton-cradle-pair.yaml");
  write_file(directory_ / "newton-cradle-pair.yaml", scene + "# changed\n");
  const ProgramResult changed = run({"resume", checkpoint.string()});
  EXPECT_EQ(changed.exit_code, 3);
  EXPECT_NE(changed.errors.find("another scene"), std::string::npos) << changed.errors;
  fs::remove(directory_ / "newton-cradle-pair.yaml");
  EXPECT_EQ(run({"resume", checkpoint.string()}).exit_code, 0) << "the checkpoint has the text of the scene";
}

TEST_F(ResumeBadInput, AnEndBeforeTheCheckpoint) {
  ASSERT_EQ(run({"run", "newton-cradle-pair", "--out", "part", "--checkpoint-every", "1e6"}).exit_code, 0);
  const std::string before = read_file(directory_ / "part/history.csv");
  for (const char* end : {"1e-3", "-1", "soon", "nan"}) {
    const ProgramResult result = run({"resume", newest("part").string(), "--end", end});
    EXPECT_EQ(result.exit_code, 2) << end << result.errors;
    EXPECT_NE(result.errors.find("end"), std::string::npos) << result.errors;
  }
  EXPECT_EQ(read_file(directory_ / "part/history.csv"), before);
}

TEST_F(ResumeBadInput, ARunThatIsStillGoing) {
  const RunningProgram program(
      {"run", "galvez-5.3-sliding-chain", "--out", "part", "--end", "1e5", "--checkpoint-every", "0.2"},
      directory_.path());
  wait_for_checkpoints(directory_.path(), "part", 1);
  const TemporaryDirectory elsewhere;
  const ProgramResult result = run_program({"resume", newest("part").string()}, elsewhere.path());
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_NE(result.errors.find("still going"), std::string::npos) << result.errors;
  program.send(SIGKILL);
  program.wait();
}

}  // namespace
}  // namespace ricochet::test
