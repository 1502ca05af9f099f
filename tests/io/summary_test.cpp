// io/summary: the keys of the contract in their order, and numbers that JSON cannot write.
#include "ricochet/io/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "io/output_test_support.hpp"
#include "ricochet/io/version.hpp"

namespace ricochet::io {
namespace {

using nlohmann::ordered_json;
using Status = study::FactResult::Status;

std::vector<std::string> keys_of(const ordered_json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

study::FactResult made_fact(const char* name, const char* source, Status status, double expected, double found) {
  study::FactResult fact;
  fact.fact = name;
  fact.source = source;
  fact.status = status;
  fact.expected = expected;
  fact.found = found;
  fact.detail = "a sentence";
  return fact;
}

struct SummaryParts {
  study::Case run_case = test::floor_case();
  simulation::RunResult result = {simulation::Outcome::completed, 1, 8, ""};
  simulation::Statistics statistics;
  simulation::Ledger ledger;
  std::vector<ProbeSummary> probes = {{"x", 1, 2, 0.5, std::numeric_limits<double>::quiet_NaN()}};
  std::vector<study::FactResult> facts;

  ordered_json json() const {
    return ordered_json::parse(
        summary_json({run_case, result, statistics, ledger, "0123456789abcdef", 1.5, probes, facts}));
  }
};

TEST(Summary, HasTheKeysOfTheContract) {
  SummaryParts parts;
  parts.statistics.steps = 8;
  parts.statistics.contacts_sum = 12;
  parts.statistics.contacts_max = 2;
  parts.statistics.iterations_sum = 40;
  parts.statistics.iterations_max = 9;
  parts.statistics.worst_residual = 1e-9;
  parts.statistics.max_penetration = 2e-9;
  parts.statistics.stage_seconds[3] = 0.5;
  parts.ledger.initial = 3;
  parts.ledger.kinetic = 1;
  parts.ledger.potential = 1.5;
  parts.ledger.contact_normal = -0.5;
  const ordered_json json = parts.json();
  EXPECT_EQ(keys_of(json),
            (std::vector<std::string>{"format", "program", "complete", "stopped", "scene", "overrides", "version",
                                      "integrator", "steps", "wall_seconds", "seconds_per_stage", "bodies", "contacts",
                                      "solver", "constraints", "energy", "state_hash", "probes", "expectations"}));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["program"], "ricochet");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["stopped"]["time"], 1.0);
  EXPECT_EQ(json["scene"], "floor/variant");
  EXPECT_EQ(json["overrides"], ordered_json::array({"parameters.friction=0.3"}));
  EXPECT_EQ(json["version"], version());
  EXPECT_EQ(json["integrator"]["scheme"], "moreau-jean");
  EXPECT_EQ(json["integrator"]["theta"], 0.5);
  EXPECT_EQ(json["steps"], 8);
  EXPECT_EQ(json["wall_seconds"], 1.5);
  EXPECT_EQ(json["seconds_per_stage"]["solve"], 0.5);
  EXPECT_EQ(json["bodies"], 2);
  EXPECT_EQ(json["contacts"]["mean"], 1.5);
  EXPECT_EQ(json["contacts"]["max"], 2);
  EXPECT_EQ(json["solver"]["iterations_mean"], 5.0);
  EXPECT_EQ(json["solver"]["iterations_max"], 9);
  EXPECT_EQ(json["solver"]["worst_residual"], 1e-9);
  EXPECT_EQ(json["solver"]["unconverged_steps"], 0);
  EXPECT_EQ(json["constraints"]["max_penetration"], 2e-9);
  EXPECT_EQ(json["constraints"]["max_joint_error"], 0);
  EXPECT_EQ(
      keys_of(json["energy"]),
      (std::vector<std::string>{"initial", "final", "work_loads", "work_drivers", "dissipated_damping",
                                "contact_normal", "contact_tangential", "contact_resistance", "contact_normal_positive",
                                "contact_tangential_positive", "contact_resistance_positive", "contact_created",
                                "projection", "appeared", "joints", "numerical", "closing_error", "scale"}));
  EXPECT_EQ(json["energy"]["final"], 2.5);
  EXPECT_EQ(json["energy"]["closing_error"], 0.0);
  EXPECT_EQ(json["state_hash"], "0123456789abcdef");
  EXPECT_EQ(json["probes"]["x"]["last"], 2.0);
  EXPECT_TRUE(json["probes"]["x"]["max"].is_null());
  EXPECT_EQ(json["expectations"], ordered_json::array());
}

TEST(Summary, TellsWhyARunStopped) {
  SummaryParts parts;
  parts.result = {simulation::Outcome::interrupted, 0.25, 2, ""};
  EXPECT_EQ(parts.json()["complete"], false);
  EXPECT_EQ(parts.json()["stopped"]["reason"], "the run was interrupted");
  parts.result = {simulation::Outcome::failed, 0.25, 2, "the step did not converge"};
  EXPECT_EQ(parts.json()["complete"], false);
  EXPECT_EQ(parts.json()["stopped"]["reason"], "the step did not converge");
  EXPECT_EQ(parts.json()["contacts"]["mean"], 0.0);  // no steps, no division
}

TEST(Summary, Expectations) {
  SummaryParts parts;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  parts.facts = {made_fact("a", "derived", Status::holds, 1, 1.001), made_fact("b", "Author 2016", Status::fails, 1, 2),
                 made_fact("c", "derived", Status::not_applicable, 1, nan),
                 made_fact("d", "derived", Status::not_reached, 1, nan)};
  parts.facts[1].relation = study::FactResult::Relation::at_most;
  parts.facts[1].lower = -1;
  parts.facts[1].upper = 1;
  const ordered_json json = parts.json()["expectations"];
  ASSERT_EQ(json.size(), 4u);
  EXPECT_EQ(keys_of(json[0]), (std::vector<std::string>{"fact", "relation", "expected", "lower", "upper", "found",
                                                        "tolerance", "holds", "source", "status", "detail"}));
  EXPECT_TRUE(json[0]["lower"].is_null());
  EXPECT_EQ(json[1]["lower"], -1.0);
  EXPECT_EQ(json[1]["upper"], 1.0);
  EXPECT_EQ(json[0]["holds"], true);
  EXPECT_EQ(json[0]["found"], 1.001);
  EXPECT_EQ(json[0]["relation"], "equal");
  EXPECT_EQ(json[1]["relation"], "at_most");
  EXPECT_EQ(json[1]["holds"], false);
  EXPECT_EQ(json[1]["source"], "Author 2016");
  EXPECT_TRUE(json[2]["holds"].is_null());
  EXPECT_EQ(json[2]["status"], "not_applicable");
  EXPECT_TRUE(json[2]["found"].is_null());
  EXPECT_EQ(json[3]["holds"], false);
  EXPECT_EQ(json[3]["status"], "not_reached");
}

TEST(Summary, IsRecognised) {
  const test::TemporaryDirectory folder;
  SummaryParts parts;
  parts.result.outcome = simulation::Outcome::interrupted;
  write_summary(folder / "summary.json",
                {parts.run_case, parts.result, parts.statistics, parts.ledger, "", 0, parts.probes, parts.facts});
  EXPECT_TRUE(is_run_summary(folder / "summary.json"));
  EXPECT_FALSE(is_run_summary(folder.path()));
  EXPECT_FALSE(is_run_summary(folder / "none.json"));
  write_validation(folder / "validation.json", {});
  EXPECT_FALSE(is_run_summary(folder / "validation.json"));
}

TEST(Summary, Validation) {
  std::vector<study::ValidationEntry> scenes(2);
  scenes[0] = {"sliding-block",
               study::ValidationEntry::Status::holds,
               0.25,
               {made_fact("a", "derived", Status::holds, 1, 1)},
               ""};
  scenes[1] = {"broken", study::ValidationEntry::Status::error, 0, {}, "there is no such file"};
  const ordered_json json = ordered_json::parse(validation_json(scenes));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["program"], "ricochet");
  ASSERT_EQ(json["scenes"].size(), 2u);
  EXPECT_EQ(keys_of(json["scenes"][0]), (std::vector<std::string>{"id", "status", "wall_seconds", "expectations"}));
  EXPECT_EQ(json["scenes"][0]["id"], "sliding-block");
  EXPECT_EQ(json["scenes"][0]["status"], "holds");
  EXPECT_EQ(json["scenes"][0]["expectations"][0]["holds"], true);
  EXPECT_EQ(json["scenes"][1]["status"], "error");
  EXPECT_EQ(json["scenes"][1]["message"], "there is no such file");
}

TEST(SummaryBadInput, BytesThatAreNotText) {
  SummaryParts parts;
  parts.run_case.overrides = {"a=\xff\xfe"};
  EXPECT_EQ(parts.json()["overrides"].size(), 1u);
}

TEST(SummaryBadInput, PlacesThatCannotBeWritten) {
  EXPECT_THROW(write_validation("/dev/full", {}), WriteError);
  EXPECT_THROW(write_validation("/proc/none/a.json", {}), OutputError);
}

}  // namespace
}  // namespace ricochet::io
