#include "ricochet/io/scene_velocity_conditions.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace ricochet::io {

namespace {

std::vector<Field> condition_fields(const std::vector<Field>& own, const std::string& speed_unit) {
  std::vector<Field> fields = {
      optional("first", reference({"bodies"}, {"world"}), "world",
               "One body, or `world`. Velocities are relative to it."),
      required("second", reference({"bodies"}, {"world"}), "The other body."),
  };
  fields.insert(fields.end(), own.begin(), own.end());
  fields.push_back(optional("speed", number(speed_unit).with_scope(Scope::time), "0",
                            "What the velocity of the second side is, relative to the first: a function of time."));
  return fields;
}

class ConditionReader {
 public:
  ConditionReader(const BodyIndex& bodies, const model::Model& model) : bodies_(bodies), model_(model) {}

  model::VelocityRow read(const Entry& entry) const {
    model::VelocityRow row;
    row.name = entry.name();
    row.kind = static_cast<model::VelocityKind>(entry["type"].choice());
    const bool rotation = row.kind == model::VelocityKind::rotation;
    row.first = rotation ? turning_side(entry["first"]) : point_of_side(entry["first"], entry["at_first"]);
    row.second = rotation ? turning_side(entry["second"]) : point_of_side(entry["second"], entry["at_second"]);
    if (row.first.node == row.second.node) {
      entry.refuse(fmt::format("both sides of '{}' are '{}', so there is no velocity between them", entry.path(),
                               entry["second"].text()));
    }
    row.axis = rotation ? read_axis(entry["axis"], model_.planar) : read_direction(entry["axis"], model_.planar);
    row.speed = entry["speed"].time_function();
    return row;
  }

 private:
  const model::Body* body_of(const Entry& side) const {
    return side.text() == "world" ? nullptr : &model_.bodies[bodies_.at(side.text())];
  }

  bool is_point_mass(const model::Body& body) const {
    return model_.nodes[body.node.index].kind == model::NodeKind::point;
  }

  model::Attachment turning_side(const Entry& side) const {
    const model::Body* body = body_of(side);
    if (body == nullptr) return {};
    if (is_point_mass(*body)) {
      side.refuse(fmt::format("'{}' names '{}', a point mass, which does not rotate", side.path(), side.text()));
    }
    return {body->node, Vector3::Zero()};
  }

  model::Attachment point_of_side(const Entry& side, const Entry& at) const {
    const model::Body* body = body_of(side);
    if (body == nullptr) {
      if (at.is_written()) {
        at.refuse(
            fmt::format("'{}' has no meaning: '{}' is 'world', all of which stands still", at.path(), side.path()));
      }
      return {};
    }
    const Vector3 point = read_in_plane(at, model_.planar);
    if (is_point_mass(*body) && point != Vector3::Zero()) {
      at.refuse(
          fmt::format("'{}' must be [0, 0, 0]: '{}' is a point mass and has no other point", at.path(), side.text()));
    }
    return model::point_of(*body, point);
  }

  const BodyIndex& bodies_;
  const model::Model& model_;
};

}  // namespace

Type velocity_condition_type() {
  Type type = group({required("type", choice({"rotation", "translation"}), "Of which velocity.")});
  type.tag = "type";
  type.alternatives = {
      {"rotation", "The angular velocity of the second side against the first, about an axis of the world.",
       condition_fields({optional("axis", vector(), "[0, 0, 1]",
                                  "The axis in the world, of any length but zero. It does not turn with the bodies.")},
                        "rad/s")},
      {"translation",
       "The velocity of a point of the second side against one of the first, along an axis of the world.",
       condition_fields(
           {optional("at_first", vector("m"), "[0, 0, 0]", "The point on the first body, in body coordinates."),
            optional("at_second", vector("m"), "[0, 0, 0]", "The point on the second."),
            required("axis", vector(),
                     "The direction in the world, of any length but zero. It does not turn with the bodies.")},
           "m/s")},
  };
  return type;
}

void read_velocity_conditions(const Entry& scene, const BodyIndex& bodies, model::Model& model) {
  const ConditionReader reader(bodies, model);
  for (const Entry& entry : scene["velocity_conditions"].entries()) model.velocity_rows.push_back(reader.read(entry));
}

}  // namespace ricochet::io
