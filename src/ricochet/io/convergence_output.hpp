// A convergence study as files: converge.json, converge.csv, and a page with the errors over the steps.
//
// converge.json: {format, program, version, complete, scene, overrides, end, reference_step, notes,
//   runs [{step, completed, failure, steps, wall_seconds, is_reference}],
//   probes [{name, reference, norm, interpolated, order, order_uncorrected, factor,
//            points [{step, error, slope, last}]}]}
//
// `reference` is the text of a known solution or null: the run with the reference step. `slope` is that from the point
// before; `factor` is C of the fitted line C h^order; a number that is unknown is null. converge.csv has one row per
// probe and step, with the columns of `points`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/study/convergence.hpp"

namespace ricochet::io {

struct ConvergenceStudy {
  const study::Case& run_case;
  const study::ConvergenceTask& task;
  const study::Convergence& found;
  std::vector<std::string> truth;  // one text per probe, empty if none is known
  std::vector<std::string> notes;  // sentences for the reader
};

std::string convergence_json(const ConvergenceStudy& study);

// All three files.
void write_convergence(const std::filesystem::path& directory, const ConvergenceStudy& study);

}  // namespace ricochet::io
