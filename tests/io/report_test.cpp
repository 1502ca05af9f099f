// io/report: the numbers of a result arrive in the page, peaks survive thinning, no text breaks out of its element, and
// damaged results are refused.
#include "ricochet/io/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>

#include "io/output_test_support.hpp"
#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/io/report_json.hpp"
#include "ricochet/io/report_thinning.hpp"
#include "ricochet/io/result_file.hpp"
#include "ricochet/io/result_recorder.hpp"
#include "ricochet/io/summary.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::io {
namespace {

using PageJson = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double report_nan = std::numeric_limits<double>::quiet_NaN();

// A result of three rows and one contact, written without a simulation; tests change a part of it.
struct SmallReport {
  std::string summary = R"({"format": 1, "program": "ricochet", "complete": true, "scene": "small", "steps": 2})";
  std::string scene = "ricochet: 1\nname: Small\n";
  std::string id = "small";
  std::int64_t format = 1;
  std::vector<double> time = {0, 0.25, 1};
  std::vector<std::string> probe_names = {"x"};
  std::vector<double> probe_values = {1, report_nan, 3};
  std::vector<double> energy = {5, 4, 3};
  std::vector<std::string> contact_names = {"rule:a.point|floor.plane"};
  std::vector<std::int64_t> row_start = {0, 0, 1, 2};
  std::vector<std::int64_t> identity = {0, 0};
  std::vector<std::int64_t> status = {1, 2};
  std::vector<double> gap = {1e-9, -2e-9};
  std::vector<double> impulse = {1, 3, 4, 2, 0, 0};

  void resize(std::size_t rows) {
    time.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) time[row] = 1e-3 * static_cast<double>(row);
    probe_values.assign(rows, 0);
    energy.assign(rows, 1);
    row_start.assign(rows + 1, 0);
    for (auto* list : {&identity, &status}) list->clear();
    for (auto* list : {&gap, &impulse}) list->clear();
  }

  void write(const test::TemporaryDirectory& folder) const {
    test::put_file(folder / "summary.json", summary);
    Hdf5File file = Hdf5File::create(folder / "result.h5");
    file.write_number("/format", format);
    file.write_attribute("/", "scene", id);
    file.write_text("/scene", scene);
    file.write("/time", time);
    file.write("/probes/names", probe_names);
    file.write("/probes/values", probe_values);
    file.write("/contacts/names", contact_names);
    file.write("/contacts/row_start", row_start);
    file.write("/contacts/identity", identity);
    file.write("/contacts/status", status);
    file.write("/contacts/gap", gap);
    file.write("/contacts/impulse", impulse);
    for (const std::string_view name : simulation::ledger_entries) file.write("/energy/" + std::string(name), energy);
    file.write("/solver/iterations", energy);
    file.write("/solver/residual", energy);
    file.close();
  }
};

std::string page_text(const test::TemporaryDirectory& folder) {
  write_report(folder.path());
  return test::file_text(folder / "report.html");
}

PageJson page_data(const std::string& page) {
  const std::string open = R"(<script type="application/json" id="data">)";
  const std::size_t begin = page.find(open) + open.size();
  return PageJson::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

PageJson page_data_of(const SmallReport& result) {
  const test::TemporaryDirectory folder;
  result.write(folder);
  return page_data(page_text(folder));
}

std::size_t count_in_page(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::vector<double> page_numbers(const PageJson& list) {
  std::vector<double> numbers;
  for (const PageJson& value : list) numbers.push_back(value.is_null() ? report_nan : value.get<double>());
  return numbers;
}

TEST(Report, HoldsTheNumbersOfTheResult) {
  const PageJson data = page_data_of({});
  EXPECT_EQ(data["format"], 1);
  EXPECT_EQ(data["program"], "ricochet");
  EXPECT_EQ(data["summary"]["scene"], "small");
  EXPECT_EQ(data["summary"]["steps"], 2);
  EXPECT_EQ(data["scene"]["name"], "Small");
  EXPECT_EQ(data["scene"]["text"], SmallReport().scene);
  const PageJson& history = data["history"];
  EXPECT_EQ(history["rows"], 3);
  EXPECT_THAT(page_numbers(history["time"]), ElementsAre(0, 0.25, 1));
  ASSERT_EQ(history["probes"].size(), 1u);
  const PageJson& probe = history["probes"][0]["columns"][0];
  EXPECT_EQ(probe["name"], "x");
  EXPECT_EQ(probe["values"], PageJson::parse("[1, null, 3]"));
  EXPECT_FALSE(history["probes"][0].contains("time"));  // that of the history
  EXPECT_EQ(history["energy"]["columns"].size(), 3u);
  EXPECT_EQ(history["energy"]["columns"][2]["name"], "total");
  EXPECT_THAT(page_numbers(history["contacts"]["columns"][0]["values"]), ElementsAre(0, 1, 1));
  EXPECT_THAT(page_numbers(history["penetration"]["columns"][0]["values"]), ElementsAre(0, 0, 2e-9));
}

TEST(Report, AddsUpEachContact) {
  const PageJson contacts = page_data_of({})["contacts"];
  EXPECT_EQ(contacts["identities"], 1);
  ASSERT_EQ(contacts["list"].size(), 1u);
  const PageJson& line = contacts["list"][0];
  EXPECT_EQ(line["name"], "rule:a.point|floor.plane");
  EXPECT_EQ(line["normal"], 3.0);
  EXPECT_EQ(line["tangential"], 5.0);
  EXPECT_EQ(line["stick"], 0.25);  // the first quarter of the run
  EXPECT_EQ(line["slip"], 0.75);
  EXPECT_EQ(line["penetration"], 2e-9);
}

TEST(Report, ListsTheLargestContactsFirstAndNotTooMany) {
  SmallReport result;
  const std::size_t count = report_contacts + 5;
  result.contact_names.clear();
  result.impulse.clear();
  for (std::size_t i = 0; i < count; ++i) {
    result.contact_names.push_back("contact-" + std::to_string(i));
    for (const double component : {static_cast<double>(i), 0.0, 0.0}) result.impulse.push_back(component);
  }
  result.identity.resize(count);
  for (std::size_t i = 0; i < count; ++i) result.identity[i] = static_cast<std::int64_t>(i);
  result.status.assign(count, 1);
  result.gap.assign(count, 0);
  result.row_start = {0, 0, 0, static_cast<std::int64_t>(count)};
  const PageJson contacts = page_data_of(result)["contacts"];
  EXPECT_EQ(contacts["identities"], count);
  ASSERT_EQ(contacts["list"].size(), report_contacts);
  EXPECT_EQ(contacts["list"][0]["name"], "contact-" + std::to_string(count - 1));
}

TEST(Report, KnowsTheVariantOfAScene) {
  SmallReport result;
  result.scene = "ricochet: 1\ndescription: a block\nvariants:\n  rough: {description: friction 1}\n";
  result.id = "small/rough";
  EXPECT_EQ(page_data_of(result)["scene"]["description"], "a block");
  EXPECT_EQ(page_data_of(result)["scene"]["variant"], "friction 1");
  result.id = "small/gone";
  EXPECT_EQ(page_data_of(result)["scene"]["variant"], "");
  result.scene = "{{{ no scene";
  EXPECT_EQ(page_data_of(result)["scene"]["text"], result.scene);
  EXPECT_EQ(page_data_of(result)["scene"]["name"], "");
}

TEST(Report, IsMadeFromWhatARunWrites) {
  const test::TemporaryDirectory folder;
  const study::Case run_case = test::floor_case();
  test::HandMadeRun run(run_case);
  ResultRecorder recorder(folder.path(), run_case);
  recorder.begin(run.frame());
  run.advance({test::floor_contact(0, {1, 0, 0}), test::floor_contact(1, {2, 0.5, 0})});
  recorder.step(run.frame());
  run.advance({});
  recorder.step(run.frame());
  const simulation::RunResult result = {simulation::Outcome::interrupted, run.state.time, run.step_index, ""};
  recorder.end(run.frame(), result);
  write_summary(folder / "summary.json",
                {run_case, result, {}, {}, "0123456789abcdef", 0.5, recorder.probe_summaries(), {}});

  const PageJson data = page_data(page_text(folder));
  EXPECT_EQ(data["summary"]["complete"], false);
  EXPECT_EQ(data["summary"]["overrides"][0], "parameters.friction=0.3");
  EXPECT_EQ(data["scene"]["text"], run_case.source_text);
  EXPECT_EQ(data["history"]["rows"], 3);
  std::vector<std::string> probes;
  for (const PageJson& table : data["history"]["probes"]) probes.push_back(table["columns"][0]["name"]);
  EXPECT_THAT(probes, ElementsAre("x", "pushed", "iterations", "infinite"));
  EXPECT_THAT(page_numbers(data["history"]["probes"][0]["columns"][0]["values"]), ElementsAre(1, 2, 3));
  EXPECT_TRUE(data["history"]["probes"][3]["columns"][0]["values"][2].is_null());
  EXPECT_THAT(page_numbers(data["history"]["contacts"]["columns"][0]["values"]), ElementsAre(0, 2, 0));
  EXPECT_EQ(data["contacts"]["list"][0]["normal"], 2.0);
}

TEST(Report, ARunWithoutProbesOrContacts) {
  SmallReport result;
  result.resize(1);
  result.contact_names.clear();
  result.probe_names.clear();
  result.probe_values.clear();
  const PageJson data = page_data_of(result);
  EXPECT_EQ(data["history"]["probes"], PageJson::array());
  EXPECT_EQ(data["history"]["rows"], 1);
  EXPECT_EQ(data["contacts"]["list"], PageJson::array());
}

TEST(Report, ThinsALongHistoryAndKeepsItsPeaks) {
  SmallReport result;
  result.resize(100'000);
  result.probe_values[77'777] = 5;
  result.probe_values[33'333] = -4;
  const PageJson data = page_data_of(result);
  EXPECT_EQ(data["history"]["rows"], 100'000);
  EXPECT_TRUE(data["history"]["time"].is_null());
  const PageJson& table = data["history"]["probes"][0];
  const std::vector<double> time = page_numbers(table["time"]), values = page_numbers(table["columns"][0]["values"]);
  ASSERT_EQ(time.size(), values.size());
  EXPECT_LE(values.size(), report_rows);
  EXPECT_EQ(time.front(), result.time.front());
  EXPECT_EQ(time.back(), result.time.back());
  const auto largest = std::max_element(values.begin(), values.end());
  const auto smallest = std::min_element(values.begin(), values.end());
  EXPECT_EQ(*largest, 5);
  EXPECT_EQ(time[largest - values.begin()], result.time[77'777]);
  EXPECT_EQ(*smallest, -4);
  EXPECT_EQ(time[smallest - values.begin()], result.time[33'333]);
}

TEST(Report, ThinnedRows) {
  math::Random random(7);
  constexpr std::size_t count = 5000, limit = 200;
  std::vector<double> a(count), b(count);
  for (double& value : a) value = random.uniform(-1, 1);
  for (double& value : b) value = random.uniform(-1, 1);
  const std::vector<std::span<const double>> columns = {a, b};
  const std::vector<std::size_t> rows = thinned_rows(columns, limit);
  EXPECT_LE(rows.size(), limit);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), count - 1);
  constexpr std::size_t buckets = (limit - 2) / 4;
  for (const std::vector<double>* column : {&a, &b}) {
    for (std::size_t k = 0; k < buckets; ++k) {
      const auto begin = column->begin() + count * k / buckets, end = column->begin() + count * (k + 1) / buckets;
      for (const auto peak : {std::min_element(begin, end), std::max_element(begin, end)}) {
        EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), static_cast<std::size_t>(peak - column->begin())));
      }
    }
  }
  EXPECT_EQ(thinned_rows(columns, count).size(), count);
  EXPECT_TRUE(thinned_rows({}, limit).empty());
}

TEST(Report, ThinnedRowsKeepGaps) {
  std::vector<double> values(10'000, 1.0);
  values[4321] = report_nan;
  const std::vector<std::span<const double>> columns = {values};
  const std::vector<std::size_t> rows = thinned_rows(columns, 100);
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), 4321u));
  std::fill(values.begin(), values.end(), report_nan);
  EXPECT_LE(thinned_rows(columns, 100).size(), 100u);
}

TEST(Report, NoTextEndsItsScriptElement) {
  const std::string evil = "</script><script>alert(1)</script><!-- \"\\";
  const test::TemporaryDirectory folder;
  SmallReport result;
  result.scene = "ricochet: 1\nname: '" + evil + "'\n";
  result.probe_names = {evil};
  result.contact_names = {evil};
  result.summary = R"({"format": 1, "program": "ricochet", "complete": true, "scene": "</script><b>"})";
  result.write(folder);
  const std::string page = page_text(folder);
  EXPECT_EQ(count_in_page(page, "</script"), count_in_page(std::string(report_template()), "</script"));
  EXPECT_EQ(count_in_page(page, "alert(1)"), 4u);  // text and name of the scene, probe, contact
  const PageJson data = page_data(page);
  EXPECT_EQ(data["scene"]["name"], evil);
  EXPECT_EQ(data["scene"]["text"], result.scene);
  EXPECT_EQ(data["history"]["probes"][0]["columns"][0]["name"], evil);
  EXPECT_EQ(data["contacts"]["list"][0]["name"], evil);
  EXPECT_EQ(data["summary"]["scene"], "</script><b>");
}

TEST(Report, TextsAndNumbersAsJson) {
  ReportJson writer;
  writer.begin_array().text("a\n\"\\\x01\x7f\xc2\xb5\xf0\x9f\x8e\xb1").text("\xff|\xc2|\xed\xa0\x80|\xc0\xaf|");
  writer.number(0.1).number(-1e300).number(report_nan).number(1.0 / 3).null().begin_object().end_object();
  const PageJson list = PageJson::parse(writer.end_array().take());
  EXPECT_EQ(list[0], "a\n\"\\\x01\x7f\xc2\xb5\xf0\x9f\x8e\xb1");
  EXPECT_THAT(list[1].get<std::string>(), HasSubstr("\xef\xbf\xbd|"));
  EXPECT_EQ(list[2], 0.1);
  EXPECT_EQ(list[3], -1e300);
  EXPECT_TRUE(list[4].is_null());
  EXPECT_EQ(list[5], 1.0 / 3);
  EXPECT_EQ(list.size(), 8u);
}

TEST(Report, ThePageNeedsNothingButItself) {
  const std::string page(report_template());
  EXPECT_EQ(count_in_page(page, std::string(report_data_mark)), 1u);
  EXPECT_FALSE(std::regex_search(page, std::regex(R"(<script[^>]* src=|rel="?stylesheet|@import|<img)")));
}

TEST(Report, ReplacesAnOlderOne) {
  const test::TemporaryDirectory folder;
  SmallReport().write(folder);
  test::put_file(folder / "report.html", "old");
  EXPECT_THAT(page_text(folder), HasSubstr("<!doctype html>"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 3u);  // nothing is left over
}

// The message of the FileError, which is no WriteError.
std::string report_refusal(const std::filesystem::path& directory) {
  try {
    write_report(directory);
  } catch (const WriteError&) {
    return "a WriteError";
  } catch (const FileError& error) {
    EXPECT_FALSE(std::filesystem::exists(directory / "report.html"));
    return error.what();
  }
  return "none";
}

std::string report_refusal(const SmallReport& result) {
  const test::TemporaryDirectory folder;
  result.write(folder);
  return report_refusal(folder.path());
}

TEST(ReportBadInput, FilesThatAreMissing) {
  const test::TemporaryDirectory folder;
  EXPECT_THAT(report_refusal(folder / "none"), HasSubstr("none: there is no such file"));
  EXPECT_THAT(report_refusal(folder.path()), HasSubstr("summary.json: there is no such file"));
  test::put_file(folder / "summary.json", SmallReport().summary);
  EXPECT_THAT(report_refusal(folder.path()), HasSubstr("result.h5: there is no such file"));
  EXPECT_THAT(report_refusal(folder / "summary.json"), HasSubstr("there is no such file"));
}

TEST(ReportBadInput, ASummaryThatIsNone) {
  SmallReport result;
  for (const char* summary : {"", "[]", "{\"format\": 1", R"({"format": 1, "program": "ricochet"})"}) {
    result.summary = summary;
    EXPECT_THAT(report_refusal(result), HasSubstr("summary.json: this is not the summary of a run"));
  }
  result.summary = "\xef\xbb\xbf" + SmallReport().summary + std::string("\0garbage", 8);
  EXPECT_EQ(page_data_of(result)["summary"]["steps"], 2);
}

TEST(ReportBadInput, AResultFileThatIsDamaged) {
  const test::TemporaryDirectory folder;
  SmallReport().write(folder);
  const std::string whole = test::file_text(folder / "result.h5");
  for (const std::size_t length : {std::size_t{0}, std::size_t{100}, whole.size() / 2}) {
    test::put_file(folder / "result.h5", whole.substr(0, length));
    EXPECT_THAT(report_refusal(folder.path()), HasSubstr("result.h5"));
  }
}

TEST(ReportBadInput, DatasetsThatDoNotFitTogether) {
  const auto changed = [](auto change) {
    SmallReport result;
    change(result);
    return report_refusal(result);
  };
  using R = SmallReport;
  EXPECT_THAT(changed([](R& r) { r.format = 2; }), HasSubstr("format 2"));
  EXPECT_THAT(changed([](R& r) { r.time.clear(); }), HasSubstr("no rows"));
  EXPECT_THAT(changed([](R& r) { r.probe_values.pop_back(); }), HasSubstr("/probes/values has 2 values where 3"));
  EXPECT_THAT(changed([](R& r) { r.energy.push_back(0); }), HasSubstr("/energy/"));
  EXPECT_THAT(changed([](R& r) { r.row_start.pop_back(); }), HasSubstr("/contacts/row_start"));
  EXPECT_THAT(changed([](R& r) { r.row_start[1] = 7; }), HasSubstr("/contacts/row_start"));
  EXPECT_THAT(changed([](R& r) { r.row_start[0] = -1; }), HasSubstr("/contacts/row_start"));
  EXPECT_THAT(changed([](R& r) { r.row_start[3] = 3; }), HasSubstr("/contacts/row_start"));
  EXPECT_THAT(changed([](R& r) { r.identity[0] = 1; }), HasSubstr("/contacts/identity"));
  EXPECT_THAT(changed([](R& r) { r.identity[0] = -1; }), HasSubstr("/contacts/identity"));
  EXPECT_THAT(changed([](R& r) { r.status.clear(); }), HasSubstr("/contacts/status"));
  EXPECT_THAT(changed([](R& r) { r.gap.pop_back(); }), HasSubstr("/contacts/gap"));
  EXPECT_THAT(changed([](R& r) { r.impulse.pop_back(); }), HasSubstr("/contacts/impulse"));
}

TEST(ReportBadInput, APlaceThatCannotBeWritten) {
  const test::TemporaryDirectory folder;
  SmallReport().write(folder);
  std::filesystem::create_directories(folder / "report.html" / "occupied");
  EXPECT_THROW(write_report(folder.path()), WriteError);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("partial")));
  }
}

}  // namespace
}  // namespace ricochet::io
