#include "ricochet/io/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/io/document.hpp"
#include "ricochet/io/portrait_line.hpp"
#include "ricochet/io/report_json.hpp"
#include "ricochet/io/report_replay.hpp"
#include "ricochet/io/report_thinning.hpp"
#include "ricochet/io/result_reader.hpp"
#include "ricochet/io/summary.hpp"
#include "ricochet/io/text_output.hpp"
#include "ricochet/io/version.hpp"

namespace ricochet::io {

#ifndef RICOCHET_VIEWER  // CMake defines it for this file alone if it could make the page of viewer/
std::string_view report_template() {
  return R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Ricochet report</title></head>
<body style="font-family: system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em">
<h1>Ricochet report</h1>
<p>This program was built without its viewer (see cmake/viewer.cmake), so this page has no plots. Below is the summary
of the run or study; the files beside this page have the rest.</p>
<script type="application/json" id="data">@RICOCHET_DATA@</script>
<pre id="summary"></pre>
<script>
document.getElementById("summary").textContent =
  ((data) => JSON.stringify(data.summary ?? data.study, null, 2))(JSON.parse(document.getElementById("data").textContent));
</script>
</body>
</html>
)";
}
#endif

namespace {

constexpr std::string_view report_draft_prefix = "report.html.partial-";

void report_table(ReportJson& json, std::span<const double> time, std::span<const ResultColumn> columns,
                  std::size_t limit) {
  std::vector<std::span<const double>> views;
  for (const ResultColumn& column : columns) views.emplace_back(column.values);
  const std::vector<std::size_t> rows = thinned_rows(views, limit);
  const auto numbers = [&](std::span<const double> values) {
    json.begin_array();
    for (const std::size_t row : rows) json.number(values[row]);
    json.end_array();
  };
  json.begin_object();
  if (time.size() > limit) {
    json.key("time");
    numbers(time);
  }
  json.key("columns").begin_array();
  for (const ResultColumn& column : columns) {
    json.begin_object().key("name").text(column.name).key("values");
    numbers(column.values);
    json.end_object();
  }
  json.end_array().end_object();
}

// {name, x, y, lines [{time, columns [[x], [y]]}]}: both probes at the same rows.
void report_portraits(ReportJson& json, const ResultReader& source) {
  const std::vector<ResultPortrait> portraits = source.portraits();
  const std::vector<ResultColumn> probes = portraits.empty() ? std::vector<ResultColumn>() : source.probes();
  json.begin_array();
  for (const ResultPortrait& portrait : portraits) {
    const ResultColumn &x = probes[portrait.x], &y = probes[portrait.y];
    json.begin_object().key("name").text(portrait.name).key("x").text(x.name).key("y").text(y.name);
    json.key("lines").begin_array().begin_object();
    portrait_line(json, source.time(), x.values, y.values, report_rows_per_plot(2 * portraits.size()));
    json.end_object().end_array().end_object();
  }
  json.end_array();
}

// Per row: how many contacts were active, and how deep the worst of them was.
std::array<ResultColumn, 2> report_contact_columns(const ResultContacts& contacts, std::size_t rows) {
  std::array<ResultColumn, 2> result = {ResultColumn{"active", {}}, ResultColumn{"penetration", {}}};
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = contacts.gap.begin() + contacts.row_start[row];
    const auto end = contacts.gap.begin() + contacts.row_start[row + 1];
    result[0].values.push_back(static_cast<double>(end - begin));
    result[1].values.push_back(begin == end ? 0.0 : std::max(0.0, -*std::min_element(begin, end)));
  }
  return result;
}

void report_history(ReportJson& json, const ResultReader& source, const ResultContacts& contacts) {
  const std::vector<double>& time = source.time();
  const std::vector<ResultColumn> probes = source.probes();
  const std::size_t limit = report_rows_per_plot(probes.size() + 17);  // with the columns below
  const auto add = [&](const char* key, std::span<const ResultColumn> columns) {
    json.key(key);
    report_table(json, time, columns, limit);
  };
  const auto add_group = [&](const char* key, const char* group, std::initializer_list<const char*> names) {
    std::vector<ResultColumn> columns;
    for (const char* name : names) columns.push_back(source.column(group, name));
    add(key, columns);
  };
  json.begin_object().key("rows").number(static_cast<double>(time.size())).key("time");
  if (time.size() > limit) {
    json.null();
  } else {
    json.numbers(time);
  }
  json.key("probes").begin_array();
  for (const ResultColumn& probe : probes) report_table(json, time, {&probe, 1}, limit);
  json.end_array();
  add_group("energy", "energy", {"kinetic", "potential", "total"});
  add_group("works", "energy",
            {"work_loads", "work_drivers", "dissipated_damping", "contact_normal", "contact_tangential",
             "contact_resistance", "joints", "projection", "appeared", "numerical"});
  add_group("closing_error", "energy", {"closing_error"});
  const auto [active, penetration] = report_contact_columns(contacts, time.size());
  add("contacts", {&active, 1});
  add("penetration", {&penetration, 1});
  add_group("iterations", "solver", {"iterations"});
  add_group("residual", "solver", {"residual"});
  json.end_object();
}

void report_contact_list(ReportJson& json, const ResultContacts& contacts, std::span<const double> time) {
  struct Line {
    double normal = 0, tangential = 0, stick = 0, slip = 0, penetration = 0;
  };
  std::vector<Line> lines(contacts.names.size());
  for (std::size_t row = 0; row < time.size(); ++row) {
    const double duration = row == 0 ? 0.0 : time[row] - time[row - 1];
    for (std::int64_t i = contacts.row_start[row]; i < contacts.row_start[row + 1]; ++i) {
      Line& line = lines[contacts.identity[i]];
      const double* impulse = contacts.impulse.data() + 3 * i;
      line.normal += impulse[0];
      line.tangential += std::hypot(impulse[1], impulse[2]);
      if (contacts.status[i] == 1) line.stick += duration;
      if (contacts.status[i] == 2) line.slip += duration;
      line.penetration = std::max(line.penetration, -contacts.gap[i]);
    }
  }
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lines[a].normal > lines[b].normal; });
  order.resize(std::min(order.size(), report_contacts));

  const double run = time.back() - time.front();
  const double share = run > 0 ? 1 / run : 0.0;
  json.begin_object().key("identities").number(static_cast<double>(lines.size())).key("list").begin_array();
  for (const std::size_t i : order) {
    const Line& line = lines[i];
    json.begin_object().key("name").text(contacts.names[i]);
    json.key("normal").number(line.normal).key("tangential").number(line.tangential);
    json.key("stick").number(line.stick * share).key("slip").number(line.slip * share);
    json.key("penetration").number(line.penetration).end_object();
  }
  json.end_array().end_object();
}

// The summary as it is in the file: it is JSON already.
std::string report_summary(const std::filesystem::path& path) {
  if (!is_run_summary(path)) {
    throw FileError(fmt::format("{}: this is not the summary of a run, or it is damaged.", path.string()));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  // The check reads no further than a zero byte, and not the mark that some editors put at the start of a file.
  text.resize(std::min(text.find('\0'), text.size()));
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

void report_replace_file(const std::filesystem::path& path, std::string_view text) {
  // With the number of the process, because two may make the same report.
  std::filesystem::path partial = path.parent_path();
  partial /= fmt::format("{}{}", report_draft_prefix, getpid());
  std::error_code ignored;
  try {
    write_text_file(partial, text);
    std::error_code error;
    std::filesystem::rename(partial, path, error);
    if (error) throw WriteError(fmt::format("{}: cannot be written: {}.", path.string(), error.message()));
  } catch (...) {
    std::filesystem::remove(partial, ignored);
    throw;
  }
}

}  // namespace

std::size_t report_rows_per_plot(std::size_t lines) {
  constexpr std::size_t bytes_per_number = 20;
  return std::clamp<std::size_t>(report_bytes / 2 / (2 * bytes_per_number) / std::max<std::size_t>(lines, 1), 100,
                                 report_rows);
}

void report_scene(ReportJson& json, const std::string& text, const std::string& id) {
  std::string name, description, variant;
  const auto read_text = [](const Value* map, const char* key, std::string& to) {
    const Value* value = map != nullptr && map->is_map() ? map->find(key) : nullptr;
    if (value != nullptr && value->is_scalar()) to = value->text;
  };
  try {
    const Value scene = parse_document(text, "scene");
    read_text(&scene, "name", name);
    read_text(&scene, "description", description);
    const Value* variants = scene.is_map() ? scene.find("variants") : nullptr;
    const std::size_t slash = id.find('/');
    if (variants != nullptr && variants->is_map() && slash != std::string::npos) {
      read_text(variants->find(id.substr(slash + 1)), "description", variant);
    }
  } catch (const InputError&) {  // no name, then
  }
  json.begin_object().key("name").text(name).key("description").text(description);
  json.key("variant").text(variant).key("text").text(text).end_object();
}

void write_report_page(const std::filesystem::path& path, const std::string& data) {
  std::string page(report_template());
  const std::size_t mark = page.find(report_data_mark);
  if (mark == std::string::npos) throw std::logic_error("the template of the report has no place for its data");
  page.replace(mark, report_data_mark.size(), data);
  report_replace_file(path, page);
}

bool is_report_draft_name(std::string_view file_name) {
  if (!file_name.starts_with(report_draft_prefix)) return false;
  file_name.remove_prefix(report_draft_prefix.size());
  return !file_name.empty() && file_name.find_first_not_of("0123456789") == std::string_view::npos;
}

void write_report(const std::filesystem::path& result_directory) {
  std::error_code error;
  const std::filesystem::path summary = result_directory / "summary.json", result = result_directory / "result.h5";
  for (const std::filesystem::path& path : {result_directory, summary, result}) {
    if (std::filesystem::exists(path, error)) continue;
    throw FileError(fmt::format("{}: there is no such file or directory; a report is made from a result directory.",
                                path.string()));
  }
  ReportJson json;
  json.begin_object().key("format").number(file_format).key("program").text(program_name);
  json.key("version").text(version()).key("summary").raw(report_summary(summary));
  const ResultReader source(result);
  json.key("scene");
  report_scene(json, source.scene_text(), source.scene_id());
  const ResultContacts contacts = source.contacts();
  json.key("history");
  report_history(json, source, contacts);
  json.key("portraits");
  report_portraits(json, source);
  json.key("contacts");
  report_contact_list(json, contacts, source.time());
  json.key("replay");
  report_replay(json, source, report_bytes - std::min(report_bytes, report_template().size() + json.size()));
  json.end_object();
  write_report_page(result_directory / "report.html", json.take());
}

}  // namespace ricochet::io
