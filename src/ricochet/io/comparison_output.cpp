#include "ricochet/io/comparison_output.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "ricochet/io/csv_writer.hpp"
#include "ricochet/io/portrait_line.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/report_json.hpp"
#include "ricochet/io/report_thinning.hpp"
#include "ricochet/io/text_output.hpp"
#include "ricochet/io/version.hpp"

namespace ricochet::io {

namespace {

double last_value(const ComparedRun& run, std::size_t probe) {
  const std::vector<double>& values = run.history.values[probe];
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values.back();
}

void comparison_entry_json(ReportJson& json, const Comparison& comparison, std::size_t index) {
  const ComparedRun& run = comparison.runs[index];
  json.begin_object().key("entry").text(run.entry).key("overrides").texts(run.overrides);
  json.key("directory").text(run.directory).key("notices").texts(run.notices).key("row").begin_object();
  for (const auto& [name, value] : comparison_row(run.result)) json.key(name).number(value);
  json.end_object().key("probes").begin_object();
  const std::vector<double> distances = differences(comparison, index);
  for (std::size_t i = 0; i < comparison.probe_names.size(); ++i) {
    json.key(comparison.probe_names[i]).begin_object().key("last").number(last_value(run, i));
    json.key("difference").number(distances[i]).end_object();
  }
  json.end_object().key("summary").raw(run.summary).end_object();
}

void write_comparison_csv(const std::filesystem::path& path, const Comparison& comparison) {
  std::vector<std::string> columns = {"entry"};
  for (const auto& [name, value] : comparison_row({})) columns.push_back(name);
  for (const std::string& name : comparison.probe_names) {
    columns.push_back("last " + name);
    columns.push_back("difference " + name);
  }
  CsvWriter table(path, columns);
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    table.cell(comparison.runs[i].entry);
    for (const auto& [name, value] : comparison_row(comparison.runs[i].result)) table.cell(value);
    const std::vector<double> distances = differences(comparison, i);
    for (std::size_t probe = 0; probe < distances.size(); ++probe) {
      table.cell(last_value(comparison.runs[i], probe)).cell(distances[probe]);
    }
    table.end_row();
  }
  table.close();
}

// The times of all runs. Runs with equal steps share them; a run that stopped early has its share of them.
std::vector<double> common_times(const Comparison& comparison) {
  std::vector<double> times;
  for (const ComparedRun& run : comparison.runs) {
    std::vector<double> all;
    std::merge(times.begin(), times.end(), run.history.time.begin(), run.history.time.end(), std::back_inserter(all));
    all.erase(std::unique(all.begin(), all.end()), all.end());
    times = std::move(all);
  }
  return times;
}

// One table per probe, one column per run.
void comparison_plots(ReportJson& json, const Comparison& comparison) {
  const std::vector<double> times = common_times(comparison);
  json.begin_array();
  for (std::size_t probe = 0; probe < comparison.probe_names.size(); ++probe) {
    std::vector<std::vector<double>> columns;
    for (const ComparedRun& run : comparison.runs) {
      std::vector<double>& column = columns.emplace_back();
      for (const double time : times) column.push_back(run.history.value_at(probe, time));
    }
    const std::vector<std::span<const double>> views(columns.begin(), columns.end());
    const std::vector<std::size_t> rows =
        thinned_rows(views, report_rows_per_plot(comparison.probe_names.size() * columns.size()));
    const auto numbers = [&](std::span<const double> values) {
      json.begin_array();
      for (const std::size_t row : rows) json.number(values[row]);
      json.end_array();
    };
    json.begin_object().key("name").text(comparison.probe_names[probe]).key("time");
    numbers(times);
    json.key("columns").begin_array();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      json.begin_object().key("name").text(comparison.runs[i].entry).key("values");
      numbers(columns[i]);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

// Probes over each other, one line per run; `sample` is the number of the run.
void comparison_portraits(ReportJson& json, const Comparison& comparison) {
  const study::Case& run_case = comparison.run_case;
  const std::size_t lines = 2 * run_case.portraits.size() * comparison.runs.size();
  const auto column = [&](int probe) {
    const auto& names = comparison.probe_names;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), run_case.probes.name(probe)) - names.begin());
  };
  json.begin_array();
  for (const study::Portrait& portrait : run_case.portraits) {
    const std::size_t x = column(portrait.x), y = column(portrait.y);
    json.begin_object().key("name").text(portrait.name).key("x").text(comparison.probe_names[x]);
    json.key("y").text(comparison.probe_names[y]).key("lines").begin_array();
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
      const study::Trajectory& history = comparison.runs[i].history;
      json.begin_object().key("sample").number(static_cast<double>(i));
      portrait_line(json, history.time, history.values[x], history.values[y], report_rows_per_plot(lines));
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

std::vector<std::pair<std::string, double>> comparison_row(const study::CaseResult& result) {
  const simulation::Statistics& statistics = result.statistics;
  const simulation::Ledger& energy = result.ledger;
  const double steps = static_cast<double>(std::max(statistics.steps, 1L));
  const double seconds = std::accumulate(statistics.stage_seconds.begin(), statistics.stage_seconds.end(), 0.0);
  const auto facts = [&](auto counts) {
    return static_cast<double>(std::count_if(result.facts.begin(), result.facts.end(), counts));
  };
  return {{"stopped_at", result.run.time},
          {"steps", static_cast<double>(result.run.steps)},
          {"wall_seconds", result.wall_seconds},
          {"ms_per_step", 1e3 * seconds / steps},
          {"iterations_mean", statistics.iterations_sum / steps},
          {"iterations_max", statistics.iterations_max},
          {"energy_initial", energy.initial},
          {"energy_final", energy.total()},
          {"energy_numerical", energy.numerical},
          {"energy_contact", energy.contact_normal + energy.contact_tangential + energy.contact_resistance},
          {"energy_closing_error", energy.closing_error()},
          {"max_penetration", statistics.max_penetration},
          {"max_joint_error", statistics.max_joint_error},
          {"facts_held",
           facts([](const study::FactResult& fact) { return fact.status == study::FactResult::Status::holds; })},
          {"facts_judged", facts([](const study::FactResult& fact) {
             return fact.status != study::FactResult::Status::not_applicable;
           })}};
}

std::vector<double> differences(const Comparison& comparison, std::size_t run) {
  std::vector<double> result;
  const study::Trajectory &first = comparison.runs.front().history, &other = comparison.runs[run].history;
  for (std::size_t probe = 0; probe < comparison.probe_names.size(); ++probe) {
    result.push_back(study::distance(other, first, probe));
  }
  return result;
}

std::string comparison_json(const Comparison& comparison) {
  ReportJson json;
  json.begin_object().key("format").number(file_format).key("program").text(program_name);
  json.key("version").text(version()).key("scene").text(comparison.run_case.id);
  json.key("overrides").texts(comparison.run_case.overrides).key("entries").begin_array();
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) comparison_entry_json(json, comparison, i);
  json.end_array().end_object();
  return json.take() + "\n";
}

void write_comparison(const std::filesystem::path& directory, const Comparison& comparison) {
  const std::string text = comparison_json(comparison);
  ReportJson page;
  page.begin_object().key("kind").text("comparison").key("version").text(version()).key("scene");
  report_scene(page, comparison.run_case.source_text, comparison.run_case.id);
  page.key("study").raw(text).key("plots");
  comparison_plots(page, comparison);
  page.key("portraits");
  comparison_portraits(page, comparison);
  page.end_object();
  write_report_page(directory / "report.html", page.take());
  write_comparison_csv(directory / "compare.csv", comparison);
  write_text_file(directory / "compare.json", text);
}

}  // namespace ricochet::io
