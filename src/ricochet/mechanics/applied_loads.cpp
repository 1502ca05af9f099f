#include "ricochet/mechanics/applied_loads.hpp"

#include "ricochet/mechanics/material_point.hpp"

namespace ricochet::mechanics {

namespace {

class AppliedLoads final : public Term {
 public:
  AppliedLoads(const model::Model& model, const DofMap& map) : map_(map) {
    for (const model::Load& load : model.loads) {
      // A world force at an arm, or a world torque, has body components that turn with the body; a body force has world
      // components that do. A body force at an arm has a constant torque.
      const bool in_body = load.axes == model::LoadAxes::body;
      const bool turns = map.is_frame(load.point.node.index) &&
                         (in_body ? !is_zero(load.force) : !load.point.offset.isZero() || !is_zero(load.torque));
      depends_on_rotation_ = depends_on_rotation_ || turns;
      loads_.push_back({MaterialPoint(load.point), load.force, load.torque, in_body, turns});
    }
  }

  Dependence dependence() const override { return depends_on_rotation_ ? Dependence::nonlinear : Dependence::none; }
  bool couples_nodes() const override { return false; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Entry& load : loads_) {
      load.point.add_force(map_, state, world_force(load, state), force);
      if (map_.is_frame(load.point.node())) {
        force.segment<3>(map_.v_start(load.point.node()) + 3) += body_torque(load, state);
      }
    }
  }

  // For R -> R exp(dTheta~). World components: with F_b = R^T F the torque is a x F_b and d(F_b) = F_b~ dTheta, so
  // K = -(a~ F_b~ + T_b~). Body components: the force is R F_b and d(R F_b) = -R F_b~ dTheta, so K = R F_b~.
  void add_tangents(const State& state, double /*damping_factor*/, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    for (const Entry& load : loads_) {
      if (!load.turns) continue;
      const int node = load.point.node();
      const math::Quaternion rotation = orientation(map_, state, node);
      Matrix6 block = Matrix6::Zero();
      if (load.in_body) {
        const Vector3 body_force = evaluate(load.force, state.time);
        block.topRightCorner<3, 3>() = stiffness_factor * rotation.matrix() * math::skew(body_force);
      } else {
        const Vector3 body_force = rotation.rotate_inverse(evaluate(load.force, state.time));
        const Vector3 body_arm = rotation.rotate_inverse(load.point.arm(map_, state));
        block.bottomRightCorner<3, 3>() =
            -stiffness_factor * (math::skew(body_arm) * math::skew(body_force) + math::skew(body_torque(load, state)));
      }
      matrix.add(node, node, block);
    }
  }

  double potential(const State& /*state*/) const override { return 0; }
  double strain_energy(const State& /*state*/) const override { return 0; }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Entry& load : loads_) {
      powers.loads += world_force(load, state).dot(load.point.velocity(map_, state));
      if (map_.is_frame(load.point.node())) {
        powers.loads += body_torque(load, state).dot(state.v.segment<3>(map_.v_start(load.point.node()) + 3));
      }
    }
  }

  double stage_excess(const State& /*begin*/, const State& /*stage*/, const State& /*end*/, double /*theta*/,
                      double /*h*/) const override {
    return 0;
  }

 private:
  using Functions = std::array<math::TimeFunction, 3>;
  struct Entry {
    MaterialPoint point;
    Functions force;       // N
    Functions torque;      // N m
    bool in_body = false;  // the axes of both
    bool turns = false;
  };

  static bool is_zero(const Functions& functions) {
    for (const math::TimeFunction& function : functions) {
      if (!function.is_constant() || function.value(0) != 0) return false;
    }
    return true;
  }

  static Vector3 evaluate(const Functions& functions, double time) {
    return {functions[0].value(time), functions[1].value(time), functions[2].value(time)};
  }

  Vector3 world_force(const Entry& load, const State& state) const {
    const Vector3 force = evaluate(load.force, state.time);
    return load.in_body ? orientation(map_, state, load.point.node()).rotate(force) : force;
  }

  Vector3 body_torque(const Entry& load, const State& state) const {
    if (load.in_body) return evaluate(load.torque, state.time);
    return orientation(map_, state, load.point.node()).rotate_inverse(evaluate(load.torque, state.time));
  }

  const DofMap& map_;
  std::vector<Entry> loads_;
  bool depends_on_rotation_ = false;
};

}  // namespace

std::unique_ptr<Term> make_applied_loads(const model::Model& model, const DofMap& map) {
  return std::make_unique<AppliedLoads>(model, map);
}

}  // namespace ricochet::mechanics
