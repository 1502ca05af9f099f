// How the time of a step grows with the number of spheres, on settled heaps of equal height (bench/growth.hpp).
//
//   ricochet_growth [COUNT]...         spheres, at least two different numbers; 1000 2000 4000 8000 16000 if not given
//
// Prints a table, the exponents between neighbours and that of all. Exit code 1 if it is above 1.15, a step missed its
// tolerance or a heap did not come to rest. There are two heaps of each size, because a single one may have a few
// spheres that hardly hold, or none. Heaps are settled one after the other (progress on standard error), and each runs
// its window; then all run it twice more, in turns, so that what disturbs the machine for a while disturbs no size
// alone.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/growth.hpp"

namespace {

using namespace ricochet;

constexpr double largest_exponent = 1.15;
constexpr int settling_steps = 3000;  // 3 s
constexpr int cold_steps = 50, window = 100, more_rounds = 2;
constexpr int heaps_of_a_size = 2;

std::vector<int> counts(const std::vector<std::string>& words) {
  if (words.empty()) return {1000, 2000, 4000, 8000, 16000};
  std::vector<int> result;
  for (const std::string& word : words) {
    std::size_t read = 0;
    int count = 0;
    try {
      count = std::stoi(word, &read);
    } catch (const std::exception&) {
      read = 0;
    }
    if (read != word.size() || count < 100) {
      throw std::invalid_argument(
          fmt::format("'{}' is not a number of spheres, from 100 up. Usage: ricochet_growth [COUNT]...", word));
    }
    result.push_back(count);
  }
  return result;
}

void settle(bench::GrowingHeap& heap, const std::string& name) {
  heap.settle(settling_steps, [&](const bench::Rest& now) {
    if (now.steps % 100 != 0) return;
    fmt::print(stderr, "{}, step {} of {}: kinetic energy {:.1e}, {} steps with too few sweeps\n", name, now.steps,
               settling_steps, now.kinetic, now.missed);
  });
  heap.measure(cold_steps, window);
  const bench::GrowthRow row = heap.row();
  fmt::print(stderr, "{}, window: {:.2f} ms/step, {:.1f} iterations, {} missed\n", name, 1e3 * row.seconds,
             row.iterations, row.missed);
}

void print_table(const std::vector<bench::GrowthRow>& rows) {
  fmt::print(
      "| spheres | contacts | ms/step | µs/step and contact | iterations, mean | most | missed | kinetic energy | "
      "detect / build / solve / correct, % | exponent |\n|---|---|---|---|---|---|---|---|---|---|\n");
  constexpr std::size_t group = heaps_of_a_size;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bench::GrowthRow& row = rows[i];
    const bool has_exponent = i % group == 0 && i >= group && rows[i - 1].spheres != row.spheres;
    fmt::print(
        "| {} | {:.0f} | {:.2f} | {:.2f} | {:.1f} | {} | {} | {:.0e} | {:.0f} / {:.0f} / {:.0f} / {:.0f} | {} |\n",
        row.spheres, row.contacts, 1e3 * row.seconds, 1e6 * row.seconds / row.contacts, row.iterations,
        row.most_iterations, row.missed, row.kinetic, 100 * row.detecting, 100 * row.building, 100 * row.solving,
        100 * row.correcting,
        has_exponent ? fmt::format("{:.2f}", bench::growth_exponent({&rows[i - group], 2 * group})) : "");
  }
}

int run(const std::vector<std::string>& words) {
  std::vector<std::unique_ptr<bench::GrowingHeap>> heaps;
  for (const int count : counts(words)) {
    for (int which = 1; which <= heaps_of_a_size; ++which) {
      settle(*heaps.emplace_back(std::make_unique<bench::GrowingHeap>(count, which)),
             fmt::format("Heap {} of {} spheres", which, count));
    }
  }
  for (int round = 0; round < more_rounds; ++round) {
    for (const auto& heap : heaps) heap->measure(cold_steps, window);
  }
  std::vector<bench::GrowthRow> rows;
  rows.reserve(heaps.size());
  for (const auto& heap : heaps) rows.push_back(heap->row());
  print_table(rows);
  if (bench::are_of_several_sizes(rows))
    fmt::print("\nThe time of a step grows as n^{:.2f}.\n", bench::growth_exponent(rows));
  const std::vector<std::string> complaints = bench::growth_complaints(rows, largest_exponent);
  for (const std::string& complaint : complaints) fmt::print(stderr, "ricochet_growth: {}.\n", complaint);
  return complaints.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "ricochet_growth: {}\n", error.what());
    return 1;
  }
}
