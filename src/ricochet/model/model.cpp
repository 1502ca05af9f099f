#include "ricochet/model/model.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ricochet::model {

namespace {

void require(bool condition, const std::string& sentence) {
  if (!condition) throw std::invalid_argument(sentence);
}

bool is_unit(const Vector3& vector) { return std::abs(vector.norm() - 1) < 1e-12; }

// Principal moments of a real body satisfy I1 + I2 >= I3; a tensor that does not, belongs to no distribution of mass.
// Only the moment about z matters in a planar model. The relative slack is for rounding.
void validate_inertia(const Body& body, bool planar) {
  if (planar) {
    require(body.inertia(2, 2) > 0, fmt::format("the inertia about z of body '{}' must be positive", body.name));
    return;
  }
  require(body.inertia.isApprox(body.inertia.transpose(), 1e-12),
          fmt::format("the inertia tensor of body '{}' is not symmetric", body.name));
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
  require(moments[0] > 0, fmt::format("the principal moments of inertia of body '{}' must be positive", body.name));
  require(
      moments[0] + moments[1] >= moments[2] * (1 - 1e-9),
      fmt::format("the moments of inertia of body '{}' break the triangle inequality: the sum of any two must not be "
                  "less than the third",
                  body.name));
}

bool is_fixed(const Node& node) {
  return std::all_of(node.fixed.begin(), node.fixed.end(), [](bool fixed) { return fixed; });
}

void validate_part(const Body& body, const ShapePart& part) {
  require(part.position.allFinite() && std::abs(part.orientation.norm() - 1) < 1e-12,
          fmt::format("the parts of body '{}' must have finite positions and unit quaternions", body.name));
  validate(part.shape, fmt::format("body '{}'", body.name));
}

void validate_attachment(const Model& model, const Attachment& attachment, const std::string& owner) {
  require(attachment.node.index >= -1 && attachment.node.index < static_cast<int>(model.nodes.size()),
          fmt::format("{} is attached to a node that does not exist", owner));
  require(!attachment.node.valid() || model.nodes[attachment.node.index].kind != NodeKind::generalised,
          fmt::format("{} is attached to the coordinates of a system, which are no place", owner));
  require(attachment.offset.allFinite(), fmt::format("the point where {} is attached must be finite", owner));
}

void validate_spring(const Model& model, const Spring& spring) {
  const std::string owner = fmt::format("spring '{}'", spring.name);
  validate_attachment(model, spring.start, owner);
  validate_attachment(model, spring.end, owner);
  require(!spring.axis || is_unit(*spring.axis), fmt::format("the axis of {} must be a unit vector", owner));
  require(std::isfinite(spring.stiffness) && spring.stiffness >= 0,
          fmt::format("the stiffness of {} must not be negative", owner));
  require(std::isfinite(spring.damping) && spring.damping >= 0,
          fmt::format("the damping of {} must not be negative", owner));
  require(std::isfinite(spring.free_length), fmt::format("the free length of {} must be finite", owner));
}

void validate_torsion_spring(const Model& model, const TorsionSpring& spring) {
  const std::string owner = fmt::format("torsion spring '{}'", spring.name);
  validate_attachment(model, spring.start, owner);
  validate_attachment(model, spring.end, owner);
  for (const Attachment& end : {spring.start, spring.end}) {
    if (!end.node.valid()) continue;
    const Node& node = model.nodes[end.node.index];
    require(node.kind == NodeKind::frame,
            fmt::format("{} is attached to '{}', which is a point and does not rotate", owner, node.name));
  }
  require(spring.start.node.valid() || spring.end.node.valid(), fmt::format("both ends of {} are in the world", owner));
  require(!(spring.start.node == spring.end.node), fmt::format("both ends of {} are on the same body", owner));
  require(is_unit(spring.axis), fmt::format("the axis of {} must be a unit vector", owner));
  require(!model.planar || std::abs(spring.axis.z()) == 1,
          fmt::format("the axis of {} must be z or -z in a planar model", owner));
  require(std::isfinite(spring.stiffness) && spring.stiffness >= 0,
          fmt::format("the stiffness of {} must not be negative", owner));
  require(std::isfinite(spring.damping) && spring.damping >= 0,
          fmt::format("the damping of {} must not be negative", owner));
  require(std::isfinite(spring.free_angle), fmt::format("the free angle of {} must be finite", owner));
}

void validate_driver(const Model& model, const Driver& driver) {
  const std::string owner = fmt::format("driver '{}'", driver.name);
  const bool node = driver.node.valid() && driver.node.index < static_cast<int>(model.nodes.size());
  const bool surface = driver.surface.valid() && driver.surface.index < static_cast<int>(model.surfaces.size());
  require(node != surface && driver.node.valid() != driver.surface.valid(),
          fmt::format("{} must drive one node or one surface", owner));
  require(!surface || !model.surfaces[driver.surface.index].mesh,
          fmt::format("{} moves a mesh, which stays where it is; move a body instead", owner));
  require(driver.translation || driver.rotation, fmt::format("{} prescribes no motion", owner));
  if (!driver.rotation) return;
  require(!node || model.nodes[driver.node.index].kind == NodeKind::frame,
          fmt::format("{} turns a point, which does not rotate", owner));
  const Vector3& axis = driver.rotation->axis;
  require(is_unit(axis), fmt::format("the axis of {} must be a unit vector", owner));
  require(!model.planar || (axis.x() == 0 && axis.y() == 0),
          fmt::format("the axis of {} must be z in a planar model", owner));
  require(driver.rotation->center.allFinite(), fmt::format("the centre of {} must be finite", owner));
  require(!driver.rotation->only_about_axis || axis.cwiseAbs().maxCoeff() == 1,
          fmt::format("the axis of {} must be x, y or z of the body, because the body turns freely about the others",
                      owner));
}

// Nothing may be driven twice, or be fixed and driven.
void validate_driven_components(const Model& model) {
  std::vector<std::array<int, 6>> by_driver(model.nodes.size(), {-1, -1, -1, -1, -1, -1});
  for (std::size_t i = 0; i < model.drivers.size(); ++i) {
    const Driver& driver = model.drivers[i];
    for (std::size_t j = 0; j < i; ++j) {
      require(!driver.surface.valid() || model.drivers[j].surface != driver.surface,
              fmt::format("the drivers '{}' and '{}' move the same surface", model.drivers[j].name, driver.name));
    }
    for (int k = 0; k < 6 && driver.node.valid(); ++k) {
      if (!drives(driver, k) || (model.planar && k >= 2 && k <= 4)) continue;
      int& other = by_driver[driver.node.index][k];
      require(other < 0, fmt::format("driver '{}' moves what another driver moves already", driver.name));
      require(!model.nodes[driver.node.index].fixed[k], fmt::format("driver '{}' moves what is fixed", driver.name));
      other = static_cast<int>(i);
    }
  }
}

void validate_participant(const Model& model, const Participant& participant, const ContactRule& rule) {
  const bool body = participant.body.valid() && participant.body.index < static_cast<int>(model.bodies.size());
  const bool surface =
      participant.surface.valid() && participant.surface.index < static_cast<int>(model.surfaces.size());
  require(body != surface, fmt::format("contact '{}' names a participant that does not exist", rule.name));
}

// Functions of speed are checked where they are used: they need not make sense at speeds that do not occur.
void validate_law(const ContactLaw& law, const std::string& rule) {
  require(!law.friction.is_constant() || is_friction(law.friction.at(0)),
          fmt::format("the friction of contact '{}' must be finite and not negative", rule));
  require(!law.restitution.is_constant() || is_restitution(law.restitution.at(0)),
          fmt::format("the restitution of contact '{}' must lie between 0 and 1", rule));
  require(std::abs(law.tangential_restitution) <= 1,
          fmt::format("the tangential restitution of contact '{}' must lie between -1 and 1", rule));
  require(
      law.spinning_law == SpinningLaw::independent || law.friction.is_constant() || law.friction.at(0) > 0,
      fmt::format("contact '{}' couples spinning with a friction that is zero at rest, so there is nothing to share: "
                  "write 'spinning_law: independent', or a friction that does not vanish at speed 0",
                  rule));
  for (const double resistance : {law.rolling, law.spinning}) {
    require(
        std::isfinite(resistance) && resistance >= 0,
        fmt::format("the resistances to rolling and spinning of contact '{}' must be finite and not negative", rule));
  }
}

void validate_material(const Model& model, MaterialId material, const std::string& owner) {
  require(material.index >= -1 && material.index < static_cast<int>(model.materials.size()),
          fmt::format("the material of {} does not exist", owner));
}

}  // namespace

namespace {

// Bodies that come and go stand alone: nothing may hold on to them.
void validate_visits(const Model& model) {
  for (const Body& body : model.bodies) {
    require(std::isfinite(body.appears) && body.appears >= 0 && body.disappears > body.appears,
            fmt::format("body '{}' must appear at a time that is not negative and disappear after that", body.name));
    if (body.appears == 0 && std::isinf(body.disappears)) continue;
    const auto refuse_hold = [&](const NodeId& node, const std::string& who) {
      require(
          node.index != body.node.index,
          fmt::format("{} holds the body '{}', which is not there all the time (appears, disappears)", who, body.name));
    };
    for (const Spring& spring : model.springs) {
      refuse_hold(spring.start.node, fmt::format("the spring '{}'", spring.name));
      refuse_hold(spring.end.node, fmt::format("the spring '{}'", spring.name));
    }
    for (const TorsionSpring& spring : model.torsion_springs) {
      refuse_hold(spring.start.node, fmt::format("the spring '{}'", spring.name));
      refuse_hold(spring.end.node, fmt::format("the spring '{}'", spring.name));
    }
    for (const Joint& joint : model.joints) {
      refuse_hold(joint.first.attachment.node, fmt::format("the joint '{}'", joint.name));
      refuse_hold(joint.second.attachment.node, fmt::format("the joint '{}'", joint.name));
    }
    for (const VelocityRow& row : model.velocity_rows) {
      refuse_hold(row.first.node, fmt::format("the velocity condition '{}'", row.name));
      refuse_hold(row.second.node, fmt::format("the velocity condition '{}'", row.name));
    }
    for (const UserForce& force : model.user_forces) {
      if (force.points.size() == 1) continue;  // like a load
      for (const Attachment& point : force.points) {
        refuse_hold(point.node, fmt::format("the user-defined force '{}'", force.name));
      }
    }
    for (const Driver& driver : model.drivers) refuse_hold(driver.node, fmt::format("the driver '{}'", driver.name));
  }
}

void validate_user_forces(const Model& model) {
  for (const UserForce& force : model.user_forces) {
    require(force.law != nullptr, fmt::format("the user-defined force '{}' has no law", force.name));
    require(!force.points.empty(), fmt::format("the user-defined force '{}' acts on no body", force.name));
    for (const Attachment& point : force.points) {
      require(point.node.valid() && point.node.index < static_cast<int>(model.nodes.size()),
              fmt::format("the user-defined force '{}' acts on a body that does not exist", force.name));
      require(point.offset.allFinite(),
              fmt::format("the points of the user-defined force '{}' must be finite", force.name));
    }
  }
  for (const UserEffort& effort : model.user_efforts) {
    require(effort.law != nullptr, fmt::format("the user-defined effort '{}' has no law", effort.name));
  }
}

// Probes tell them by their names.
void validate_names(const std::vector<std::string>& names, const std::string& owner, const char* kind) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    require(std::find(names.begin(), name, *name) == name, fmt::format("{} has two {} '{}'", owner, kind, *name));
  }
}

void validate_systems(const Model& model) {
  std::vector<int> users(model.nodes.size(), 0);
  for (const System& system : model.systems) {
    require(system.equations != nullptr, fmt::format("system '{}' has no equations", system.name));
    require(system.node.valid() && system.node.index < static_cast<int>(model.nodes.size()) &&
                model.nodes[system.node.index].kind == NodeKind::generalised,
            fmt::format("system '{}' has no node for its coordinates", system.name));
    const Node& node = model.nodes[system.node.index];
    const auto names = system.equations->coordinates();
    require(!names.empty(), fmt::format("system '{}' has no coordinates", system.name));
    require(std::all_of(node.coordinates.begin(), node.coordinates.end(), [](double q) { return std::isfinite(q); }) &&
                std::all_of(node.rates.begin(), node.rates.end(), [](double v) { return std::isfinite(v); }),
            fmt::format("the initial coordinates and velocities of system '{}' must be finite", system.name));
    require(static_cast<std::size_t>(node.coordinates.size()) == names.size() &&
                node.rates.size() == node.coordinates.size(),
            fmt::format("system '{}' has {} coordinates, but starts with {} of them and {} velocities", system.name,
                        names.size(), node.coordinates.size(), node.rates.size()));
    validate_names(names, fmt::format("system '{}'", system.name), "coordinates");
    std::vector<std::string> contacts;
    for (const auto& contact : system.equations->contacts()) contacts.push_back(contact.first);
    validate_names(contacts, fmt::format("system '{}'", system.name), "contacts");
    require(++users[system.node.index] == 1,
            fmt::format("system '{}' shares its coordinates with another", system.name));
  }
  for (const ContactRule& rule : model.contacts) {
    if (!rule.system.valid()) continue;
    require(rule.system.index < static_cast<int>(model.systems.size()) && rule.first.empty() && rule.second.empty(),
            fmt::format("contact '{}' is of a system and of bodies, or of a system that does not exist", rule.name));
    require(rule.law.rolling == 0 && rule.law.spinning == 0,
            fmt::format("contact '{}' is of a system, whose contacts cannot resist rolling or spinning", rule.name));
  }
}

}  // namespace

void validate(const Model& model) {
  require(model.gravity.allFinite(), "gravity must be finite");
  validate_systems(model);
  for (const Node& node : model.nodes) {
    require(node.position.allFinite() && node.velocity.allFinite() && node.angular_velocity.allFinite(),
            fmt::format("the initial motion of '{}' must be finite", node.name));
    require(std::abs(node.orientation.norm() - 1) < 1e-12,
            fmt::format("the orientation of '{}' must be a unit quaternion", node.name));
  }
  for (const Body& body : model.bodies) {
    require(body.node.valid() && body.node.index < static_cast<int>(model.nodes.size()),
            fmt::format("body '{}' has no node", body.name));
    const bool stands = is_fixed(model.nodes[body.node.index]);  // then it needs no mass: nothing can move it
    require(std::isfinite(body.mass) && (body.mass > 0 || (stands && body.mass == 0)),
            fmt::format("the mass of body '{}' must be positive", body.name));
    require(body.inertia.allFinite(), fmt::format("the inertia of body '{}' must be finite", body.name));
    const bool has_inertia = !(stands && body.inertia.isZero(0));
    if (has_inertia && model.nodes[body.node.index].kind == NodeKind::frame) validate_inertia(body, model.planar);
    require(body.center.allFinite() && body.origin.allFinite(),
            fmt::format("the centre of mass and the origin of body '{}' must be finite", body.name));
    const Node& node = model.nodes[body.node.index];
    const bool held = node.fixed[0] && node.fixed[1] && (node.fixed[2] || model.planar);
    require(
        node.kind == NodeKind::frame || (body.center.isZero(0) && body.origin.isZero(0)),
        fmt::format("body '{}' does not rotate, so its centre of mass and its origin must be at its node", body.name));
    require(held || body.center.isZero(0),
            fmt::format("the node of body '{}' must be at its centre of mass, because its translation is not fixed",
                        body.name));
    for (const ShapePart& part : body.parts) {
      validate_part(body, part);
      validate_material(model, part.material, fmt::format("body '{}'", body.name));
    }
  }
  validate_visits(model);
  validate_user_forces(model);
  for (const Surface& surface : model.surfaces) {
    require(is_unit(surface.normal), fmt::format("the normal of surface '{}' must be a unit vector", surface.name));
    require(!model.planar || surface.normal.z() == 0,
            fmt::format("the normal of surface '{}' must lie in the plane x, y of a planar model", surface.name));
    validate_material(model, surface.material, fmt::format("surface '{}'", surface.name));
    require(surface.point.allFinite(), fmt::format("the point of surface '{}' must be finite", surface.name));
    if (!surface.mesh) continue;
    require(!model.planar, fmt::format("surface '{}' is a mesh, which a planar model cannot have", surface.name));
    validate(*surface.mesh, fmt::format("surface '{}'", surface.name));
  }
  for (const Spring& spring : model.springs) validate_spring(model, spring);
  for (const TorsionSpring& spring : model.torsion_springs) validate_torsion_spring(model, spring);
  for (const Driver& driver : model.drivers) validate_driver(model, driver);
  validate_driven_components(model);
  for (const Load& load : model.loads) {
    require(load.point.node.valid(), fmt::format("load '{}' must act on a body", load.name));
    validate_attachment(model, load.point, fmt::format("load '{}'", load.name));
  }
  for (const ContactRule& rule : model.contacts) {
    for (const Participant& participant : rule.first) validate_participant(model, participant, rule);
    for (const Participant& participant : rule.second) validate_participant(model, participant, rule);
    for (const auto& [a, b] : rule.except) {
      validate_participant(model, a, rule);
      validate_participant(model, b, rule);
    }
    require(0 <= rule.first_channel && rule.first_channel <= rule.last_channel,
            fmt::format("contact '{}' has no channel of parts", rule.name));
    validate_law(rule.law, rule.name);
    const int materials = static_cast<int>(model.materials.size());
    for (const MaterialLaw& each : rule.material_laws) {
      require(
          each.first.valid() && each.first.index < materials && each.second.valid() && each.second.index < materials,
          fmt::format("contact '{}' has a law for a material that does not exist", rule.name));
      validate_law(each.law, rule.name);
    }
  }
}

std::string_view shape_name(const Body& body) {
  const auto is_own = [](const ShapePart& part) { return part.channel == 0; };
  const auto first = std::find_if(body.parts.begin(), body.parts.end(), is_own);
  if (first == body.parts.end()) return "shapeless";
  return std::any_of(first + 1, body.parts.end(), is_own) ? "composite" : shape_name(first->shape);
}

int law_place(const ContactRule& rule, MaterialId a, MaterialId b) {
  for (std::size_t i = 0; i < rule.material_laws.size(); ++i) {
    const MaterialLaw& each = rule.material_laws[i];
    if ((each.first == a && each.second == b) || (each.first == b && each.second == a)) return static_cast<int>(i) + 1;
  }
  return 0;
}

const std::string& participant_name(const Model& model, int participant) {
  const int bodies = static_cast<int>(model.bodies.size());
  const int surfaces = static_cast<int>(model.surfaces.size());
  if (participant < bodies) return model.bodies[participant].name;
  return participant < bodies + surfaces ? model.surfaces[participant - bodies].name
                                         : model.systems[participant - bodies - surfaces].name;
}

}  // namespace ricochet::model
