#include "ricochet/io/convergence_output.hpp"

#include <array>
#include <limits>

#include "ricochet/io/csv_writer.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/report_json.hpp"
#include "ricochet/io/text_output.hpp"
#include "ricochet/io/version.hpp"

namespace ricochet::io {

namespace {

// From the point before to this one.
double slope_to(const study::ProbeConvergence& probe, std::size_t point) {
  return point == 0 ? std::numeric_limits<double>::quiet_NaN() : probe.fit.pairs[point - 1];
}

void convergence_run_json(ReportJson& json, const study::StudyRun& run, bool is_reference) {
  json.begin_object().key("step").number(run.step);
  json.key("completed").boolean(run.completed);
  json.key("failure").text(run.failure);
  json.key("steps").number(static_cast<double>(run.steps)).key("wall_seconds").number(run.wall_seconds);
  json.key("is_reference").boolean(is_reference).end_object();
}

void convergence_probe_json(ReportJson& json, const ConvergenceStudy& study, std::size_t column) {
  const study::ProbeConvergence& probe = study.found.probes[column];
  json.begin_object().key("name").text(study.run_case.probes.name(probe.probe)).key("reference");
  probe.against_run ? json.null() : json.text(study.truth[column]);
  json.key("norm").text(probe.absolute ? "absolute" : "relative");
  json.key("interpolated").boolean(probe.interpolated);
  json.key("order").number(probe.fit.order).key("order_uncorrected").number(probe.fit.plain_order);
  json.key("factor").number(probe.fit.factor).key("points").begin_array();
  for (std::size_t i = 0; i < probe.points.size(); ++i) {
    json.begin_object().key("step").number(probe.points[i].step).key("error").number(probe.points[i].error);
    json.key("slope").number(slope_to(probe, i)).key("last").number(probe.final_value[i]).end_object();
  }
  json.end_array().end_object();
}

void write_convergence_csv(const std::filesystem::path& path, const ConvergenceStudy& study) {
  const std::array<std::string, 5> columns = {"probe", "step", "error", "slope", "last"};
  CsvWriter table(path, columns);
  for (const study::ProbeConvergence& probe : study.found.probes) {
    for (std::size_t i = 0; i < probe.points.size(); ++i) {
      table.cell(study.run_case.probes.name(probe.probe)).cell(probe.points[i].step).cell(probe.points[i].error);
      table.cell(slope_to(probe, i)).cell(probe.final_value[i]);
      table.end_row();
    }
  }
  table.close();
}

}  // namespace

std::string convergence_json(const ConvergenceStudy& study) {
  const study::Convergence& found = study.found;
  ReportJson json;
  json.begin_object().key("format").number(file_format).key("program").text(program_name);
  json.key("version").text(version()).key("complete").boolean(found.complete());
  json.key("scene").text(study.run_case.id).key("overrides").texts(study.run_case.overrides);
  json.key("end").number(study.run_case.settings.end).key("reference_step");
  found.reference ? json.number(found.reference->step) : json.null();
  json.key("notes").texts(study.notes).key("runs").begin_array();
  if (found.reference) convergence_run_json(json, *found.reference, true);
  for (const study::StudyRun& run : found.runs) convergence_run_json(json, run, false);
  json.end_array().key("probes").begin_array();
  for (std::size_t i = 0; i < found.probes.size(); ++i) convergence_probe_json(json, study, i);
  json.end_array().end_object();
  return json.take() + "\n";
}

void write_convergence(const std::filesystem::path& directory, const ConvergenceStudy& study) {
  const std::string text = convergence_json(study);
  ReportJson page;
  page.begin_object().key("kind").text("convergence").key("version").text(version()).key("scene");
  report_scene(page, study.run_case.source_text, study.run_case.id);
  page.key("study").raw(text).end_object();
  write_report_page(directory / "report.html", page.take());
  write_convergence_csv(directory / "converge.csv", study);
  write_text_file(directory / "converge.json", text);
}

}  // namespace ricochet::io
