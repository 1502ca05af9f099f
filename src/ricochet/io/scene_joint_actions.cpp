// What acts along the coordinates of joints: keys of a joint beside its points and axes, each a map or a list of maps
// with the number of its coordinate.
#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "ricochet/io/scene_model.hpp"
#include "ricochet/mechanics/driven_motion.hpp"
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

  // Where a coordinate stands at the start of the run, m or rad.
  double at_start(const model::JointCoordinate& coordinate) {
    if (!start_) {
      const mechanics::JointSet joints(model_, map_, 0);
      mechanics::State state = mechanics::initial_state(model_, map_);
      mechanics::DrivenMotion(model_, map_).set_start(state);
      state.angles.setZero(joints.coordinates());
      joints.set_start_coordinates(state);
      start_.emplace();
      for (int i = 0; i < joints.joints(); ++i) start_->push_back(joints.coordinates_of(i, state));
    }
    return (*start_)[coordinate.joint.index][static_cast<std::size_t>(coordinate.index)];
  }

  model::Model& model_;
  const mechanics::DofMap map_;
  std::optional<std::vector<mechanics::Joint::Coordinates>> start_;  // of all joints, once they are asked for
};

}  // namespace

void read_joint_actions(const Entry& scene, model::Model& model) {
  JointActionReader reader(model);
  int index = 0;
  for (const Entry& entry : scene["joints"].entries()) reader.read(entry, {index++});
}

}  // namespace ricochet::io
