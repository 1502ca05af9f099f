// io/report_replay: frames show what the rows have, impulses survive thinning, and the text keeps its
// limit.
#include "ricochet/io/report_replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "io/drawn_model.hpp"
#include "io/vtk_reader.hpp"
#include "ricochet/io/result_file.hpp"

namespace ricochet::io {
namespace {

using ReplayJson = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Value>
std::vector<Value> from_base64(const std::string& text) {
  const std::string bytes = test::bytes_of_base64(text);
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
  return values;
}

// Rows in which the hammer moves one metre per row along x; `contacts` in every row, the impulse of the first is 1 N s.
void write_rows(const std::filesystem::path& path, int rows, int contacts) {
  const study::Case run_case = test::drawn_case();
  test::HandMadeRun run(run_case);
  ResultFile file(path, run_case, {});
  std::vector<integrate::ContactRecord> records;
  for (int i = 0; i < contacts; ++i) {
    records.push_back(test::floor_contact(0, Vector3(1.0 + i, 0, 0)));
    file.add_identity("contact-" + std::to_string(i));
  }
  for (int row = 0; row < rows; ++row) {
    std::vector<RowContact> list;
    for (int i = 0; i < contacts && row > 0; ++i) list.push_back({&records[i], i});
    file.write_row(run.frame(), list, {});
    run.advance({});
  }
  file.close();
}

std::string replay_text(const std::filesystem::path& path, std::size_t limit) {
  ReportJson json;
  report_replay(json, ResultReader(path), limit);
  return json.take();
}

TEST(ReportReplay, ShowsTheRows) {
  const test::TemporaryDirectory folder;
  write_rows(folder / "result.h5", 5, 2);
  const ReplayJson replay = ReplayJson::parse(replay_text(folder / "result.h5", 1'000'000));
  EXPECT_EQ(replay["planar"], false);
  EXPECT_EQ(replay["up"], ReplayJson::parse("[0, 0, 1]"));
  EXPECT_EQ(replay["rows"], 5);
  EXPECT_EQ(replay["time"], ReplayJson::parse("[0, 0.125, 0.25, 0.375, 0.5]"));
  EXPECT_TRUE(replay["notices"].empty());
  EXPECT_EQ(replay["bodies"]["names"], ReplayJson::parse(R"(["hammer", "bob", "twin"])"));
  EXPECT_EQ(replay["bodies"]["disappears"], ReplayJson::parse("[null, 0.75, null]"));

  const double unit = replay["unit"];
  const std::vector<float> position = from_base64<float>(replay["position"]);
  ASSERT_EQ(position.size(), 5u * 3 * 3);
  const auto metres = [&](float value, int axis) { return value * unit + replay["center"][axis].get<double>(); };
  EXPECT_NEAR(metres(position[0], 0), 1.5, 1e-6);
  EXPECT_NEAR(metres(position[36], 0), 5.5, 1e-6);
  EXPECT_NEAR(metres(position[37], 1), 2, 1e-6);
  EXPECT_THAT(from_base64<std::int16_t>(replay["quaternion"]),
              ::testing::Contains(32767).Times(15));  // nothing turns
  const std::vector<float> driven = from_base64<float>(replay["driven"]);
  ASSERT_EQ(driven.size(), 5u * 6);
  EXPECT_NEAR(metres(driven[26], 2), -1, 1e-6);  // lifted for half a second
  EXPECT_EQ(driven[29], 1.0f);

  const ReplayJson& parts = replay["parts"];
  EXPECT_THAT(from_base64<std::int32_t>(parts["body"]), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(from_base64<std::uint8_t>(parts["shape"]), ElementsAre(0, 1, 2, 1));
  EXPECT_EQ(parts["shapes"], ReplayJson::parse(R"(["box", "polyhedron", "sphere"])"));
  EXPECT_NEAR(from_base64<float>(parts["size"])[0] * unit, 0.5, 1e-6);
  EXPECT_EQ(replay["meshes"].size(), 2u);
  EXPECT_NEAR(from_base64<float>(replay["meshes"][0]["vertices"])[3] * unit, 1, 1e-6);      // of a body: a length
  EXPECT_NEAR(metres(from_base64<float>(replay["meshes"][1]["vertices"])[3], 0), 4, 1e-6);  // in the world: a place
  EXPECT_EQ(replay["surfaces"][2]["driven"], 0);
  EXPECT_EQ(replay["springs"][0]["start"]["body"], -1);
  EXPECT_EQ(replay["joints"][0]["type"], "revolute");

  const ReplayJson& contacts = replay["contacts"];
  EXPECT_THAT(from_base64<std::uint32_t>(contacts["start"]), ElementsAre(0, 0, 2, 4, 6, 8));
  EXPECT_EQ(contacts["largest"], 2.0);
  const std::vector<float> impulse = from_base64<float>(contacts["impulse"]);
  EXPECT_EQ((std::vector<float>(impulse.begin(), impulse.begin() + 6)), (std::vector<float>{0, 2, 0, 0, 1, 0}));
  EXPECT_EQ(from_base64<std::int8_t>(contacts["direction"])[1], 127);
  EXPECT_EQ(from_base64<std::int8_t>(contacts["direction"])[3], 1);  // sticks
}

TEST(ReportReplay, KeepsItsLimitAndSaysWhatIsLeftOut) {
  const test::TemporaryDirectory folder;
  write_rows(folder / "result.h5", 2000, 20);
  for (const std::size_t limit : {20'000u, 100'000u, 300'000u}) {
    const std::string text = replay_text(folder / "result.h5", limit);
    EXPECT_LT(text.size(), limit);
    EXPECT_GT(text.size(), limit / 2);  // and uses it
    const ReplayJson replay = ReplayJson::parse(text);
    const std::size_t frames = replay["time"].size();
    EXPECT_LT(frames, 2000u);
    EXPECT_EQ(replay["time"].back(), 0.125 * 1999);
    EXPECT_THAT(replay["notices"][0].get<std::string>(), HasSubstr("of the 2,000 rows"));
    EXPECT_THAT(replay["notices"][1].get<std::string>(), HasSubstr("largest impulses"));
  }
  const ReplayJson whole = ReplayJson::parse(replay_text(folder / "result.h5", 10'000'000));
  EXPECT_EQ(whole["time"].size(), 2000u);
  EXPECT_TRUE(whole["notices"].empty());
}

TEST(ReportReplay, ThinningLosesNoImpulse) {
  const test::TemporaryDirectory folder;
  write_rows(folder / "result.h5", 1001, 1);
  const ReplayJson replay = ReplayJson::parse(replay_text(folder / "result.h5", 40'000));
  ASSERT_LT(replay["time"].size(), 1001u);
  const std::vector<float> impulse = from_base64<float>(replay["contacts"]["impulse"]);
  double sum = 0;
  for (std::size_t i = 1; i < impulse.size(); i += 3) sum += impulse[i];
  EXPECT_DOUBLE_EQ(sum, 1000);  // of all rows but the first
}

TEST(ReportReplay, AnOlderResultHasNone) {
  const test::TemporaryDirectory folder;
  Hdf5File file = Hdf5File::create(folder / "result.h5");
  file.write_number("/format", 1);
  file.write("/time", std::vector<double>{0, 1});
  file.close();
  EXPECT_EQ(replay_text(folder / "result.h5", 1000), "null");
}

}  // namespace
}  // namespace ricochet::io
