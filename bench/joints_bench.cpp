// Time steps of machines with joints.
//
//   step_chain             a chain of n hinged links. `ns_per_step_and_link` stays level if the time per step grows
//                          linearly, `growth` is the time of a step of n links over that of n/2, run in turn: near 2
//   step_slider_crank      crank, rod, slider with 4 ideal joints, in the plane and in space: 10,000 steps of 1e-5 s.
//                          With joints closed at the end of every step, which is the usual way, and without.
//                          bench/peers/run compares it with other programs: `crank_x`, `crank_y` and `slider_x` at the
//                          end (m) tell that they computed the same motion
//   step_loose_bodies      n balls on a plane that nothing couples, beside one spring
//   step_pendulums         n pendulums that touch the ground: islands of one body each
//
// Times are those of the processor, in the fastest of the repetitions. `calibrations_per_step` is the time of a step as
// a multiple of the calibration kernel's contact. `allocations_per_step` must be 0.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>

#include "bench/allocation_count.hpp"
#include "bench/calibration.hpp"
#include "bench/jointed_machines.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace {

namespace bench = ricochet::bench;
namespace integrate = ricochet::integrate;
namespace model = ricochet::model;
namespace simulation = ricochet::simulation;

constexpr double kNever = std::numeric_limits<double>::infinity();

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A contact of the calibration kernel by the same clock.
double calibration_processor_seconds() {
  constexpr int sweeps = 4;
  static bench::CalibrationKernel kernel;
  kernel.reset();
  const double begin = processor_time();
  for (int i = 0; i < sweeps; ++i) kernel.sweep();
  const double seconds = processor_time() - begin;
  benchmark::DoNotOptimize(kernel.total_normal_impulse());
  return seconds / (sweeps * static_cast<double>(bench::CalibrationKernel::contact_count));
}

simulation::Settings endless(double step, bool closes_joints) {
  simulation::Settings settings;
  settings.step = step;
  settings.end = 1e9 * step;
  settings.moreau_jean.projection = closes_joints ? integrate::Projection::position : integrate::Projection::none;
  return settings;
}

// A run that is stepped on in batches and says what they took. Every batch begins at the same moment, so that all do
// the same work. Steps before that moment, and a first batch, reserve memory and are not counted.
class Stepper {
 public:
  Stepper(const model::Model& machine, double step, int warm_up, int batch, bool closes_joints = true)
      : machine_(machine), batch_(batch), run_(machine_, endless(step, closes_joints)) {
    for (int i = 0; i < warm_up; ++i) run_.step();
    start_ = run_.snapshot();
    for (int i = 0; i < batch; ++i) run_.step();
  }

  // Seconds of the processor for one step of a batch; negative if a step failed.
  double seconds() {
    run_.restore(start_);
    const long allocations = bench::allocation_count();
    const double begin = processor_time();
    bool good = true;
    for (int i = 0; i < batch_; ++i) good = run_.step() && good;
    const double seconds = processor_time() - begin;
    allocations_ += bench::allocation_count() - allocations;
    return good ? seconds / batch_ : -1;
  }

  int batch() const { return batch_; }
  double allocations() const { return static_cast<double>(allocations_); }
  std::string failure() const { return run_.failure(); }
  const simulation::Simulation& run() const { return run_; }

 private:
  model::Model machine_;
  int batch_;
  simulation::Simulation run_;
  simulation::Snapshot start_;
  long allocations_ = 0;
};

// Runs batches, in turn with those of a machine of half the size, and reports them. Returns the seconds of the fastest
// step.
double report(benchmark::State& state, Stepper& stepper, Stepper* half = nullptr) {
  double fastest = kNever, fastest_half = kNever, unit = kNever;
  for (auto _ : state) {
    unit = std::min(unit, calibration_processor_seconds());
    const double now = stepper.seconds();
    if (now < 0) state.SkipWithError(stepper.failure().c_str());
    if (half != nullptr) fastest_half = std::min(fastest_half, half->seconds());
    state.SetIterationTime(now * stepper.batch());
    fastest = std::min(fastest, now);
  }
  const simulation::Statistics& statistics = stepper.run().statistics();
  state.counters["steps_per_second"] = 1 / fastest;
  state.counters["calibrations_per_step"] = fastest / unit;
  state.counters["allocations_per_step"] =
      stepper.allocations() / (static_cast<double>(state.iterations()) * stepper.batch());
  state.counters["contacts_per_step"] = statistics.contacts_sum / static_cast<double>(statistics.steps);
  if (half != nullptr) state.counters["growth"] = fastest / fastest_half;
  return fastest;
}

void step_chain(benchmark::State& state) {
  const auto links = static_cast<int>(state.range(0));
  Stepper stepper(bench::swinging_chain(links), 1e-3, 10, 40), half(bench::swinging_chain(links / 2), 1e-3, 10, 40);
  const double seconds = report(state, stepper, &half);
  state.counters["ns_per_step_and_link"] = 1e9 * seconds / links;
}
BENCHMARK(step_chain)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Arg(400)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);

void step_slider_crank(benchmark::State& state, bool planar, bool closes_joints) {
  Stepper stepper(bench::slider_crank(planar), 1e-5, 0, 10'000, closes_joints);
  report(state, stepper);
  const auto& q = stepper.run().snapshot().instant.state.q;
  state.counters["crank_x"] = q[0];
  state.counters["crank_y"] = q[1];
  state.counters["slider_x"] = q[14];
}
BENCHMARK_CAPTURE(step_slider_crank, plane, true, true)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK_CAPTURE(step_slider_crank, plane_not_closed, true, false)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5);
BENCHMARK_CAPTURE(step_slider_crank, space, false, true)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK_CAPTURE(step_slider_crank, space_not_closed, false, false)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5);

void step_loose_bodies(benchmark::State& state) {
  const auto bodies = static_cast<int>(state.range(0));
  Stepper stepper(bench::loose_bodies_and_one_spring(bodies), 1e-3, 100, 10);
  const double seconds = report(state, stepper);
  state.counters["ns_per_step_and_body"] = 1e9 * seconds / bodies;
}
BENCHMARK(step_loose_bodies)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);

void step_pendulums(benchmark::State& state) {
  const auto count = static_cast<int>(state.range(0));
  Stepper stepper(bench::touching_pendulums(count), 1e-3, 100, 10);
  const double seconds = report(state, stepper);
  state.counters["ns_per_step_and_pendulum"] = 1e9 * seconds / count;
}
BENCHMARK(step_pendulums)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);

}  // namespace
