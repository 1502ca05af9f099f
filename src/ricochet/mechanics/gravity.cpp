#include "ricochet/mechanics/gravity.hpp"

#include "ricochet/mechanics/presence.hpp"

namespace ricochet::mechanics {

namespace {

class Gravity final : public Term {
 public:
  Gravity(const model::Model& model, const DofMap& map) : map_(map), gravity_(model.gravity) {
    for (const model::Body& body : model.bodies) {
      const int node = body.node.index;
      weights_.push_back({node, map.q_start(node), map.v_start(node), body.mass});
      if (!body.center.isZero(0)) levers_.push_back({node, map.v_start(node) + 3, body.mass, body.center});
    }
  }

  // The torque of a weight beside its node turns with the body.
  Dependence dependence() const override { return levers_.empty() ? Dependence::none : Dependence::nonlinear; }
  bool couples_nodes() const override { return false; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Weight& weight : weights_) force.segment<3>(weight.v_start) += weight.mass * gravity_;
    for (const Lever& lever : levers_) {
      force.segment<3>(lever.turn_start) += math::cross(lever.center, body_weight(lever, state));
    }
  }

  // With w = m R^T g: the torque is c x w and dw = w~ dTheta for R -> R exp(dTheta~), so K = -c~ w~.
  void add_tangents(const State& state, double /*damping_factor*/, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    for (const Lever& lever : levers_) {
      Matrix6 block = Matrix6::Zero();
      block.bottomRightCorner<3, 3>() =
          -stiffness_factor * math::skew(lever.center) * math::skew(body_weight(lever, state));
      matrix.add(lever.node, lever.node, block);
    }
  }

  double potential(const State& state) const override {
    double sum = 0;
    for (const Weight& weight : weights_) {
      if (is_present(state, weight.node)) sum -= weight.mass * gravity_.dot(state.q.segment<3>(weight.q_start));
    }
    for (const Lever& lever : levers_) {
      if (is_present(state, lever.node)) sum -= lever.center.dot(body_weight(lever, state));
    }
    return sum;
  }

  double strain_energy(const State& /*state*/) const override { return 0; }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Weight& weight : weights_) {
      powers.conservative += weight.mass * gravity_.dot(state.v.segment<3>(weight.v_start));
    }
    for (const Lever& lever : levers_) powers.conservative += lever_power(lever, state);
  }

  // The potential is linear in the positions, where every quadrature is exact; only the levers remain.
  double stage_excess(const State& begin, const State& stage, const State& end, double /*theta*/,
                      double h) const override {
    double sum = 0;
    for (const Lever& lever : levers_) {
      sum += lever.center.dot(body_weight(lever, begin) - body_weight(lever, end)) + h * lever_power(lever, stage);
    }
    return sum;
  }

 private:
  struct Weight {
    int node = 0;
    int q_start = 0;
    int v_start = 0;
    double mass = 0;  // kg
  };
  // A centre of mass beside its node.
  struct Lever {
    int node = 0;
    int turn_start = 0;                // of the angular velocity
    double mass = 0;                   // kg
    Vector3 center = Vector3::Zero();  // m, body axes
  };

  Vector3 body_weight(const Lever& lever, const State& state) const {  // m R^T g, N
    return lever.mass * orientation(map_, state, lever.node).rotate_inverse(gravity_);
  }
  double lever_power(const Lever& lever, const State& state) const {  // W
    const Vector3 angular = state.v.segment<3>(lever.turn_start);
    return body_weight(lever, state).dot(math::cross(angular, lever.center));
  }

  const DofMap& map_;
  Vector3 gravity_;
  std::vector<Weight> weights_;
  std::vector<Lever> levers_;
};

}  // namespace

std::unique_ptr<Term> make_gravity(const model::Model& model, const DofMap& map) {
  return std::make_unique<Gravity>(model, map);
}

}  // namespace ricochet::mechanics
