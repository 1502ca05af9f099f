// Probes: the numbers that a user watches. A probe is arithmetic over sources; a source is one scalar of the
// simulation, written as a dotted name:
//
//   <body|node>.{position|velocity|acceleration|displacement|angular_velocity|angular_velocity_world|
//                angular_acceleration|rotation_vector}.{x|y|z|norm}
//   <body|node>@[x,y,z].{the same}      a material point, body coordinates in m, plain numbers
//   contact.RULE[.A.B].{gap|count|status|relative_velocity.{normal|t1|t2|tangent}|impulse.{normal|t1|t2|tangent}|
//                       force.{the same}|shift.{the same}|relative_spin.{the same}|moment.{the same}|torque.{the same}|
//                       work.{normal|tangential|resistance}}
//   driver.D.{force|torque}[.{x|y|z|norm}]   driver.D.power
//   joint.J.{coordinate|speed|spring|limit|friction|motor}[.{0|1|2}]   joint.J.{error|effort}
//   joint.J.{force|torque}.{x|y|z|norm}
//   system.S.{coordinate|speed|acceleration}.COORDINATE   system.S.gap.CONTACT
//   system.S.{relative_velocity|impulse}.CONTACT.{normal|t1|t2|tangent}
//   clearance.C.{gap[.ELEMENT]|path.{x|y|z|norm}|angle|eccentricity|corner.{1|2|…}|touching}, and all of contact.C
//   energy.{kinetic|potential|strain|total|closing_error|initial|work_loads|work_drivers|dissipated_damping|
//           contact_normal|contact_tangential|contact_resistance|contact_normal_positive|contact_tangential_positive|
//           contact_resistance_positive|contact_created|numerical|projection|appeared|joints|scale}
//   solver.{iterations|residual|passes|solutions}      time
//
// Units are SI and radians; `norm` is the Euclidean norm, `tangent` that of (t1, t2).
//
// Motion. A displacement is the position now minus the position at t = 0. `angular_velocity` and `angular_acceleration`
// have body components, `angular_velocity_world` world components, `rotation_vector` is the logarithm of the
// orientation (length at most pi). A point has no rotation: all four are zero. Accelerations are those of the scheme:
// for Moreau-Jean the mean over the last step. A material point turns like its body, and its acceleration is
// a + R (alpha x r + Omega x (Omega x r)).
//
// Drivers. Force (N) and torque (N m) that the driver exerts, world components, and its power (W): means over the last
// step. The torque is about the node, or about the centre of the rotation of a surface. Without a component: the torque
// about the axis of the driver; the force along the only component that is driven, or the norm if there are several.
//
// Joints. Coordinates (m or rad, angles with whole turns) and their speeds, numbered as in model/joint.hpp and 0 if no
// number is written; `spring` is what all springs along a coordinate exert in the direction in which it grows (N or
// N m), now; the error is the largest |g| of its rows, m or rad. Force (N) and torque (N m) on the second body
// at its joint point, world components, are means over the last step; those of gears, couplers and drives act through
// the joints that they name, and their own are zero; their `effort` is the force or torque along the first coordinate
// that they name, of a distance the force along it. `limit`, `friction` and `motor` are the forces (N or N m) of those
// along a coordinate.
//
// Systems (model/lagrangian_system.hpp). Coordinates and their rates, by their names; gap, relative velocity and
// impulse of single contacts, by what touches, as they are for the contacts of a rule. All of them together are the
// contacts of the rule that has the name of the system.
//
// Clearances (model/assemblies/clearance.hpp). Motion of the first side seen from the frame of the second: `path` of
// its middle (m), `angle` (rad; in the plane about z, in space between both axes), `gap` the smallest of all elements
// or that of one (corner1, rim2, ...), `eccentricity` the distance of the middles over the clearance, `corner` the
// normalised motion of a corner across the guide, between -1 and 1 (Flores et al. 2010, eq. (115)). `touching` is 1 if
// a contact of it was active in the last step, otherwise 0: its mean is the share of time in contact. Its contacts are
// those of the rule of its name.
//
// Contacts. `gap` is the smallest one at the current time, whether the contact is active or not (infinite if the rule
// has no pairs); everything else is of the last step: count, status and relative velocity of the contacts that were
// active in it, impulse and work summed over it (over the output interval in a row of the history). `force` (N) is the
// impulse of the last step over its length where the contact persisted; an impact has none. `shift` (kg m) is the
// multiplier nu at the position level, of schemes that have that; summed as impulses are. `relative_spin` (rad/s),
// `moment` (N m s) and `torque` (N m) are the same as relative velocity, impulse and force for what a contact resists
// of rolling (t1, t2) and spinning (normal). Without active contacts all are 0. Components are in the axes of each
// contact, whichever way the participants A.B are written. Over several contacts: impulse, work and count are sums of
// the contacts' own values (so impulse.tangent is the sum of their norms), the status is the worst (slip 2 > stick 1 >
// open 0), and the relative velocity is that of the contact with the largest normal impulse, the first by identity if
// there are several.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/math/expression.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::simulation {

struct Frame;

enum class Quantity {
  position,
  velocity,
  acceleration,
  displacement,
  angular_velocity,
  angular_velocity_world,
  angular_acceleration,
  rotation_vector,
  contact_gap,
  contact_count,
  contact_status,
  contact_velocity,
  contact_impulse,
  contact_force,
  contact_shift,
  contact_spin,
  contact_moment,
  contact_torque,
  contact_work,
  clearance_gap,
  clearance_path,
  clearance_angle,
  clearance_eccentricity,
  clearance_corner,
  clearance_touching,
  driver_force,
  driver_torque,
  driver_power,
  joint_coordinate,
  joint_speed,
  joint_limit,
  joint_friction,
  joint_motor,
  joint_effort,
  joint_spring,
  joint_error,
  joint_force,
  joint_torque,
  system_coordinate,
  system_speed,
  system_acceleration,
  system_gap,
  system_velocity,
  system_impulse,
  energy,
  solver,
  time,
};

// What the component of a source counts, in this order.
inline constexpr std::array<std::string_view, 4> vector_components = {"x", "y", "z", "norm"};
inline constexpr std::array<std::string_view, 4> contact_components = {"normal", "t1", "t2", "tangent"};
inline constexpr std::array<std::string_view, 3> work_components = {"normal", "tangential", "resistance"};
inline constexpr int along_driver = 4;  // component of a force or torque that is written without one
inline constexpr std::array<std::string_view, 4> solver_entries = {"iterations", "residual", "passes", "solutions"};

// One scalar of the simulation, resolved against a model.
struct ProbeSource {
  Quantity quantity = Quantity::time;
  model::NodeId node;
  Vector3 offset = Vector3::Zero();  // m, material point in body coordinates
  model::RuleId rule;
  model::DriverId driver;
  model::JointId joint;
  model::SystemId system;
  int element = 0;  // of a system: a coordinate, or a contact
  model::ClearanceId clearance;
  // See model::participant_index, in the order of contact identities; -1: all pairs of the rule.
  int participant_a = -1;
  int participant_b = -1;
  int component = 0;
};

// Reads a source; nothing if the text is not one. `why` (optional) receives a sentence that says what is wrong. Bodies
// come before nodes of the same name. A body may bear the name `contact`, `driver`, `joint`, `clearance`, `energy`,
// `solver` or `time`: no text is ambiguous.
std::optional<ProbeSource> parse_probe_source(const model::Model& model, std::string_view text,
                                              std::string* why = nullptr);

// All sources of a model but material points and single pairs, complete as they are written: for messages that suggest.
std::vector<std::string> probe_suggestions(const model::Model& model);

double evaluate(const ProbeSource& source, const Frame& frame);

// All probes of a case, evaluated together. Hidden probes serve facts and are not columns of the history.
class ProbeSet {
 public:
  // `expression` has its parameters bound; all names left in it must be sources of `model`. Returns the probe's index.
  // Throws std::invalid_argument with a sentence that names the probe if one is not, or if two columns have one name.
  int add(const model::Model& model, std::string name, const math::Expression& expression, bool hidden = false);

  int size() const { return static_cast<int>(probes_.size()); }
  int find(std::string_view name) const;  // -1 if there is none
  const std::string& name(int probe) const { return probes_[probe].name; }
  bool hidden(int probe) const { return probes_[probe].hidden; }

  // Writes one value per probe. No allocation after the first call, and safe from several threads.
  void evaluate(const Frame& frame, std::vector<double>& values) const;

  // The same for some probes only: values[i] belongs to probes[i].
  void evaluate(const Frame& frame, std::span<const int> probes, std::vector<double>& values) const;

 private:
  struct Probe {
    std::string name;
    math::Expression expression;
    bool hidden = false;
    int first_source = 0;  // its sources are consecutive in sources_, in the order of expression.names()
    int source_count = 0;
  };

  double evaluate(const Frame& frame, const Probe& probe, std::span<double> scratch) const;

  std::vector<Probe> probes_;
  std::vector<ProbeSource> sources_;
  int most_sources_ = 0;  // of one probe
};

}  // namespace ricochet::simulation
