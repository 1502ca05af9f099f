#include "ricochet/io/sweep_output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/io/csv_writer.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/report_json.hpp"
#include "ricochet/io/text_output.hpp"
#include "ricochet/io/version.hpp"
#include "ricochet/math/expression.hpp"

namespace ricochet::io {

namespace {

constexpr double sweep_nothing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> probe_names_of(const study::Case& run_case) {
  std::vector<std::string> names;
  for (const int probe : visible_probes(run_case.probes)) names.push_back(run_case.probes.name(probe));
  return names;
}

// A probe of a sample; of NaN if it has none.
ProbeSummary probe_of(const SweepSample& sample, std::size_t probe) {
  if (probe < sample.probes.size()) return sample.probes[probe];
  return {"", sweep_nothing, sweep_nothing, sweep_nothing, sweep_nothing};
}

const study::FactResult* fact_of(const SweepSample& sample, std::size_t fact) {
  return fact < sample.facts.size() ? &sample.facts[fact] : nullptr;
}

double found_of(const SweepSample& sample, std::size_t fact) {
  const study::FactResult* result = fact_of(sample, fact);
  return result != nullptr ? result->found : sweep_nothing;
}

void write_sweep_csv(const std::filesystem::path& path, const Sweep& sweep) {
  const std::vector<std::string> probes = probe_names_of(sweep.run_case);
  std::vector<std::string> columns = {"sample"};
  columns.insert(columns.end(), sweep.paths.begin(), sweep.paths.end());
  for (const char* name : {"status", "stopped_at", "steps", "wall_seconds"}) columns.emplace_back(name);
  for (const std::string& name : probes) {
    for (const char* what : {"first ", "last ", "min ", "max "}) columns.push_back(what + name);
  }
  for (const study::Fact& fact : sweep.run_case.facts) {
    columns.push_back("found " + fact.name);
    columns.push_back("verdict " + fact.name);
  }
  CsvWriter table(path, columns);
  for (const SweepSample& sample : sweep.samples) {
    table.cell(static_cast<double>(sample.number));
    for (const std::string& value : sweep.values[static_cast<std::size_t>(sample.number)]) table.cell(value);
    table.cell(status_name(sample.status)).cell(sample.time).cell(static_cast<double>(sample.steps));
    table.cell(sample.wall_seconds);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const ProbeSummary probe = probe_of(sample, i);
      table.cell(probe.first).cell(probe.last).cell(probe.min).cell(probe.max);
    }
    for (std::size_t i = 0; i < sweep.run_case.facts.size(); ++i) {
      const study::FactResult* fact = fact_of(sample, i);
      table.cell(found_of(sample, i)).cell(fact != nullptr ? study::status_name(fact->status) : std::string_view());
    }
    table.end_row();
  }
  table.close();
}

void sweep_sample_json(ReportJson& json, const Sweep& sweep, const SweepSample& sample) {
  json.begin_object().key("sample").number(sample.number).key("values").begin_object();
  const std::vector<std::string>& values = sweep.values[static_cast<std::size_t>(sample.number)];
  for (std::size_t i = 0; i < values.size(); ++i) json.key(sweep.paths[i]).text(values[i]);
  json.end_object().key("status").text(status_name(sample.status)).key("reason").text(sample.reason);
  json.key("stopped_at").number(sample.time).key("steps").number(static_cast<double>(sample.steps));
  json.key("wall_seconds").number(sample.wall_seconds).key("state_hash").text(sample.state_hash);
  json.key("probes").begin_object();
  for (const ProbeSummary& probe : sample.probes) {
    json.key(probe.name).begin_object().key("first").number(probe.first).key("last").number(probe.last);
    json.key("min").number(probe.min).key("max").number(probe.max).end_object();
  }
  json.end_object().key("expectations").raw(expectations_text(sample.facts)).end_object();
}

// A value as a place on an axis; none if it is a word, or an expression of parameters.
double sweep_number(const std::string& text) {
  try {
    const math::Expression expression = math::Expression::parse(text);
    return expression.is_constant() ? expression.value() : sweep_nothing;
  } catch (const math::ExpressionError&) {
    return sweep_nothing;
  }
}

std::vector<const SweepSample*> chosen_samples(const Sweep& sweep, std::size_t most) {
  std::vector<const SweepSample*> chosen;
  for (const SweepSample& sample : sweep.samples) {
    if (is_chosen(static_cast<std::size_t>(sample.number), sweep.values.size(), most)) chosen.push_back(&sample);
  }
  return chosen;
}

std::size_t sweep_columns(const study::Case& run_case) {
  return visible_probes(run_case.probes).size() + 2 * run_case.portraits.size();
}

// How many histories a plot has: fewer with very many probes, because of each a few rows must fit into the page.
std::size_t most_lines(const study::Case& run_case) {
  constexpr std::size_t few_rows = 100, bytes_per_row = 40;
  return std::clamp<std::size_t>(report_bytes / 2 / (few_rows * bytes_per_row) / (1 + sweep_columns(run_case)), 1,
                                 sweep_lines);
}

// What the page tells of every sample, in columns.
void sweep_points_json(ReportJson& json, const Sweep& sweep) {
  const std::vector<const SweepSample*> points = chosen_samples(sweep, sweep_points);
  const auto column = [&](const char* key, const auto& put) {
    json.key(key).begin_array();
    for (const SweepSample* sample : points) put(*sample);
    json.end_array();
  };
  json.begin_object();
  column("sample", [&](const SweepSample& sample) { json.number(sample.number); });
  column("status", [&](const SweepSample& sample) { json.text(status_name(sample.status)); });
  json.key("vary").begin_array();
  for (std::size_t i = 0; i < sweep.paths.size(); ++i) {
    const auto text_of = [&](const SweepSample& sample) {
      return sweep.values[static_cast<std::size_t>(sample.number)][i];
    };
    json.begin_object().key("path").text(sweep.paths[i]).key("range").text(sweep.ranges[i]);
    column("texts", [&](const SweepSample& sample) { json.text(text_of(sample)); });
    column("numbers", [&](const SweepSample& sample) { json.number(sweep_number(text_of(sample))); });
    json.end_object();
  }
  json.end_array().key("probes").begin_array();
  const std::vector<std::string> names = probe_names_of(sweep.run_case);
  for (std::size_t i = 0; i < names.size(); ++i) {
    json.begin_object().key("name").text(names[i]);
    column("last", [&](const SweepSample& sample) { json.number(probe_of(sample, i).last); });
    column("min", [&](const SweepSample& sample) { json.number(probe_of(sample, i).min); });
    column("max", [&](const SweepSample& sample) { json.number(probe_of(sample, i).max); });
    json.end_object();
  }
  json.end_array().key("facts").begin_array();
  for (std::size_t i = 0; i < sweep.run_case.facts.size(); ++i) {
    json.begin_object().key("name").text(sweep.run_case.facts[i].name);
    column("found", [&](const SweepSample& sample) { json.number(found_of(sample, i)); });
    column("verdict", [&](const SweepSample& sample) {
      const study::FactResult* fact = fact_of(sample, i);
      json.text(fact != nullptr ? study::status_name(fact->status) : std::string_view());
    });
    json.end_object();
  }
  json.end_array().end_object();
}

// Plot `index` of the histories of a sample: those of all drawn samples.
void sweep_lines_json(ReportJson& json, const Sweep& sweep, std::size_t index) {
  json.begin_array();
  for (const SweepSample* sample : chosen_samples(sweep, most_lines(sweep.run_case))) {
    if (index >= sample->histories.size()) continue;
    const study::Trajectory& history = sample->histories[index];
    json.begin_object().key("sample").number(sample->number).key("time").numbers(history.time);
    json.key("columns").begin_array();
    for (const std::vector<double>& values : history.values) json.numbers(values);
    json.end_array().end_object();
  }
  json.end_array();
}

void sweep_plots_json(ReportJson& json, const Sweep& sweep) {
  const std::vector<std::string> names = probe_names_of(sweep.run_case);
  json.key("plots").begin_array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    json.begin_object().key("name").text(names[i]).key("lines");
    sweep_lines_json(json, sweep, i);
    json.end_object();
  }
  json.end_array().key("portraits").begin_array();
  for (std::size_t i = 0; i < sweep.run_case.portraits.size(); ++i) {
    const study::Portrait& portrait = sweep.run_case.portraits[i];
    json.begin_object().key("name").text(portrait.name).key("x").text(sweep.run_case.probes.name(portrait.x));
    json.key("y").text(sweep.run_case.probes.name(portrait.y)).key("lines");
    sweep_lines_json(json, sweep, names.size() + i);
    json.end_object();
  }
  json.end_array();
}

// The head of sweep.json, which the page has too.
void sweep_head(ReportJson& json, const Sweep& sweep) {
  json.begin_object().key("format").number(file_format).key("program").text(program_name);
  json.key("version").text(version()).key("complete").boolean(sweep.complete());
  json.key("scene").text(sweep.run_case.id).key("overrides").texts(sweep.overrides);
  json.key("seed").raw(std::to_string(sweep.seed));  // all 64 bits
  json.key("planned").number(static_cast<double>(sweep.values.size()));
  json.key("vary").begin_array();
  for (std::size_t i = 0; i < sweep.paths.size(); ++i) {
    json.begin_object().key("path").text(sweep.paths[i]).key("values").text(sweep.ranges[i]).end_object();
  }
  json.end_array();
}

// Of those that did not complete, the first.
void sweep_failures_json(ReportJson& json, const Sweep& sweep) {
  constexpr std::size_t told = 200;
  std::size_t count = 0;
  double seconds = 0;
  json.key("failures").begin_array();
  for (const SweepSample& sample : sweep.samples) {
    seconds += sample.wall_seconds;
    if (sample.status == SweepSample::Status::completed || count++ >= told) continue;
    json.begin_object().key("sample").number(sample.number).key("values");
    json.texts(sweep.values[static_cast<std::size_t>(sample.number)]).key("status").text(status_name(sample.status));
    json.key("time").number(sample.time).key("reason").text(sample.reason).end_object();
  }
  json.end_array().key("failed").number(static_cast<double>(count));
  json.key("finished").number(static_cast<double>(sweep.samples.size())).key("seconds").number(seconds);
}

}  // namespace

bool is_chosen(std::size_t index, std::size_t count, std::size_t most) {
  return count <= most || (index + 1) * most / count > index * most / count;
}

std::size_t sweep_plot_rows(const study::Case& run_case, std::size_t sample, std::size_t samples) {
  const std::size_t lines = most_lines(run_case);
  if (!is_chosen(sample, samples, lines)) return 0;
  return report_rows_per_plot(std::min(samples, lines) * sweep_columns(run_case));
}

std::string sweep_json(const Sweep& sweep) {
  ReportJson json;
  sweep_head(json, sweep);
  json.key("samples").begin_array();
  for (const SweepSample& sample : sweep.samples) sweep_sample_json(json, sweep, sample);
  json.end_array().end_object();
  return json.take() + "\n";
}

void write_sweep(const std::filesystem::path& directory, const Sweep& sweep) {
  ReportJson page;
  page.begin_object().key("kind").text("sweep").key("version").text(version()).key("scene");
  report_scene(page, sweep.run_case.source_text, sweep.run_case.id);
  page.key("study");
  sweep_head(page, sweep);
  sweep_failures_json(page, sweep);
  page.end_object().key("points");
  sweep_points_json(page, sweep);
  sweep_plots_json(page, sweep);
  page.end_object();
  write_report_page(directory / "report.html", page.take());
  write_sweep_csv(directory / "sweep.csv", sweep);
  write_text_file(directory / "sweep.json", sweep_json(sweep));
}

}  // namespace ricochet::io
