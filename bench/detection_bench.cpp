// The search for contacts (contact/contact_set.hpp) in blocks of many bodies, side by side and one upon the other, each
// touching its neighbours: as in a settled heap nothing moves from one call to the next but by a tremble. `moving` lets
// every body drift through the block. Arguments: bodies, threads. `ns_per_body` is the time of one call by the bodies.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>
#include <vector>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/math/random.hpp"

namespace {

using ricochet::Vector3;
namespace contact = ricochet::contact;
namespace math = ricochet::math;
namespace mechanics = ricochet::mechanics;
namespace model = ricochet::model;

// A cube of bodies of unit size on a floor, between walls.
model::Model block_of(int count, const model::Shape& shape) {
  model::Model model;
  int edge = 1;
  while (edge * edge * edge < count) ++edge;
  std::vector<model::Participant> bodies, planes;
  for (int i = 0; i < count; ++i) {
    model::Node node;
    node.name = "body" + std::to_string(i);
    node.kind = model::NodeKind::frame;
    node.position = Vector3(i % edge + 0.5, i / edge % edge + 0.5, i / (edge * edge) + 0.5);
    model.nodes.push_back(node);
    model.bodies.push_back({node.name, {i}, 1, model::solid_inertia(shape, 1), {{shape}}});
    bodies.push_back({.body = {i}, .surface = {}});
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

const std::vector<std::vector<std::int64_t>> kArguments = {{1000, 10000, 100000}, {1, 2}};
BENCHMARK(detect_spheres)->ArgsProduct(kArguments)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(detect_boxes)->ArgsProduct(kArguments)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(detect_moving_spheres)->ArgsProduct(kArguments)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
