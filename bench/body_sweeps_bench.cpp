// Gauss-Seidel sweeps over a random heap in its two forms: with body velocities (cone/body_sweeps), and with the blocks
// of W (cone/gauss_seidel). Spatial sliding contacts between bodies of 6 components, 3.2 per body as in a heap of
// spheres; a tenth of them on the ground. `calibrations_per_contact` is the time per contact and sweep as a multiple of
// the calibration kernel's. What is timed is sweeps from r = 0, without preparation and residuals where the solver lets
// us: `solve_*` has all of it for 50 sweeps.
#include <benchmark/benchmark.h>

#include <Eigen/Geometry>
#include <chrono>
#include <cmath>
#include <vector>

#include "bench/allocation_count.hpp"
#include "bench/calibration.hpp"
#include "ricochet/cone/body_sweeps.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/math/random.hpp"

namespace {

using ricochet::Matrix3;
using ricochet::Matrix6;
using ricochet::Vector3;
namespace cone = ricochet::cone;
namespace linalg = ricochet::linalg;

Vector3 random_direction(ricochet::math::Random& random) {
  return Vector3(random.normal(), random.normal(), random.normal()).normalized();
}

// Ellipsoids of about 10 mm that fall on each other: a contact joins a body with one of its neighbours in a cube.
cone::GlobalContactProblem random_heap(int contacts) {
  ricochet::math::Random random(1729);
  const int bodies = contacts * 10 / 32;
  const int side = static_cast<int>(std::ceil(std::cbrt(bodies)));
  const std::vector<int> sizes(bodies, 6);
  cone::GlobalContactProblem heap;
  heap.mass.reset(sizes);
  heap.gradients.reset(sizes);
  heap.momentum.setZero(6 * bodies);
  for (int i = 0; i < bodies; ++i) {
    const double mass = random.uniform(0.005, 0.02);
    Matrix6 block = Matrix6::Zero();
    for (int k = 0; k < 3; ++k) {
      block(k, k) = mass;
      block(3 + k, 3 + k) = mass * 1e-4 * random.uniform(0.2, 0.6);
    }
    heap.mass.begin_row(6);
    heap.mass.append(i) = block;
    heap.momentum[6 * i + 2] = -mass * 0.01;  // a step of 1 ms under gravity, and what is left of the fall
    for (int k = 0; k < 3; ++k) heap.momentum[6 * i + k] += mass * 0.002 * random.normal();
  }
  for (int i = 0; i < contacts; ++i) {
    const int first = static_cast<int>(random.integer(bodies));
    const int steps[] = {1, side, side * side};
    int second = first + steps[random.integer(3)];
    Vector3 normal = random_direction(random);
    if (normal.z() > 0) normal = -normal;  // from the upper body, the second, to the lower
    if (second >= bodies) second = -1;     // the ground, below
    if (second < 0) normal = Vector3(0.1 * random.normal(), 0.1 * random.normal(), 1).normalized();
    const Vector3 across = normal.cross(random_direction(random)).normalized();
    Matrix3 axes;
    axes << normal.transpose(), across.transpose(), normal.cross(across).transpose();
    heap.gradients.begin_row(3);
    for (const int body : {first, second}) {
      if (body < 0) continue;
      const double sign = body == first ? 1 : -1;
      const Vector3 arm = -sign * 0.01 * normal + 0.002 * random_direction(random);
      linalg::MutableBlockView block = heap.gradients.append(body);
      for (int k = 0; k < 3; ++k) {
        block.row(k).head<3>() = sign * axes.row(k);
        block.row(k).tail<3>() = sign * arm.cross(axes.row(k).transpose()).transpose();
      }
    }
    heap.friction.emplace_back(random.uniform(0.1, 0.8));
  }
  heap.surface_velocity.setZero(3 * contacts);
  return heap;
}

using Clock = std::chrono::steady_clock;

// Calls `work`, which makes `sweeps` sweeps, in turns with the calibration kernel.
template <class Work>
void time_sweeps(benchmark::State& state, int contacts, int sweeps, const Work& work) {
  double seconds = 0, unit = 0;
  long allocations = 0;
  work();
  for (auto _ : state) {
    unit += ricochet::bench::calibration_seconds_per_contact();
    const long before = ricochet::bench::allocation_count();
    const double elapsed = work();
    allocations += ricochet::bench::allocation_count() - before;
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  const auto iterations = static_cast<double>(state.iterations());
  const double visit = seconds / (iterations * sweeps * contacts);
  state.counters["ns_per_contact"] = 1e9 * visit;
  state.counters["calibrations_per_contact"] = visit / (unit / iterations);
  state.counters["allocations"] = static_cast<double>(allocations) / iterations;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr int kSweeps = 50;

void sweep_bodies(benchmark::State& state) {
  const cone::GlobalContactProblem heap = random_heap(static_cast<int>(state.range(0)));
  cone::BodySweeps solver;
  linalg::ReusableVector start;
  solver.prepare(heap, start);
  time_sweeps(state, heap.contacts(), kSweeps, [&] {
    for (int island = 0; island < solver.islands().count(); ++island) solver.load(island, start);
    const auto begin = Clock::now();
    for (int i = 0; i < kSweeps; ++i) {
      for (int island = 0; island < solver.islands().count(); ++island) solver.sweep(island, 0);
    }
    return seconds_since(begin);
  });
}

void solve_bodies(benchmark::State& state) {
  const cone::GlobalContactProblem heap = random_heap(static_cast<int>(state.range(0)));
  cone::BodySweeps solver;
  linalg::ReusableVector impulses;
  time_sweeps(state, heap.contacts(), kSweeps, [&] {
    impulses.setZero(heap.gradients.scalar_rows());
    const auto begin = Clock::now();
    const cone::SolveReport report = solver.solve(heap, impulses, {.tolerance = 1e-300, .max_iterations = kSweeps});
    state.counters["residual"] = report.residual;
    return seconds_since(begin);
  });
}

void solve_blocks(benchmark::State& state) {
  const cone::GlobalContactProblem heap = random_heap(static_cast<int>(state.range(0)));
  cone::GlobalSystem system;
  cone::ContactProblem reduced;
  cone::NonsmoothGaussSeidel solver;
  linalg::ReusableVector impulses;
  time_sweeps(state, heap.contacts(), kSweeps, [&] {
    impulses.setZero(heap.gradients.scalar_rows());
    const auto begin = Clock::now();
    system.prepare(heap);
    system.reduce(heap, reduced);
    const cone::SolveReport report = solver.solve(reduced, impulses, {.tolerance = 1e-300, .max_iterations = kSweeps});
    state.counters["residual"] = report.residual;
    return seconds_since(begin);
  });
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int contacts : {1'000, 10'000, 20'000}) benchmark->Arg(contacts);
  benchmark->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);
}

BENCHMARK(sweep_bodies)->Apply(sizes);
BENCHMARK(solve_bodies)->Apply(sizes);
BENCHMARK(solve_blocks)->Apply(sizes);

}  // namespace
