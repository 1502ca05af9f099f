// io/comparison_output: numbers of several runs side by side, their differences, and plots over common times.
#include "ricochet/io/comparison_output.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

ComparedRun compared_run(const std::string& entry, std::vector<double> time, std::vector<double> values) {
  ComparedRun run;
  run.entry = entry;
  run.directory = "1-" + entry;
  run.overrides = {"integrator.scheme=" + entry};
  run.history = {std::move(time), {std::move(values)}};
  run.summary = R"({"complete": true})";
  return run;
}

nlohmann::json comparison_page_data(const std::string& page) {
  std::smatch found;
  const std::regex data(R"(id="data">([^<]*)</script>)");
  EXPECT_TRUE(std::regex_search(page, found, data));
  return nlohmann::json::parse(found[1].str());
}

TEST(ComparisonOutput, TheRowOfARun) {
  study::CaseResult result;
  result.run.steps = result.statistics.steps = 4;
  result.run.time = 2;
  result.wall_seconds = 3;
  result.statistics.iterations_sum = 10;
  result.statistics.iterations_max = 5;
  result.statistics.stage_seconds.fill(0);
  result.statistics.stage_seconds[0] = 1e-3;
  result.statistics.stage_seconds[1] = 3e-3;
  result.statistics.max_penetration = 1e-6;
  result.ledger.initial = 7;
  result.ledger.kinetic = 2;
  result.ledger.contact_normal = -3;
  result.ledger.contact_tangential = -1;
  result.ledger.numerical = -1.5;
  result.facts.resize(4);
  result.facts[0].status = study::FactResult::Status::holds;
  result.facts[1].status = study::FactResult::Status::fails;
  result.facts[2].status = study::FactResult::Status::not_applicable;
  result.facts[3].status = study::FactResult::Status::not_reached;
  std::map<std::string, double> row;
  for (const auto& [name, value] : comparison_row(result)) row[name] = value;
  EXPECT_EQ(row["stopped_at"], 2);
  EXPECT_EQ(row["steps"], 4);
  EXPECT_EQ(row["wall_seconds"], 3);
  EXPECT_DOUBLE_EQ(row["ms_per_step"], 1);
  EXPECT_EQ(row["iterations_mean"], 2.5);
  EXPECT_EQ(row["iterations_max"], 5);
  EXPECT_EQ(row["energy_initial"], 7);
  EXPECT_EQ(row["energy_final"], 2);
  EXPECT_EQ(row["energy_contact"], -4);
  EXPECT_EQ(row["energy_numerical"], -1.5);
  EXPECT_EQ(row["energy_closing_error"], 0.5);  // 2 - 7 = -4 - 1.5 + 0.5
  EXPECT_EQ(row["max_penetration"], 1e-6);
  EXPECT_EQ(row["facts_held"], 1);
  EXPECT_EQ(row["facts_judged"], 3);
}

TEST(ComparisonOutput, DifferencesAreFromTheFirstRun) {
  const study::Case scene;
  const Comparison comparison{scene,
                              {"x"},
                              {compared_run("a", {0, 1, 2}, {1, 2, 3}), compared_run("b", {0, 1, 2}, {1, 2, 6}),
                               compared_run("c", {0, 1}, {1, 3})}};
  EXPECT_EQ(differences(comparison, 0), std::vector<double>{0});
  EXPECT_EQ(differences(comparison, 1), std::vector<double>{0.5});
  EXPECT_DOUBLE_EQ(differences(comparison, 2)[0], 1.0 / 3);
}

TEST(ComparisonOutput, TheFiles) {
  const test::TemporaryDirectory folder;
  study::Case scene;
  scene.id = "scene";
  // Unequal steps; the second run stopped early.
  const Comparison comparison{
      scene, {"x"}, {compared_run("a", {0, 1, 2}, {0, 2, 4}), compared_run("b", {0, 0.5, 1.5}, {5, 6, 7})}};
  write_comparison(folder.path(), comparison);

  const auto rows = test::csv_cells(folder / "compare.csv");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].front(), "entry");
  EXPECT_EQ(rows[0][rows[0].size() - 2], "last x");
  EXPECT_EQ(rows[0].back(), "difference x");
  EXPECT_EQ(rows[2].front(), "b");
  EXPECT_EQ(rows[2][rows[2].size() - 2], "7");

  const nlohmann::json json = nlohmann::json::parse(test::file_text(folder / "compare.json"));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["entries"][1]["entry"], "b");
  EXPECT_EQ(json["entries"][1]["probes"]["x"]["last"], 7);
  EXPECT_EQ(json["entries"][1]["summary"]["complete"], true);
  EXPECT_DOUBLE_EQ(json["entries"][1]["probes"]["x"]["difference"], (5 + 5 + 4) / 4.0);  // truth 0, 1, 3

  const nlohmann::json data = comparison_page_data(test::file_text(folder / "report.html"));
  EXPECT_EQ(data["kind"], "comparison");
  const nlohmann::json& plot = data["plots"][0];
  EXPECT_EQ(plot["time"], nlohmann::json::parse("[0, 0.5, 1, 1.5, 2]"));
  EXPECT_EQ(plot["columns"][0]["values"], nlohmann::json::parse("[0, 1, 2, 3, 4]"));
  EXPECT_EQ(plot["columns"][1]["values"], nlohmann::json::parse("[5, 6, 6.5, 7, null]"));
}

}  // namespace
}  // namespace ricochet::io
