// All joints and velocity rows of a machine, as one set of scalar rows in the order of the model: joints first.
//
//   rows of joints          g(q, t) = 0         and   dg/dt = G v + g_t = 0
//   velocity rows           nothing to keep           u     = G v - s(t) = 0
//
// Coordinates of joints (angles counted over whole turns) are element variables: they stand in State::angles, behind
// those of torsion springs. Each joint finds its own there.
#pragma once

#include <vector>

#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/mechanics/joints/joint.hpp"
#include "ricochet/mechanics/joints/velocity_row.hpp"

namespace ricochet::mechanics {

class JointSet {
 public:
  // `first_angle`: where the coordinates of joints begin in State::angles. Throws std::invalid_argument with a sentence
  // for joints that cannot be: see make_joint and make_velocity_row.
  JointSet(const model::Model& model, const DofMap& map, int first_angle);

  int joints() const { return static_cast<int>(joints_.size()); }
  const Joint& joint(int index) const { return joints_[index]; }
  int row_start(int joint) const { return row_start_[joint]; }
  int rows() const { return rows_; }  // scalar rows, with velocity rows
  JointUnit unit(int row) const { return units_[row]; }
  // Whose row it is: the index of a joint, or joints() + the index of a velocity row.
  int owner(int row) const { return owners_[row]; }
  int coordinates() const { return angles_; }  // entries in State::angles

  bool holds_node(int node) const { return holds_node_[node] != 0; }  // some joint or velocity row does

  // Into the entries of state.angles, which must have room for them.
  void set_start_coordinates(State& state) const;
  void update_coordinates(State& state) const;
  Joint::Coordinates coordinates_of(int joint, const State& state) const;

  void values(const State& state, VectorX& g) const;  // m or rad; zero for velocity rows
  void gradients(const State& state, linalg::BlockSparseMatrix& g) const;
  // Appends factor times the gradient of a coordinate, as the last of a block row of `size` rows whose others are zero.
  void append_coordinate_row(const model::JointCoordinate& coordinate, const State& state, double factor, int size,
                             linalg::BlockSparseMatrix& rows) const;
  void rates(double time, VectorX& g_t) const;  // g_t, or -s for velocity rows; m/s or rad/s
  // What the second derivative of the rows has beside G dv/dt: gamma + g_tt; m/s^2 or rad/s^2.
  void accelerations(const State& state, VectorX& gamma) const;
  // matrix += factor d(G^T lambda)/dq. Blocks of all joints are added in any case, if need be as zeros.
  void add_tangents(const State& state, const VectorX& lambda, double factor, linalg::EffectiveMass& matrix) const;
  // The largest |g| as a length: angles count with the arm (m) given.
  double error(const State& state, double arm) const;

 private:
  static void add_no_tangent(const Joint& joint, linalg::EffectiveMass& matrix);
  template <class Rows>
  static void add_tangent(const Rows& joint, const Eigen::Ref<const MatrixX>& local, linalg::EffectiveMass& matrix);
  template <class Rows>
  void append_rows(const Rows& joint, const Eigen::Ref<const MatrixX>& local, linalg::BlockSparseMatrix& g) const;

  std::vector<Joint> joints_;
  std::vector<VelocityRow> velocity_rows_;
  std::vector<int> node_sizes_;
  std::vector<char> holds_node_;
  std::vector<int> row_start_, angle_start_;
  std::vector<JointUnit> units_;  // of every scalar row
  std::vector<int> owners_;
  int rows_ = 0, angles_ = 0;
};

}  // namespace ricochet::mechanics
