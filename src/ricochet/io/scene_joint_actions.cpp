// What acts along the coordinates of joints: keys of a joint beside its points and axes, each a map or a list of maps
// with the number of its coordinate.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "ricochet/io/scene_model.hpp"
#include "ricochet/mechanics/driven_motion.hpp"
#include "ricochet/mechanics/joints/joint_actions.hpp"
#include "ricochet/mechanics/joints/joint_factory.hpp"
#include "ricochet/mechanics/joints/joint_set.hpp"

namespace ricochet::io {

namespace {

struct Action {
  Entry entry;
  model::JointCoordinate coordinate;
};

class JointActionReader {
 public:
  explicit JointActionReader(model::Model& model) : model_(model), map_(model) {}

  void read(const Entry& joint, model::JointId id) {
    const model::JointType type = model_.joints[id.index].type;
    if (model::acts_on_coordinates(type) || mechanics::coordinate_count(type) == 0) return;
    for (const Action& spring : actions(joint["spring"], id)) read_spring(spring);
    for (const Action& limit : actions(joint["limits"], id)) read_limit(limit);
    for (const Action& friction : actions(joint["friction"], id)) read_friction(friction);
    for (const Action& motor : actions(joint["motor"], id)) read_motor(motor);
  }

 private:
  // The maps that stand under a key of a joint, `{...}` or `[{...}, ...]`, each with a coordinate that the joint has.
  std::vector<Action> actions(const Entry& key, model::JointId joint) const {
    std::vector<Action> result;
    if (!key.exists()) return result;
    const std::vector<Entry> entries = key.type().kind == TypeKind::list ? key.entries() : std::vector<Entry>{key};
    for (const Entry& entry : entries) result.push_back({entry, read_coordinate(entry["coordinate"], joint)});
    return result;
  }

  model::JointCoordinate read_coordinate(const Entry& number, model::JointId id) const {
    const model::Joint& joint = model_.joints[id.index];
    const model::JointCoordinate coordinate = {id, number.integer()};
    const int count = mechanics::coordinate_count(joint.type);
    if (coordinate.index >= count) {
      number.refuse(fmt::format("'{}' is {}, but {} joint '{}' has only {}", number.path(), coordinate.index,
                                name_of(joint.type), joint.name,
                                count == 1 ? "coordinate 0" : fmt::format("the coordinates 0 to {}", count - 1)));
    }
    try {
      mechanics::make_coordinate_row(model_, coordinate, {}, map_);
    } catch (const std::invalid_argument& error) {
      number.refuse(fmt::format("{}; choose another coordinate", error.what()));
    }
    return coordinate;
  }

  void read_spring(const Action& action) {
    model::JointSpring spring;
    spring.coordinate = action.coordinate;
    spring.stiffness = action.entry["stiffness"].number();
    spring.damping = action.entry["damping"].number();
    const Entry rest = action.entry["rest"];
    spring.rest = rest.exists() ? rest.time_function() : math::TimeFunction::constant(at_start(action.coordinate));
    model_.joint_springs.push_back(spring);
  }

  void read_limit(const Action& action) {
    model::JointLimit limit;
    limit.coordinate = action.coordinate;
    const Entry lower = action.entry["lower"], upper = action.entry["upper"];
    if (!lower.exists() && !upper.exists()) {
      action.entry.refuse(fmt::format("'{}' needs `lower`, `upper` or both", action.entry.path()));
    }
    if (lower.exists()) limit.lower = lower.number();
    if (upper.exists()) limit.upper = upper.number();
    limit.restitution = action.entry["restitution"].number();
    // Angles start at zero to rounding.
    const double start = at_start(action.coordinate);
    const double rounding = 1e-12 * (1 + std::abs(start));
    const bool below = start < limit.lower - rounding;
    if (limit.lower < limit.upper && (below || start > limit.upper + rounding)) {
      (below ? lower : upper)
          .refuse(fmt::format("the joint starts at {:.6g}, which is beyond '{}' = {:.6g}; place the bodies within the "
                              "range, or widen it",
                              start, (below ? lower : upper).path(), below ? limit.lower : limit.upper));
    }
    model_.joint_limits.push_back(limit);
    require_sound(action.entry);
  }

  void read_friction(const Action& action) {
    model::JointFriction friction;
    friction.coordinate = action.coordinate;
    friction.coefficient = action.entry["coefficient"].number();
    friction.radius = action.entry["radius"].number();
    friction.length = action.entry["length"].number();
    friction.constant = action.entry["constant"].number();
    model_.joint_frictions.push_back(friction);
    require_sound(action.entry);
  }

  void read_motor(const Action& action) {
    model::JointMotor motor;
    motor.coordinate = action.coordinate;
    motor.speed = action.entry["speed"].time_function();
    motor.largest = action.entry["largest"].number();
    model_.joint_motors.push_back(motor);
    require_sound(action.entry);
  }

  // What only mechanics knows of an action, of the one that was read last.
  void require_sound(const Entry& entry) {
    try {
      const mechanics::JointActions checked(model_, joints(), 1);
    } catch (const std::invalid_argument& error) {
      entry.refuse(error.what());
    }
  }

  // Where a coordinate stands at the start of the run, m or rad.
  double at_start(const model::JointCoordinate& coordinate) {
    if (!start_) {
      mechanics::State state = mechanics::initial_state(model_, map_);
      mechanics::DrivenMotion(model_, map_).set_start(state);
      state.angles.setZero(joints().coordinates());
      joints().set_start_coordinates(state);
      start_.emplace();
      for (int i = 0; i < joints().joints(); ++i) start_->push_back(joints().coordinates_of(i, state));
    }
    return (*start_)[coordinate.joint.index][static_cast<std::size_t>(coordinate.index)];
  }

  const mechanics::JointSet& joints() {
    if (!joints_) joints_.emplace(model_, map_, 0);
    return *joints_;
  }

  model::Model& model_;
  const mechanics::DofMap map_;
  std::optional<mechanics::JointSet> joints_;                        // once somebody asks
  std::optional<std::vector<mechanics::Joint::Coordinates>> start_;  // of all joints, once they are asked for
};

}  // namespace

void read_joint_actions(const Entry& scene, model::Model& model) {
  JointActionReader reader(model);
  int index = 0;
  for (const Entry& entry : scene["joints"].entries()) reader.read(entry, {index++});
}

}  // namespace ricochet::io
