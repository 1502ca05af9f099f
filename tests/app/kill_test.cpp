// `kill -9` at any moment: what is left can be resumed, and the result is that of a run which was never killed.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <thread>

#include "app/killed_program.hpp"
#include "app/resume_support.hpp"
#include "ricochet/io/checkpoint.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::test {
namespace {

// What a `kill -9` may leave behind: each checkpoint that has its name is whole, and so are the rows before it.
void expect_readable_checkpoints(const fs::path& parent) {
  for (const fs::path& checkpoint : checkpoints_in(parent, "part")) {
    try {
      static_cast<void>(io::Checkpoint(checkpoint).rows());
    } catch (const io::FileError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// Kills in turn at random moments of time and before random changes of the file system: while the program starts,
// steps, writes a checkpoint, gives the result its name or cleans up. The run is resumed from one of the checkpoints
// that are there, mostly the newest; when it is done it begins again.
void kill_at_random(int kills, std::uint64_t seed) {
  const TemporaryDirectory directory;
  const auto run_to = [](const std::string& out) {
    return std::vector<std::string>{"run", "box-on-incline", "--end", "0.02", "--quiet", "--out", out};
  };
  const auto any_change = [](const auto& call) { return changes_names(call) || changes_bytes(call); };
  std::vector<std::string> run = run_to("part");
  run.insert(run.end(), {"--checkpoint-every", often});

  ASSERT_EQ(run_program(run_to("whole"), directory.path()).errors, "");
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run_program(run, directory.path()).errors, "");
  const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
  const int changes = run_until_call(run, directory.path(), std::numeric_limits<int>::max(), any_change).calls;
  fs::remove_all(directory / "part");

  math::Random random(seed);
  int resumed = 0;
  for (int done = 0; done < kills; ++done) {
    SCOPED_TRACE("kill " + std::to_string(done));
    const std::vector<fs::path> checkpoints = checkpoints_in(directory.path(), "part");
    std::vector<std::string> arguments = run;
    if (!checkpoints.empty() && !fs::exists(directory / "part")) {
      const double choice = std::max(0.0, random.uniform(-3, 1));  // three times of four the newest
      const auto chosen = static_cast<std::size_t>(choice * static_cast<double>(checkpoints.size()));
      arguments = {"resume", checkpoints[chosen].string(), "--quiet"};
      ++resumed;
    }
    ProgramResult result;
    if (done % 2 == 0) {
      const RunningProgram program(arguments, directory.path());
      std::this_thread::sleep_for(random.uniform(0, 1.1) * duration);
      program.send(SIGKILL);
      result = program.wait();
    } else {
      const int last = 1 + static_cast<int>(random.uniform(0, 1.1) * changes);
      result = run_until_call(arguments, directory.path(), last, any_change).result;
    }
    // It was killed, or it was done before: never did it complain.
    EXPECT_TRUE(result.signal == SIGKILL || result.exit_code == 0) << result.exit_code << result.errors;
    expect_readable_checkpoints(directory.path());
    if (result.signal == SIGKILL) continue;
    expect_same_result(directory / "part", directory / "whole");
    expect_nothing_left(directory.path());
    fs::remove_all(directory / "part");
  }
  EXPECT_GT(resumed,
            0);  // how many were done before the kill depends on the load of the machine; the last one always is
  std::vector<std::string> last = run;
  if (const auto checkpoints = checkpoints_in(directory.path(), "part"); !checkpoints.empty()) {
    last = {"resume", checkpoints.back().string(), "--quiet"};
  }
  const ProgramResult result = run_program(last, directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  expect_same_result(directory / "part", directory / "whole");
  expect_nothing_left(directory.path());
}

TEST(ResumeAfterKill, FiftyAtRandomMoments) { kill_at_random(50, 1); }

TEST(ResumeSlow, ManyKillsAtRandomMoments) {
  for (std::uint64_t seed = 2; seed < 22; ++seed) kill_at_random(100, seed);
}

// Kills a command before each of its changes of the kind `counts`, every time from the same beginning. Afterwards the
// run is resumed, or if there is nothing to resume from, begun anew.
class EveryKill {
 public:
  using Counts = std::function<bool(const __ptrace_syscall_info&)>;

  explicit EveryKill(Counts counts) : counts_(std::move(counts)) {
    fs::create_directory(directory_ / "begin");
    EXPECT_EQ(run_program(run_to("whole"), directory_.path()).exit_code, 0);
  }

  void a_run() { kill_everywhere(checkpointed(run_to("part"))); }

  void a_run_over_a_result() {
    EXPECT_EQ(run_program(checkpointed(run_to("part")), directory_.path()).exit_code, 0);
    fs::rename(directory_ / "part", directory_ / "begin/part");
    kill_everywhere(checkpointed(run_to("part")));
  }

  void a_resumed_run() {
    const fs::path checkpoint = prepare_killed_run();
    kill_everywhere({"resume", checkpoint.string(), "--quiet"});
  }

  void a_run_made_longer() {
    const std::vector<std::string> shorter = {"run", scene_, "--end", "0.002", "--quiet", "--out", "part"};
    EXPECT_EQ(run_program(checkpointed(shorter), directory_.path()).exit_code, 0);
    fs::rename(directory_ / "part", directory_ / "begin/part");
    kill_everywhere({"resume", (directory_ / "part/checkpoint-2.h5").string(), "--quiet", "--end", end_});
  }

 private:
  std::vector<std::string> run_to(const std::string& out) const {
    return {"run", scene_, "--end", end_, "--quiet", "--out", out};
  }

  static std::vector<std::string> checkpointed(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--checkpoint-every", often});
    return arguments;
  }

  // A partial directory, with two checkpoints and a third being written; returns the newest.
  fs::path prepare_killed_run() {
    const auto third_draft = [count = 0](const __ptrace_syscall_info& call) mutable {
      return call.entry.nr == SYS_fsync && ++count == 8;  // log, draft and directory are synced for each
    };
    EXPECT_EQ(run_until_call(checkpointed(run_to("part")), directory_.path(), 1, third_draft).result.signal, SIGKILL);
    const fs::path checkpoint = checkpoints_in(directory_.path(), "part").at(0);
    const fs::path partial = checkpoint.parent_path();
    fs::rename(partial, directory_ / "begin" / partial.filename().string());
    return checkpoint;
  }

  void kill_everywhere(const std::vector<std::string>& command) {
    bool killed = true;
    for (int call = 1; killed; ++call) {
      SCOPED_TRACE("killed before change " + std::to_string(call));
      begin_again();
      const bool had_result = fs::exists(directory_ / "part");
      const ProgramResult result = run_until_call(command, directory_.path(), call, counts_).result;
      killed = result.signal == SIGKILL;
      EXPECT_TRUE(killed || result.exit_code == 0) << result.errors;
      expect_readable_checkpoints(directory_.path());
      EXPECT_TRUE(killed || call > 15) << "the calls of the program are not seen";
      go_on(had_result);
    }
  }

  void begin_again() {
    for (const auto& entry : fs::directory_iterator(directory_.path())) {
      if (entry.path().filename().string().starts_with("part")) fs::remove_all(entry);
    }
    fs::copy(directory_ / "begin", directory_.path(), fs::copy_options::recursive);
  }

  void go_on(bool had_result) {
    std::vector<std::string> command = run_to("part");
    if (const auto checkpoints = checkpoints_in(directory_.path(), "part"); !checkpoints.empty()) {
      command = {"resume", checkpoints.front().string(), "--quiet", "--checkpoint-every", "100", "--end", end_};
    } else {
      EXPECT_FALSE(had_result) << "the result that was there had checkpoints";
    }
    const ProgramResult result = run_program(command, directory_.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    expect_same_rows(directory_ / "part", directory_ / "whole");
    expect_nothing_left(directory_.path());
  }

  const std::string scene_ = "box-on-incline", end_ = "0.003";
  TemporaryDirectory directory_;
  Counts counts_;
};

TEST(ResumeAfterKill, ARunAtEveryChangeOfNames) { EveryKill(changes_names).a_run(); }
TEST(ResumeAfterKill, ARunOverAResultAtEveryChangeOfNames) { EveryKill(changes_names).a_run_over_a_result(); }
TEST(ResumeAfterKill, AResumedRunAtEveryChangeOfNames) { EveryKill(changes_names).a_resumed_run(); }
TEST(ResumeAfterKill, ARunMadeLongerAtEveryChangeOfNames) { EveryKill(changes_names).a_run_made_longer(); }

TEST(ResumeSlow, KilledAtEveryChange) {
  const auto any_change = [](const auto& call) { return changes_names(call) || changes_bytes(call); };
  EveryKill(any_change).a_run();
  EveryKill(any_change).a_run_over_a_result();
  EveryKill(any_change).a_resumed_run();
  EveryKill(any_change).a_run_made_longer();
}

}  // namespace
}  // namespace ricochet::test
