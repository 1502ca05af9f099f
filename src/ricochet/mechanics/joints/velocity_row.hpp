// One equation between velocities, about or along an axis a that stands still in the world:
//
//   rotation       u = a . (R_2 Omega_2 - R_1 Omega_1) - s(t) = 0           (rad/s)
//   translation    u = a . (dx_2/dt - dx_1/dt) - s(t) = 0                   (m/s),   x = x_node + R p
//
// with s(t) the prescribed speed. Fixed components of a node are eliminated instead, but they are those of the body: a
// ball that must not spin about the vertical while it rolls needs this row. It is linear in v, u = G v - s, with (side
// 2; side 1 with the opposite sign; no columns for the world)
//
//   rotation       G = ( 0,  a^T R )              translation    G = ( a^T,  -a^T R p~ ) = ( a^T,  (p x R^T a)^T )
//
// A rotation row is not the derivative of any function of the coordinates: for such a one, D = d(G^T)/dq would have
// D - D^T = G~, because turns do not commute; here it is twice that. There is nothing to assemble and nothing to drift,
// so it is enforced on velocities only.
//
//   acceleration   du/dt = G dv/dt + gamma - ds/dt
//   curvature      gamma = (dG/dt) v.  Rotation: a . (dR/dt) Omega = a . R (Omega x Omega) = 0, whatever the motion.
//                  Translation: a . R (Omega x (Omega x p)), the centripetal acceleration; 0 if the point is the node.
//   tangent        K = d(G^T lambda)/dq with body increments R exp(psi~), for which d(R^T a) = (R^T a)~ psi:
//                  rotation lambda (R^T a)~,  translation lambda p~ (R^T a)~.  So lambda gamma = v . K v.
//
// The multiplier lambda (N m or N) acts as +G^T lambda: a torque lambda a on side 2 and -lambda a on side 1, or these
// forces at the two points. Forces at points that are not on one line along a leave a couple: such a row between two
// bodies takes its direction from the world, and the world carries that couple.
// Source: time derivatives of a vector in a turning body, e.g. E. Haug, Computer Aided Kinematics and Dynamics of
// Mechanical Systems (1989), section 9.2.
#pragma once

#include <array>

#include "ricochet/math/time_function.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/mechanics/joints/joint.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/model/joint.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

// Local numbering as for Joint: up to two nodes, never the world. No call allocates memory.
class VelocityRow {
 public:
  static constexpr int max_nodes = 2;
  static constexpr int max_columns = 6 * max_nodes;

  using Gradient = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, max_columns>;
  using Tangent = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_columns, max_columns>;

  // The data must be good: see make_velocity_row.
  VelocityRow(const DofMap& map, const model::VelocityRow& row);

  // Of a rotation rad/s and N m, of a translation m/s and N.
  JointUnit unit() const { return rotation_ ? JointUnit::angle : JointUnit::length; }

  int nodes() const { return node_count_; }
  int node(int i) const { return sides_[i].node; }        // in the model
  int column(int i) const { return sides_[i].column; }    // first of its local columns
  int v_size(int i) const { return sides_[i].v_size; }    // how many
  int v_start(int i) const { return sides_[i].v_start; }  // where they are in the velocities of the machine
  int columns() const { return columns_; }

  double value(const State& state) const;                                  // u = G v - s(t)
  void gradient(const State& state, Gradient& g) const;                    // G
  double explicit_rate(double time) const { return -speed_.value(time); }  // -s(t), which comes to G v
  bool depends_on_time() const { return !speed_.is_constant(); }
  double time_derivative(double time) const { return -speed_.rate(time); }  // du/dt at constant q and v
  double curvature(const State& state) const;                               // gamma
  void tangent(const State& state, double lambda, Tangent& k) const;        // columns() x columns()

  // force += G^T lambda, in the numbering of the machine.
  void add_force(const State& state, double lambda, VectorX& force) const;
  // On the second side, at its point.
  Joint::Reaction reaction(double lambda) const;

 private:
  struct Side {
    int node = -1;
    double sign = 1;  // +1 for the second side, -1 for the first
    bool turns = false;
    int column = 0;
    int v_size = 0;
    int v_start = 0;
    int q_start = 0;
    Vector3 point = Vector3::Zero();  // body axes, m
  };

  void add_side(const DofMap& map, const model::Attachment& attachment, double sign);
  Vector3 local_axis(const Side& side, const State& state) const;  // R^T a

  bool rotation_ = true;
  Vector3 axis_;
  math::TimeFunction speed_;
  std::array<Side, max_nodes> sides_;
  int node_count_ = 0;
  int columns_ = 0;
};

// Throws std::invalid_argument with a sentence when the data cannot be such an equation: nodes that do not exist, both
// sides on one node or both in the world, rotation of a point node, a point node with an offset, numbers that are not
// finite, an axis that is not a unit vector, or one that no motion in the plane of a planar model has a part of.
VelocityRow make_velocity_row(const model::Model& model, const model::VelocityRow& row, const DofMap& map);

}  // namespace ricochet::mechanics
