// summary.json: a whole run on one page, for scripts. The same file holds what other JSON outputs share: every one of
// them starts with `format` and `program`, and numbers that JSON cannot write (NaN, infinity) become null.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "ricochet/io/file_error.hpp"
#include "ricochet/simulation/ledger.hpp"
#include "ricochet/simulation/recorder.hpp"
#include "ricochet/simulation/simulation.hpp"
#include "ricochet/study/case.hpp"
#include "ricochet/study/fact_result.hpp"
#include "ricochet/study/validation.hpp"

namespace ricochet::io {

// A visible probe over the rows of the output. NaN if no row had a number; min and max pass over NaN.
struct ProbeSummary {
  std::string name;
  double first = 0;
  double last = 0;
  double min = 0;
  double max = 0;

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("name", self.name);
    visitor("first", self.first);
    visitor("last", self.last);
    visitor("min", self.min);
    visitor("max", self.max);
  }
};

// What the summary tells: views of things that live elsewhere.
struct Summary {
  const study::Case& run_case;
  const simulation::RunResult& result;
  const simulation::Statistics& statistics;
  const simulation::Ledger& ledger;  // at the end
  std::string state_hash;
  double wall_seconds = 0;
  std::span<const ProbeSummary> probes;
  std::span<const study::FactResult> facts;
};

std::string summary_json(const Summary& summary);  // the text, with a newline at its end
void write_summary(const std::filesystem::path& path, const Summary& summary);

// The list `expectations` of a summary alone: JSON.
std::string expectations_text(std::span<const study::FactResult> facts);

// What `ricochet validate --json` writes.
std::string validation_json(std::span<const study::ValidationEntry> scenes);
void write_validation(const std::filesystem::path& path, std::span<const study::ValidationEntry> scenes);

// True if the file is the summary of a run of ours. Never throws: any other file is simply not one.
bool is_run_summary(const std::filesystem::path& path);

}  // namespace ricochet::io
