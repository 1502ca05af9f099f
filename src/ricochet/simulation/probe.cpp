#include "ricochet/simulation/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ricochet::simulation {

int ProbeSet::add(const model::Model& model, std::string name, const math::Expression& expression, bool hidden) {
  const auto is_column = [&](const Probe& probe) { return !probe.hidden && probe.name == name; };
  if (!hidden && std::any_of(probes_.begin(), probes_.end(), is_column)) {
    throw std::invalid_argument(fmt::format("there are two probes '{}'", name));
  }
  std::vector<ProbeSource> sources;
  for (const std::string& text : expression.names()) {
    std::string why;
    const std::optional<ProbeSource> source = parse_probe_source(model, text, &why);
    if (!source) throw std::invalid_argument(fmt::format("the probe '{}' cannot be read: {}", name, why));
    sources.push_back(*source);
  }
  const int count = static_cast<int>(sources.size());
  probes_.push_back({std::move(name), expression, hidden, static_cast<int>(sources_.size()), count});
  sources_.insert(sources_.end(), sources.begin(), sources.end());
  most_sources_ = std::max(most_sources_, count);
  return size() - 1;
}

int ProbeSet::find(std::string_view name) const {
  const auto found =
      std::find_if(probes_.begin(), probes_.end(), [&](const Probe& probe) { return probe.name == name; });
  return found == probes_.end() ? -1 : static_cast<int>(found - probes_.begin());
}

double ProbeSet::evaluate(const Frame& frame, const Probe& probe, std::span<double> scratch) const {
  for (int i = 0; i < probe.source_count; ++i) {
    scratch[i] = simulation::evaluate(sources_[probe.first_source + i], frame);
  }
  return probe.expression.evaluate(std::span<const double>(scratch.first(probe.source_count)));
}

// In both functions the caller's vector is also the scratch space, behind the values: nothing is allocated per call and
// the set itself stays constant.
void ProbeSet::evaluate(const Frame& frame, std::vector<double>& values) const {
  values.resize(probes_.size() + most_sources_);
  const std::span<double> scratch = std::span(values).last(most_sources_);
  for (std::size_t i = 0; i < probes_.size(); ++i) values[i] = evaluate(frame, probes_[i], scratch);
  values.resize(probes_.size());
}

void ProbeSet::evaluate(const Frame& frame, std::span<const int> probes, std::vector<double>& values) const {
  values.resize(probes.size() + most_sources_);
  const std::span<double> scratch = std::span(values).last(most_sources_);
  for (std::size_t i = 0; i < probes.size(); ++i) values[i] = evaluate(frame, probes_[probes[i]], scratch);
  values.resize(probes.size());
}

}  // namespace ricochet::simulation
