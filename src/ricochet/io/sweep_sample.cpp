#include "ricochet/io/sweep_sample.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <optional>

#include "ricochet/io/input_error.hpp"
#include "ricochet/study/run_case.hpp"
#include "ricochet/study/thinned_table.hpp"

namespace ricochet::io {

namespace {

// Keeps what plots need: each probe for itself, and both probes of a portrait together.
class SampleRecorder final : public RowRecorder {
 public:
  SampleRecorder(const study::Case& run_case, std::size_t plot_rows) : RowRecorder(run_case) {
    if (plot_rows == 0) return;
    const std::vector<int> visible = visible_probes(run_case.probes);
    const auto column = [&](int probe) {
      return static_cast<std::size_t>(std::find(visible.begin(), visible.end(), probe) - visible.begin());
    };
    for (std::size_t i = 0; i < visible.size(); ++i) plots_.push_back({{i, i}, study::ThinnedTable(1, plot_rows)});
    for (const study::Portrait& each : run_case.portraits) {
      plots_.push_back({{column(each.x), column(each.y)}, study::ThinnedTable(2, plot_rows)});
    }
  }

  std::vector<study::Trajectory> histories() const {
    std::vector<study::Trajectory> result;
    for (const Plot& plot : plots_) result.push_back(plot.table.table());
    return result;
  }

 private:
  struct Plot {
    std::array<std::size_t, 2> columns;  // of the row; a table of one column takes the first
    study::ThinnedTable table;
  };

  void take_row(const simulation::Frame& row, std::span<const double> values) override {
    for (Plot& plot : plots_) {
      plot.table.add(row.state.time, std::array{values[plot.columns[0]], values[plot.columns[1]]});
    }
  }

  std::vector<Plot> plots_;
};

void run_into(SweepSample& sample, const study::Case& run_case, std::size_t plot_rows) {
  SampleRecorder recorder(run_case, plot_rows);
  std::array<simulation::Recorder*, 1> recorders = {&recorder};
  const study::CaseResult result = study::run_case(run_case, recorders);
  const bool completed = result.run.outcome == simulation::Outcome::completed;
  sample.status = completed ? SweepSample::Status::completed : SweepSample::Status::stopped;
  if (!completed) sample.reason = result.run.reason;
  sample.time = result.run.time;
  sample.steps = result.run.steps;
  sample.state_hash = result.state_hash;
  sample.probes = recorder.probe_summaries();
  sample.facts = result.facts;
  sample.histories = recorder.histories();
}

}  // namespace

std::string_view status_name(SweepSample::Status status) {
  switch (status) {
    case SweepSample::Status::completed:
      return "completed";
    case SweepSample::Status::stopped:
      return "stopped";
    case SweepSample::Status::refused:
      return "refused";
    case SweepSample::Status::crashed:
      return "crashed";
  }
  return "";
}

SweepSample run_sample(int number, const std::function<study::Case()>& make_case, std::size_t plot_rows) {
  SweepSample sample;
  sample.number = number;
  const auto start = std::chrono::steady_clock::now();
  try {
    study::Case run_case = make_case();
    run_case.settings.threads = 1;
    run_into(sample, run_case, plot_rows);
  } catch (const InputError& error) {
    sample.status = SweepSample::Status::refused;
    sample.reason = error.what();
  } catch (const std::exception& error) {
    sample.status = SweepSample::Status::stopped;
    sample.reason = error.what();
  }
  sample.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return sample;
}

}  // namespace ricochet::io
