// The search for contacts (contact/contact_set.hpp) in blocks of many bodies, side by side and one upon the other, each
// touching its neighbours: as in a settled heap nothing moves from one call to the next but by a tremble. `moving` lets
// every body drift through the block. Arguments: bodies, threads. `ns_per_body` is the time of one call by the bodies.
//
// And what probes of gaps cost. `gap_probe_over_field`: boxes that fall on a height field and slide on it; `per_step`
// is the time of a probe by that of the step before it. `gap_probe_over_face`: balls over a face without limits, as
// many as the argument says; `ns_per_body` stays about level, and `pair`, the time of a probe of one pair by that of
// all, falls.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/math/random.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace {

using ricochet::Vector3;
namespace contact = ricochet::contact;
namespace math = ricochet::math;
namespace mechanics = ricochet::mechanics;
namespace model = ricochet::model;
namespace simulation = ricochet::simulation;

model::Participant add_body(model::Model& model, const model::Shape& shape, const ricochet::Matrix3& inertia,
                            const Vector3& position) {
  const int index = static_cast<int>(model.bodies.size());
  model::Node node;
  node.name = "body" + std::to_string(index);
  node.kind = model::NodeKind::frame;
  node.position = position;
  model.nodes.push_back(node);
  model.bodies.push_back({node.name, {index}, 1, inertia, {{shape}}});
  return {.body = {index}, .surface = {}};
}

// A cube of bodies of unit size on a floor, between walls.
model::Model block_of(int count, const model::Shape& shape) {
  model::Model model;
  int edge = 1;
  while (edge * edge * edge < count) ++edge;
  std::vector<model::Participant> bodies, planes;
  for (int i = 0; i < count; ++i) {
    const int row = i / edge, layer = row / edge;
    const Vector3 place(i % edge + 0.5, row % edge + 0.5, layer + 0.5);
    bodies.push_back(add_body(model, shape, model::solid_inertia(shape, 1), place));
  }
  const std::vector<std::pair<Vector3, Vector3>> walls = {{Vector3::Zero(), Vector3::UnitZ()},
                                                          {Vector3::Zero(), Vector3::UnitX()},
                                                          {Vector3::Zero(), Vector3::UnitY()},
                                                          {Vector3(edge, 0, 0), -Vector3::UnitX()},
                                                          {Vector3(0, edge, 0), -Vector3::UnitY()}};
  for (const auto& [point, normal] : walls) {
    planes.push_back({.body = {}, .surface = {static_cast<int>(model.surfaces.size())}});
    model.surfaces.push_back({"wall" + std::to_string(model.surfaces.size()), point, normal});
  }
  model.contacts = {{"walls", bodies, planes, {}}, {"bodies", bodies, bodies, {}}};
  return model;
}

void run(benchmark::State& state, const model::Shape& shape, double speed) {
  const auto count = static_cast<int>(state.range(0));
  const model::Model model = block_of(count, shape);
  const mechanics::DofMap map(model);
  contact::ContactSet set(model, map);
  const math::Threads threads(static_cast<int>(state.range(1)));
  set.use(threads);
  mechanics::State now = mechanics::initial_state(model, map);
  math::Random random(3);
  for (Eigen::Index i = 0; i < now.v.size(); ++i) now.v[i] = random.uniform(-1, 1);
  std::vector<contact::Contact> contacts;
  set.detect(now, 1e-3, contacts);
  double direction = 1;
  int calls = 0;
  for (auto _ : state) {
    state.PauseTiming();
    mechanics::advance(map, now.q, now.v, direction * speed, now.q);
    if (++calls % 16 == 0) direction = -direction;
    state.ResumeTiming();
    set.detect(now, 1e-3, contacts);
    benchmark::DoNotOptimize(contacts.data());
  }
  state.counters["contacts"] = static_cast<double>(contacts.size());
  state.counters["ns_per_body"] = benchmark::Counter(static_cast<double>(state.iterations()) * count * 1e-9,
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void detect_spheres(benchmark::State& state) { run(state, model::SphereShape{0.5}, 1e-6); }
void detect_boxes(benchmark::State& state) { run(state, model::BoxShape{Vector3::Constant(0.5)}, 1e-6); }
void detect_moving_spheres(benchmark::State& state) { run(state, model::SphereShape{0.5}, 1e-2); }

// 20 boxes over 20,000 triangles.
model::Model boxes_over_field() {
  constexpr int cells = 100;
  model::Model model;
  model.gravity = Vector3(0, 0, -9.81);
  std::vector<model::Participant> bodies;
  const model::Shape box = model::BoxShape{Vector3(0.4, 0.3, 0.2)};
  for (int i = 0; i < 20; ++i) {
    const int row = i / 5;
    const Vector3 place(40.5 + 4 * (i % 5), 40.5 + 4 * row, 1.5);
    bodies.push_back(add_body(model, box, model::solid_inertia(box, 1), place));
    model.nodes.back().velocity = Vector3(1, 0.5 * (i % 3), 0);
  }
  std::vector<double> heights((cells + 1) * (cells + 1));
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const auto angle = static_cast<double>(i);
    heights[i] = 0.3 * std::sin(0.7 * angle) * std::cos(0.011 * angle);
  }
  model.surfaces.push_back({"field", Vector3::Zero(), Vector3::UnitZ()});
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(model::height_field(heights, cells + 1, 1, 1));
  model.contacts = {{"ground", bodies, {{.body = {}, .surface = {0}}}, {0.3, 0, 0}}};
  return model;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void gap_probe_over_field(benchmark::State& state) {
  const model::Model model = boxes_over_field();
  simulation::Settings settings;
  settings.end = 1e6;
  settings.step = 1e-3;
  double of_steps = 0, of_probes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    simulation::Simulation run(model, settings);
    state.ResumeTiming();
    for (int step = 0; step < 1000; ++step) {
      const auto before = Clock::now();
      if (!run.step()) return state.SkipWithError(run.failure().c_str());
      of_steps += seconds_since(before);
      const auto between = Clock::now();
      benchmark::DoNotOptimize(run.frame().contact_set.minimum_gap(run.frame().state, 0));
      of_probes += seconds_since(between);
    }
  }
  state.counters["per_step"] = of_probes / of_steps;
}
BENCHMARK(gap_probe_over_field)->Unit(benchmark::kMillisecond)->UseRealTime();

void gap_probe_over_face(benchmark::State& state) {
  const auto count = static_cast<int>(state.range(0));
  model::Model model;
  std::vector<model::Participant> others = {
      add_body(model, model::FaceShape{}, ricochet::Matrix3::Identity(), Vector3::Zero())};
  std::vector<model::Participant> balls;
  const model::Shape ball = model::SphereShape{0.5};
  const int edge = static_cast<int>(std::cbrt(count)) + 1;
  for (int i = 0; i < count; ++i) {
    const int row = i / edge, layer = row / edge;
    const Vector3 place(i % edge, row % edge, layer);
    balls.push_back(add_body(model, ball, model::solid_inertia(ball, 1), 1.1 * place + 0.6 * Vector3::UnitZ()));
  }
  others.insert(others.end(), balls.begin(), balls.end());
  model.contacts = {{"touch", balls, others, {}}};
  const mechanics::DofMap map(model);
  const contact::ContactSet set(model, map);
  const mechanics::State now = mechanics::initial_state(model, map);
  double of_all = 0, of_pairs = 0;
  for (auto _ : state) {
    const auto before = Clock::now();
    benchmark::DoNotOptimize(set.minimum_gap(now, 0));
    const auto between = Clock::now();
    benchmark::DoNotOptimize(set.minimum_gap(now, 0, 1, count));
    of_pairs += seconds_since(between);
    of_all += std::chrono::duration<double>(between - before).count();
  }
  state.counters["pair"] = of_pairs / of_all;
  state.counters["ns_per_body"] = benchmark::Counter(static_cast<double>(state.iterations()) * count * 1e-9,
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(gap_probe_over_face)->Arg(2000)->Arg(4000)->Arg(8000)->Unit(benchmark::kMillisecond)->UseRealTime();

const std::vector<std::vector<std::int64_t>> kArguments = {{1000, 10000, 100000}, {1, 2}};
BENCHMARK(detect_spheres)->ArgsProduct(kArguments)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(detect_boxes)->ArgsProduct(kArguments)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(detect_moving_spheres)->ArgsProduct(kArguments)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
