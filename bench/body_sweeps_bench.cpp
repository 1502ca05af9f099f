// Gauss-Seidel sweeps over a random heap in its two forms: with body velocities (cone/body_sweeps), and with the blocks
// of W (cone/gauss_seidel). Spatial sliding contacts between bodies of 6 components, 3.2 per body as in a heap of
// spheres; some of them on the ground. `calibrations_per_contact` is the time per contact and sweep as a multiple of
// the calibration kernel's. `sweep_bodies` times nothing but sweeps from r = 0; `solve_*` make 50 sweeps with
// preparation and residuals.
#include <benchmark/benchmark.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
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

// Ellipsoids of about 10 mm in a cube. They fall, and towards the middle: most contacts close, and slip or stick.
// A contact joins a body with one of its neighbours, or one of the lowest with the ground.
cone::GlobalContactProblem random_heap(int contacts) {
  constexpr double distance = 0.02;
  ricochet::math::Random random(1729);
  const int bodies = contacts * 10 / 32;
  const int side = static_cast<int>(std::ceil(std::cbrt(bodies)));
  const int steps[] = {1, side, side * side};
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
    const Vector3 place = distance * Vector3(i % side, i / side % side, i / (side * side));
    const Vector3 middle = Vector3(0.5, 0.5, 0) * distance * side;
    const Vector3 velocity = Vector3(0, 0, -0.01) - 0.5 * (place - middle) + 0.003 * random_direction(random);
    heap.momentum.segment<3>(6 * i) = mass * velocity;
    heap.momentum.segment<3>(6 * i + 3) = block(3, 3) * 0.5 * random_direction(random);
  }
  for (int i = 0; i < contacts; ++i) {
    const int first = static_cast<int>(random.integer(bodies));
    const int axis = static_cast<int>(random.integer(3));
    const bool at_the_end = first / steps[axis] % side == side - 1 || first + steps[axis] >= bodies;
    // A body at the end of its row has no neighbour there; the one below it touches the ground instead.
    const int lower = at_the_end ? first % steps[2] : first;
    const int second = at_the_end ? -1 : first + steps[axis];
    Vector3 normal = 0.3 * random_direction(random);  // points to the lower number, or up from the ground
    if (at_the_end) {
      normal = 0.3 * normal + Vector3::UnitZ();
    } else {
      normal[axis] -= 1;
    }
    normal.normalize();
    const Vector3 across = normal.cross(random_direction(random)).normalized();
    Matrix3 axes;
    axes << normal.transpose(), across.transpose(), normal.cross(across).transpose();
    heap.gradients.begin_row(3);
    for (const int body : {lower, second}) {
      if (body < 0) continue;
      const double sign = body == second ? -1 : 1;
      const Vector3 arm = -sign * distance / 2 * normal + 0.002 * random_direction(random);
      linalg::MutableBlockView block = heap.gradients.append(body);
      for (int k = 0; k < 3; ++k) {
        const Vector3 direction = axes.row(k);
        block.row(k).head<3>() = sign * direction;
        block.row(k).tail<3>() = sign * arm.cross(direction);
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
    std::array<double, kSweeps> seconds{};  // the median sweep counts, as in the calibration: other programs interrupt
    for (double& one : seconds) {
      const auto begin = Clock::now();
      for (int island = 0; island < solver.islands().count(); ++island) solver.sweep(island, 0);
      one = seconds_since(begin);
    }
    std::sort(seconds.begin(), seconds.end());
    return kSweeps * seconds[kSweeps / 2];
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
