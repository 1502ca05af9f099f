// Judges the facts of a case while it runs. Every step counts, not only the rows of the output, and no history is kept:
// the memory is a few numbers per fact, however long the run.
#pragma once

#include <span>
#include <vector>

#include "ricochet/simulation/recorder.hpp"
#include "ricochet/study/case.hpp"
#include "ricochet/study/fact_accumulator.hpp"
#include "ricochet/study/fact_result.hpp"

namespace ricochet::study {

class FactObserver : public simulation::Recorder {
 public:
  // The case must outlive the observer. Throws std::invalid_argument if a fact has no probe or makes no sense.
  explicit FactObserver(const Case& study_case);

  void begin(const simulation::Frame& frame) override;  // forgets what an earlier run showed
  void step(const simulation::Frame& frame) override;
  void end(const simulation::Frame& frame, const simulation::RunResult& result) override;

  // One result per fact, in their order. Before the end, and after a run that was interrupted or failed, facts that
  // need more of the run are not reached.
  std::vector<FactResult> results() const;

  // Goes on with the facts of the same case for another end of the run, see FactAccumulator::change_to.
  void change_facts(std::span<const Fact> facts);

  // What a restarted run must know, see simulation/archive.hpp; the case is given.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    for (auto& accumulator : self.accumulators_) visitor("fact", accumulator);
  }

 private:
  void restart();
  void add(const simulation::Frame& frame);

  const Case& case_;
  std::vector<FactAccumulator> accumulators_;  // one per fact
  std::vector<int> probes_;                    // those of the facts, each once
  std::vector<int> column_of_fact_;            // index into probes_ and values_
  std::vector<double> values_;
  bool complete_ = false;
};

}  // namespace ricochet::study
