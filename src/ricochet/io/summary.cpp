#include "ricochet/io/summary.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ricochet/io/text_output.hpp"
#include "ricochet/io/version.hpp"

namespace ricochet::io {
namespace {

using OrderedJson = nlohmann::ordered_json;  // keeps the order of the keys; writes NaN and infinity as null

OrderedJson json_header() { return {{"format", file_format}, {"program", program_name}}; }

// Texts from outside (a command line, a scene) may hold bytes that are not UTF-8: they are replaced, not refused.
std::string json_text(const OrderedJson& json) {
  return json.dump(2, ' ', false, nlohmann::detail::error_handler_t::replace) + "\n";
}

const char* json_fact_status(study::FactResult::Status status) {
  switch (status) {
    case study::FactResult::Status::holds:
      return "holds";
    case study::FactResult::Status::fails:
      return "fails";
    case study::FactResult::Status::not_applicable:
      return "not_applicable";
    case study::FactResult::Status::not_reached:
      return "not_reached";
  }
  return "";
}

const char* relation_name(study::FactResult::Relation relation) {
  switch (relation) {
    case study::FactResult::Relation::equal:
      return "equal";
    case study::FactResult::Relation::at_least:
      return "at_least";
    case study::FactResult::Relation::at_most:
      return "at_most";
  }
  return "";
}

OrderedJson optional_json(const std::optional<double>& value) { return value ? OrderedJson(*value) : OrderedJson(); }

// `lower` and `upper` are the bounds of a fact that has such. `holds` is null for a fact that was not judged because it
// does not describe this run.
OrderedJson expectations_json(std::span<const study::FactResult> facts) {
  OrderedJson list = OrderedJson::array();
  for (const study::FactResult& fact : facts) {
    OrderedJson holds = fact.status == study::FactResult::Status::holds;
    if (fact.status == study::FactResult::Status::not_applicable) holds = nullptr;
    list.push_back({{"fact", fact.fact},
                    {"relation", relation_name(fact.relation)},
                    {"expected", fact.expected},
                    {"lower", optional_json(fact.lower)},
                    {"upper", optional_json(fact.upper)},
                    {"found", fact.found},
                    {"tolerance", fact.tolerance},
                    {"holds", holds},
                    {"source", fact.source},
                    {"status", json_fact_status(fact.status)},
                    {"detail", fact.detail}});
  }
  return list;
}

OrderedJson stopped_json(const simulation::RunResult& result) {
  std::string reason = result.reason;
  if (reason.empty()) {
    switch (result.outcome) {
      case simulation::Outcome::completed:
        reason = "the end time was reached";
        break;
      case simulation::Outcome::interrupted:
        reason = "the run was interrupted";
        break;
      case simulation::Outcome::failed:
        reason = "the run failed";
        break;
    }
  }
  return {{"time", result.time}, {"reason", reason}};
}

OrderedJson integrator_json(const simulation::Settings& settings) {
  if (settings.scheme == simulation::SchemeKind::nonsmooth_generalized_alpha) {
    const integrate::NonsmoothGeneralizedAlphaOptions& options = settings.generalized_alpha;
    const integrate::AugmentedNewtonOptions& newton = options.newton;
    return {{"scheme", "nonsmooth-generalized-alpha"},
            {"spectral_radius", options.spectral_radius},
            {"position_friction", options.position_friction},
            {"impacts", integrate::impact_order_names.at(static_cast<std::size_t>(options.impacts))},
            {"step", settings.step},
            {"tolerance", newton.tolerance},
            {"stopping_test", integrate::stopping_test_names.at(static_cast<std::size_t>(newton.test))},
            {"max_iterations", newton.max_iterations},
            {"subproblem_solver", integrate::subproblem_solver_names.at(static_cast<std::size_t>(newton.solver))},
            {"penalty_normal", newton.penalty.normal},
            {"penalty_tangential", newton.penalty.tangential},
            {"scaling", newton.scaling}};
  }
  if (settings.scheme == simulation::SchemeKind::moreau_midpoint) {
    const auto projection = static_cast<std::size_t>(settings.moreau_midpoint.projection);
    return {{"scheme", "moreau-midpoint"},
            {"projection", integrate::projection_names.at(projection)},
            {"step", settings.step}};
  }
  return {{"scheme", "moreau-jean"},
          {"theta", settings.moreau_jean.theta},
          {"impact", integrate::impact_law_names.at(static_cast<std::size_t>(settings.moreau_jean.impact))},
          {"impacts", integrate::impact_order_names.at(static_cast<std::size_t>(settings.moreau_jean.impacts))},
          {"active_set", integrate::active_set_names.at(static_cast<std::size_t>(settings.moreau_jean.active_set))},
          {"projection", integrate::projection_names.at(static_cast<std::size_t>(settings.moreau_jean.projection))},
          {"step", settings.step},
          {"motion_tolerance", settings.moreau_jean.motion_tolerance},
          {"max_motion_iterations", settings.moreau_jean.max_motion_iterations}};
}

OrderedJson energy_json(const simulation::Ledger& ledger) {
  return {{"initial", ledger.initial},
          {"final", ledger.total()},
          {"work_loads", ledger.work_loads},
          {"work_drivers", ledger.work_drivers},
          {"dissipated_damping", ledger.dissipated_damping},
          {"contact_normal", ledger.contact_normal},
          {"contact_tangential", ledger.contact_tangential},
          {"contact_resistance", ledger.contact_resistance},
          {"contact_normal_positive", ledger.contact_normal_positive},
          {"contact_tangential_positive", ledger.contact_tangential_positive},
          {"contact_resistance_positive", ledger.contact_resistance_positive},
          {"contact_created", ledger.contact_created},
          {"projection", ledger.projection},
          {"appeared", ledger.appeared},
          {"joints", ledger.joints},
          {"numerical", ledger.numerical},
          {"closing_error", ledger.closing_error()},
          {"scale", ledger.scale}};
}

}  // namespace

std::string summary_json(const Summary& summary) {
  const simulation::Statistics& statistics = summary.statistics;
  const double steps = static_cast<double>(std::max(statistics.steps, 1L));

  OrderedJson stages = OrderedJson::object();
  for (std::size_t stage = 0; stage < integrate::stage_names.size(); ++stage) {
    stages[integrate::stage_names[stage]] = statistics.stage_seconds[stage];
  }
  OrderedJson probes = OrderedJson::object();
  for (const ProbeSummary& probe : summary.probes) {
    probes[probe.name] = {{"first", probe.first}, {"last", probe.last}, {"min", probe.min}, {"max", probe.max}};
  }

  OrderedJson json = json_header();
  json["complete"] = summary.result.outcome == simulation::Outcome::completed;
  json["stopped"] = stopped_json(summary.result);
  json["scene"] = summary.run_case.id;
  json["overrides"] = summary.run_case.overrides;
  json["version"] = version();
  json["integrator"] = integrator_json(summary.run_case.settings);
  json["steps"] = summary.result.steps;
  json["wall_seconds"] = summary.wall_seconds;
  json["seconds_per_stage"] = stages;
  json["bodies"] = summary.run_case.model.bodies.size();
  json["contacts"] = {{"mean", statistics.contacts_sum / steps}, {"max", statistics.contacts_max}};
  json["solver"] = {{"iterations_mean", statistics.iterations_sum / steps},
                    {"iterations_max", statistics.iterations_max},
                    {"worst_residual", statistics.worst_residual},
                    {"unconverged_steps", statistics.unconverged_steps},
                    {"tolerance", summary.run_case.settings.solver.tolerance},
                    {"max_iterations", summary.run_case.settings.solver.max_iterations}};
  if (summary.run_case.settings.scheme == simulation::SchemeKind::nonsmooth_generalized_alpha) {
    OrderedJson subproblems = OrderedJson::object();
    for (std::size_t i = 0; i < integrate::subproblem_names.size(); ++i) {
      subproblems[integrate::subproblem_names[i]] = {
          {"iterations_mean", statistics.subproblem_iterations_sum[i] / steps},
          {"iterations_max", statistics.subproblem_iterations_max[i]},
          {"line_searches_mean", statistics.line_searches_sum[i] / steps},
          {"line_searches_max", statistics.line_searches_max[i]}};
    }
    json["solver"]["subproblems"] = subproblems;
  }
  if (summary.run_case.settings.scheme != simulation::SchemeKind::moreau_midpoint) {
    json["solver"]["halved_steps"] = statistics.halved_steps;
    json["solver"]["substeps"] = statistics.substeps;
    json["solver"]["refined_steps"] = statistics.refined_steps;
  }
  if (simulation::takes_impacts_in_sequence(summary.run_case.settings))
    json["solver"]["passes_max"] = statistics.passes_max;
  if (simulation::looks_for_second_solutions(summary.run_case.settings)) {
    json["solver"]["second_solutions"] = statistics.second_solutions;
    json["solver"]["first_second_solution_time"] =
        statistics.second_solutions > 0 ? OrderedJson(statistics.first_second_time) : OrderedJson(nullptr);
    if (statistics.second_solutions > 0) json["solver"]["first_second_solution"] = statistics.first_second_solution;
  }
  json["constraints"] = {{"max_penetration", statistics.max_penetration},
                         {"max_joint_error", statistics.max_joint_error}};
  json["energy"] = energy_json(summary.ledger);
  json["state_hash"] = summary.state_hash;
  json["probes"] = probes;
  json["expectations"] = expectations_json(summary.facts);
  return json_text(json);
}

std::string expectations_text(std::span<const study::FactResult> facts) {
  return expectations_json(facts).dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace);
}

void write_summary(const std::filesystem::path& path, const Summary& summary) {
  write_text_file(path, summary_json(summary));
}

std::string validation_json(std::span<const study::ValidationEntry> scenes) {
  OrderedJson list = OrderedJson::array();
  for (const study::ValidationEntry& scene : scenes) {
    list.push_back({{"id", scene.id},
                    {"status", study::status_name(scene.status)},
                    {"wall_seconds", scene.wall_seconds},
                    {"expectations", expectations_json(scene.facts)}});
    if (!scene.message.empty()) list.back()["message"] = scene.message;
  }
  OrderedJson json = json_header();
  json["version"] = version();
  json["scenes"] = list;
  return json_text(json);
}

void write_validation(const std::filesystem::path& path, std::span<const study::ValidationEntry> scenes) {
  write_text_file(path, validation_json(scenes));
}

bool is_run_summary(const std::filesystem::path& path) {
  constexpr std::uintmax_t largest = 64 << 20;  // bytes
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > largest) return false;
  std::ifstream file(path, std::ios::binary);
  const OrderedJson json = OrderedJson::parse(file, nullptr, false);
  if (!json.is_object()) return false;
  const auto format = json.find("format"), program = json.find("program"), complete = json.find("complete");
  return format != json.end() && format->is_number_integer() && program != json.end() && program->is_string() &&
         program->get_ref<const std::string&>().starts_with(program_name) &&
         // Other files of ours have the same header; only a run can be complete.
         complete != json.end() && complete->is_boolean();
}

}  // namespace ricochet::io
