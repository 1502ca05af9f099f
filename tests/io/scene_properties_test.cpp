// What every shipped scene must satisfy, whatever it is about: the same input gives the same bits, also after a restart
// in the middle; a scene moved, turned or scaled as a whole gives the moved, turned or scaled result; its facts hold at
// half the step and for other parameters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "io/transformed_model.hpp"
#include "ricochet/io/document.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/math/expression.hpp"
#include "ricochet/math/hash.hpp"
#include "ricochet/math/random.hpp"
#include "ricochet/simulation/simulation.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::test {
namespace {

study::Case shipped_case(const std::string& id, const std::vector<std::string>& overrides = {}) {
  return io::read_scene(io::shipped_scene_path(id), overrides).run_case;
}

// Scenes of many bodies cost seconds, and impacts within heaps multiply rounding errors without end. For what does not
// judge facts their first steps are enough, and they get few random parameters.
bool is_large(const study::Case& scene) { return scene.model.bodies.size() > 50; }

study::Case beginning(const std::string& id, const std::vector<std::string>& overrides = {}) {
  study::Case scene = shipped_case(id, overrides);
  if (is_large(scene)) scene.settings.end = std::min(scene.settings.end, 12 * scene.settings.step);
  return scene;
}

simulation::Snapshot run_to_end(const model::Model& model, const simulation::Settings& settings) {
  simulation::Simulation run(model, settings);
  while (run.snapshot().step_index < run.step_count()) {
    if (!run.step()) {
      ADD_FAILURE() << run.failure();
      break;
    }
  }
  return run.snapshot();
}

std::vector<std::string> all_scenes() {
  std::vector<std::string> ids = io::shipped_scenes();
  EXPECT_GE(ids.size(), 6U);
  return ids;
}

TEST(SceneProperty, TheSameInputGivesTheSameBits) {
  for (const std::string& id : all_scenes()) {
    SCOPED_TRACE(id);
    const study::Case scene = beginning(id);
    EXPECT_EQ(simulation::state_hash(run_to_end(scene.model, scene.settings)),
              simulation::state_hash(run_to_end(scene.model, scene.settings)));
  }
}

TEST(SceneProperty, ARestartInTheMiddleChangesNothing) {
  for (const std::string& id : all_scenes()) {
    SCOPED_TRACE(id);
    const study::Case scene = beginning(id);
    simulation::Simulation whole(scene.model, scene.settings);
    simulation::Snapshot middle;
    while (whole.snapshot().step_index < whole.step_count()) {
      if (whole.snapshot().step_index == whole.step_count() / 2) middle = whole.snapshot();
      ASSERT_TRUE(whole.step()) << whole.failure();
    }
    simulation::Simulation second_half(scene.model, scene.settings);
    second_half.restore(middle);
    while (second_half.snapshot().step_index < second_half.step_count()) ASSERT_TRUE(second_half.step());
    EXPECT_EQ(simulation::state_hash(whole.snapshot()), simulation::state_hash(second_half.snapshot()));
  }
}

// Systems in minimal coordinates are functions: nobody else can scale or turn them (MoreauMidpoint.ScalesExactly does).
bool is_beyond_change(const model::Model& model) { return !model.systems.empty(); }

TEST(SceneProperty, ScalingByPowersOfTwoIsExact) {
  const double length = 0x1p10;
  const double mass = 0x1p-7;
  for (const std::string& id : all_scenes()) {
    SCOPED_TRACE(id);
    const study::Case scene = beginning(id);
    if (is_beyond_change(scene.model)) continue;
    const mechanics::State plain = run_to_end(scene.model, scene.settings).instant.state;
    const model::Model large = scaled(scene.model, length, mass);
    const mechanics::State state = run_to_end(large, scene.settings).instant.state;
    const mechanics::DofMap map(scene.model);
    for (int node = 0; node < map.nodes(); ++node) {
      EXPECT_EQ(mechanics::position(map, state, node), Vector3(length * mechanics::position(map, plain, node)));
      EXPECT_EQ(state.v.segment<3>(map.v_start(node)), Vector3(length * plain.v.segment<3>(map.v_start(node))));
      if (map.is_frame(node)) {
        EXPECT_EQ(state.v.segment<3>(map.v_start(node) + 3), plain.v.segment<3>(map.v_start(node) + 3));
      }
    }
  }
}

// Positions, turns and velocities changed by a few units in the last place: what rounding alone does to a scene.
model::Model nudged(model::Model model) {
  for (model::Node& node : model.nodes) {
    node.position *= 1 + 0x1p-48;
    node.velocity *= 1 + 0x1p-48;
    node.angular_velocity *= 1 - 0x1p-48;
    const Vector3 axis = model.planar ? Vector3::UnitZ() : Vector3(0.48, 0.6, 0.64);
    node.orientation = (node.orientation * math::Quaternion::from_axis_angle(axis, 0x1p-48)).normalized();
  }
  return model;
}

// Moved coordinates round differently, so the results agree to accumulated rounding errors and not bit for bit. Impacts
// of a tumbling box multiply these errors: a nudge tells by how much.
TEST(SceneProperty, AMovedAndTurnedSceneGivesTheMovedResult) {
  math::Random random(7);
  for (const std::string& id : all_scenes()) {
    SCOPED_TRACE(id);
    const study::Case scene = beginning(id);
    if (is_beyond_change(scene.model)) continue;
    const bool planar = scene.model.planar;
    Vector3 axis(random.normal(), random.normal(), random.normal());
    if (planar) axis = Vector3::UnitZ();
    const math::Quaternion rotation = math::Quaternion::from_axis_angle(axis, random.uniform(0.3, 3));
    const Vector3 offset(random.uniform(-1, 1), random.uniform(-1, 1), planar ? 0 : random.uniform(-1, 1));
    simulation::Settings settings = scene.settings;
    settings.solver.tolerance = 1e-13;  // what the solver leaves grows like rounding
    settings.accept_unconverged = true;
    const mechanics::State plain = run_to_end(scene.model, settings).instant.state;
    const mechanics::State state = run_to_end(moved(scene.model, rotation, offset), settings).instant.state;
    const mechanics::DofMap map(scene.model);
    double size = 1e-3;
    for (int node = 0; node < map.nodes(); ++node) size = std::max(size, mechanics::position(map, plain, node).norm());
    // Joints alone do not multiply them, and a nudge would open joints; in clearances, impacts do.
    const bool is_nudged = scene.model.joints.empty() || !scene.model.clearances.empty();
    const mechanics::State other = is_nudged ? run_to_end(nudged(scene.model), settings).instant.state : plain;
    const double sensitivity = (other.q - plain.q).norm();
    EXPECT_LE(sensitivity, 1e-3 * size);
    for (int node = 0; node < map.nodes(); ++node) {
      const Vector3 expected = rotation.rotate(mechanics::position(map, plain, node)) + offset;
      EXPECT_LE((mechanics::position(map, state, node) - expected).norm(), 1e-9 * size + 30 * sensitivity)
          << "node " << node;
    }
  }
}

// What the tolerance of the solver leaves unexplained: a part of the energy that is turned over. Where everything rests
// that is what a step of free fall would give, which contacts take away again, in every step.
double energy_left(const study::Case& scene, const simulation::Snapshot& end) {
  double mass = 0;
  for (const model::Body& body : scene.model.bodies) mass += body.mass;
  const double fall = scene.settings.step * scene.model.gravity.norm();
  const double turned_over = end.ledger.scale + static_cast<double>(end.step_index) * mass * fall * fall;
  return scene.settings.solver.tolerance * turned_over;
}

// Frémond's law at theta = 1/2: in no scene does a contact create energy beyond what the solver's tolerance explains.
TEST(SceneProperty, FremondsLawNeverCreatesEnergy) {
  for (const std::string& id : all_scenes()) {
    SCOPED_TRACE(id);
    const study::Case scene =
        beginning(id, {"integrator.scheme=moreau-jean", "integrator.impact=fremond", "integrator.theta=0.5"});
    const simulation::Snapshot end = run_to_end(scene.model, scene.settings);
    EXPECT_LE(end.ledger.contact_created, energy_left(scene, end));
  }
}

// Acary & Collins-Craft 2024, eq 65, step by step: what the accounts do not explain is rounding.
TEST(SceneProperty, TheEnergyIdentityHoldsInEveryStepOfLinearScenes) {
  int linear = 0;
  for (const std::string& id : all_scenes()) {
    SCOPED_TRACE(id);
    const study::Case scene = beginning(id);
    if (mechanics::Equations(scene.model).dependence() == mechanics::Dependence::nonlinear) continue;
    ++linear;
    simulation::Simulation run(scene.model, scene.settings);
    double last = 0;
    for (long n = 0; n < run.step_count(); ++n) {
      ASSERT_TRUE(run.step()) << run.failure();
      const simulation::Ledger& ledger = run.snapshot().ledger;
      const double size = std::max(ledger.scale, std::abs(ledger.potential));
      ASSERT_LE(std::abs(ledger.closing_error() - last), 1e-12 * size) << "step " << n;
      last = ledger.closing_error();
    }
  }
  EXPECT_GE(linear, 6);
}

void expect_facts(const std::string& id, const std::vector<std::string>& overrides) {
  const study::Case scene = shipped_case(id, overrides);
  const study::CaseResult result = study::run_case(scene);
  EXPECT_EQ(result.run.outcome, simulation::Outcome::completed) << result.run.reason;
  for (const study::FactResult& fact : result.facts) {
    EXPECT_FALSE(study::fails(fact)) << fact.fact << ": " << fact.detail;
  }
}

TEST(SceneProperty, FactsHoldAtHalfTheStep) {
  for (const std::string& id : all_scenes()) {
    SCOPED_TRACE(id);
    expect_facts(id, {fmt::format("time.step={:.17g}", 0.5 * shipped_case(id).settings.step)});
  }
}

// Parameters that do not follow from others.
std::set<std::string> free_parameters(const study::Case& scene) {
  const io::Value tree = io::parse_document(scene.source_text, scene.id);
  const io::Value* parameters = tree.find("parameters");
  std::set<std::string> all, result;
  if (parameters == nullptr) return result;
  for (const io::Key& key : parameters->keys) all.insert(key.text);
  for (const io::Key& key : parameters->keys) {
    const std::vector<std::string> used = math::Expression::parse(parameters->find(key.text)->text).names();
    if (std::none_of(used.begin(), used.end(), [&](const std::string& name) { return all.contains(name); })) {
      result.insert(key.text);
    }
  }
  return result;
}

// Draws every free parameter of a scene: restitution and friction over their whole range, angles and counts where their
// names say so, all others within a factor of two.
std::vector<std::string> random_overrides(const std::string& id, math::Random& random) {
  std::vector<std::string> overrides;
  const study::Case scene = shipped_case(id);
  const std::set<std::string> free = free_parameters(scene);
  for (const auto& [name, value] : scene.parameters) {
    if (!free.contains(name)) continue;
    double drawn = value * std::pow(2, random.uniform(-1, 1));
    if (name == "restitution" || name == "friction") drawn = random.uniform(0, 1);
    if (name == "slope") drawn = random.uniform(0.03, 0.7);
    if (name == "n") drawn = std::round(drawn);  // a count
    overrides.push_back(fmt::format("parameters.{}={:.17g}", name, drawn));
  }
  return overrides;
}

void expect_facts_for_random_parameters(int draws, std::uint64_t seed) {
  for (const std::string& id : all_scenes()) {
    math::ByteHash hash;  // a scene gets the same draws whatever other scenes there are
    hash.add(id.data(), id.size());
    math::Random random(seed + hash.value());
    const int few = is_large(shipped_case(id)) ? (draws + 9) / 10 : draws;
    for (int draw = 0; draw < few; ++draw) {
      const std::vector<std::string> overrides = random_overrides(id, random);
      std::string command = id;
      for (const std::string& text : overrides) command += " --set " + text;
      SCOPED_TRACE(command);
      expect_facts(id, overrides);
    }
  }
}

TEST(SceneProperty, FactsHoldForRandomParameters) { expect_facts_for_random_parameters(10, 1); }

TEST(ScenePropertySlow, FactsHoldForManyRandomParameters) { expect_facts_for_random_parameters(300, 2); }

}  // namespace
}  // namespace ricochet::test
