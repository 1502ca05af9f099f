#include "ricochet/mechanics/torsion_springs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "ricochet/mechanics/joints/measure.hpp"

namespace ricochet::mechanics {

namespace {

using Columns = Eigen::Matrix<double, 12, 1>;  // v_A, Omega_A, v_B, Omega_B as in FramePair

// The axis in the axes of an end, as the model places it.
Vector3 local_axis(const model::Model& model, const model::Attachment& end, const Vector3& axis) {
  return end.node.valid() ? model.nodes[end.node.index].orientation.normalized().rotate_inverse(axis) : axis;
}

// The same joint axes for both ends, so that the angle is zero as the model places them.
model::JointFrame frame_at(const model::Model& model, const model::Attachment& end, const Vector3& axis) {
  const math::Quaternion world = model::axes_along(axis);
  if (!end.node.valid()) return {{}, world};
  return {{end.node, Vector3::Zero()}, model.nodes[end.node.index].orientation.normalized().conjugate() * world};
}

// Whether a node can turn about this axis of its own only, or not at all.
bool keeps_axis(const DofMap& map, int node, const Vector3& axis) {
  constexpr double rounding = 1e-14;
  if (node < 0) return true;
  const int start = map.v_start(node) + 3;
  for (int k = 0; k < 3; ++k) {
    const bool turns = map.is_free(start + k) || map.is_driven(start + k);
    if (turns && math::cross(axis, Vector3::Unit(k)).norm() > rounding) return false;
  }
  return true;
}

class TorsionSprings final : public Term {
 public:
  TorsionSprings(const model::Model& model, const DofMap& map) : map_(map) {
    for (const model::TorsionSpring& spring : model.torsion_springs) {
      Entry entry;
      entry.name = spring.name;
      entry.pair = FramePair(map, frame_at(model, spring.start, spring.axis), frame_at(model, spring.end, spring.axis));
      const Vector3 a = local_axis(model, spring.start, spring.axis), b = local_axis(model, spring.end, spring.axis);
      entry.linear = keeps_axis(map, spring.start.node.index, a) && keeps_axis(map, spring.end.node.index, b);
      if (spring.start.node.valid()) entry.constant_gradient.segment<3>(3) = -a;
      if (spring.end.node.valid()) entry.constant_gradient.segment<3>(9) = b;
      entry.stiffness = spring.stiffness;
      entry.damping = spring.damping;
      entry.free_angle = spring.free_angle;
      dependence_ = std::max(dependence_, entry.linear ? Dependence::linear : Dependence::nonlinear);
      couples_nodes_ = couples_nodes_ || (spring.start.node.valid() && spring.end.node.valid());
      springs_.push_back(entry);
    }
  }

  Dependence dependence() const override { return dependence_; }
  bool couples_nodes() const override { return couples_nodes_; }

  void add_force(const State& state, VectorX& force) const override {
    for (std::size_t i = 0; i < springs_.size(); ++i) {
      const Twist twist = measure(i, state);
      const double torque = torque_of(springs_[i], twist);
      for (int side = 0; side < 2; ++side) {
        const int node = springs_[i].pair.node(side);
        if (node >= 0) force.segment<3>(map_.v_start(node) + 3) -= torque * twist.gradient.segment<3>(6 * side + 3);
      }
    }
  }

  void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    for (std::size_t i = 0; i < springs_.size(); ++i) {
      const Entry& spring = springs_[i];
      const Twist twist = measure(i, state);
      const Columns& g = twist.gradient;
      FramePair::Tangent both =
          (stiffness_factor * spring.stiffness + damping_factor * spring.damping) * (g * g.transpose());
      if (!spring.linear) {
        FramePair::Tangent second;  // D
        second_derivative(spring, state, second);
        const Columns along = second.transpose() * velocities(spring, state);
        both += stiffness_factor * (spring.damping * (g * along.transpose()) + torque_of(spring, twist) * second);
      }
      for (int row = 0; row < 2; ++row) {
        for (int column = 0; column < 2; ++column) {
          const int to = spring.pair.node(row), from = spring.pair.node(column);
          if (to >= 0 && from >= 0) matrix.add(to, from, both.block<6, 6>(6 * row, 6 * column));
        }
      }
    }
  }

  double potential(const State& state) const override { return strain_energy(state); }

  double strain_energy(const State& state) const override {
    double sum = 0;
    for (std::size_t i = 0; i < springs_.size(); ++i) {
      const double strain = angle(i, state) - springs_[i].free_angle;
      sum += 0.5 * springs_[i].stiffness * strain * strain;
    }
    return sum;
  }

  void add_powers(const State& state, Powers& powers) const override {
    for (std::size_t i = 0; i < springs_.size(); ++i) {
      const Twist twist = measure(i, state);
      powers.conservative -= springs_[i].stiffness * (twist.angle - springs_[i].free_angle) * twist.rate;
      powers.damping += springs_[i].damping * twist.rate * twist.rate;
    }
  }

  double stage_excess(const State& begin, const State& stage, const State& end, double theta, double h) const override {
    double sum = 0;
    for (std::size_t i = 0; i < springs_.size(); ++i) {
      const Entry& spring = springs_[i];
      const double from = angle(i, begin), to = angle(i, end);
      if (spring.linear) {
        sum += (0.5 - theta) * spring.stiffness * (to - from) * (to - from);
        continue;
      }
      // V(end) - V(begin) minus the work that the torque of the stage does along the step.
      const Twist middle = measure(i, stage);
      sum += spring.stiffness * ((to - from) * (0.5 * (to + from) - spring.free_angle) -
                                 (middle.angle - spring.free_angle) * middle.rate * h);
    }
    return sum;
  }

  void update_angles(State& state, double h) const override {
    for (std::size_t i = 0; i < springs_.size(); ++i) {
      const Twist twist = measure(i, state);
      if (std::abs(twist.rate) * h >= M_PI) {
        throw std::runtime_error(
            fmt::format("torsion spring '{}' turns by half a turn or more in one step of {:.3g} s, so that its turns "
                        "cannot be counted: take a smaller step",
                        springs_[i].name, h));
      }
      state.angles[static_cast<Eigen::Index>(i)] = twist.angle;
    }
  }

 private:
  struct Entry {
    std::string name;
    FramePair pair;
    bool linear = false;
    Columns constant_gradient = Columns::Zero();  // of a linear one
    double stiffness = 0;                         // N m/rad
    double damping = 0;                           // N m s/rad
    double free_angle = 0;                        // rad
  };

  struct Twist {
    double angle = 0;  // rad, with whole turns
    double rate = 0;   // rad/s
    Columns gradient = Columns::Zero();
  };

  double angle(std::size_t i, const State& state) const {
    const double value = measure_value(JointMeasure::twist, springs_[i].pair.pose(state));
    return unwrapped(value, state.angles[static_cast<Eigen::Index>(i)]);
  }

  Twist measure(std::size_t i, const State& state) const {
    const Entry& spring = springs_[i];
    Twist twist;
    twist.angle = angle(i, state);
    if (spring.linear) {
      twist.gradient = spring.constant_gradient;
    } else {
      FramePair::Gradient j;
      spring.pair.gradient(state, j);
      twist.gradient = j.transpose() * measure_gradient(JointMeasure::twist, spring.pair.pose(state));
    }
    twist.rate = twist.gradient.dot(velocities(spring, state));
    return twist;
  }

  static double torque_of(const Entry& spring, const Twist& twist) {
    return spring.stiffness * (twist.angle - spring.free_angle) + spring.damping * twist.rate;
  }

  // D = J^T (d2phi) J + d(J^T w)/dq at the constant wrench w = dphi.
  static void second_derivative(const Entry& spring, const State& state, FramePair::Tangent& second) {
    const RelativePose pose = spring.pair.pose(state);
    FramePair::Gradient j;
    spring.pair.gradient(state, j);
    spring.pair.wrench_tangent(state, measure_gradient(JointMeasure::twist, pose), second);
    const FramePair::Gradient turned = measure_hessian(JointMeasure::twist, pose) * j;
    second.noalias() += j.transpose() * turned;
  }

  Columns velocities(const Entry& spring, const State& state) const {
    Columns v = Columns::Zero();
    for (int side = 0; side < 2; ++side) {
      const int node = spring.pair.node(side);
      if (node >= 0) v.segment<6>(6 * side) = state.v.segment<6>(map_.v_start(node));
    }
    return v;
  }

  const DofMap& map_;
  std::vector<Entry> springs_;
  Dependence dependence_ = Dependence::none;
  bool couples_nodes_ = false;
};

}  // namespace

std::unique_ptr<Term> make_torsion_springs(const model::Model& model, const DofMap& map) {
  return std::make_unique<TorsionSprings>(model, map);
}

}  // namespace ricochet::mechanics
