// The calibration kernel itself, in nanoseconds per contact and in its own unit: `calibrations` must be near 1. Other
// benchmarks follow this pattern.
#include <benchmark/benchmark.h>

#include <chrono>

#include "bench/calibration.hpp"

namespace {

using ricochet::bench::CalibrationKernel;

void calibration_sweep(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  constexpr int sweeps = 4;
  CalibrationKernel kernel;
  double seconds = 0;
  double unit = 0;  // sum over the iterations, like `seconds`
  const double contacts = sweeps * static_cast<double>(CalibrationKernel::contact_count);
  for (auto _ : state) {
    unit += ricochet::bench::calibration_seconds_per_contact();
    kernel.reset();
    const auto begin = Clock::now();
    for (int i = 0; i < sweeps; ++i) kernel.sweep();
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    benchmark::DoNotOptimize(kernel.total_normal_impulse());
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  state.counters["ns_per_contact"] = 1e9 * seconds / (contacts * static_cast<double>(state.iterations()));
  state.counters["calibrations"] = seconds / (contacts * unit);
}
BENCHMARK(calibration_sweep)->Unit(benchmark::kMicrosecond)->UseManualTime()->MinTime(0.1);

}  // namespace
