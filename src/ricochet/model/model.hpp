// What a machine is made of, as plain data. A Model is constant during a run; `mechanics/` turns it into equations and
// `contact/` into contacts. Everything is in SI units and radians.
//
// Nodes are the only carriers of coordinates; bodies, springs, loads and contacts refer to them by index. The world
// itself is not a node: an attachment without a node is fixed in the world.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/time_function.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/assemblies/clearance.hpp"
#include "ricochet/model/coefficient.hpp"
#include "ricochet/model/driver.hpp"
#include "ricochet/model/ids.hpp"
#include "ricochet/model/joint.hpp"
#include "ricochet/model/joint_action.hpp"
#include "ricochet/model/lagrangian_system.hpp"
#include "ricochet/model/shape.hpp"
#include "ricochet/model/triangle_mesh.hpp"
#include "ricochet/model/user_force.hpp"

namespace ricochet::model {

enum class NodeKind {
  point,        // position: 3 coordinates, 3 velocities
  frame,        // position and rotation: 7 coordinates (x, y, z, then quaternion w x y z), 6 velocities (world v, body
                // angular)
  generalised,  // the coordinates of a system that a user writes down, and as many velocities: their rates
};

struct Node {
  std::string name;
  NodeKind kind = NodeKind::point;
  Vector3 position = Vector3::Zero();          // m
  math::Quaternion orientation;                // body to world
  Vector3 velocity = Vector3::Zero();          // m/s, world components
  Vector3 angular_velocity = Vector3::Zero();  // rad/s, body components
  // Velocity components held at zero: x, y, z of the world, then rotation about the body axes.
  std::array<bool, 6> fixed = {};
  // Of a generalised node, in place of all of the above but the name.
  VectorX coordinates = {};
  VectorX rates = {};
};

// A rigid body: mass and shape carried by a node. A point node has no rotation and ignores the inertia.
//
// The frame in which a body is described (its parts, points on it) may have its origin anywhere; the axes are those of
// the node. The node sits at the centre of mass, where the mass matrix is constant, or, if its translation is fixed, at
// the origin: a body held at a point turns about that point. Everything below is measured from the node.
struct Body {
  std::string name;
  NodeId node;
  double mass = 0;                    // kg
  Matrix3 inertia = Matrix3::Zero();  // kg m^2, about the centre of mass
  std::vector<ShapePart> parts = {};  // what contacts see; a body without parts touches nothing
  Vector3 center = Vector3::Zero();   // m, the centre of mass: zero unless the translation of the node is fixed
  Vector3 origin = Vector3::Zero();   // m, the origin of the frame of description
  double appears = 0;                 // s; see mechanics/presence
  double disappears = std::numeric_limits<double>::infinity();  // s
};

// For messages: the name of its shape, "composite" for several parts, "shapeless" for none. What assemblies add to it
// does not count.
std::string_view shape_name(const Body& body);

// A point given in the frame in which the body is described.
inline Attachment point_of(const Body& body, const Vector3& point) { return {body.node, body.origin + point}; }

// An unbounded plane; bodies live on the side to which the normal points. It is fixed in the world unless a driver
// moves it; then this is where it is at t = 0. Or, with a mesh, a surface of triangles, which no driver moves.
struct Surface {
  std::string name;
  Vector3 point = Vector3::Zero();                // m, any point of the plane
  Vector3 normal = Vector3::UnitY();              // unit vector out of the surface
  MaterialId material = {};                       // not valid: none
  std::shared_ptr<const TriangleMesh> mesh = {};  // in the world; null: a plane
};

// A spring and damper in parallel. Without an axis it acts along the line between its ends (geometrically nonlinear);
// with an axis (unit vector of the world) it is linear: elongation = axis . (end - start) - free_length.
struct Spring {
  std::string name;
  Attachment start;
  Attachment end;
  double stiffness = 0;    // N/m
  double damping = 0;      // N s/m
  double free_length = 0;  // m
  std::optional<Vector3> axis;
};

// A spring and damper that resists rotation of its second end against the first about an axis. The angle is that of the
// twist: what is left of the relative rotation when the tilt of the axis is taken out. It is counted over whole turns,
// from zero at t = 0. An end is a frame node or the world. In a planar model the axis is z or -z.
struct TorsionSpring {
  std::string name;
  Attachment start;  // the offsets do not matter: a torque has no point
  Attachment end;
  Vector3 axis = Vector3::UnitZ();  // unit vector, in the world at t = 0; each end carries it along
  double stiffness = 0;             // N m/rad
  double damping = 0;               // N m s/rad
  double free_angle = 0;            // rad, relative to the orientations at t = 0
};

enum class LoadAxes { world, body };

// A force (N) at a material point and a torque (N m), both functions of time.
struct Load {
  std::string name;
  Attachment point;
  std::array<math::TimeFunction, 3> force;
  std::array<math::TimeFunction, 3> torque;
  LoadAxes axes = LoadAxes::world;  // of the components of both
};

// What parts of bodies and surfaces are made of. Which law two of them touch with, the contact rules say.
struct Material {
  std::string name;
  double density = 0;  // kg/m^3; 0: not given
};

// The law of contacts between two materials, in either order.
struct MaterialLaw {
  MaterialId first;
  MaterialId second;
  ContactLaw law;
};

// One side of a contact rule: a body or a surface.
struct Participant {
  BodyId body;
  SurfaceId surface;
};

// Every participant of `first` may touch every participant of `second`, but for the pairs of `except`, in either order;
// a body never touches itself, and a pair that appears twice is taken once.
struct ContactRule {
  std::string name;
  std::vector<Participant> first;
  std::vector<Participant> second;
  ContactLaw law;                               // unless the materials have one of their own
  std::vector<MaterialLaw> material_laws = {};  // each pair of materials at most once
  std::vector<std::pair<Participant, Participant>> except = {};
  SystemId system = {};                     // the rule is of the contacts of a system, and has no participants
  int first_channel = 0, last_channel = 0;  // of the parts that touch under it, see ShapePart
};

inline bool has_channel(const ContactRule& rule, int channel) {
  return rule.first_channel <= channel && channel <= rule.last_channel;
}

// Which law two materials touch with under a rule: 0 is the rule's own, then come those of its materials.
int law_place(const ContactRule& rule, MaterialId a, MaterialId b);

struct Model {
  bool planar = false;                // z-translation, x- and y-rotation eliminated; contacts have one tangent
  Vector3 gravity = Vector3::Zero();  // m/s^2
  std::vector<Material> materials;
  std::vector<Node> nodes;
  std::vector<Body> bodies;
  std::vector<System> systems;
  std::vector<Surface> surfaces;
  std::vector<Spring> springs;
  std::vector<TorsionSpring> torsion_springs;
  std::vector<Load> loads;
  std::vector<Driver> drivers;
  std::vector<Joint> joints;
  std::vector<JointSpring> joint_springs;
  std::vector<JointLimit> joint_limits;
  std::vector<JointFriction> joint_frictions;
  std::vector<JointMotor> joint_motors;
  std::vector<VelocityRow> velocity_rows;
  std::vector<ContactRule> contacts;
  std::vector<Clearance> clearances;  // what they are made of is among the parts of bodies and the contacts
  std::vector<UserForce> user_forces;
  std::vector<UserEffort> user_efforts;
};

// Throws std::invalid_argument with a sentence when the data cannot be a machine: mass not positive of what can move,
// inertia that breaks the triangle inequality, indices out of range, normals that are not unit vectors.
void validate(const Model& model);

// Total contact participants are numbered bodies first, then surfaces, then systems: the order used in contact
// identities.
inline int participant_index(const Model& model, const Participant& participant) {
  return participant.body.valid() ? participant.body.index
                                  : static_cast<int>(model.bodies.size()) + participant.surface.index;
}
const std::string& participant_name(const Model& model, int participant);

}  // namespace ricochet::model
