// Scalar measures of the pose (y, P) of frame B in frame A: what the rows of joints and their coordinates are made of.
//
//   x, y, z       y_k = A_k . d                         component of the point of B along an axis of A         m
//   length        |y|                                   distance of the points                                 m
//   xz, yz, zx    P_kl = A_k . B_l                      cosine of the angle between two axes                   rad
//   lock_x,y,z    2 u_k, (w, u) = rotation, w >= 0      2 sin(phi/2) n_k: the rotation vector, to third order  rad
//   twist         atan2(P_yx - P_xy, P_xx + P_yy)       angle of B about the axis z                            rad
//   first_angle   atan2(P_yx, P_xx)                     of a universal joint, about z of A                     rad
//   second_angle  atan2(P_zy, P_zz)                     of a universal joint, about x of B                     rad
//
// Derivatives are taken along the relative velocity (dy/dt, w) with P exp(w~): the gradient m_i and the second
// derivative m_ij = D_j m_i. The second derivative is not symmetric in the rotations, because turns do not commute; the
// order is that which the derivative of a force (gradient times multiplier) along a motion needs.
//
// Where a measure is singular: length at y = 0 (its gradient is given as zero); xz and yz lose a rank when z of B is at
// 90 degrees to z of A, zx when its axes are parallel; lock at a rotation by pi, where one combination has no gradient;
// twist when z of B is opposite to z of A; the universal angles when x of B is parallel to z of A. The angles jump by
// 2 pi at +-pi, their derivatives do not. No singularity is near a joint that is assembled.
//
// twist is the angle 2 atan2(u_z, w) of the rotation about z that is left when the shortest rotation between the z axes
// is taken out ("swing-twist"). Source of the products of axes: E. Haug, Computer Aided Kinematics and Dynamics of
// Mechanical Systems (1989), section 9.4, "dot-1" and "dot-2".
#pragma once

#include "ricochet/math/types.hpp"
#include "ricochet/mechanics/joints/frame_pair.hpp"

namespace ricochet::mechanics {

enum class JointMeasure {  // those of y first
  x,
  y,
  z,
  length,
  xz,
  yz,
  zx,
  lock_x,
  lock_y,
  lock_z,
  twist,
  first_angle,
  second_angle,
};

// The unit of a coordinate or a row.
enum class JointUnit { length, angle };

JointUnit unit_of(JointMeasure measure);
bool is_periodic(JointMeasure measure);  // an angle, known up to whole turns

// The angle plus whole turns that is nearest to `earlier`, rad. An exact zero of turns leaves every bit as it is.
double unwrapped(double angle, double earlier);

double measure_value(JointMeasure measure, const RelativePose& pose);
Vector6 measure_gradient(JointMeasure measure, const RelativePose& pose);
Matrix6 measure_hessian(JointMeasure measure, const RelativePose& pose);  // entry (i, j) is D_j m_i

}  // namespace ricochet::mechanics
