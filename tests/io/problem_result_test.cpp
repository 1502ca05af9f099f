#include "ricochet/io/problem_result.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ricochet/io/version.hpp"

namespace ricochet::io {
namespace {

TEST(ProblemResult, JsonOfTheInterface) {
  ProblemResult good;
  good.file = "a \"quoted\" <name>.dat";
  good.contacts = 1;
  good.dimension = 3;
  good.solver = "auto";
  good.status = "converged";
  good.iterations = 7;
  good.residual = 1e-9;
  good.fclib_residual = 0.1;
  good.seconds = 0.25;
  good.r = {1, 0.1, 0};
  good.u = {0, 0, -1e-300};
  ProblemResult refused = good;
  refused.status = "not_applicable";
  refused.message = "why";
  refused.r.clear();
  refused.u.clear();
  good.worst = {{3, 1e-9, "slip", {1, 0.1, 0}, {0, 0, 0}}};
  const nlohmann::json json = nlohmann::json::parse(problem_results_json(std::vector<ProblemResult>{good, refused}));
  EXPECT_EQ(json["format"], file_format);
  EXPECT_EQ(json["program"], program_name);
  ASSERT_EQ(json["problems"].size(), 2u);
  const nlohmann::json& first = json["problems"][0];
  EXPECT_EQ(first["file"], good.file);
  EXPECT_EQ(first["contacts"], 1);
  EXPECT_EQ(first["dimension"], 3);
  EXPECT_EQ(first["solver"], "auto");
  EXPECT_EQ(first["status"], "converged");
  EXPECT_EQ(first["iterations"], 7);
  EXPECT_EQ(first["residual"], 1e-9);
  EXPECT_EQ(first["fclib_residual"], 0.1);
  EXPECT_EQ(first["seconds"], 0.25);
  EXPECT_EQ(first["r"].get<std::vector<double>>(), good.r);
  EXPECT_EQ(first["u"].get<std::vector<double>>(), good.u);
  EXPECT_FALSE(first.contains("message"));
  ASSERT_EQ(first["worst"].size(), 1u);
  EXPECT_EQ(first["worst"][0]["contact"], 3);
  EXPECT_EQ(first["worst"][0]["residual"], 1e-9);
  EXPECT_EQ(first["worst"][0]["status"], "slip");
  EXPECT_FALSE(json["problems"][1].contains("worst"));
  EXPECT_TRUE(json["problems"][1]["residual"].is_null());
  EXPECT_EQ(json["problems"][1]["message"], "why");
}

}  // namespace
}  // namespace ricochet::io
