// io/checkpoint: a run that goes on from a checkpoint writes the files of a run that was never stopped.
#include "ricochet/io/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "io/output_test_support.hpp"
#include "ricochet/io/file_error.hpp"
#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/version.hpp"
#include "ricochet/math/hash.hpp"

namespace ricochet::io {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

const std::string checkpoint_scene =
    "ricochet: 1\nplanar: true\ngravity: [0, -9.81, 0]\ntime: {end: 0.2, step: 1e-3}\noutput: {every: 3}\n"
    "bodies:\n  box: {shape: {type: box, size: [0.2, 0.1]}, mass: 1, position: [0, 0.0501, 0], velocity: [1, 0, 0]}\n"
    "  ball: {shape: {type: sphere, radius: 0.1}, mass: 1, position: [1, 0.13, 0]}\n"
    "surfaces: {ground: {type: plane, normal: [0, 1, 0]}}\n"
    "springs: {s: {start: box, end: ball, stiffness: 30}}\n"
    "contacts: {c: {between: [[box, ball], ground], friction: 0.3, restitution: 0.5}}\n"
    "probes: {x: box.position.x, p: contact.c.impulse.normal, n: solver.iterations}\n"
    "expect:\n"
    "  - {fact: mean, probe: box.velocity.x, take: mean, value: 1, tolerance: {absolute: 10}, source: derived}\n"
    "  - {fact: late, probe: x, take: min, over: [0.9*end, end], value: 1, tolerance: {absolute: 10}, source: "
    "derived}\n"
    "  - {fact: bounce, event: {probe: ball.velocity.y, crosses: 0, direction: rising}, value: 0.1,\n"
    "     tolerance: {absolute: 1}, source: derived}\n";

CheckpointInfo info_of(const study::Case& run_case, const fs::path& directory) {
  CheckpointInfo info;
  info.scene_path = (directory / "no-such-scene.yaml").string();
  info.scene_text = run_case.source_text;
  info.overrides = run_case.overrides;
  info.target = directory.string();
  info.every = 1e9;
  return info;
}

// Runs the scene in `directory`, with a checkpoint after each of the steps, and stops after `last`.
study::CaseResult run_with_checkpoints(const study::Case& run_case, const fs::path& directory,
                                       const std::vector<long>& steps, long last = 1'000'000) {
  ResultRecorder recorder(directory, run_case, true);
  study::Run run(run_case);
  CheckpointWriter writer(directory, info_of(run_case, directory));
  simulation::Recorder* const recorders[] = {&recorder};
  return run.go(recorders, [&](const simulation::Frame& frame) {
    if (std::find(steps.begin(), steps.end(), frame.step_index) != steps.end()) writer.write(run, recorder);
    return frame.step_index < last;
  });
}

study::CaseResult resume(const study::Case& run_case, const fs::path& checkpoint_path, const fs::path& directory,
                         const study::Case* changed = nullptr) {
  const Checkpoint checkpoint(checkpoint_path);
  study::Run run(run_case);
  checkpoint.restore(run);
  if (changed != nullptr) run.change_end(*changed);
  RowLogReader rows = checkpoint.rows();
  ResultRecorder recorder(directory, run_case, true);
  recorder.replay(rows, run.simulation().frame());
  checkpoint.restore(recorder);
  simulation::Recorder* const recorders[] = {&recorder};
  return run.go(recorders);
}

void expect_same_facts(const study::CaseResult& a, const study::CaseResult& b) {
  ASSERT_EQ(a.facts.size(), b.facts.size());
  for (std::size_t i = 0; i < a.facts.size(); ++i) {
    EXPECT_EQ(a.facts[i].found, b.facts[i].found) << a.facts[i].fact;
    EXPECT_EQ(a.facts[i].detail, b.facts[i].detail);
  }
}

void expect_same_files(const fs::path& a, const fs::path& b) {
  for (const char* name : {"history.csv", "contacts.csv"}) {
    EXPECT_TRUE(test::file_text(a / name) == test::file_text(b / name)) << name;
  }
  const Hdf5File first = Hdf5File::open(a / "result.h5"), second = Hdf5File::open(b / "result.h5");
  for (const char* name : {"/time", "/bodies/position", "/bodies/velocity", "/contacts/impulse", "/contacts/identity",
                           "/contacts/row_start", "/energy/closing_error", "/solver/residual", "/probes/values"}) {
    EXPECT_EQ(first.read_doubles(name), second.read_doubles(name)) << name;
  }
  EXPECT_EQ(first.read_texts("/contacts/names"), second.read_texts("/contacts/names"));
}

class CheckpointTest : public ::testing::Test {
 protected:
  CheckpointTest() {
    for (const char* name : {"whole", "part", "rest"}) fs::create_directory(folder_ / name);
  }
  TemporaryDirectory folder_;
  const study::Case run_case_ = read_scene_text(checkpoint_scene, "scene.yaml").run_case;
};

TEST_F(CheckpointTest, FromAnyStepToTheSameEnd) {
  const study::CaseResult whole = run_with_checkpoints(run_case_, folder_ / "whole", {});
  for (const long step : {1L, 2L, 3L, 100L, 101L, 199L, 200L}) {
    run_with_checkpoints(run_case_, folder_ / "part", {step}, step + 7);  // seven more steps that do not count
    const study::CaseResult rest =
        resume(run_case_, folder_ / ("part/checkpoint-" + std::to_string(step) + ".h5"), folder_ / "rest");
    EXPECT_EQ(rest.state_hash, whole.state_hash) << step;
    EXPECT_EQ(rest.statistics.iterations_sum, whole.statistics.iterations_sum);
    EXPECT_EQ(rest.statistics.max_penetration, whole.statistics.max_penetration);
    EXPECT_EQ(rest.run.steps, 200);
    expect_same_facts(rest, whole);
    expect_same_files(folder_ / "rest", folder_ / "whole");
  }
}

TEST_F(CheckpointTest, TheLastTwoAreKept) {
  run_with_checkpoints(run_case_, folder_ / "part", {5, 10, 15, 20});
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_ / "part")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("checkpoint")) names.push_back(name);
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("checkpoint-15.h5", "checkpoint-20.h5"));
}

// A run to 0.2 that is resumed to 0.3 is a run to 0.3, but for facts whose time has passed.
TEST_F(CheckpointTest, ToAnotherEnd) {
  const study::Case longer = read_scene_text(checkpoint_scene, "scene.yaml", {"time.end=0.3"}).run_case;
  const study::CaseResult whole = run_with_checkpoints(longer, folder_ / "whole", {});
  for (const long step : {100L, 190L, 200L}) {
    run_with_checkpoints(run_case_, folder_ / "part", {step});
    const fs::path checkpoint = folder_ / ("part/checkpoint-" + std::to_string(step) + ".h5");
    const study::CaseResult rest = resume(run_case_, checkpoint, folder_ / "rest", &longer);
    EXPECT_EQ(rest.state_hash, whole.state_hash);
    expect_same_files(folder_ / "rest", folder_ / "whole");
    EXPECT_EQ(rest.facts[0].found, whole.facts[0].found);
    EXPECT_EQ(rest.facts[2].found, whole.facts[2].found);
    if (step == 100) {
      EXPECT_EQ(rest.facts[1].found, whole.facts[1].found);
    } else {
      EXPECT_EQ(rest.facts[1].status, study::FactResult::Status::not_applicable);
      EXPECT_THAT(rest.facts[1].detail, testing::HasSubstr("depend on the end of the run"));
    }
  }
  study::Run run(run_case_);
  Checkpoint(folder_ / "part/checkpoint-200.h5").restore(run);
  EXPECT_THROW(run.change_end(read_scene_text(checkpoint_scene, "scene.yaml", {"time.end=0.1"}).run_case),
               std::invalid_argument);
}

TEST_F(CheckpointTest, TellsWhereItComesFrom) {
  run_with_checkpoints(run_case_, folder_ / "part", {5});
  const Checkpoint checkpoint(folder_ / "part/checkpoint-5.h5");
  EXPECT_EQ(checkpoint.info().scene_text, checkpoint_scene);
  EXPECT_EQ(checkpoint.info().every, 1e9);
  EXPECT_NO_THROW(checkpoint.check_scene()) << "the scene is gone";
  test::put_file(folder_ / "part/no-such-scene.yaml", checkpoint_scene);
  EXPECT_NO_THROW(checkpoint.check_scene());
  test::put_file(folder_ / "part/no-such-scene.yaml", checkpoint_scene + "# changed\n");
  EXPECT_THROW(checkpoint.check_scene(), FileError);
  // It is an ordinary HDF5 file for those who want to look.
  const Hdf5File file = Hdf5File::open(folder_ / "part/checkpoint-5.h5");
  EXPECT_EQ(file.read_integer_attribute("/", "step"), 5);
  EXPECT_EQ(file.read_text_attribute("/", "version"), version());
  EXPECT_EQ(file.read_text("/scene"), checkpoint_scene);
}

TEST_F(CheckpointTest, Names) {
  EXPECT_TRUE(is_checkpoint_name("checkpoint-12.h5"));
  for (const char* other : {"checkpoint-.h5", "checkpoint-1a.h5", "checkpoint-1.h5.tmp", "result.h5", "checkpoint-",
                            ".h5", "checkpoint-h5"}) {
    EXPECT_FALSE(is_checkpoint_name(other)) << other;
  }
  EXPECT_TRUE(is_checkpoint_draft_name("checkpoint-1.h5.tmp"));
  EXPECT_FALSE(is_checkpoint_draft_name("checkpoint-1.h5"));
}

using CheckpointBadInput = CheckpointTest;

TEST_F(CheckpointBadInput, EveryKindOfDamageIsNoticed) {
  run_with_checkpoints(run_case_, folder_ / "part", {5});
  const std::string bytes = test::file_text(folder_ / "part/checkpoint-5.h5");
  const fs::path damaged = folder_ / "part/checkpoint-6.h5";
  for (std::size_t i = 0; i < bytes.size(); i += i < bytes.size() - 300 ? 97 : 1) {
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ (1 << (i % 8)));
    test::put_file(damaged, other);
    EXPECT_THROW(Checkpoint{damaged}, FileError) << i;
    test::put_file(damaged, bytes.substr(0, i));
    EXPECT_THROW(Checkpoint{damaged}, FileError) << i;
  }
  EXPECT_THROW(Checkpoint{folder_ / "none.h5"}, FileError);
  EXPECT_THROW(Checkpoint{folder_.path()}, FileError);
  EXPECT_THROW(Checkpoint{folder_ / "part/result.h5"}, FileError);
}

TEST_F(CheckpointBadInput, OfAnotherVersion) {
  run_with_checkpoints(run_case_, folder_ / "part", {5});
  std::string bytes = test::file_text(folder_ / "part/checkpoint-5.h5");
  bytes.resize(bytes.size() - 16);
  const std::size_t at = bytes.find(version());
  ASSERT_NE(at, std::string::npos);
  ++bytes[at];
  math::ByteHash hash;
  hash.add(bytes.data(), bytes.size());
  const std::uint64_t checksum = hash.value();
  bytes.append("RICOCHET").append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  test::put_file(folder_ / "part/checkpoint-6.h5", bytes);
  try {
    const Checkpoint checkpoint(folder_ / "part/checkpoint-6.h5");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("was written by ricochet 1."));
  }
}

TEST_F(CheckpointBadInput, WithoutItsRows) {
  run_with_checkpoints(run_case_, folder_ / "part", {5});
  fs::remove(folder_ / "part/rows.log");
  EXPECT_THROW(Checkpoint(folder_ / "part/checkpoint-5.h5").rows(), FileError);
}

}  // namespace
}  // namespace ricochet::io
