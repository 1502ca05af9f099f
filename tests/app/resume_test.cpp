// Runs that end too early and are resumed: whatever happens, the result is that of a run which was never stopped.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <regex>
#include <thread>

#include "app/program.hpp"
#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/io/version.hpp"
#include "ricochet/math/hash.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::test {
namespace {

using std::chrono::milliseconds;

// Checkpoints of a result directory or of the partial one, the newest first.
std::vector<fs::path> checkpoints_in(const fs::path& parent, const std::string& out) {
  static const std::regex pattern("checkpoint-([0-9]+)\\.h5");
  std::vector<std::pair<long, fs::path>> found;
  std::error_code error;
  for (const auto& directory : fs::directory_iterator(parent, error)) {
    const std::string name = directory.path().filename().string();
    if (name != out && !name.starts_with(out + ".partial-")) continue;
    for (fs::directory_iterator file(directory.path(), error); !error && file != fs::directory_iterator();
         file.increment(error)) {
      const std::string file_name = file->path().filename().string();
      std::smatch match;
      if (std::regex_match(file_name, match, pattern)) found.emplace_back(std::stol(match[1]), file->path());
    }
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> paths;
  for (auto& [step, path] : found) paths.push_back(path);
  return paths;
}

// summary.json without the lines that tell how long it took.
std::string summary_without_times(const fs::path& path) {
  const std::string text = read_file(path);
  static const std::regex times("\"wall_seconds\": [^\n]*|\"seconds_per_stage\": \\{[^}]*\\}");
  return std::regex_replace(text, times, "");
}

void expect_same_dataset(const io::Hdf5File& a, const io::Hdf5File& b, const std::string& name) {
  EXPECT_EQ(a.shape(name), b.shape(name)) << name;
  const auto bytes = [&](const io::Hdf5File& file) {
    try {
      const std::vector<double> values = file.read_doubles(name);
      return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    } catch (const io::FileError&) {
      std::string all;
      for (const std::string& text : file.read_texts(name)) all += text + '\n';
      return all;
    }
  };
  EXPECT_TRUE(bytes(a) == bytes(b)) << name;
}

void expect_same_result(const fs::path& resumed, const fs::path& whole) {
  EXPECT_EQ(summary_without_times(resumed / "summary.json"), summary_without_times(whole / "summary.json"));
  for (const char* name : {"history.csv", "contacts.csv"}) {
    EXPECT_FALSE(read_file(whole / name).empty());
    EXPECT_TRUE(read_file(resumed / name) == read_file(whole / name)) << name;
  }
  const io::Hdf5File a = io::Hdf5File::open(resumed / "result.h5"), b = io::Hdf5File::open(whole / "result.h5");
  EXPECT_EQ(a.list("/"), b.list("/"));
  for (const std::string& name : b.list("/")) {
    std::vector<std::string> members;
    try {
      members = b.list("/" + name);
    } catch (const io::FileError&) {  // not a group
      expect_same_dataset(a, b, "/" + name);
      continue;
    }
    EXPECT_EQ(a.list("/" + name), members);
    for (const std::string& member : members) expect_same_dataset(a, b, "/" + name + "/" + member);
  }
}

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

const std::string often = "1e-9";  // s: after every step

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

// Kills at random moments, also while the program starts and while a checkpoint is being written. Each time the run is
// resumed from the newest checkpoint, until it is done.
void kill_at_random(int kills, std::uint64_t seed) {
  const TemporaryDirectory directory;
  const std::vector<std::string> scene = {"run", "box-on-incline", "--end", "0.3", "--quiet"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = scene;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  ASSERT_EQ(run_program(with({"--out", "whole"}), directory.path()).errors, "");
  math::Random random(seed);
  int resumed = 0;
  for (int done = 0; done < kills; ++done) {
    const std::vector<fs::path> checkpoints = checkpoints_in(directory.path(), "part");
    std::vector<std::string> arguments = with({"--out", "part", "--checkpoint-every", often});
    if (!checkpoints.empty() && !fs::exists(directory / "part")) {
      arguments = {"resume", checkpoints.front().string(), "--quiet"};
      ++resumed;
    }
    const RunningProgram program(arguments, directory.path());
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(random.uniform(0, 150'000))));
    program.send(SIGKILL);
    const ProgramResult result = program.wait();
    // It was killed, or it was done before: never did it complain.
    EXPECT_TRUE(result.signal == SIGKILL || result.exit_code == 0) << result.exit_code << result.errors;
    if (result.signal != SIGKILL) {
      expect_same_result(directory / "part", directory / "whole");
      fs::remove_all(directory / "part");
    }
  }
  EXPECT_GT(resumed, 0);  // how many depends on the disk: a slow one brings few runs to their first checkpoint
  for (const fs::path& checkpoint : checkpoints_in(directory.path(), "part")) {  // those of all the killed runs
    if (!fs::exists(checkpoint)) continue;
    const ProgramResult result =
        run_program({"resume", checkpoint.string(), "--quiet", "--checkpoint-every", "100"}, directory.path());
    EXPECT_EQ(result.exit_code, 0) << checkpoint << result.errors;
    expect_same_result(directory / "part", directory / "whole");
  }
  // What is left is of runs that were killed before their first checkpoint; the next run to the same place removes it.
  EXPECT_EQ(run_program(with({"--out", "part"}), directory.path()).exit_code, 0);
  EXPECT_EQ(partial_directories(directory.path()), 0);
}

TEST(ResumeSlow, FiftyKillsAtRandomMoments) { kill_at_random(50, 1); }

TEST(ResumeSlow, ManyKillsAtRandomMoments) {
  for (std::uint64_t seed = 2; seed < 12; ++seed) kill_at_random(100, seed);
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
