// The rows of a run: at t = 0, every `output_every` steps, and at the end of the run, wherever that is. Impulses and
// works in a row are sums since the previous row, also for the probes; everything else is at the row's time.
//
// Whoever writes or keeps rows is one of these, so that a probe has the same first, last, smallest and largest value
// everywhere.
#pragma once

#include <span>
#include <vector>

#include "ricochet/io/contact_tally.hpp"
#include "ricochet/io/summary.hpp"
#include "ricochet/simulation/recorder.hpp"
#include "ricochet/study/case.hpp"

namespace ricochet::io {

// Probes that are columns of the history, in their order.
std::vector<int> visible_probes(const simulation::ProbeSet& probes);

class RowRecorder : public simulation::Recorder {
 public:
  explicit RowRecorder(const study::Case& run_case);  // which must outlive the recorder

  void begin(const simulation::Frame& frame) override;
  void step(const simulation::Frame& frame) override;
  void end(const simulation::Frame& frame, const simulation::RunResult& result) override;

  // Visible probes over the rows so far, for the summary.
  const std::vector<ProbeSummary>& probe_summaries() const { return probe_summaries_; }
  long rows() const { return rows_; }

 protected:
  // A row: its contacts and report are those since the row before. `values` are those of the visible probes.
  virtual void take_row(const simulation::Frame& row, std::span<const double> values) = 0;

  void put_row(const simulation::Frame& row);  // in which contacts and report are those of the row

  // What came after the last row.
  ContactTally tally_;
  integrate::StepReport last_report_;  // of the last step that was taken, without its contacts

 private:
  void make_row(const simulation::Frame& frame);  // from the tally, which is then empty
  void summarize(std::span<const double> values);

  const study::Case& case_;
  std::vector<int> visible_;
  std::vector<ProbeSummary> probe_summaries_;
  long last_row_step_ = -1;
  long rows_ = 0;
  std::vector<double> values_;  // workspace
};

}  // namespace ricochet::io
