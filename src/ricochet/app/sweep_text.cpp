#include "ricochet/app/sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/app/messages.hpp"
#include "ricochet/app/progress_bar.hpp"

namespace ricochet::app {

namespace {

constexpr std::size_t most_rows = 24;    // of a table of samples; more are summed up
constexpr std::size_t most_columns = 6;  // probes of such a table
constexpr std::size_t most_sentences = 5;

std::string values_text(const io::Sweep& sweep, const io::SweepSample& sample) {
  std::vector<std::string> parts;
  const std::vector<std::string>& values = sweep.values[static_cast<std::size_t>(sample.number)];
  for (std::size_t i = 0; i < values.size(); ++i) parts.push_back(sweep.paths[i] + "=" + values[i]);
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string sample_table(const io::Sweep& sweep) {
  std::vector<std::vector<std::string>> rows = {{"sample"}};
  rows.front().insert(rows.front().end(), sweep.paths.begin(), sweep.paths.end());
  rows.front().emplace_back("status");
  const auto& probes = std::max_element(sweep.samples.begin(), sweep.samples.end(), [](const auto& a, const auto& b) {
                         return a.probes.size() < b.probes.size();
                       })->probes;
  const std::size_t columns = std::min(most_columns, probes.size());
  for (std::size_t i = 0; i < columns; ++i) rows.front().push_back("last " + probes[i].name);
  for (const io::SweepSample& sample : sweep.samples) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(std::to_string(sample.number));
    const std::vector<std::string>& values = sweep.values[static_cast<std::size_t>(sample.number)];
    row.insert(row.end(), values.begin(), values.end());
    row.emplace_back(status_name(sample.status));
    for (std::size_t i = 0; i < columns; ++i) {
      row.push_back(i < sample.probes.size() ? fmt::format("{:.6g}", sample.probes[i].last) : "-");
    }
  }
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    text += '\n';
  }
  if (probes.size() > columns) text += fmt::format("  {} more probes are in sweep.csv\n", probes.size() - columns);
  return text;
}

std::string range_table(const io::Sweep& sweep) {
  std::size_t width = 5;
  const std::vector<io::ProbeSummary>* names = nullptr;
  for (const io::SweepSample& sample : sweep.samples) {
    if (!sample.probes.empty()) names = &sample.probes;
  }
  if (names == nullptr) return "";
  for (const io::ProbeSummary& probe : *names) width = std::max(width, probe.name.size());
  std::string text =
      fmt::format("  {:<{}}  {:>14}  {:>14}  {:>14}\n", "probe", width, "smallest last", "mean last", "largest last");
  for (std::size_t i = 0; i < names->size(); ++i) {
    double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0;
    long count = 0;
    for (const io::SweepSample& sample : sweep.samples) {
      if (sample.status != io::SweepSample::Status::completed || !std::isfinite(sample.probes[i].last)) continue;
      least = std::min(least, sample.probes[i].last);
      most = std::max(most, sample.probes[i].last);
      sum += sample.probes[i].last;
      ++count;
    }
    text += fmt::format("  {:<{}}", (*names)[i].name, width);
    text += count == 0
                ? "  none\n"
                : fmt::format("  {:>14.6g}  {:>14.6g}  {:>14.6g}\n", least, sum / static_cast<double>(count), most);
  }
  return text;
}

}  // namespace

std::string sweep_text(const io::Sweep& sweep, int threads, double seconds) {
  const auto completed = std::count_if(sweep.samples.begin(), sweep.samples.end(), [](const auto& sample) {
    return sample.status == io::SweepSample::Status::completed;
  });
  std::string text = fmt::format("{}: {} of {} samples ran to their end, {} at a time, in {}\n", sweep.run_case.id,
                                 completed, sweep.values.size(), threads, duration_text(seconds));
  if (sweep.samples.empty()) return text;
  return text + (sweep.samples.size() <= most_rows ? sample_table(sweep) : range_table(sweep));
}

void complain_of_samples(const io::Sweep& sweep) {
  std::size_t failures = 0, wrong = 0;
  for (const io::SweepSample& sample : sweep.samples) {
    if (sample.status == io::SweepSample::Status::completed || ++failures > most_sentences) continue;
    const bool stopped = sample.status == io::SweepSample::Status::stopped;
    complain(fmt::format("sample {} ({}) {}{}: {}.", sample.number, values_text(sweep, sample),
                         status_name(sample.status), stopped ? fmt::format(" at t = {:g} s", sample.time) : "",
                         sample.reason));
  }
  for (const io::SweepSample& sample : sweep.samples) {
    if (sample.status != io::SweepSample::Status::completed) continue;
    for (const study::FactResult& fact : sample.facts) {
      if (!study::fails(fact) || ++wrong > most_sentences) continue;
      complain(fmt::format("sample {} ({}): '{}' does not hold: {}.", sample.number, values_text(sweep, sample),
                           fact.fact, fact.detail));
    }
  }
  const auto rest = [](std::size_t count, const char* what) {
    if (count > most_sentences) {
      complain(fmt::format("{} more {}; sweep.csv and sweep.json have them all.", count - most_sentences, what));
    }
  };
  rest(failures, "samples did not run to their end");
  rest(wrong, "facts do not hold");
}

}  // namespace ricochet::app
