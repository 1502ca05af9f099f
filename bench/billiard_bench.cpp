// The billiard break of Sánchez 2025 (annex B, sec. 3.2.3): 3 s in steps of 1 ms, four balls, cloth and cushions,
// friction everywhere, impacts in sequence; without and with rolling resistance. `seconds` are those of all time steps
// on this machine, `calibrations` the same in contacts of the calibration kernel, which is timed in turns with it.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "bench/calibration.hpp"
#include "ricochet/io/scene_choice.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace {

void billiard_break(benchmark::State& state, const std::string& scheme, double rolling) {
  const ricochet::io::SceneChoice choice = ricochet::io::choose_scene("sanchez-B5.6-billiard-break", "");
  const ricochet::io::Scene scene = ricochet::io::read_scene(
      choice.path,
      {"time.end=3", "integrator.scheme=" + scheme, "integrator." + scheme + ".impacts=sequence",
       "parameters.rolling=" + std::to_string(rolling)},
      "");
  double seconds = 0, unit = 0;
  for ([[maybe_unused]] auto iteration : state) {
    unit += ricochet::bench::calibration_seconds_per_contact();
    ricochet::simulation::Simulation run(scene.run_case.model, scene.run_case.settings);
    const auto begin = std::chrono::steady_clock::now();
    while (run.snapshot().step_index < run.step_count() && run.step()) {
    }
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const auto iterations = static_cast<double>(state.iterations());
  state.counters["seconds"] = seconds / iterations;
  state.counters["calibration_ns"] = 1e9 * unit / iterations;
  state.counters["calibrations"] = seconds / unit;
}

const bool registered = [] {
  for (const char* scheme : {"nonsmooth-generalized-alpha", "moreau-jean"}) {
    for (const double rolling : {0.0, 0.005}) {
      const std::string name = std::string("billiard/") + scheme + (rolling > 0 ? "/rolling" : "");
      benchmark::RegisterBenchmark(name.c_str(), [scheme, rolling](benchmark::State& state) {
        billiard_break(state, scheme, rolling);
      })->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
