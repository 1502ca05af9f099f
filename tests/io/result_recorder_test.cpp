// io/result_recorder: rows at the right steps, sums over the steps of a row, and files that agree with each other.
#include "ricochet/io/result_recorder.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <limits>

#include "io/output_test_support.hpp"
#include "ricochet/io/result_directory.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::io {
namespace {

using test::csv_cells;
using test::floor_contact;
using test::HandMadeRun;
using test::TemporaryDirectory;

const simulation::RunResult recorder_completed = {simulation::Outcome::completed, 1, 8, ""};

// Body 1 is struck in every step, body 0 in every other one.
std::vector<integrate::ContactRecord> contacts_of_step(long step) {
  std::vector<integrate::ContactRecord> contacts;
  const double size = 0.1 * static_cast<double>(step);
  if (step % 2 == 0) contacts.push_back(floor_contact(0, Vector3(size, 0, 0)));
  contacts.push_back(floor_contact(1, Vector3(2 * size, size, -size), -size, -3 * size));
  return contacts;
}

void record_steps(ResultRecorder& recorder, HandMadeRun& run, long steps) {
  recorder.begin(run.frame());
  for (long step = 1; step <= steps; ++step) {
    run.advance(contacts_of_step(step));
    run.ledger.kinetic = static_cast<double>(step);
    recorder.step(run.frame());
  }
}

TEST(ResultRecorder, WritesEveryStep) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case();
  HandMadeRun run(run_case);
  ResultRecorder recorder(folder.path(), run_case);
  record_steps(recorder, run, 8);
  recorder.end(run.frame(), recorder_completed);
  EXPECT_EQ(recorder.rows(), 9);

  const auto history = csv_cells(folder / "history.csv");
  ASSERT_EQ(history.size(), 10u);
  EXPECT_EQ(history[0], (std::vector<std::string>{"time", "x", "pushed", "iterations", "infinite"}));
  EXPECT_EQ(history[1], (std::vector<std::string>{"0", "1", "0", "0", "inf"}));
  EXPECT_EQ(history[3], (std::vector<std::string>{"0.25", "3", "0.6000000000000001", "2", "inf"}));

  const auto contacts = csv_cells(folder / "contacts.csv");
  ASSERT_EQ(contacts.size(), 1u + 8 + 4);
  EXPECT_EQ(contacts[1][1], "ground:alpha.point|floor.plane");
  // Sorted by name, though zeta is the first body.
  EXPECT_EQ(contacts[2][0], "0.25");
  EXPECT_EQ(contacts[2][1], "ground:alpha.point|floor.plane");
  EXPECT_EQ(contacts[3][0], "0.25");
  EXPECT_EQ(contacts[3][1], "ground:zeta.sphere|floor.plane");
}

TEST(ResultRecorder, ContactsOfTheFileAgreeWithTheTable) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case();
  HandMadeRun run(run_case);
  ResultRecorder recorder(folder.path(), run_case);
  record_steps(recorder, run, 8);
  recorder.end(run.frame(), recorder_completed);

  const auto table = csv_cells(folder / "contacts.csv");
  const Hdf5File file = Hdf5File::open(folder / "result.h5");
  const auto start = file.read_integers("/contacts/row_start");
  const auto names = file.read_texts("/contacts/names");
  const auto bodies = file.read_texts("/bodies/names");
  const auto identity = file.read_integers("/contacts/identity");
  const auto body_a = file.read_integers("/contacts/body_a");
  const auto body_b = file.read_integers("/contacts/body_b");
  const auto status = file.read_integers("/contacts/status");
  const auto time = file.read_doubles("/time");
  const auto gap = file.read_doubles("/contacts/gap");
  const auto impulse = file.read_doubles("/contacts/impulse");
  const auto point = file.read_doubles("/contacts/point");
  const auto work = file.read_doubles("/contacts/work");
  ASSERT_EQ(start.size(), time.size() + 1);
  EXPECT_EQ(start.front(), 0);
  EXPECT_EQ(start[1], 0);  // no impulses at t = 0
  EXPECT_EQ(start.back(), static_cast<std::int64_t>(identity.size()));
  ASSERT_EQ(table.size(), identity.size() + 1);
  for (const char* name : {"normal", "tangent1", "velocity"}) {
    EXPECT_EQ(file.shape(std::string("/contacts/") + name), (Hdf5File::Shape{start.back(), 3}));
  }
  for (std::size_t row = 0; row < time.size(); ++row) {
    for (auto m = static_cast<std::size_t>(start[row]); m < static_cast<std::size_t>(start[row + 1]); ++m) {
      const std::vector<std::string>& cells = table[m + 1];
      EXPECT_EQ(std::stod(cells[0]), time[row]);
      EXPECT_EQ(cells[1], names[identity[m]]);
      EXPECT_EQ(cells[2], bodies[body_a[m]]);
      EXPECT_EQ(body_b[m], 2);  // the floor counts after the bodies
      EXPECT_EQ(std::stod(cells[6]), point[3 * m + 2]);
      EXPECT_EQ(std::stod(cells[13]), gap[m]);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(std::stod(cells[17 + i]), impulse[3 * m + i]);
      EXPECT_EQ(cells[23], status[m] == 1 ? "stick" : "slip");
      EXPECT_EQ(std::stod(cells[24]), work[3 * m]);
      EXPECT_EQ(std::stod(cells[25]), work[3 * m + 1]);
    }
  }
}

TEST(ResultRecorder, RowsOfThreeStepsSumTheirImpulses) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case(3);
  HandMadeRun run(run_case);
  ResultRecorder recorder(folder.path(), run_case);
  record_steps(recorder, run, 8);
  recorder.end(run.frame(), recorder_completed);

  // Rows at the steps 0, 3, 6 and, because it is the last, 8.
  const Hdf5File file = Hdf5File::open(folder / "result.h5");
  EXPECT_EQ(file.read_doubles("/time"), (std::vector<double>{0, 0.375, 0.75, 1}));
  EXPECT_EQ(file.read_integers("/solver/iterations"), (std::vector<std::int64_t>{0, 3, 6, 8}));
  EXPECT_EQ(file.read_integers("/contacts/row_start"), (std::vector<std::int64_t>{0, 0, 2, 4, 6}));
  const auto table = csv_cells(folder / "contacts.csv");
  const auto sum = [](std::initializer_list<long> steps, double factor) {
    double result = 0;
    for (const long step : steps) result += factor * (0.1 * static_cast<double>(step));
    return result;
  };
  EXPECT_EQ(std::stod(table[1][17]), sum({1, 2, 3}, 2));
  EXPECT_EQ(std::stod(table[1][18]), sum({1, 2, 3}, 1));
  EXPECT_EQ(std::stod(table[1][24]), sum({1, 2, 3}, -1));
  EXPECT_EQ(std::stod(table[1][25]), sum({1, 2, 3}, -3));
  EXPECT_EQ(std::stod(table[2][17]), sum({2}, 1));
  EXPECT_EQ(std::stod(table[4][17]), sum({4, 6}, 1));
  EXPECT_EQ(std::stod(table[5][17]), sum({7, 8}, 2));
  // A probe of the impulse sees the sum too.
  const auto history = csv_cells(folder / "history.csv");
  ASSERT_EQ(history.size(), 5u);
  EXPECT_EQ(history[1][2], "0");
  EXPECT_EQ(std::stod(history[2][2]), sum({2}, 1) + sum({1, 2, 3}, 2));
}

TEST(ResultRecorder, AnInterruptedRunEndsWithARow) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case(3);
  HandMadeRun run(run_case);
  ResultRecorder recorder(folder.path(), run_case);
  record_steps(recorder, run, 5);
  recorder.end(run.frame(), {simulation::Outcome::interrupted, 0.625, 5, ""});
  const Hdf5File file = Hdf5File::open(folder / "result.h5");
  EXPECT_EQ(file.read_doubles("/time"), (std::vector<double>{0, 0.375, 0.625}));
  EXPECT_EQ(file.read_integers("/contacts/row_start"), (std::vector<std::int64_t>{0, 0, 2, 4}));
}

// After a failed step the frame shows the report of the failure: it belongs to no row.
TEST(ResultRecorder, AFailedStepIsNotARow) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case(3);
  HandMadeRun run(run_case);
  ResultRecorder recorder(folder.path(), run_case);
  record_steps(recorder, run, 4);
  run.report.contacts = {floor_contact(0, Vector3(1e9, 0, 0))};
  run.report.solver.iterations = 10'000;
  recorder.end(run.frame(), {simulation::Outcome::failed, 0.5, 4, "it did not converge"});
  const Hdf5File file = Hdf5File::open(folder / "result.h5");
  EXPECT_EQ(file.read_doubles("/time"), (std::vector<double>{0, 0.375, 0.5}));
  EXPECT_EQ(file.read_integers("/solver/iterations"), (std::vector<std::int64_t>{0, 3, 4}));
  EXPECT_EQ(csv_cells(folder / "history.csv")[3][3], "4");
  for (const double component : file.read_doubles("/contacts/impulse")) EXPECT_LT(component, 10);
}

TEST(ResultRecorder, SummarizesTheVisibleProbes) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case(2);
  HandMadeRun run(run_case);
  ResultRecorder recorder(folder.path(), run_case);
  record_steps(recorder, run, 8);
  recorder.end(run.frame(), recorder_completed);
  const std::vector<ProbeSummary>& probes = recorder.probe_summaries();
  ASSERT_EQ(probes.size(), 4u);
  EXPECT_EQ(probes[0].name, "x");
  EXPECT_EQ(probes[0].first, 1);
  EXPECT_EQ(probes[0].last, 9);
  EXPECT_EQ(probes[0].min, 1);
  EXPECT_EQ(probes[0].max, 9);
  EXPECT_EQ(probes[1].name, "pushed");
  EXPECT_EQ(probes[1].first, 0);
  EXPECT_EQ(probes[3].max, std::numeric_limits<double>::infinity());
}

TEST(ResultRecorder, AnEmptyWorld) {
  const TemporaryDirectory folder;
  study::Case run_case;
  HandMadeRun run(run_case);
  ResultRecorder recorder(folder.path(), run_case);
  recorder.begin(run.frame());
  run.advance({});
  recorder.end(run.frame(), recorder_completed);
  const Hdf5File file = Hdf5File::open(folder / "result.h5");
  EXPECT_EQ(file.shape("/bodies/position"), (Hdf5File::Shape{2, 0, 3}));
  EXPECT_EQ(file.shape("/probes/values"), (Hdf5File::Shape{2, 0}));
  EXPECT_EQ(test::file_text(folder / "history.csv"), "time\n0\n0\n");
}

// All together, with a real simulation: what `ricochet run` does, stopped by Ctrl-C after five of eight steps.
TEST(ResultRecorder, AnInterruptedRunLeavesAnIncompleteResult) {
  const TemporaryDirectory folder;
  study::Case run_case = test::floor_case(2);
  run_case.model.nodes[0].velocity = Vector3::Zero();
  run_case.model.nodes[0].angular_velocity = Vector3::Zero();
  ResultDirectory directory(folder / "out");
  ResultRecorder recorder(directory.partial(), run_case);
  const std::array<simulation::Recorder*, 1> recorders = {&recorder};
  const study::CaseResult result =
      study::run_case(run_case, recorders, [](const simulation::Frame& frame) { return frame.step_index < 5; });
  write_summary(directory.file("summary.json"),
                {run_case, result.run, result.statistics, result.ledger, result.state_hash, result.wall_seconds,
                 recorder.probe_summaries(), result.facts});
  directory.finish();

  EXPECT_EQ(result.run.outcome, simulation::Outcome::interrupted);
  EXPECT_NE(test::file_text(folder / "out/summary.json").find("\"complete\": false"), std::string::npos);
  EXPECT_EQ(Hdf5File::open(folder / "out/result.h5").read_doubles("/time"), (std::vector<double>{0, 0.25, 0.5, 0.625}));
  EXPECT_EQ(csv_cells(folder / "out/history.csv").size(), 5u);
  // The point rests on the floor from the beginning: m g h per step, summed over the steps of each row.
  const auto contacts = csv_cells(folder / "out/contacts.csv");
  ASSERT_EQ(contacts.size(), 4u);
  EXPECT_NEAR(std::stod(contacts[1][17]), 2 * 3 * 10 * 0.125, 1e-9);
  EXPECT_NEAR(std::stod(contacts[3][17]), 1 * 3 * 10 * 0.125, 1e-9);
}

// Memory in use on the heap, in bytes. (Resident memory would count what a sanitizer keeps in quarantine.)
std::size_t heap_bytes() {
  const auto heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

TEST(ResultRecorder, MemoryDoesNotGrowWithTheRun) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case();
  HandMadeRun run(run_case);
  run.step_count = 1'000'000;
  ResultRecorder recorder(folder.path(), run_case);
  recorder.begin(run.frame());
  const auto many_steps = [&](long steps) {
    for (long i = 0; i < steps; ++i) {
      run.advance({floor_contact(0, Vector3(1, 0, 0)), floor_contact(1, Vector3(2, 0, 0))});
      recorder.step(run.frame());
    }
    recorder.flush();  // chunks may wait for the compressor, up to a bound of their own
    return heap_bytes();
  };
  const std::size_t before = many_steps(10'000);
  const std::size_t after = many_steps(40'000);
  EXPECT_LT(after, before + 500'000);  // forty series of 40 000 rows have some 20 MB
  recorder.end(run.frame(), recorder_completed);
  EXPECT_EQ(recorder.rows(), 50'001);
}

}  // namespace
}  // namespace ricochet::io
