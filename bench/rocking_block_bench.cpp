// Time steps per second of a tiny system: the rocking block of scenes/acary-5.2-rocking-block.yaml, from its start to
// its end with the scene's own scheme and tolerances, without recorders. bench/peers/run compares it with other
// programs on the same machine; `x`, `y` and `rotation` at the end tell that they computed the same motion.
// `allocations_per_step` must be 0: what the first steps reserve is divided by their number, so it is not quite.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <string>

#include "bench/allocation_count.hpp"
#include "bench/calibration.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace {

using ricochet::simulation::Outcome;
using ricochet::simulation::Simulation;

// What this program has used: whatever else the machine does in the meantime does not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run_scene(benchmark::State& state, const std::string& variant) {
  using Clock = std::chrono::steady_clock;
  const ricochet::io::Scene scene =
      ricochet::io::read_scene(ricochet::io::shipped_scene_path("acary-5.2-rocking-block"), {}, variant);
  double seconds = 0;
  double fastest = 0;  // steps per second of processor time
  double unit = 0;
  long steps = 0;
  long allocations = 0;
  double impacts = 0;
  ricochet::mechanics::State end;
  for (auto _ : state) {
    unit += ricochet::bench::calibration_seconds_per_contact();
    Simulation run(scene.run_case.model, scene.run_case.settings);
    const long before = ricochet::bench::allocation_count();
    const double processor_begin = processor_seconds();
    const auto begin = Clock::now();
    const ricochet::simulation::RunResult result = run.run({});
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    const double processor = processor_seconds() - processor_begin;
    allocations += ricochet::bench::allocation_count() - before;
    if (result.outcome != Outcome::completed) state.SkipWithError(result.reason.c_str());
    state.SetIterationTime(elapsed);
    seconds += elapsed;
    fastest = std::max(fastest, static_cast<double>(result.steps) / processor);
    steps += result.steps;
    end = run.snapshot().instant.state;
    impacts = run.statistics().contacts_sum;
  }
  const auto iterations = static_cast<double>(state.iterations());
  const auto all_steps = static_cast<double>(steps);
  state.counters["steps_per_second"] = all_steps / seconds;
  state.counters["fastest_steps_per_processor_second"] = fastest;
  state.counters["calibrations_per_step"] = seconds / all_steps / (unit / iterations);
  state.counters["allocations_per_step"] = static_cast<double>(allocations) / all_steps;
  state.counters["x"] = end.q[0];
  state.counters["y"] = end.q[1];
  state.counters["rotation"] = 2 * std::atan2(end.q[6], end.q[3]);
  state.counters["closed_contacts"] = impacts;  // summed over the steps
}

void rocking_block_newton(benchmark::State& state) { run_scene(state, ""); }
BENCHMARK(rocking_block_newton)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);

void rocking_block_fremond(benchmark::State& state) { run_scene(state, "fremond"); }
BENCHMARK(rocking_block_fremond)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);

}  // namespace
