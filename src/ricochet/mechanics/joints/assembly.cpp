#include "ricochet/mechanics/joints/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ricochet/linalg/disjoint_sets.hpp"
#include "ricochet/mechanics/joints/nearest_placement.hpp"
#include "ricochet/model/machine_size.hpp"

namespace ricochet::mechanics {

namespace {

constexpr double kSpeedRounding = 1e-12;
constexpr double kStandstill = 1e-6;  // of the natural speed: a target that starts as slowly starts from rest

// Speeds in m/s and rad/s.
struct Speeds {
  double length = 0;
  double angle = 0;

  double of(JointUnit unit) const { return unit == JointUnit::angle ? angle : length; }
  Speeds joined(const Speeds& other) const { return {std::max(length, other.length), std::max(angle, other.angle)}; }
  void add(JointUnit unit, double speed) {
    double& largest = unit == JointUnit::angle ? angle : length;
    largest = std::max(largest, std::abs(speed));
  }
};

// The nodes that joints connect, directly or through others, and which of these machines are off.
class Machines {
 public:
  explicit Machines(const Equations& equations) {
    nodes_.reset(equations.map().nodes());
    linalg::BlockSparseMatrix gradients;
    equations.joints().gradients(equations.initial_state(), gradients);
    for (int owner = 0; owner < gradients.rows(); ++owner) {
      first_.push_back(-1);
      for (const auto& entry : gradients.row(owner)) {
        if (!is_movable(equations.map(), entry.column)) continue;
        if (first_.back() < 0) first_.back() = entry.column;
        nodes_.join(first_.back(), entry.column);
      }
    }
    off_.resize(nodes_.size());
  }

  void mark(int owner) {
    if (first_[owner] >= 0) off_[nodes_.find(first_[owner])] = 1;
  }
  bool is_off(int node) { return off_[nodes_.find(node)] != 0; }

 private:
  // A body that cannot move passes nothing on.
  static bool is_movable(const DofMap& map, int node) {
    bool movable = false;
    for (int k = 0; k < map.v_size(node); ++k) movable = movable || map.is_free(map.v_start(node) + k);
    return movable;
  }

  linalg::DisjointSets nodes_;
  std::vector<int> first_;  // a node of every joint and velocity row; -1: none can move
  std::vector<char> off_;   // by the smallest node of the machine
};

class Assembler {
 public:
  Assembler(const model::Model& model, const AssemblyTolerances& tolerances)
      : given_(model), tolerances_(tolerances), equations_(model), joints_(equations_.joints()) {}

  Assembly run() {
    Assembly result{given_, {}};
    report_.size = equations_.size();
    if (joints_.rows() > 0) {
      state_ = equations_.initial_state();
      if (place()) give_velocities();
      if (report_.status == AssemblyStatus::done) write(result.model);
      if (report_.moved) confirm(result);
    }
    result.report = report_;
    return result;
  }

 private:
  bool refuse(AssemblyStatus status) {
    report_.status = status;
    return false;
  }

  Misfit worst_position(const JointSet& joints, const State& state) const {
    VectorX values;
    joints.values(state, values);
    Misfit worst;
    for (int row = 0; row < joints.rows(); ++row) {
      const double value = std::abs(values[row]);
      const double part = joints.unit(row) == JointUnit::angle ? value : value / report_.size;
      if (part > worst.part || std::isnan(part)) worst = {joints.owner(row), value, joints.unit(row), part};
    }
    return worst;
  }

  bool place() {
    const double rounding = position_rounding(equations_, state_) / report_.size;
    report_.position = worst_position(joints_, state_);
    if (report_.position.part <= rounding) return true;
    if (!(report_.position.part <= tolerances_.position)) return refuse(AssemblyStatus::open_too_far);
    Machines machines(equations_);
    VectorX values;
    joints_.values(state_, values);
    for (int row = 0; row < joints_.rows(); ++row) {
      const double arm = joints_.unit(row) == JointUnit::angle ? 1 : report_.size;
      if (std::abs(values[row]) > rounding * arm) machines.mark(joints_.owner(row));
    }
    const State before = state_;
    const NearestPlacement::Result nearest = NearestPlacement().find(equations_, state_);
    keep_others(machines, before);
    report_.remaining = worst_position(joints_, state_);
    if (!nearest.closed && !(report_.remaining.part <= kWrittenDigits)) return refuse(AssemblyStatus::cannot_be_closed);
    report_.moved = true;
    find_most_moved(before);
    find_farthest(before);
    if (report_.farthest > tolerances_.position * report_.size) return refuse(AssemblyStatus::moves_too_far);
    return true;
  }

  // Machines that were closed keep every bit.
  void keep_others(Machines& machines, const State& before) {
    const DofMap& map = equations_.map();
    for (int node = 0; node < map.nodes(); ++node) {
      if (machines.is_off(node)) continue;
      state_.q.segment(map.q_start(node), map.q_size(node)) = before.q.segment(map.q_start(node), map.q_size(node));
      state_.v.segment(map.v_start(node), map.v_size(node)) = before.v.segment(map.v_start(node), map.v_size(node));
    }
    joints_.update_coordinates(state_);
  }

  void find_most_moved(const State& before) {
    const DofMap& map = equations_.map();
    for (int i = 0; i < static_cast<int>(given_.bodies.size()); ++i) {
      const model::Body& body = given_.bodies[i];
      const int node = body.node.index;
      const math::Quaternion from = orientation(map, before, node), to = orientation(map, state_, node);
      const Vector3 turn = map.is_frame(node) ? math::logarithm(from.conjugate() * to) : Vector3(Vector3::Zero());
      const double square = mean_square(body, displacement(before, node, body.center), turn);
      if (square > report_.most_moved.mean_square)
        report_.most_moved = {i, displacement(before, node, body.origin).norm(), turn.norm(), square};
    }
  }

  Vector3 displacement(const State& before, int node, const Vector3& point) const {
    const DofMap& map = equations_.map();
    return position(map, state_, node) - position(map, before, node) + orientation(map, state_, node).rotate(point) -
           orientation(map, before, node).rotate(point);
  }

  // Nodes and joint points: by their box the size of the machine is measured, too.
  void find_farthest(const State& before) {
    std::vector<int> body_of(equations_.map().nodes(), -1);
    for (int i = 0; i < static_cast<int>(given_.bodies.size()); ++i) body_of[given_.bodies[i].node.index] = i;
    const auto look_at = [&](int node, const Vector3& point) {
      const double distance = displacement(before, node, point).norm();
      if (!(distance > report_.farthest)) return;
      report_.farthest = distance;
      report_.farthest_body = body_of[node];
    };
    for (int node = 0; node < equations_.map().nodes(); ++node) {
      if (!equations_.map().is_generalised(node)) look_at(node, Vector3::Zero());
    }
    for (const model::Joint& joint : given_.joints) {
      for (const model::JointFrame* frame : {&joint.first, &joint.second}) {
        const bool is_point = frame->attachment.node.valid() && !model::acts_on_coordinates(joint.type);
        if (is_point) look_at(frame->attachment.node.index, frame->attachment.offset);
      }
    }
  }

  // Of the displacements (or velocities) of the mass of a body, from that of its centre and its rotation.
  static double mean_square(const model::Body& body, const Vector3& center, const Vector3& rotation) {
    return center.squaredNorm() + rotation.dot(body.inertia * rotation) / body.mass;
  }

  // G v + g_t, and for every row what it is compared with.
  struct RowSpeeds {
    VectorX off;        // m/s or rad/s
    VectorX reference;  // the same
    Speeds scale;       // of the whole machine, for what is rounding: lengths and angles by its size
  };

  RowSpeeds row_speeds(const Speeds& natural) const {
    RowSpeeds speeds;
    joints_.rates(0, speeds.off);
    speeds.reference = speeds.off.cwiseAbs();
    Speeds largest;
    for (int row = 0; row < joints_.rows(); ++row) largest.add(joints_.unit(row), speeds.off[row]);
    add_speeds_of_bodies(largest);
    linalg::BlockSparseMatrix gradients;
    joints_.gradients(state_, gradients);
    gradients.multiply_add(state_.v, speeds.off);
    for (int owner = 0; owner < gradients.rows(); ++owner) {
      auto rows = speeds.reference.segment(gradients.row_offset(owner), gradients.row_size(owner));
      for (const auto& entry : gradients.row(owner)) {
        const auto v = state_.v.segment(gradients.column_offset(entry.column), gradients.column_size(entry.column));
        rows += (gradients.block(owner, entry) * v).cwiseAbs();
      }
    }
    for (int row = 0; row < joints_.rows(); ++row) {
      speeds.reference[row] = std::max(speeds.reference[row], largest.of(joints_.unit(row)));
    }
    const double speed = std::max({natural.length, largest.length, report_.size * largest.angle});
    speeds.scale = {speed, speed / report_.size};
    return speeds;
  }

  void add_speeds_of_bodies(Speeds& largest) const {
    const DofMap& map = equations_.map();
    const auto velocity = [&](int node) { return Vector3(state_.v.segment<3>(map.v_start(node))); };
    const auto angular = [&](int node) { return Vector3(state_.v.segment<3>(map.v_start(node) + 3)); };
    for (int node = 0; node < map.nodes(); ++node) {
      if (map.is_generalised(node)) continue;
      largest.add(JointUnit::length, velocity(node).norm());
      if (map.is_frame(node)) largest.add(JointUnit::angle, angular(node).norm());
    }
    for (const model::Joint& joint : given_.joints) {
      for (const model::JointFrame* frame : {&joint.first, &joint.second}) {
        const int node = frame->attachment.node.index;
        if (node < 0 || !map.is_frame(node) || model::acts_on_coordinates(joint.type)) continue;
        const Vector3 turning = math::cross(angular(node), frame->attachment.offset);
        largest.add(JointUnit::length, (velocity(node) + orientation(map, state_, node).rotate(turning)).norm());
      }
    }
  }

  // Of a machine at rest, what gravity, targets and drivers will give it: against this a speed of zero is a matter of
  // rounding.
  Speeds natural_speeds() const {
    Speeds accelerations;  // m/s^2 and rad/s^2
    Joint::Rows first, second;
    for (int i = 0; i < joints_.joints(); ++i) {
      joints_.joint(i).time_derivatives(0, first, second);
      for (int row = 0; row < joints_.joint(i).rows(); ++row)
        accelerations.add(joints_.joint(i).unit(row), second[row]);
    }
    for (const DrivenMotion::Component& component : equations_.driven_motion().components()) {
      const bool turns = component.index >= equations_.map().v_start(component.node) + 3;
      const math::Jet jet = component.function.evaluate(0);
      const bool is_place = component.level == model::DriverLevel::position;
      accelerations.add(turns ? JointUnit::angle : JointUnit::length,
                        component.factor * (is_place ? jet.acceleration : jet.rate));
    }
    const double acceleration =
        std::max({given_.gravity.norm(), accelerations.length, report_.size * accelerations.angle});
    const double speed = std::sqrt(acceleration) * std::sqrt(report_.size);
    return {speed, speed / report_.size};
  }

  bool is_rounding(const RowSpeeds& speeds, int row) const {
    return std::abs(speeds.off[row]) <= kSpeedRounding * speeds.scale.of(joints_.unit(row));
  }

  // The worst row in parts of its reference, which is never less than the row but for rounding; `at_least` takes the
  // place of small references.
  Misfit worst_velocity(const RowSpeeds& speeds, const Speeds& at_least) const {
    Misfit worst;
    for (int row = 0; row < joints_.rows(); ++row) {
      if (is_rounding(speeds, row)) continue;
      const double value = std::abs(speeds.off[row]);
      const double part = std::min(value / std::max(speeds.reference[row], at_least.of(joints_.unit(row))), 1.0);
      if (part > worst.part || std::isnan(part)) worst = {joints_.owner(row), value, joints_.unit(row), part};
    }
    return worst;
  }

  bool give_velocities() {
    const Speeds natural = natural_speeds();
    const RowSpeeds before = row_speeds(natural);
    report_.velocity = worst_velocity(before, {});
    if (report_.velocity.owner < 0) return true;
    const bool from_rest = tolerances_.velocity > 0 && worst_velocity(before, natural).part <= kStandstill;
    if (!(report_.velocity.part <= tolerances_.velocity) && !from_rest)
      return refuse(AssemblyStatus::velocities_too_far);
    Machines machines(equations_);
    for (int row = 0; row < joints_.rows(); ++row) {
      if (!is_rounding(before, row)) machines.mark(joints_.owner(row));
    }
    const State given = state_;
    JointProjection projection;
    projection.project_velocity(equations_, state_);
    projection.project_velocity(equations_, state_);  // takes out what the rounding of the first has left
    keep_others(machines, given);
    RowSpeeds after = row_speeds(natural);
    after.scale = after.scale.joined(before.scale);
    report_.remaining = worst_velocity(after, after.scale);
    if (!(report_.remaining.part <= kWrittenDigits)) return refuse(AssemblyStatus::velocities_cannot_fit);
    report_.changed_velocity = true;
    find_most_changed(given);
    return true;
  }

  void find_most_changed(const State& before) {
    const DofMap& map = equations_.map();
    for (int i = 0; i < static_cast<int>(given_.bodies.size()); ++i) {
      const model::Body& body = given_.bodies[i];
      const int node = body.node.index;
      const math::Quaternion rotation = orientation(map, state_, node);
      const auto angular = [&](const State& state) {
        return map.is_frame(node) ? Vector3(state.v.segment<3>(map.v_start(node) + 3)) : Vector3(Vector3::Zero());
      };
      const auto velocity = [&](const State& state, const Vector3& point) {
        return Vector3(state.v.segment<3>(map.v_start(node)) + rotation.rotate(math::cross(angular(state), point)));
      };
      const double square = mean_square(body, velocity(state_, body.center) - velocity(before, body.center),
                                        angular(state_) - angular(before));
      const AssemblyReport::VelocityChange change = {
          i, velocity(before, body.origin), velocity(state_, body.origin), angular(before), angular(state_), square};
      if (square > report_.most_changed.mean_square) report_.most_changed = change;
      const bool is_given = !change.velocity_before.isZero(0) || !change.angular_velocity_before.isZero(0);
      if (is_given && square > report_.most_changed_given.mean_square) report_.most_changed_given = change;
    }
  }

  // Only what has changed, so that everything else keeps its bits.
  void write(model::Model& model) const {
    const DofMap& map = equations_.map();
    const State before = equations_.initial_state();
    const auto differs = [](const auto& a, const auto& b) { return a != b; };
    for (int i = 0; i < map.nodes(); ++i) {
      if (map.is_generalised(i)) continue;  // has no joints
      model::Node& node = model.nodes[i];
      const int q = map.q_start(i), v = map.v_start(i);
      for (int k = 0; k < 3; ++k) {
        if (state_.q[q + k] != before.q[q + k]) node.position[k] = state_.q[q + k];
        if (state_.v[v + k] != before.v[v + k]) node.velocity[k] = state_.v[v + k];
      }
      if (!map.is_frame(i)) continue;
      if (differs(state_.q.segment<4>(q + 3), before.q.segment<4>(q + 3))) {
        node.orientation = orientation(map, state_, i).normalized();
      }
      for (int k = 0; k < 3; ++k) {
        if (state_.v[v + 3 + k] != before.v[v + 3 + k]) node.angular_velocity[k] = state_.v[v + 3 + k];
      }
    }
    if (!report_.moved) return;
    for (int i = 0; i < joints_.joints(); ++i) {
      model::Joint& joint = model.joints[i];
      if (!joint.target && model::has_target(joint.type)) joint.target = joints_.joint(i).target();
    }
  }

  // The equations of the assembled model begin to count angles anew. One that stands at half a turn may then be taken
  // for a turn less, and a relation of angles is open: such a machine is not for us.
  void confirm(Assembly& result) {
    if (report_.status != AssemblyStatus::done) return;
    const Equations fresh(result.model);
    const Misfit misfit = worst_position(fresh.joints(), fresh.initial_state());
    if (misfit.part <= kWrittenDigits) return;
    result.model = given_;
    report_.remaining = misfit;
    report_.status = AssemblyStatus::cannot_be_closed;
  }

  const model::Model& given_;
  AssemblyTolerances tolerances_;
  Equations equations_;
  const JointSet& joints_;
  State state_;
  AssemblyReport report_;
};

}  // namespace

Assembly assemble(const model::Model& model, const AssemblyTolerances& tolerances) {
  return Assembler(model, tolerances).run();
}

const std::string& owner_name(const model::Model& model, int owner) {
  const int joints = static_cast<int>(model.joints.size());
  return owner < joints ? model.joints[owner].name : model.velocity_rows[owner - joints].name;
}

}  // namespace ricochet::mechanics
