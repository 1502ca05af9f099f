// io/sweep_output: one row per sample, with what it has and what it has not; the page has enough, and not too much.
#include "ricochet/io/sweep_output.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/output_test_support.hpp"
#include "io/scene_test_support.hpp"
#include "ricochet/io/report.hpp"

namespace ricochet::io {
namespace {

// Three samples of the slide: one is good, one is refused, one is not finished.
struct SmallSweep {
  study::Case run_case = test::slide_case("expect:", "output: {portraits: {both: [along, gap]}}\nexpect:");
  Sweep sweep{run_case,
              {"time.end=0.5"},
              {"parameters.mass", "planar"},
              {"1,x,3", "true"},
              9,
              {{"1", "true"}, {"x", "true"}, {"3", "true"}},
              {}};

  SmallSweep() {
    sweep.samples.push_back(run_sample(
        0, [&] { return run_case; }, 50));
    sweep.samples.push_back(run_sample(
        1, []() -> study::Case { throw InputError({}, "there is no x"); }, 50));
  }
};

TEST(SweepOutput, TheTableHasOneRowPerSample) {
  const SmallSweep small;
  const test::TemporaryDirectory folder;
  write_sweep(folder.path(), small.sweep);
  const auto rows = test::csv_cells(folder / "sweep.csv");
  ASSERT_EQ(rows.size(), 3u);
  const std::vector<std::string> columns = {"sample",
                                            "parameters.mass",
                                            "planar",
                                            "status",
                                            "stopped_at",
                                            "steps",
                                            "wall_seconds",
                                            "first along",
                                            "last along",
                                            "min along",
                                            "max along",
                                            "first gap",
                                            "last gap",
                                            "min gap",
                                            "max gap",
                                            "found distance",
                                            "verdict distance",
                                            "found no penetration",
                                            "verdict no penetration"};
  EXPECT_EQ(rows[0], columns);
  EXPECT_EQ(rows[1][0], "0");
  EXPECT_EQ(rows[1][1], "1");
  EXPECT_EQ(rows[1][3], "completed");
  EXPECT_EQ(rows[1][5], "1000");
  EXPECT_EQ(std::stod(rows[1][8]), small.sweep.samples[0].probes[0].last);
  EXPECT_EQ(rows[2][1], "x");
  EXPECT_EQ(rows[2][3], "refused");
  EXPECT_EQ(rows[2][8], "nan");
}

TEST(SweepOutput, TheJsonHasEverything) {
  const SmallSweep small;
  const auto json = nlohmann::json::parse(sweep_json(small.sweep));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["planned"], 3);
  EXPECT_EQ(json["seed"], 9);
  EXPECT_EQ(json["vary"][0]["path"], "parameters.mass");
  EXPECT_EQ(json["vary"][0]["values"], "1,x,3");
  ASSERT_EQ(json["samples"].size(), 2u);
  EXPECT_EQ(json["samples"][0]["values"]["parameters.mass"], "1");
  EXPECT_EQ(json["samples"][0]["probes"]["along"]["last"], small.sweep.samples[0].probes[0].last);
  EXPECT_EQ(json["samples"][0]["expectations"].size(), 2u);
  EXPECT_EQ(json["samples"][1]["status"], "refused");
  EXPECT_EQ(json["samples"][1]["reason"], "there is no x");
}

TEST(SweepOutput, ThePageHasLinesPointsAndFailures) {
  const SmallSweep small;
  const test::TemporaryDirectory folder;
  write_sweep(folder.path(), small.sweep);
  const std::string page = test::file_text(folder / "report.html");
  const std::string_view mark = R"(id="data">)";
  const std::size_t begin = page.find(mark) + mark.size(), end = page.find("</script>", begin);
  const auto data = nlohmann::json::parse(page.substr(begin, end - begin));
  EXPECT_EQ(data["kind"], "sweep");
  ASSERT_EQ(data["plots"].size(), 2u);
  EXPECT_EQ(data["plots"][0]["name"], "along");
  ASSERT_EQ(data["plots"][0]["lines"].size(), 1u);
  EXPECT_EQ(data["plots"][0]["lines"][0]["columns"][0].size(), data["plots"][0]["lines"][0]["time"].size());
  ASSERT_EQ(data["portraits"].size(), 1u);
  EXPECT_EQ(data["portraits"][0]["x"], "along");
  EXPECT_EQ(data["portraits"][0]["y"], "gap");
  EXPECT_EQ(data["portraits"][0]["lines"][0]["columns"].size(), 2u);
  EXPECT_EQ(data["points"]["vary"][0]["numbers"][0], 1);
  EXPECT_TRUE(data["points"]["vary"][0]["numbers"][1].is_null());
  EXPECT_EQ(data["points"]["facts"][0]["name"], "distance");
  EXPECT_EQ(data["study"]["failed"], 1);
  EXPECT_EQ(data["study"]["failures"][0]["reason"], "there is no x");
}

TEST(SweepOutput, OfManySomeAreDrawnAtEqualDistances) {
  for (const auto& [count, most, expected] :
       {std::tuple(5u, 10u, 5u), std::tuple(10u, 5u, 5u), std::tuple(1000u, 200u, 200u), std::tuple(7u, 3u, 3u)}) {
    std::size_t chosen = 0, before = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_chosen(i, count, most)) continue;
      if (++chosen > 1) {
        EXPECT_LE(i - before, count / expected + 1);
      }
      before = i;
    }
    EXPECT_EQ(chosen, expected);
  }
}

// Rows times lines times the bytes of two numbers fit into the page, however many samples and probes there are.
TEST(SweepOutput, HistoriesFitIntoThePage) {
  for (const std::size_t probes : {1u, 5u, 40u, 1000u}) {
    study::Case run_case = test::floor_case();
    for (std::size_t i = run_case.probes.size(); i < probes; ++i) {
      const auto is_source = [](std::string_view) { return true; };
      run_case.probes.add(run_case.model, "p" + std::to_string(i), math::Expression::parse("time", is_source));
    }
    const double columns = static_cast<double>(visible_probes(run_case.probes).size());
    for (const std::size_t samples : {1u, 4u, 200u, 100'000u}) {
      double rows = 0;
      for (std::size_t i = 0; i < samples; ++i) rows += static_cast<double>(sweep_plot_rows(run_case, i, samples));
      EXPECT_GT(rows, 0);
      EXPECT_LE(rows * columns * 40, static_cast<double>(report_bytes)) << probes << " probes, " << samples;
    }
  }
}

}  // namespace
}  // namespace ricochet::io
