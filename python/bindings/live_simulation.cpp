#include "bindings/live_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ricochet/math/rotation.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet::python {

namespace {

void require_size(const Doubles& given, Eigen::Index expected, const char* what) {
  if (given.ndim() != 1 || given.size() != expected) {
    throw std::invalid_argument(
        fmt::format("{} must be an array of {} numbers, but has {}", what, expected, given.size()));
  }
}

// Quaternions as they come out of Python arithmetic are not exactly of unit length.
void normalise_rotations(const mechanics::DofMap& map, VectorX& q) {
  for (int node = 0; node < map.nodes(); ++node) {
    if (!map.is_frame(node)) continue;
    auto quaternion = q.segment<4>(map.q_start(node) + 3);
    const double norm = quaternion.norm();
    if (!(std::abs(norm - 1) < 1e-6)) {
      throw std::invalid_argument(
          fmt::format("q must have unit quaternions, but one has the length {:.6g} (see coordinates_of)", norm));
    }
    quaternion /= norm;
  }
}

// What tells machines apart whose states have the same size: the names of all bodies and systems, in their order.
std::string machine_name(const model::Model& model) {
  std::string names;
  for (const model::Body& body : model.bodies) names += body.name + '\n';
  for (const model::System& system : model.systems) {
    names += fmt::format("{}: {}\n", system.name, fmt::join(system.equations->coordinates(), " "));
  }
  return names;
}

}  // namespace

// Ends, also by an exception, with arrays that show what was reached.
class LiveSimulation::Stepping {
 public:
  explicit Stepping(LiveSimulation& self) : self_(self) { self_.work_ = Work::stepping; }
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;
  ~Stepping() {
    self_.work_ = Work::none;
    self_.refresh();
  }

 private:
  LiveSimulation& self_;
};

LiveSimulation::LiveSimulation(const LoadedCase& loaded, const Additions& additions)
    : case_(with_additions(loaded, additions, pending_)),
      simulation_(pending_->unwrap([&] { return simulation::Simulation(case_.model, case_.settings); })) {}

void LiveSimulation::require_idle() const {
  if (work_ != Work::stepping) return;
  throw std::runtime_error("the simulation is in the middle of a step; look at it between steps, or in a callback");
}

void LiveSimulation::require_unused() const {
  require_idle();
  if (work_ == Work::none) return;
  throw std::runtime_error(
      "a callback may look at the simulation, but not move it; let it return False to end the run");
}

void LiveSimulation::one_step() {
  if (simulation_.step()) return;
  pending_->rethrow();
  throw StepFailure(simulation_.failure());
}

// Without the lock. `after_step` is told the number of steps so far and says whether to go on.
template <class AfterStep>
long LiveSimulation::advance(long target, const AfterStep& after_step) {
  long steps = 0;
  const Stepping stepping(*this);
  const py::gil_scoped_release release;
  SignalWatch signals;
  while (simulation_.snapshot().step_index < target) {
    one_step();
    ++steps;
    signals.check();
    if (!after_step(steps)) break;
  }
  return steps;
}

// Called without the lock.
bool LiveSimulation::call(const py::object& self, const Callback& callback, long steps) {
  if (!callback.function || steps % callback.every != 0) return true;
  const py::gil_scoped_acquire lock;
  refresh();
  work_ = Work::callback;
  const bool answer = goes_on(callback.function(self));
  work_ = Work::stepping;
  return answer;
}

long LiveSimulation::target_step(std::optional<double> until) const {
  if (!until) return simulation_.step_count();
  const double now = simulation_.snapshot().instant.state.time;
  if (!std::isfinite(*until)) throw std::invalid_argument(fmt::format("`until` must be finite, but is {}", *until));
  if (!(*until >= now * (1 - 1e-12))) {
    throw std::invalid_argument(
        fmt::format("the simulation is at t = {:.9g} s already and cannot run until {:.9g} s", now, *until));
  }
  simulation::Settings settings = case_.settings;
  settings.end = *until;
  return simulation::step_count(settings);
}

// Arrays that Python holds follow the state; their memory stays where it is.
void LiveSimulation::refresh() {
  if (!bodies_wanted_) return;
  bodies_.clear();
  bodies_.append(simulation_.frame());
}

long LiveSimulation::step(long count) {
  require_unused();
  if (count < 0) throw std::invalid_argument("the number of steps must not be negative");
  const long made = simulation_.snapshot().step_index;
  const long target = made + std::min(count, std::numeric_limits<long>::max() - made);  // without overflow
  return advance(target, [](long /*steps*/) { return true; });
}

long LiveSimulation::run(const py::object& self, std::optional<double> until, const Callback& callback) {
  require_unused();
  return advance(target_step(until), [&](long steps) { return call(self, callback, steps); });
}

py::object LiveSimulation::record(const py::object& self, std::optional<double> until, long every,
                                  const Callback& callback) {
  require_unused();
  Recording recording(case_);
  const auto add_row = [&] { pending_->unwrap([&] { recording.add_row(simulation_.frame()); }); };
  add_row();
  const long target = target_step(until);
  advance(target, [&](long steps) {
    const simulation::Frame frame = simulation_.frame();
    recording.count(frame);
    const bool goes_on = call(self, callback, steps);
    if (steps % every == 0 || frame.step_index == target || !goes_on) add_row();
    return goes_on;
  });
  return recording.result();
}

void LiveSimulation::set_state(const std::optional<Doubles>& q, const std::optional<Doubles>& v) {
  require_unused();
  simulation::Snapshot changed = simulation_.snapshot();
  const simulation::Frame frame = simulation_.frame();
  const mechanics::DofMap& map = frame.equations.map();
  mechanics::State& state = changed.instant.state;
  if (q) {
    require_size(*q, state.q.size(), "q");
    state.q = Eigen::Map<const VectorX>(q->data(), q->size());
    if (!state.q.allFinite()) throw std::invalid_argument("q must be finite");
    normalise_rotations(map, state.q);
  }
  if (v) {
    require_size(*v, state.v.size(), "v");
    state.v = Eigen::Map<const VectorX>(v->data(), v->size());
    if (!state.v.allFinite()) throw std::invalid_argument("v must be finite");
    for (int i = 0; i < map.v_total(); ++i) {
      if (map.is_free(i) || map.is_driven(i) || state.v[i] == 0) continue;
      throw std::invalid_argument(fmt::format("v[{}] must be zero: this component is fixed", i));
    }
  }
  frame.equations.driven_motion().set_velocity(state.time, state.v);
  state.a.setZero();
  frame.equations.update_angles(state, 0);
  const double open = frame.equations.joints().error(state, frame.equations.size());
  if (open > 1e-9 * frame.equations.size()) {
    throw std::invalid_argument(fmt::format("in this state the joints are open by {:.3g} m", open));
  }
  changed.instant.memory = {};
  changed.instant.joint_memory = {};
  changed.instant.accelerations.clear();
  changed.ledger = {};
  pending_->unwrap([&] {
    changed.ledger.begin(frame.equations.kinetic_energy(state), frame.equations.potential_energy(state),
                         frame.equations.strain_energy(state));
  });
  simulation_.restore(changed);
  refresh();
}

py::bytes LiveSimulation::snapshot() const {
  require_idle();
  std::string bytes;
  simulation::ByteWriter writer(bytes);
  const std::string machine = machine_name(case_.model);
  writer("machine", machine);
  writer("snapshot", simulation_.snapshot());
  return bytes;
}

void LiveSimulation::restore(const std::string& bytes) {
  require_unused();
  simulation::Snapshot snapshot = simulation_.snapshot();
  try {
    simulation::ByteReader reader(bytes);
    std::string machine;
    reader("machine", machine);
    if (machine != machine_name(case_.model)) {
      throw std::invalid_argument("the snapshot is one of another machine: its bodies or systems have other names");
    }
    reader("snapshot", snapshot);
    if (!reader.done()) throw std::invalid_argument("the snapshot has more data than this simulation remembers");
  } catch (const simulation::ArchiveError& error) {
    throw std::invalid_argument(fmt::format("the snapshot is not one of this simulation: {}", error.what()));
  }
  simulation_.restore(snapshot);
  refresh();
}

double LiveSimulation::value(const std::string& expression) {
  require_idle();
  auto found = asked_places_.find(expression);
  if (found == asked_places_.end()) {
    const int place = asked_.add(case_.model, expression, probe_expression(case_, expression));
    found = asked_places_.emplace(expression, place).first;
  }
  std::vector<double> values;
  const std::array<int, 1> asked = {found->second};
  pending_->unwrap([&] { asked_.evaluate(simulation_.frame(), asked, values); });
  return values.front();
}

py::array LiveSimulation::contacts() {
  require_idle();
  std::vector<ContactRow> rows;
  const simulation::Frame frame = simulation_.frame();
  append_contacts(frame.contact_set, frame.state.time, frame.contacts, contact_names_, rows);
  return contact_array(rows);
}

const BodyArrays& LiveSimulation::body_arrays() {
  require_idle();
  if (!bodies_wanted_) {
    bodies_wanted_ = true;
    refresh();
  }
  return bodies_;
}

}  // namespace ricochet::python
