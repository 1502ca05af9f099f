#include "ricochet/mechanics/joints/joint.hpp"

#include <cmath>

namespace ricochet::mechanics {

namespace {

double term_value(const JointTerm& term, const RelativePose& pose, const Joint::Coordinates& earlier) {
  const double value = measure_value(term.measure, pose);
  return is_periodic(term.measure) && term.coordinate >= 0 ? unwrapped(value, earlier[term.coordinate]) : value;
}

}  // namespace

Joint::Joint(const DofMap& map, const JointLayout& layout, const std::array<FramePair, 2>& pairs, int pair_count,
             const math::TimeFunction& target)
    : layout_(layout), pairs_(pairs), pair_count_(pair_count), target_(target) {
  for (int i = 0; i < rows(); ++i) {
    for (int k = 0; k < layout_.rows[i].term_count; ++k) {
      const JointTerm& term = layout_.rows[i].terms[k];
      turns_[term.pair] = turns_[term.pair] || term.measure > JointMeasure::length;
    }
  }
  for (int pair = 0; pair < pair_count_; ++pair) {
    for (int side = 0; side < 2; ++side) {
      const int index = pairs_[pair].node(side);
      int local = index < 0 ? -1 : 0;
      while (local >= 0 && local < node_count_ && nodes_[local].index != index) ++local;
      local_[pair][side] = local;
      if (local < node_count_) continue;
      nodes_[node_count_++] = {index, columns_, map.v_size(index), map.v_start(index)};
      columns_ += map.v_size(index);
    }
  }
}

void Joint::value(const State& state, const Coordinates& earlier, Rows& g) const {
  std::array<RelativePose, 2> poses;
  for (int pair = 0; pair < pair_count_; ++pair) poses[pair] = pairs_[pair].pose(state);
  g.setZero(rows());
  for (int i = 0; i < rows(); ++i) {
    const JointRow& row = layout_.rows[i];
    for (int k = 0; k < row.term_count; ++k) {
      const JointTerm& term = row.terms[k];
      g[i] += term.factor * term_value(term, poses[term.pair], earlier);
    }
    if (row.has_target) g[i] -= target_.value(state.time);
  }
}

// The gradient of one term is m_z J; its columns go to the nodes of its pair, which may be shared with the other pair.
void Joint::add_term_gradient(const JointTerm& term, double weight, const RelativePose& pose,
                              const FramePair::Gradient& j, int row, Gradient& g) const {
  Eigen::Matrix<double, 1, 12> gradient;
  if (term.measure <= JointMeasure::z) {  // the most frequent: z_x, z_y or z_z itself
    gradient = weight * j.row(static_cast<int>(term.measure));
  } else {
    const Vector6 measure = measure_gradient(term.measure, pose);
    gradient.setZero();
    for (int i = 0; i < 6; ++i) {  // most measures look at one or two of them
      if (measure[i] != 0) gradient += (weight * measure[i]) * j.row(i);
    }
  }
  for (int side = 0; side < 2; ++side) {
    const int local = local_[term.pair][side];
    if (local < 0) continue;
    const LocalNode& node = nodes_[local];
    g.row(row).segment(node.column, node.v_size) += gradient.segment(6 * side, node.v_size);
  }
}

void Joint::gradient(const State& state, Gradient& g) const {
  g.setZero(rows(), columns());
  FramePair::Gradient j;
  for (int pair = 0; pair < pair_count_; ++pair) {
    const RelativePose pose = pairs_[pair].gradient(state, j, turns_[pair]);
    for (int i = 0; i < rows(); ++i) {
      const JointRow& row = layout_.rows[i];
      for (int k = 0; k < row.term_count; ++k) {
        const JointTerm& term = row.terms[k];
        if (term.pair == pair) add_term_gradient(term, term.factor, pose, j, i, g);
      }
    }
  }
}

void Joint::time_derivatives(double time, Rows& g_t, Rows& g_tt) const {
  g_t.setZero(rows());
  g_tt.setZero(rows());
  if (!depends_on_time()) return;
  const math::Jet target = target_.evaluate(time);
  for (int i = 0; i < rows(); ++i) {
    if (!layout_.rows[i].has_target) continue;
    g_t[i] = -target.rate;
    g_tt[i] = -target.acceleration;
  }
}

// Along the motion at constant v, a measure m(y, P) changes by m_i z_i with z = J v; once more,
//   gamma = m_i (dJ/dt v)_i + m_ij z_i z_j.
void Joint::curvature(const State& state, Rows& gamma) const {
  gamma.setZero(rows());
  for (int pair = 0; pair < pair_count_; ++pair) {
    const RelativePose pose = pairs_[pair].pose(state);
    const Vector6 z = pairs_[pair].velocity(state), bias = pairs_[pair].bias(state);
    for (int i = 0; i < rows(); ++i) {
      const JointRow& row = layout_.rows[i];
      for (int k = 0; k < row.term_count; ++k) {
        const JointTerm& term = row.terms[k];
        if (term.pair != pair) continue;
        gamma[i] += term.factor *
                    (measure_gradient(term.measure, pose).dot(bias) + z.dot(measure_hessian(term.measure, pose) * z));
      }
    }
  }
}

// With the wrench w = sum lambda m_i and the Hessian H = sum lambda m_ij:  K = J^T H J + d(J^T w)/dq at constant w.
void Joint::tangent(const State& state, const Rows& lambda, Tangent& k) const {
  k.setZero(columns(), columns());
  FramePair::Gradient j;
  FramePair::Tangent both;
  for (int pair = 0; pair < pair_count_; ++pair) {
    const RelativePose pose = pairs_[pair].gradient(state, j);
    Vector6 wrench = Vector6::Zero();
    Matrix6 hessian = Matrix6::Zero();
    for (int i = 0; i < rows(); ++i) {
      const JointRow& row = layout_.rows[i];
      for (int n = 0; n < row.term_count; ++n) {
        const JointTerm& term = row.terms[n];
        if (term.pair != pair) continue;
        wrench += lambda[i] * term.factor * measure_gradient(term.measure, pose);
        hessian += lambda[i] * term.factor * measure_hessian(term.measure, pose);
      }
    }
    pairs_[pair].wrench_tangent(state, wrench, both);
    const Eigen::Matrix<double, 6, 12> turned = hessian * j;
    both.noalias() += j.transpose() * turned;
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) {
        const int row = local_[pair][a], column = local_[pair][b];
        if (row < 0 || column < 0) continue;
        const LocalNode& to = nodes_[row];
        const LocalNode& from = nodes_[column];
        k.block(to.column, from.column, to.v_size, from.v_size) += both.block(6 * a, 6 * b, to.v_size, from.v_size);
      }
    }
  }
}

void Joint::add_force(const State& state, const Rows& lambda, VectorX& force) const {
  Gradient g;
  gradient(state, g);
  for (int i = 0; i < nodes(); ++i) {
    for (int c = 0; c < v_size(i); ++c) force[v_start(i) + c] += g.col(column(i) + c).dot(lambda);
  }
}

Joint::Reaction Joint::reaction(const State& state, const Rows& lambda) const {
  if (pair_count_ != 1) return {};
  const RelativePose pose = pairs_[0].pose(state);
  Vector6 wrench = Vector6::Zero();
  for (int i = 0; i < rows(); ++i) {
    const JointRow& row = layout_.rows[i];
    for (int k = 0; k < row.term_count; ++k) {
      wrench += lambda[i] * row.terms[k].factor * measure_gradient(row.terms[k].measure, pose);
    }
  }
  return {pairs_[0].world_axes(state, 0).rotate(wrench.head<3>()),
          pairs_[0].world_axes(state, 1).rotate(wrench.tail<3>())};
}

Joint::Coordinates Joint::coordinates(const State& state, const Coordinates& earlier) const {
  Coordinates result{};
  for (int i = 0; i < coordinate_count(); ++i) {
    const JointTerm& term = layout_.coordinates[i];
    result[i] = term_value(term, pairs_[term.pair].pose(state), earlier);
  }
  return result;
}

Joint::Coordinates Joint::start_coordinates(const State& state) const {
  Coordinates near{};
  const bool driven = rows() == 1 && layout_.rows[0].term_count == 1 && layout_.rows[0].has_target;
  if (driven) near[0] = target_.value(state.time);
  return coordinates(state, near);
}

Joint::Coordinates Joint::speeds(const State& state) const {
  Coordinates result{};
  for (int i = 0; i < coordinate_count(); ++i) {
    const JointTerm& term = layout_.coordinates[i];
    const FramePair& pair = pairs_[term.pair];
    result[i] = measure_gradient(term.measure, pair.pose(state)).dot(pair.velocity(state));
  }
  return result;
}

void Joint::coordinate_gradient(const State& state, int i, Gradient& gradient) const {
  gradient.setZero(1, columns());
  const JointTerm& term = layout_.coordinates[i];
  FramePair::Gradient j;
  const RelativePose pose = pairs_[term.pair].gradient(state, j);
  add_term_gradient(term, 1, pose, j, 0, gradient);
}

Vector3 Joint::axis(const State& state, int i) const {
  const JointTerm& term = layout_.coordinates[i];
  const FramePair& pair = pairs_[term.pair];
  switch (term.measure) {
    case JointMeasure::x:
      return pair.world_axes(state, 0).rotate(Vector3::UnitX());
    case JointMeasure::y:
      return pair.world_axes(state, 0).rotate(Vector3::UnitY());
    case JointMeasure::second_angle:
      return pair.world_axes(state, 1).rotate(Vector3::UnitX());
    default:
      return pair.world_axes(state, 0).rotate(Vector3::UnitZ());
  }
}

}  // namespace ricochet::mechanics
