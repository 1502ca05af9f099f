// Phase portraits, from the scene to the page of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/output_test_support.hpp"
#include "io/scene_test_support.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/result_reader.hpp"
#include "ricochet/io/result_recorder.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::io {
namespace {

using ::testing::HasSubstr;

std::string portrait_scene(const std::string& output) {
  return test::slide_scene_with("expect:", "output: " + output + "\nexpect:");
}

TEST(Portraits, GoFromTheSceneToThePage) {
  const study::Case run_case =
      read_scene_text(portrait_scene("{portraits: {motion: [gap, along]}}"), "slide.yaml").run_case;
  ASSERT_EQ(run_case.portraits.size(), 1u);
  EXPECT_EQ(run_case.portraits[0].name, "motion");
  EXPECT_EQ(run_case.probes.name(run_case.portraits[0].x), "gap");
  EXPECT_EQ(run_case.probes.name(run_case.portraits[0].y), "along");

  const test::TemporaryDirectory folder;
  ResultRecorder recorder(folder.path(), run_case);
  std::array<simulation::Recorder*, 1> recorders = {&recorder};
  const study::CaseResult result = study::run_case(run_case, recorders);
  write_summary(folder / "summary.json", {run_case, result.run, result.statistics, result.ledger, result.state_hash,
                                          result.wall_seconds, recorder.probe_summaries(), result.facts});
  const std::vector<ResultPortrait> portraits = ResultReader(folder / "result.h5").portraits();
  ASSERT_EQ(portraits.size(), 1u);
  EXPECT_EQ(portraits[0].x, 1u);
  EXPECT_EQ(portraits[0].y, 0u);

  write_report(folder.path());
  const std::string page = test::file_text(folder / "report.html");
  const std::string_view mark = R"(id="data">)";
  const std::size_t begin = page.find(mark) + mark.size(), end = page.find("</script>", begin);
  const auto line = nlohmann::json::parse(page.substr(begin, end - begin))["portraits"][0]["lines"][0];
  EXPECT_EQ(line["time"].size(), 1001u);
  EXPECT_EQ(line["columns"][1].back(), recorder.probe_summaries()[0].last);
  EXPECT_EQ(line["columns"][0].back(), recorder.probe_summaries()[1].last);
}

TEST(PortraitsBadInput, AreRefusedWithASuggestion) {
  const auto complaint = [](const std::string& output) { return test::scene_complaint(portrait_scene(output)); };
  EXPECT_EQ(complaint("{portraits: {motion: [gap, along]}}"), "");
  EXPECT_THAT(complaint("{portraits: {motion: [gap, alogn]}}"), HasSubstr("did you mean 'along'?"));
  EXPECT_THAT(complaint("{portraits: {motion: [gap]}}"), HasSubstr("output.portraits.motion"));
  EXPECT_THAT(complaint("{portraits: {motion: gap}}"), HasSubstr("output.portraits.motion"));
  EXPECT_THAT(complaint("{portrait: {motion: [gap, along]}}"), HasSubstr("did you mean 'portraits'?"));
}

}  // namespace
}  // namespace ricochet::io
