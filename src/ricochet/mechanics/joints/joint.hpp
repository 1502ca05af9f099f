// The equations g(q, t) = 0 of one joint, with their derivatives. How they are enforced is the business of the schemes.
//
//   value             g = phi(q) - target(t), in m or rad per row (see unit)
//   gradient          G = dphi/dq:              dg/dt   = G v + g_t
//   time derivatives  g_t, g_tt:                d2g/dt2 = G dv/dt + gamma + g_tt
//   curvature         gamma = (dG/dt) v         (the explicit dependence on time has no q in it, so nothing is mixed)
//   tangent           K = d(G^T lambda)/dq      with body rotation increments, R exp(psi~); not symmetric
//
// v is (world velocity, body angular velocity) per frame node and (world velocity) per point node, and dv/dt its plain
// derivative. A multiplier lambda (N per row of length, N m per row of angle) does work lambda . dg/dt on the nodes,
// that is, the generalised force is +G^T lambda.
//
// Local numbering: the joint has up to four distinct nodes (never the world); the columns of node i start at column(i).
// Matrices have a fixed upper size, so that no call allocates memory.
//
// Angles are known up to whole turns. Where that matters (value, coordinates) the caller passes the coordinates of some
// earlier state, and every angle is taken within half a turn of that: keep them per joint, start with
// start_coordinates(), and replace them by coordinates() when a step is accepted. They belong to what a restart saves.
#pragma once

#include <array>

#include "ricochet/math/time_function.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/mechanics/joints/frame_pair.hpp"
#include "ricochet/mechanics/joints/joint_parts.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::mechanics {

class Joint {
 public:
  static constexpr int max_rows = JointLayout::max_rows;
  static constexpr int max_nodes = 4;
  static constexpr int max_columns = 6 * max_nodes;

  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_rows, 1>;
  using Gradient = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_rows, max_columns>;
  using Tangent = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_columns, max_columns>;
  using Coordinates = std::array<double, JointLayout::max_coordinates>;  // m or rad, unused ones zero

  // The force and torque (N, N m, world components) on the second body of the joint, at its joint point.
  struct Reaction {
    Vector3 force = Vector3::Zero();
    Vector3 torque = Vector3::Zero();
  };

  // Rows and coordinates as in the layout, between one or two pairs of frames. See make_joint for the usual way.
  Joint(const DofMap& map, const JointLayout& layout, const std::array<FramePair, 2>& pairs, int pair_count,
        const math::TimeFunction& target);

  int rows() const { return layout_.row_count; }
  JointUnit unit(int row) const { return layout_.rows[row].unit; }

  int nodes() const { return node_count_; }
  int node(int i) const { return nodes_[i].index; }       // in the model
  int column(int i) const { return nodes_[i].column; }    // first of its local columns
  int v_size(int i) const { return nodes_[i].v_size; }    // how many
  int v_start(int i) const { return nodes_[i].v_start; }  // where they are in the velocities of the machine
  int columns() const { return columns_; }

  void value(const State& state, const Coordinates& earlier, Rows& g) const;
  void gradient(const State& state, Gradient& g) const;  // rows() x columns()
  bool depends_on_time() const { return !target_.is_constant(); }
  const math::TimeFunction& target() const { return target_; }  // zero if no row has one
  void time_derivatives(double time, Rows& g_t, Rows& g_tt) const;
  void curvature(const State& state, Rows& gamma) const;
  void tangent(const State& state, const Rows& lambda, Tangent& k) const;  // columns() x columns()

  // force += G^T lambda, in the numbering of the machine.
  void add_force(const State& state, const Rows& lambda, VectorX& force) const;
  // Of a joint between two frames. A gear or coupler acts along the coordinates of its joints: its own is zero.
  Reaction reaction(const State& state, const Rows& lambda) const;

  int coordinate_count() const { return layout_.coordinate_count; }
  JointUnit coordinate_unit(int i) const { return unit_of(layout_.coordinates[i].measure); }
  Coordinates coordinates(const State& state, const Coordinates& earlier) const;
  // Angles in (-pi, pi], but that of a drive within half a turn of its target.
  Coordinates start_coordinates(const State& state) const;
  Coordinates speeds(const State& state) const;                                   // m/s or rad/s
  void coordinate_gradient(const State& state, int i, Gradient& gradient) const;  // 1 x columns()
  // The line along which a coordinate slides or about which it turns: unit vector, world. Not for lengths.
  Vector3 axis(const State& state, int i) const;

 private:
  struct LocalNode {
    int index = -1;
    int column = 0;
    int v_size = 0;
    int v_start = 0;
  };

  void add_term_gradient(const JointTerm& term, double weight, const RelativePose& pose, const FramePair::Gradient& j,
                         int row, Gradient& g) const;

  JointLayout layout_;
  std::array<FramePair, 2> pairs_;
  int pair_count_ = 1;
  std::array<bool, 2> turns_{};  // rows look at the relative rotation of a pair
  math::TimeFunction target_;
  std::array<LocalNode, max_nodes> nodes_;
  int node_count_ = 0;
  int columns_ = 0;
  std::array<std::array<int, 2>, 2> local_{};  // pair, side -> local node, -1 for the world
};

}  // namespace ricochet::mechanics
