#include "ricochet/io/problem_result.hpp"

#include "ricochet/io/report_json.hpp"
#include "ricochet/io/version.hpp"

namespace ricochet::io {

std::string problem_results_json(std::span<const ProblemResult> results) {
  ReportJson json;
  json.begin_object();
  json.key("format").number(file_format);
  json.key("program").text(program_name);
  json.key("version").text(version());
  json.key("problems").begin_array();
  for (const ProblemResult& result : results) {
    const bool applicable = result.status != "not_applicable";
    json.begin_object();
    json.key("file").text(result.file);
    json.key("contacts").number(result.contacts);
    json.key("dimension").number(result.dimension);
    json.key("solver").text(result.solver);
    json.key("status").text(result.status);
    if (!result.message.empty()) json.key("message").text(result.message);
    json.key("iterations").number(result.iterations);
    if (result.solutions > 0) {
      json.key("solutions").number(result.solutions);
      json.key("all_solutions_known").boolean(result.all_known);
    }
    json.key("residual");
    applicable ? json.number(result.residual) : json.null();
    json.key("fclib_residual");
    applicable ? json.number(result.fclib_residual) : json.null();
    json.key("seconds").number(result.seconds);
    json.key("r").numbers(result.r);
    json.key("u").numbers(result.u);
    if (!result.multipliers.empty()) json.key("multipliers").numbers(result.multipliers);
    if (!result.worst.empty()) {
      json.key("worst").begin_array();
      for (const ProblemContact& contact : result.worst) {
        json.begin_object();
        json.key("contact").number(contact.number);
        json.key("residual").number(contact.residual);
        json.key("status").text(contact.status);
        json.end_object();
      }
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace ricochet::io
