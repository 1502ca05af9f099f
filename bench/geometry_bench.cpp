// Contact patches of pairs of convex solids (geometry/patch.hpp). Each benchmark goes through 512 pairs at rest or
// nearly so, as in a settled heap. `calibrations` is the time of one patch as a multiple of the calibration kernel's
// time per contact.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <vector>

#include "bench/calibration.hpp"
#include "ricochet/geometry/patch.hpp"
#include "ricochet/math/random.hpp"

namespace {

using ricochet::Vector3;
namespace geometry = ricochet::geometry;
namespace math = ricochet::math;

constexpr int kPairs = 512;
constexpr double kReach = 1e-3;

math::Quaternion random_turn(math::Random& random) {
  return math::Quaternion{random.normal(), random.normal(), random.normal(), random.normal()}.normalized();
}

struct Pair {
  geometry::Pose pose_of_a, pose_of_b;
};

// A above B, touching within a hundred thousandth, turned about the vertical at random and tilted by `tilt` at most.
std::vector<Pair> resting_pairs(const geometry::ConvexSolid& a, const geometry::ConvexSolid& b, double tilt) {
  math::Random random(7);
  std::vector<Pair> pairs;
  for (int i = 0; i < kPairs; ++i) {
    const math::Quaternion common = random_turn(random);
    const Vector3 lean(random.uniform(-tilt, tilt), random.uniform(-tilt, tilt), random.uniform(-3, 3));
    geometry::Pose pose = {Vector3(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0), math::exponential(lean)};
    const double lowest = pose.apply(a.support(pose.rotation.rotate_inverse(-Vector3::UnitZ()))).z();
    pose.position.z() = b.support(Vector3::UnitZ()).z() - lowest + random.uniform(-1e-5, 1e-5);
    pairs.push_back({{common.rotate(pose.position), common * pose.rotation}, {Vector3::Zero(), common}});
  }
  return pairs;
}

// A prism with many sides: 2 n vertices, 3 n edges, n + 2 faces.
geometry::ConvexSolid prism(int sides) {
  std::vector<Vector3> vertices;
  std::vector<std::vector<int>> faces(2);
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    vertices.emplace_back(0.5 * std::cos(angle), 0.5 * std::sin(angle), -0.5);
    vertices.emplace_back(0.5 * std::cos(angle), 0.5 * std::sin(angle), 0.5);
    faces[0].insert(faces[0].begin(), 2 * i);
    faces[1].push_back(2 * i + 1);
    const int next = (i + 1) % sides;
    faces.push_back({2 * i, 2 * next, 2 * next + 1, 2 * i + 1});
  }
  return geometry::ConvexSolid::polyhedron(vertices, faces);
}

void run(benchmark::State& state, const geometry::ConvexSolid& a, const geometry::ConvexSolid& b, double tilt) {
  const std::vector<Pair> pairs = resting_pairs(a, b, tilt);
  geometry::Patch patch;
  long points = 0, calls = 0;
  const double unit = ricochet::bench::calibration_seconds_per_contact();
  const auto begin = std::chrono::steady_clock::now();
  for (auto _ : state) {
    for (const Pair& pair : pairs) {
      geometry::find_patch(a, pair.pose_of_a, b, pair.pose_of_b, kReach, patch);
      points += patch.count;
      ++calls;
      benchmark::DoNotOptimize(patch);
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  state.counters["ns_per_patch"] = 1e9 * seconds / static_cast<double>(calls);
  state.counters["points"] = static_cast<double>(points) / static_cast<double>(calls);
  state.counters["calibrations"] = seconds / static_cast<double>(calls) / unit;
}

const geometry::ConvexSolid kBox = geometry::ConvexSolid::box(Vector3(0.5, 0.5, 0.5));

void patch_box_box_flat(benchmark::State& state) { run(state, kBox, kBox, 0); }
void patch_box_box_rocking(benchmark::State& state) { run(state, kBox, kBox, 1e-4); }
void patch_box_box_leaning(benchmark::State& state) { run(state, kBox, kBox, 1); }
void patch_prism_prism_flat(benchmark::State& state) {
  const geometry::ConvexSolid solid = prism(static_cast<int>(state.range(0)));
  run(state, solid, solid, 0);
}
void patch_prism_prism_leaning(benchmark::State& state) {
  const geometry::ConvexSolid solid = prism(static_cast<int>(state.range(0)));
  run(state, solid, solid, 1);
}
void patch_capsule_box(benchmark::State& state) { run(state, geometry::ConvexSolid::capsule(0.2, 0.3), kBox, 1); }
void patch_sphere_box(benchmark::State& state) { run(state, geometry::ConvexSolid::sphere(0.3), kBox, 1); }
void patch_cylinder_box_flat(benchmark::State& state) {
  run(state, geometry::ConvexSolid::cylinder(0.3, 0.3), kBox, 0);
}
void patch_cylinder_box(benchmark::State& state) { run(state, geometry::ConvexSolid::cylinder(0.3, 0.3), kBox, 1); }

BENCHMARK(patch_box_box_flat);
BENCHMARK(patch_box_box_rocking);
BENCHMARK(patch_box_box_leaning);
BENCHMARK(patch_prism_prism_flat)->Arg(6)->Arg(20);
BENCHMARK(patch_prism_prism_leaning)->Arg(6)->Arg(20);
BENCHMARK(patch_sphere_box);
BENCHMARK(patch_capsule_box);
BENCHMARK(patch_cylinder_box);
BENCHMARK(patch_cylinder_box_flat);

}  // namespace
