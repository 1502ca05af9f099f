#include "ricochet/mechanics/joints/joint_springs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/mechanics/joints/joint_factory.hpp"

namespace ricochet::mechanics {

namespace {

class JointSprings final : public Term {
 public:
  JointSprings(const model::Model& model, const DofMap& map, const JointSet& joints) : map_(map), joints_(joints) {
    for (const model::JointSpring& spring : model.joint_springs) {
      Joint row = make_coordinate_row(model, spring.coordinate, spring.rest, map);
      const model::Joint& joint = model.joints[spring.coordinate.joint.index];
      for (const double value : {spring.stiffness, spring.damping}) {
        if (std::isfinite(value) && value >= 0) continue;
        throw std::invalid_argument(fmt::format(
            "the stiffness and the damping of a spring of joint '{}' must be finite and not negative", joint.name));
      }
      const double arms = joint.first.attachment.offset.squaredNorm() + joint.second.attachment.offset.squaredNorm();
      couples_nodes_ = couples_nodes_ || row.nodes() > 1;
      springs_.push_back(
          {joint.name, std::move(row), spring.coordinate, spring.stiffness, spring.damping, spring.rest, arms});
    }
  }

  // The joint that has the coordinate makes the equations of motion nonlinear anyway.
  Dependence dependence() const override { return Dependence::nonlinear; }
  bool couples_nodes() const override { return couples_nodes_; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Entry& spring : springs_) spring.row.add_force(state, one_row(-tension(spring, state)), force);
  }

  void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    Joint::Gradient gradient;
    Joint::Tangent second;  // D
    Joint::Tangent both;
    Columns g, v, along;
    for (const Entry& spring : springs_) {
      const Joint& row = spring.row;
      row.gradient(state, gradient);
      row.tangent(state, one_row(1), second);
      g = gradient.row(0).transpose();
      v.resize(row.columns());
      for (int i = 0; i < row.nodes(); ++i) {
        v.segment(row.column(i), row.v_size(i)) = state.v.segment(row.v_start(i), row.v_size(i));
      }
      along.noalias() = second.transpose() * v;
      both.noalias() = (stiffness_factor * spring.stiffness + damping_factor * spring.damping) * (g * g.transpose());
      both.noalias() += (stiffness_factor * spring.damping) * (g * along.transpose());
      both += (stiffness_factor * tension(spring, state)) * second;
      for (int i = 0; i < row.nodes(); ++i) {
        for (int j = 0; j < row.nodes(); ++j) {
          matrix.add(row.node(i), row.node(j), both.block(row.column(i), row.column(j), row.v_size(i), row.v_size(j)));
        }
      }
    }
  }

  double potential(const State& state) const override { return strain_energy(state); }

  double strain_energy(const State& state) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double strain = coordinate(spring, state) - spring.rest.value(state.time);
      sum += 0.5 * spring.stiffness * strain * strain;
    }
    return sum;
  }

  // An angle is computed from rotations, whose rounding error does not become smaller with the angle: hence the 1. A
  // translation is the difference of two points: there the coordinates of the points are what cancels.
  double energy_size(const State& state) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double s = coordinate(spring, state), rest = spring.rest.value(state.time);
      double parts = 1;
      if (spring.row.coordinate_unit(0) == JointUnit::length) {
        parts = spring.arms_squared;
        for (int i = 0; i < spring.row.nodes(); ++i) parts += position(map_, state, spring.row.node(i)).squaredNorm();
      }
      sum += 0.5 * spring.stiffness * (s * s + rest * rest + parts);
    }
    return sum;
  }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Entry& spring : springs_) {
      const double rate = spring.row.speeds(state)[0];
      powers.conservative -= spring.stiffness * (coordinate(spring, state) - spring.rest.value(state.time)) * rate;
      powers.damping += spring.damping * rate * rate;
    }
  }

  double prescribed_work(const State& begin, const State& end) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      if (spring.rest.is_constant()) continue;
      const double from = spring.rest.value(begin.time), to = spring.rest.value(end.time);
      const double mean = 0.5 * (coordinate(spring, begin) - from + coordinate(spring, end) - to);
      sum -= spring.stiffness * mean * (to - from);
    }
    return sum;
  }

  // The part of V(end) - V(begin) with delta s, minus the work that the force of the stage does along the step.
  double stage_excess(const State& begin, const State& stage, const State& end, double /*theta*/,
                      double h) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double from = coordinate(spring, begin), to = coordinate(spring, end);
      const double mean = 0.5 * (from - spring.rest.value(begin.time) + to - spring.rest.value(end.time));
      const double middle = coordinate(spring, stage) - spring.rest.value(stage.time);
      sum += spring.stiffness * (mean * (to - from) - middle * spring.row.speeds(stage)[0] * h);
    }
    return sum;
  }

  // The coordinates themselves are kept by the joints.
  void update_angles(State& state, double h) const override {
    for (const Entry& spring : springs_) {
      if (spring.row.coordinate_unit(0) != JointUnit::angle) continue;
      if (std::abs(spring.row.speeds(state)[0]) * h < M_PI) continue;
      throw std::runtime_error(fmt::format(
          "joint '{}', which has a spring, turns by half a turn or more in one step of {:.3g} s, so that its "
          "turns cannot be counted: take a smaller step",
          spring.joint, h));
    }
  }

 private:
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, Joint::max_columns, 1>;

  struct Entry {
    std::string joint;  // its name
    Joint row;          // s - rest(t)
    model::JointCoordinate coordinate;
    double stiffness = 0;  // N/m or N m/rad
    double damping = 0;    // N s/m or N m s/rad
    math::TimeFunction rest;
    double arms_squared = 0;  // m^2, of the joint points on their bodies
  };

  static Joint::Rows one_row(double value) {
    Joint::Rows rows(1);
    rows[0] = value;
    return rows;
  }

  double coordinate(const Entry& spring, const State& state) const {
    const Joint::Coordinates all = joints_.coordinates_of(spring.coordinate.joint.index, state);
    return spring.row.coordinates(state, {all[static_cast<std::size_t>(spring.coordinate.index)]})[0];
  }

  double tension(const Entry& spring, const State& state) const {
    return spring.stiffness * (coordinate(spring, state) - spring.rest.value(state.time)) +
           spring.damping * spring.row.speeds(state)[0];
  }

  const DofMap& map_;
  const JointSet& joints_;
  std::vector<Entry> springs_;
  bool couples_nodes_ = false;
};

}  // namespace

std::unique_ptr<Term> make_joint_springs(const model::Model& model, const DofMap& map, const JointSet& joints) {
  return std::make_unique<JointSprings>(model, map, joints);
}

}  // namespace ricochet::mechanics
