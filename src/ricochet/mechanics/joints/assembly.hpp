// Assembly: bodies that are placed a little beside their joints, or move a little against them, are brought on them
// before the run begins, by the smallest change in the mass metric (nearest_placement for positions, one projection for
// velocities). Fixed and driven components stay as they are.
//
// Joints are what the model says, before and after: their points and axes on the bodies, their lengths, ratios and
// targets. A relation without a target (the length of a rod, the phase of a gear) is that of the model as given; if
// bodies are moved, it is written into the model as a target, so that the assembled model keeps it. Angles, too, count
// from where they did. What springs measure (their angles "at the start") is taken from the model that they are made
// of: the assembled one.
//
// How much may be wrong is judged by the rows of the joints as given, each in its unit:
//
//   positions    lengths in parts of the size of the machine (model/machine_size), angles in rad
//   velocities   in parts of the largest speed: of bodies and joint points as given and of targets (m/s), or of
//                rotations and targets (rad/s); and at least of what meets in the row, so that no part is above one
//
// A joint that is open by less than rounding (position_rounding) is closed; a machine that is closed is not touched,
// and of several machines in one model only those that are open. A velocity of 1e-12 of the largest, or of sqrt(size
// times the largest acceleration by gravity and targets), is rounding likewise.
#pragma once

#include <string>

#include "ricochet/mechanics/joints/measure.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

struct AssemblyTolerances {
  double position = 0.01;  // parts of the size of the machine, or rad; 0: closed to rounding, or refused
  double velocity = 0.01;  // parts of the largest speed
};

enum class AssemblyStatus {
  done,                   // nothing was to do, or it is done
  open_too_far,           // joints are open by more than the tolerance
  cannot_be_closed,       // no placement nearby closes all joints
  moves_too_far,          // the nearest one has a node or joint point farther away than the tolerance
  velocities_too_far,     // velocities are off by more than the tolerance
  velocities_cannot_fit,  // no velocities satisfy all joints
};

// The row that is worst by some measure.
struct Misfit {
  int owner = -1;  // index of a joint of the model, or behind those of a velocity row; -1: nothing is off
  double value = 0;
  JointUnit unit = JointUnit::length;
  double part = 0;  // the value in parts, as above
};

struct AssemblyReport {
  struct Move {
    int body = -1;
    double distance = 0;     // m, of its origin
    double angle = 0;        // rad
    double mean_square = 0;  // m^2, of the displacements of its mass
  };
  struct VelocityChange {
    int body = -1;
    Vector3 velocity_before = Vector3::Zero(), velocity_after = Vector3::Zero();  // m/s, of its origin, world
    Vector3 angular_velocity_before = Vector3::Zero(), angular_velocity_after = Vector3::Zero();  // rad/s, body
    double mean_square = 0;  // m^2/s^2, of the changes over its mass
  };

  AssemblyStatus status = AssemblyStatus::done;
  double size = 1;            // m
  Misfit position, velocity;  // as given; velocities at the assembled positions
  Misfit remaining;           // what is left of the worst row if nothing fits
  bool moved = false, changed_velocity = false;
  Move most_moved;         // by the mean square
  int farthest_body = -1;  // whose node or joint point goes farthest
  double farthest = 0;     // m, how far
  VelocityChange most_changed;
  VelocityChange most_changed_given;  // of those whose velocity was not zero
};

// Below this part positions and velocities are taken for numbers that somebody has written with some digits less: they
// are corrected, and nobody needs to be told.
inline constexpr double kWrittenDigits = 1e-9;

struct Assembly {
  model::Model model;  // as given unless the status is `done`
  AssemblyReport report;
};

// The model must be valid (model::validate), and its joints too (make_joint).
Assembly assemble(const model::Model& model, const AssemblyTolerances& tolerances = {});

// The name of the joint or velocity row that owns a row.
const std::string& owner_name(const model::Model& model, int owner);

}  // namespace ricochet::mechanics
