#include "ricochet/mechanics/joints/joint_springs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/mechanics/joints/coordinate_force.hpp"

namespace ricochet::mechanics {

namespace {

class JointSprings final : public Term {
 public:
  JointSprings(const model::Model& model, const DofMap& map, const JointSet& joints) : map_(map) {
    for (const model::JointSpring& spring : model.joint_springs) {
      CoordinateForce along(model, spring.coordinate, spring.rest, map, joints);
      const model::Joint& joint = model.joints[spring.coordinate.joint.index];
      for (const double value : {spring.stiffness, spring.damping}) {
        if (std::isfinite(value) && value >= 0) continue;
        throw std::invalid_argument(fmt::format(
            "the stiffness and the damping of a spring of joint '{}' must be finite and not negative", joint.name));
      }
      const double arms = joint.first.attachment.offset.squaredNorm() + joint.second.attachment.offset.squaredNorm();
      couples_nodes_ = couples_nodes_ || along.couples_nodes();
      springs_.push_back({joint.name, std::move(along), spring.stiffness, spring.damping, spring.rest, arms});
    }
  }

  // The joint that has the coordinate makes the equations of motion nonlinear anyway.
  Dependence dependence() const override { return Dependence::nonlinear; }
  bool couples_nodes() const override { return couples_nodes_; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Entry& spring : springs_) spring.along.add_force(state, -tension(spring, state), force);
  }

  void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    for (const Entry& spring : springs_) {
      spring.along.add_tangents(state, -tension(spring, state), spring.stiffness, spring.damping, damping_factor,
                                stiffness_factor, matrix);
    }
  }

  double potential(const State& state) const override { return strain_energy(state); }

  double strain_energy(const State& state) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double strain = spring.along.value(state) - spring.rest.value(state.time);
      sum += 0.5 * spring.stiffness * strain * strain;
    }
    return sum;
  }

  // An angle is computed from rotations, whose rounding error does not become smaller with the angle: hence the 1. A
  // translation is the difference of two points: there the coordinates of the points are what cancels.
  double energy_size(const State& state) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double s = spring.along.value(state), rest = spring.rest.value(state.time);
      double parts = 1;
      if (spring.along.row().coordinate_unit(0) == JointUnit::length) {
        parts = spring.arms_squared;
        const Joint& row = spring.along.row();
        for (int i = 0; i < row.nodes(); ++i) parts += position(map_, state, row.node(i)).squaredNorm();
      }
      sum += 0.5 * spring.stiffness * (s * s + rest * rest + parts);
    }
    return sum;
  }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Entry& spring : springs_) {
      const double rate = spring.along.speed(state);
      powers.conservative -= spring.stiffness * (spring.along.value(state) - spring.rest.value(state.time)) * rate;
      powers.damping += spring.damping * rate * rate;
    }
  }

  double prescribed_work(const State& begin, const State& end) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      if (spring.rest.is_constant()) continue;
      const double from = spring.rest.value(begin.time), to = spring.rest.value(end.time);
      const double mean = 0.5 * (spring.along.value(begin) - from + spring.along.value(end) - to);
      sum -= spring.stiffness * mean * (to - from);
    }
    return sum;
  }

  // The part of V(end) - V(begin) with delta s, minus the work that the force of the stage does along the step.
  double stage_excess(const State& begin, const State& stage, const State& end, double /*theta*/,
                      double h) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double from = spring.along.value(begin), to = spring.along.value(end);
      const double mean = 0.5 * (from - spring.rest.value(begin.time) + to - spring.rest.value(end.time));
      const double middle = spring.along.value(stage) - spring.rest.value(stage.time);
      sum += spring.stiffness * (mean * (to - from) - middle * spring.along.speed(stage) * h);
    }
    return sum;
  }

  // The coordinates themselves are kept by the joints.
  void update_angles(State& state, double h) const override {
    for (const Entry& spring : springs_) {
      if (spring.along.turns_can_be_counted(state, h)) continue;
      throw CoordinateForce::too_fast("joint '" + spring.joint + "', which has a spring,", h);
    }
  }

 private:
  struct Entry {
    std::string joint;  // its name
    CoordinateForce along;
    double stiffness = 0;  // N/m or N m/rad
    double damping = 0;    // N s/m or N m s/rad
    math::TimeFunction rest;
    double arms_squared = 0;  // m^2, of the joint points on their bodies
  };

  static double tension(const Entry& spring, const State& state) {
    return spring.stiffness * (spring.along.value(state) - spring.rest.value(state.time)) +
           spring.damping * spring.along.speed(state);
  }

  const DofMap& map_;
  std::vector<Entry> springs_;
  bool couples_nodes_ = false;
};

}  // namespace

std::unique_ptr<Term> make_joint_springs(const model::Model& model, const DofMap& map, const JointSet& joints) {
  return std::make_unique<JointSprings>(model, map, joints);
}

}  // namespace ricochet::mechanics
