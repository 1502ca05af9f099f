// Time steps per second of small and of many separate systems: one block sliding down a slope, and 1 to 10,000 balls
// bouncing on a plane. `calibrations_per_body` is the time per step and body as a multiple of the calibration kernel's
// contact: it stays level if the time per step grows linearly. `allocations_per_step` must be 0.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <string>

#include "bench/allocation_count.hpp"
#include "bench/calibration.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace {

using ricochet::Vector3;
namespace model = ricochet::model;
namespace simulation = ricochet::simulation;

void add_plane(model::Model& machine, const Vector3& normal) {
  model::Surface ground;
  ground.name = "ground";
  ground.normal = normal;
  machine.surfaces.push_back(ground);
}

void add_body(model::Model& machine, model::NodeKind kind, const Vector3& position, const model::Shape& shape) {
  model::Node node;
  node.name = "body-" + std::to_string(machine.bodies.size());
  node.kind = kind;
  node.position = position;
  model::Body body;
  body.name = node.name;
  body.node = {static_cast<int>(machine.nodes.size())};
  body.mass = 1;
  body.parts = {{shape}};
  body.inertia = model::solid_inertia(shape, body.mass);
  machine.nodes.push_back(node);
  machine.bodies.push_back(body);
}

void add_contact_of_all(model::Model& machine, const model::ContactLaw& law) {
  model::ContactRule rule;
  rule.name = "touch";
  for (int i = 0; i < static_cast<int>(machine.bodies.size()); ++i) rule.first.push_back({{i}, {}});
  rule.second.push_back({{}, {0}});
  rule.law = law;
  machine.contacts.push_back(rule);
}

model::Model sliding_block() {
  model::Model machine;
  machine.planar = true;
  const double slope = 0.3;
  machine.gravity = {0, -9.81, 0};
  add_plane(machine, {-std::sin(slope), std::cos(slope), 0});
  add_body(machine, model::NodeKind::frame, 0.05 * machine.surfaces[0].normal, model::BoxShape{{0.1, 0.05, 0.05}});
  machine.nodes[0].orientation = ricochet::math::Quaternion::from_axis_angle(Vector3::UnitZ(), slope);
  add_contact_of_all(machine, {0.2, 0, 0});
  return machine;
}

model::Model balls_on_plane(int count) {
  model::Model machine;
  machine.gravity = {0, -9.81, 0};
  add_plane(machine, Vector3::UnitY());
  for (int i = 0; i < count; ++i) {
    add_body(machine, model::NodeKind::point, {0.3 * i, 0.1 + 1e-3 * (i % 7), 0}, model::SphereShape{0.1});
    machine.nodes.back().velocity = {0.5, 0, 0.2};
  }
  add_contact_of_all(machine, {0.3, 0.5, 0});
  return machine;
}

void run_steps(benchmark::State& state, const model::Model& machine) {
  using Clock = std::chrono::steady_clock;
  constexpr int warm_up = 200;
  const int batch = std::max(10, 20'000 / static_cast<int>(machine.bodies.size()));
  simulation::Settings settings;
  settings.step = 1e-3;
  settings.end = 1e9 * settings.step;
  simulation::Simulation run(machine, settings);
  for (int i = 0; i < warm_up; ++i) run.step();
  double seconds = 0;
  double unit = 0;
  long allocations = 0;
  for (auto _ : state) {
    unit += ricochet::bench::calibration_seconds_per_contact();
    const long before = ricochet::bench::allocation_count();
    const auto begin = Clock::now();
    for (int i = 0; i < batch; ++i) {
      if (!run.step()) state.SkipWithError(run.failure().c_str());
    }
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    allocations += ricochet::bench::allocation_count() - before;
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  const auto iterations = static_cast<double>(state.iterations());
  const double steps = batch * iterations;
  const auto bodies = static_cast<double>(machine.bodies.size());
  state.counters["steps_per_second"] = steps / seconds;
  state.counters["ns_per_step_and_body"] = 1e9 * seconds / (steps * bodies);
  state.counters["calibrations_per_body"] = seconds / (steps * bodies) / (unit / iterations);
  state.counters["allocations_per_step"] = static_cast<double>(allocations) / steps;
}

void step_sliding_block(benchmark::State& state) { run_steps(state, sliding_block()); }
BENCHMARK(step_sliding_block)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);

void step_balls_on_plane(benchmark::State& state) {
  run_steps(state, balls_on_plane(static_cast<int>(state.range(0))));
}
BENCHMARK(step_balls_on_plane)
    ->Arg(1)
    ->Arg(100)
    ->Arg(1'000)
    ->Arg(10'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.2);

}  // namespace
