// One contact between A and B: who touches whom, where, and in which directions.
//
// Conventions of the house: the unit normal n points from B towards A; gap > 0 is open; u = H v + w is the velocity of
// A relative to B in (n, t1, t2); a positive normal impulse pushes A along n. In planar scenes t1 = z x n and t2 = z.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "ricochet/math/types.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

// The identity of a contact: independent of threads, history and restart. Contacts are always sorted by it.
struct ContactKey {
  int rule = 0;
  int participant_a = 0;  // see model::participant_index
  int feature_a = 0;      // e.g. the corner of a box
  int participant_b = 0;
  int feature_b = 0;
  friend auto operator<=>(const ContactKey&, const ContactKey&) = default;  // NOLINT(modernize-use-nullptr)

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("rule", self.rule);
    visitor("participant_a", self.participant_a);
    visitor("feature_a", self.feature_a);
    visitor("participant_b", self.participant_b);
    visitor("feature_b", self.feature_b);
  }
};

struct ContactAxes {
  Vector3 normal = Vector3::UnitY();
  Vector3 tangent1 = Vector3::UnitX();
  Vector3 tangent2 = Vector3::UnitZ();

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("normal", self.normal);
    visitor("tangent1", self.tangent1);
    visitor("tangent2", self.tangent2);
  }
};

// A vector with components (n, t1, t2) in world components.
inline Vector3 to_world(const ContactAxes& axes, const Vector3& components) {
  return components[0] * axes.normal + components[1] * axes.tangent1 + components[2] * axes.tangent2;
}

// Right-handed axes for a unit normal. Planar: t1 = z x n, t2 = z; in space t1 is any fixed function of n.
ContactAxes axes_for_normal(const Vector3& normal, bool planar);

// From what the gap follows at another state than the one at which the contact was found.
enum class ContactKind {
  ball_plane,    // a ball of A above the plane of a surface:  n . (c_A - p) - r
  rim_plane,     // a point of a rim, see rim_plane.hpp
  centers,       // two balls:                                 |c_A - c_B| - r
  carried_by_a,  // the normal is fixed in A, or
  carried_by_b,  // in B (a corner above a face):              n . (c_A - c_B) - r
  generalised,   // of a system of the user, see system_contacts.hpp
};

inline bool is_at_plane(ContactKind kind) { return kind == ContactKind::ball_plane || kind == ContactKind::rim_plane; }

// Where the normal of a carried contact points, if it is not fixed in its carrier: away from the nearest point of a
// core that is (contact/carried_core.hpp).
enum class CarriedCore {
  plane,  // fixed: a face
  point,  // the middle of a hollow sphere
  axis,   // of a cylinder, capsule or bore; an edge
  rim,    // a circle about an axis
};

struct Contact {
  ContactKey key;
  ContactKind kind = ContactKind::ball_plane;
  int law = 0;                      // see ContactSet::law
  double gap = 0;                   // m
  double gap_rounding = 0;          // m, the error that the computed gap cannot avoid
  Vector3 point = Vector3::Zero();  // m, world
  ContactAxes axes;
  model::NodeId node_a;  // not valid: fixed in the world
  model::NodeId node_b;
  Vector3 arm_a = Vector3::Zero();  // m, world: from the node to the contact point
  Vector3 arm_b = Vector3::Zero();
  Vector3 surface_velocity = Vector3::Zero();  // w in (n, t1, t2), m/s: explicit time part of u,
  Vector3 surface_spin = Vector3::Zero();      // rad/s: and of the relative angular velocity
  // The rest serves gaps at other states. A round side is told by its centre, so that it may roll.
  Vector3 center_a = Vector3::Zero();  // m, from the node in its axes; without a node in the world
  Vector3 center_b = Vector3::Zero();
  Vector3 carried_normal = Vector3::UnitY();   // n in the axes of the node that carries it
  Vector3 carried_tangent = Vector3::UnitX();  // t1 there, known to contact/contact_motion only
  bool is_of_face = false;                     // one side is a face: what is behind that has come around its edge
  double radius_a = 0;                         // m, the contact point of A is c_A - r_A n
  double radius_b = 0;                         // m, that of B is c_B + r_B n; negative: the inside of something hollow
  int rim = -1;                                // of a point of a rim at a plane: the feature of its lowest point
  bool is_of_rim = false;                      // at a body: the point is one of a rim
  double rim_radius = 0;                       // m, of a core that is a rim: about the centre of its carrier
  CarriedCore core = CarriedCore::plane;       // the rest is of carried contacts only
  Vector3 core_axis = Vector3::UnitZ();        // unit, of an axis or a rim, in the axes of the carrier
};

}  // namespace ricochet::contact
