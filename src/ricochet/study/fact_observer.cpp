#include "ricochet/study/fact_observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ricochet::study {

FactObserver::FactObserver(const Case& study_case) : case_(study_case) {
  for (const Fact& fact : case_.facts) {
    if (fact.probe < 0 || fact.probe >= case_.probes.size()) {
      throw std::invalid_argument(fmt::format("the fact '{}' has no probe", fact.name));
    }
    auto column = std::find(probes_.begin(), probes_.end(), fact.probe);
    if (column == probes_.end()) column = probes_.insert(column, fact.probe);
    column_of_fact_.push_back(static_cast<int>(column - probes_.begin()));
  }
  restart();
}

void FactObserver::restart() {
  accumulators_.clear();
  for (const Fact& fact : case_.facts) accumulators_.emplace_back(fact, case_.settings.step);
  complete_ = false;
}

void FactObserver::begin(const simulation::Frame& frame) {
  restart();
  add(frame);
}

void FactObserver::step(const simulation::Frame& frame) { add(frame); }

void FactObserver::end(const simulation::Frame& /*frame*/, const simulation::RunResult& result) {
  complete_ = result.outcome == simulation::Outcome::completed;
}

void FactObserver::add(const simulation::Frame& frame) {
  case_.probes.evaluate(frame, probes_, values_);
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    accumulators_[i].add(frame.state.time, values_[column_of_fact_[i]]);
  }
}

void FactObserver::change_facts(std::span<const Fact> facts) {
  if (facts.size() != accumulators_.size()) throw std::invalid_argument("these are not the facts of the same case");
  for (std::size_t i = 0; i < accumulators_.size(); ++i) accumulators_[i].change_to(facts[i]);
}

std::vector<FactResult> FactObserver::results() const {
  std::vector<FactResult> results;
  results.reserve(accumulators_.size());
  for (const FactAccumulator& accumulator : accumulators_) results.push_back(accumulator.result(complete_));
  return results;
}

}  // namespace ricochet::study
