// The parts that joints are composed of. A part adds rows to a layout; each row is an equation g = 0 in the measures of
// the pose of the second frame (B) in the first (A).
//
//   part            rows                                          holds
//   point           x = 0, y = 0, z = 0                           the points coincide
//   line            x = 0, y = 0                                  the point of B is on the z axis of A
//   plane           z = 0                                         the point of B is in the x-y plane of A
//   parallel        A_x . B_z = 0, A_y . B_z = 0                  the z axes are parallel
//   perpendicular   A_z . B_x = 0                                 z of A is normal to x of B
//   lock            2 u = 0                                       the orientations agree
//   relation        c_i - ratio c_j - target(t) = 0               joint coordinates, c_j optional
//
// Point, line and plane rows are components along the axes of A, so that their multipliers are the forces along those
// axes and a machine that is moved as a whole keeps its values. If A is the world or a point node, these axes are
// constant. The force acts on both bodies at the point of B. Between two point nodes an open ball joint therefore
// leaves the couple of two parallel forces; closed, there is none. The angular rows are sines of the error (parallel,
// perpendicular) or twice the sine of half the error (lock): radians to second and third order.
#pragma once

#include <array>

#include "ricochet/mechanics/joints/measure.hpp"
#include "ricochet/model/joint.hpp"

namespace ricochet::mechanics {

// factor * measure of one frame pair. Almost every joint has one pair; gears and couplers have two.
struct JointTerm {
  JointMeasure measure = JointMeasure::x;
  int pair = 0;
  double factor = 1;
  int coordinate = -1;  // which coordinate of the joint this is, for angles that have made whole turns
};

struct JointRow {
  std::array<JointTerm, 2> terms;
  int term_count = 1;
  bool has_target = false;  // minus the joint's prescribed function of time
  JointUnit unit = JointUnit::length;
};

struct JointLayout {
  static constexpr int max_rows = 6;
  static constexpr int max_coordinates = 3;

  std::array<JointRow, max_rows> rows;
  int row_count = 0;
  std::array<JointTerm, max_coordinates> coordinates;
  int coordinate_count = 0;
};

void add_point_part(JointLayout& layout);
void add_line_part(JointLayout& layout);
void add_plane_part(JointLayout& layout);
void add_parallel_part(JointLayout& layout);
void add_perpendicular_part(JointLayout& layout);
void add_lock_part(JointLayout& layout);
// A coordinate that is held at the target, and one that is held at ratio * another + target.
void add_relation_part(JointLayout& layout, int coordinate);
void add_relation_part(JointLayout& layout, int coordinate, double ratio, int other);

void add_coordinate(JointLayout& layout, JointMeasure measure, int pair = 0);

// The rows and coordinates of every type but gear, coupler and drive, which depend on the joints that they name.
JointLayout joint_layout(model::JointType type, double pitch);

}  // namespace ricochet::mechanics
