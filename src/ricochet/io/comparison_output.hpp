// Several runs of one scene side by side, as files: compare.json, compare.csv, and one page with their probes in common
// plots.
//
// compare.json: {format, program, version, scene, overrides, entries [{entry, overrides, directory, notices, row {...},
//   probes {NAME {last, difference}}, summary}]}
//
// `row` has the columns of compare.csv, `summary` is summary.json of the run, `difference` is the L1 distance from the
// first entry, relative to it (study/trajectory.hpp), over the rows of the results and as far as both runs go.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/study/case.hpp"
#include "ricochet/study/run_case.hpp"
#include "ricochet/study/trajectory.hpp"

namespace ricochet::io {

struct ComparedRun {
  std::string entry;                   // as the user wrote it
  std::vector<std::string> overrides;  // PATH=VALUE that make it
  std::string directory;               // of its result, below that of the comparison
  std::vector<std::string> notices;
  study::CaseResult result;
  std::string summary;        // text of summary.json
  study::Trajectory history;  // the rows of the result, one list per visible probe
};

struct Comparison {
  const study::Case& run_case;           // as the scene and the common overrides say
  std::vector<std::string> probe_names;  // visible ones
  std::vector<ComparedRun> runs;
};

// The numbers of a run that are compared, with the names that files and the terminal use. Energies are those of the
// ledger in J, `contact` is normal and tangential work together; `ms_per_step` is the time of the steps alone, without
// what writing the result takes.
std::vector<std::pair<std::string, double>> comparison_row(const study::CaseResult& result);

// From the first run, one per probe.
std::vector<double> differences(const Comparison& comparison, std::size_t run);

std::string comparison_json(const Comparison& comparison);

// All three files.
void write_comparison(const std::filesystem::path& directory, const Comparison& comparison);

}  // namespace ricochet::io
