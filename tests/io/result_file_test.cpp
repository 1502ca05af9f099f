// io/result_file: the layout of result.h5. That its contacts are right is tested with the recorder.
#include "ricochet/io/result_file.hpp"

#include <gtest/gtest.h>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

using test::HandMadeRun;
using test::TemporaryDirectory;

TEST(ResultFile, HasTheLayoutOfTheContract) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case();
  HandMadeRun run(run_case);
  run.state.q.segment<4>(3) << 0.5, 0.5, -0.5, 0.5;
  const std::vector<std::string> probes = {"x", "pushed", "iterations", "infinite"};
  {
    ResultFile written(folder / "result.h5", run_case, probes);
    written.write_row(run.frame(), {}, std::vector<double>(4));
    for (int step = 1; step <= 8; ++step) {
      run.advance({});
      run.ledger.kinetic = step;
      written.write_row(run.frame(), {}, std::vector<double>(4, step));
    }
    written.close();
  }

  const Hdf5File file = Hdf5File::open(folder / "result.h5");
  EXPECT_EQ(file.read_integer("/format"), 1);
  EXPECT_EQ(file.read_text_attribute("/", "program"), "ricochet");
  EXPECT_EQ(file.read_text("/scene"), run_case.source_text);
  EXPECT_EQ(file.read_texts("/overrides"), run_case.overrides);
  EXPECT_EQ(file.read_doubles("/time"), (std::vector<double>{0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1}));

  EXPECT_EQ(file.read_texts("/bodies/names"), (std::vector<std::string>{"zeta", "alpha"}));
  EXPECT_EQ(file.read_texts("/bodies/shape"), (std::vector<std::string>{"sphere", "point"}));
  EXPECT_EQ(file.read_doubles("/bodies/size"), (std::vector<double>{0.25, 0, 0, 0, 0, 0}));
  EXPECT_EQ(file.shape("/bodies/position"), (Hdf5File::Shape{9, 2, 3}));
  EXPECT_EQ(file.shape("/bodies/quaternion"), (Hdf5File::Shape{9, 2, 4}));
  EXPECT_EQ(file.shape("/bodies/velocity"), (Hdf5File::Shape{9, 2, 6}));
  const std::vector<double> position = file.read_doubles("/bodies/position");
  EXPECT_EQ(std::vector<double>(position.begin() + 6, position.begin() + 12), (std::vector<double>{2, 2, 3, -1, 0, 0}));
  const std::vector<double> quaternion = file.read_doubles("/bodies/quaternion");
  EXPECT_EQ(std::vector<double>(quaternion.begin(), quaternion.begin() + 8),
            (std::vector<double>{0.5, 0.5, -0.5, 0.5, 1, 0, 0, 0}));
  const std::vector<double> velocity = file.read_doubles("/bodies/velocity");
  EXPECT_EQ(std::vector<double>(velocity.begin(), velocity.begin() + 12),
            (std::vector<double>{4, 5, 6, 7, 8, 9, 0.5, 0, 0, 0, 0, 0}));
  EXPECT_EQ(file.read_texts("/nodes/names"), (std::vector<std::string>{"zeta", "alpha"}));
  EXPECT_EQ(file.read_texts("/nodes/kinds"), (std::vector<std::string>{"frame", "point"}));
  EXPECT_EQ(file.read_texts("/surfaces/names"), (std::vector<std::string>{"floor"}));

  EXPECT_EQ(file.list("/energy").size(), simulation::ledger_entries.size());
  for (const std::string& name : file.list("/energy")) EXPECT_EQ(file.shape("/energy/" + name), Hdf5File::Shape{9});
  EXPECT_EQ(file.read_doubles("/energy/kinetic").back(), 8.0);
  EXPECT_EQ(file.read_doubles("/energy/total").back(), 8.0);
  EXPECT_EQ(file.read_integers("/solver/iterations"), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(file.shape("/solver/residual"), Hdf5File::Shape{9});
  EXPECT_EQ(file.read_texts("/probes/names"), probes);
  EXPECT_EQ(file.shape("/probes/values"), (Hdf5File::Shape{9, 4}));
  EXPECT_EQ(file.read_doubles("/probes/values").back(), 8.0);
  EXPECT_EQ(file.read_integers("/contacts/row_start"), std::vector<std::int64_t>(10, 0));
}

TEST(ResultFile, Contacts) {
  const TemporaryDirectory folder;
  const study::Case run_case = test::floor_case();
  HandMadeRun run(run_case);
  const integrate::ContactRecord first = test::floor_contact(1, Vector3(0.5, 0.25, 0), -1, -2);
  const integrate::ContactRecord second = test::floor_contact(0, Vector3(4, 5, 6), -3, -4);
  ResultFile written(folder / "result.h5", run_case, {});
  written.add_identity("first");
  written.add_identity("second");
  written.write_row(run.frame(), {}, {});
  run.advance({});
  written.write_row(run.frame(), std::vector<RowContact>{{&first, 0}, {&second, 1}}, {});
  run.advance({});
  written.write_row(run.frame(), std::vector<RowContact>{{&second, 1}}, {});
  written.close();

  const Hdf5File file = Hdf5File::open(folder / "result.h5");
  EXPECT_EQ(file.read_integers("/contacts/row_start"), (std::vector<std::int64_t>{0, 0, 2, 3}));
  EXPECT_EQ(file.read_texts("/contacts/names"), (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(file.read_integers("/contacts/identity"), (std::vector<std::int64_t>{0, 1, 1}));
  EXPECT_EQ(file.read_integers("/contacts/body_a"), (std::vector<std::int64_t>{1, 0, 0}));
  EXPECT_EQ(file.read_integers("/contacts/body_b"), (std::vector<std::int64_t>{2, 2, 2}));
  EXPECT_EQ(file.read_integers("/contacts/status"), (std::vector<std::int64_t>{2, 1, 1}));
  EXPECT_EQ(file.read_doubles("/contacts/impulse"), (std::vector<double>{0.5, 0.25, 0, 4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(file.read_doubles("/contacts/work"), (std::vector<double>{-1, -2, 0, -3, -4, 0, -3, -4, 0}));
  EXPECT_EQ(file.read_doubles("/contacts/normal"), (std::vector<double>{0, 1, 0, 0, 1, 0, 0, 1, 0}));
}

}  // namespace
}  // namespace ricochet::io
