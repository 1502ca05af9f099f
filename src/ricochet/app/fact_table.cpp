#include "ricochet/app/fact_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ricochet::app {

namespace {

const char* mark(study::FactResult::Status status) {
  switch (status) {
    case study::FactResult::Status::holds:
      return "holds";
    case study::FactResult::Status::fails:
      return "FAILS";
    case study::FactResult::Status::not_applicable:
      return "  -  ";
    case study::FactResult::Status::not_reached:
      return "NONE ";
  }
  return "";
}

// A number, or a bound: ">= 0.2", ">= 0.2 and <= 0.3".
std::string expected_text(const study::FactResult& fact) {
  if (fact.lower && fact.upper) return fmt::format(">= {:.7g} and <= {:.7g}", *fact.lower, *fact.upper);
  const char* relation = "";
  if (fact.relation == study::FactResult::Relation::at_least) relation = ">= ";
  if (fact.relation == study::FactResult::Relation::at_most) relation = "<= ";
  return fmt::format("{}{:.7g}", relation, fact.expected);
}

}  // namespace

std::string fact_table(std::span<const study::FactResult> facts) {
  if (facts.empty()) return {};
  std::size_t width = 4, expected_width = 13;
  for (const study::FactResult& fact : facts) {
    width = std::max(width, fact.fact.size());
    if (fact.status != study::FactResult::Status::not_applicable) {
      expected_width = std::max(expected_width, expected_text(fact).size());
    }
  }
  std::string text = fmt::format("         {:<{}}  {:>{}}  {:>13}  {:>9}\n", "fact", width, "expected", expected_width,
                                 "found", "tolerance");
  for (const study::FactResult& fact : facts) {
    text += fmt::format("  {}  {:<{}}", mark(fact.status), fact.fact, width);
    if (fact.status != study::FactResult::Status::not_applicable) {
      text += fmt::format("  {:>{}}  {:>13.7g}", expected_text(fact), expected_width, fact.found);
      if (fact.relation == study::FactResult::Relation::equal) text += fmt::format("  {:>9.2g}", fact.tolerance);
    }
    text += '\n';
    if (fact.status != study::FactResult::Status::holds && !fact.detail.empty()) {
      text += fmt::format("         {}\n", fact.detail);
    }
  }
  return text;
}

}  // namespace ricochet::app
