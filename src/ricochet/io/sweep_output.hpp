// A sweep as files: sweep.csv, sweep.json, and one page with the histories of all samples in common plots.
//
// sweep.csv has one row per finished sample: `sample` (from 0 on), one column per varied path with the value as the
// scene gets it, `status`, `stopped_at` (s), `steps`, `wall_seconds`, for every probe `first NAME`, `last NAME`,
// `min NAME` and `max NAME` over the rows of the run, and for every fact `found NAME` and `verdict NAME`. What a sample
// does not have is nan, and a verdict is then empty. But for `wall_seconds` it is the same for any number of threads,
// and whether or not the sweep was stopped on its way.
//
// sweep.json: {format, program, version, complete, scene, overrides, seed, planned,
//   vary [{path, values}], samples [{sample, values {PATH text}, status, reason, stopped_at, steps, wall_seconds,
//   state_hash, probes {NAME {first, last, min, max}}, expectations [as in summary.json]}]}
//
// The page of a large sweep has not all of it: at most `sweep_points` samples in plots over a varied value, and of
// `sweep_lines` of them the histories, both at equal distances in the order of the samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/io/sweep_sample.hpp"

namespace ricochet::io {

inline constexpr std::size_t sweep_lines = 200;
inline constexpr std::size_t sweep_points = 2000;

struct Sweep {
  const study::Case& run_case;                   // with one value each of what is varied
  std::vector<std::string> overrides;            // of all samples
  std::vector<std::string> paths;                // that are varied
  std::vector<std::string> ranges;               // as the user wrote their values
  std::uint64_t seed = 0;                        // of random values
  std::vector<std::vector<std::string>> values;  // of every sample, one per path
  std::vector<SweepSample> samples;              // that are finished, by number

  bool complete() const { return samples.size() == values.size(); }
};

// Of `count` things at most `most`, at equal distances: is this one of them?
bool is_chosen(std::size_t index, std::size_t count, std::size_t most);

// How many rows a history in the page of a sweep may have, 0 if this sample is not drawn there. Known before the sweep
// begins, so that no sample keeps more.
std::size_t sweep_plot_rows(const study::Case& run_case, std::size_t sample, std::size_t samples);

std::string sweep_json(const Sweep& sweep);

// All three files.
void write_sweep(const std::filesystem::path& directory, const Sweep& sweep);

}  // namespace ricochet::io
