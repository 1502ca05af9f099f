// io/convergence_output: the numbers of a study arrive in its three files.
#include "ricochet/io/convergence_output.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

// Two probes: x converges with order 1 against a run, `v` is known and one of its runs failed.
struct KnownStudy {
  study::Case run_case;
  study::ConvergenceTask task;
  study::Convergence found;

  KnownStudy() {
    run_case.id = "known";
    run_case.source_text = "name: Known </script>\n";
    run_case.model = test::floor_model();
    for (const char* name : {"x", "v"}) run_case.probes.add(run_case.model, name, math::Expression::parse("1"));
    run_case.settings.end = 1;
    run_case.overrides = {"time.end=1"};
    task.probes = {0, 1};
    task.steps = {0.1, 0.01};
    task.reference_step = 1e-3;
    found.reference = study::StudyRun{1e-3, true, false, "", 1000, 0.5, 0};
    found.runs = {{0.1, true, false, "", 10, 0.25, 1}, {0.01, false, false, "it broke", 7, 0.125, 0}};
    study::ProbeConvergence x;
    x.points = {{0.1, 0.5}, {0.01, 0.05}};
    x.final_value = {3, 4};
    x.fit = study::fit_order(x.points, 0);
    study::ProbeConvergence v = x;
    v.probe = 1;
    v.against_run = false;
    v.absolute = true;
    v.points[1].error = v.final_value[1] = unknown_number;
    v.fit = study::fit_order(v.points, 0);
    found.probes = {x, v};
  }
  ConvergenceStudy study() const { return {run_case, task, found, {"", "sin(t)"}, {"a note"}}; }
};

TEST(ConvergenceOutput, TheJson) {
  const nlohmann::json json = nlohmann::json::parse(convergence_json(KnownStudy().study()));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["program"], "ricochet");
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["scene"], "known");
  EXPECT_EQ(json["reference_step"], 1e-3);
  EXPECT_EQ(json["notes"][0], "a note");
  ASSERT_EQ(json["runs"].size(), 3u);
  EXPECT_EQ(json["runs"][0]["is_reference"], true);
  EXPECT_EQ(json["runs"][2]["failure"], "it broke");
  const nlohmann::json &x = json["probes"][0], &v = json["probes"][1];
  EXPECT_EQ(x["name"], "x");
  EXPECT_TRUE(x["reference"].is_null());
  EXPECT_EQ(x["norm"], "relative");
  EXPECT_NEAR(x["order"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(x["factor"].get<double>(), 5, 1e-10);
  EXPECT_TRUE(x["points"][0]["slope"].is_null());
  EXPECT_NEAR(x["points"][1]["slope"].get<double>(), 1, 1e-12);
  EXPECT_EQ(x["points"][1]["error"], 0.05);
  EXPECT_EQ(x["points"][1]["last"], 4);
  EXPECT_EQ(v["reference"], "sin(t)");
  EXPECT_EQ(v["norm"], "absolute");
  EXPECT_TRUE(v["order"].is_null());
  EXPECT_TRUE(v["points"][1]["error"].is_null());
}

TEST(ConvergenceOutput, TheFiles) {
  const test::TemporaryDirectory folder;
  write_convergence(folder.path(), KnownStudy().study());
  const auto rows = test::csv_cells(folder / "converge.csv");
  ASSERT_EQ(rows.size(), 1u + 4);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"probe", "step", "error", "slope", "last"}));
  EXPECT_EQ(rows[2][0], "x");
  EXPECT_EQ(rows[2][2], "0.05");
  EXPECT_EQ(rows[4][2], "nan");
  EXPECT_EQ(test::file_text(folder / "converge.json"), convergence_json(KnownStudy().study()));
  const std::string page = test::file_text(folder / "report.html");
  EXPECT_NE(page.find(R"("kind":"convergence")"), std::string::npos);
  EXPECT_EQ(page.find("Known </script>"), std::string::npos) << "no text may end the element of the data";
  EXPECT_NE(page.find("Known \\u003c/script>"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::io
