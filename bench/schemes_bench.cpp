// Time per step of the nonsmooth generalized-alpha scheme as a multiple of Moreau and Jean's, on shipped scenes, both
// in turn within one run: `ratio` is what counts, microseconds are those of this machine.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>
#include <vector>

#include "ricochet/io/scene_choice.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace {

namespace io = ricochet::io;
namespace simulation = ricochet::simulation;

// Seconds for all steps of a run, and how many they are.
struct Timed {
  double seconds = 0;
  double steps = 0;
};

void add_run(const io::Scene& scene, Timed& timed) {
  simulation::Simulation run(scene.run_case.model, scene.run_case.settings);
  const auto begin = std::chrono::steady_clock::now();
  while (run.snapshot().step_index < run.step_count() && run.step()) {
  }
  timed.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  timed.steps += static_cast<double>(run.snapshot().step_index);
}

void both_schemes(benchmark::State& state, const std::string& id) {
  const io::SceneChoice choice = io::choose_scene(id, "");
  const io::Scene first = io::read_scene(choice.path, {"integrator.scheme=moreau-jean"}, "");
  const io::Scene second = io::read_scene(choice.path, {"integrator.scheme=nonsmooth-generalized-alpha"}, "");
  Timed moreau_jean, generalized_alpha;
  for ([[maybe_unused]] auto iteration : state) {
    add_run(first, moreau_jean);
    add_run(second, generalized_alpha);
  }
  const double before = 1e6 * moreau_jean.seconds / moreau_jean.steps;
  const double now = 1e6 * generalized_alpha.seconds / generalized_alpha.steps;
  state.counters["moreau_jean_us"] = before;
  state.counters["generalized_alpha_us"] = now;
  state.counters["ratio"] = now / before;
}

const bool registered = [] {
  for (const char* id : {"galvez-5.1-inclined-plane", "galvez-5.2-rocking-rod", "galvez-5.3-sliding-chain",
                         "galvez-5.5-pendulum-plate", "bouncing-ball", "box-on-incline", "acary-5.2-rocking-block",
                         "double-pendulum", "four-bar-linkage", "slider-crank", "crane-with-friction-joint"}) {
    benchmark::RegisterBenchmark((std::string("schemes/") + id).c_str(), [id](benchmark::State& state) {
      both_schemes(state, id);
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
