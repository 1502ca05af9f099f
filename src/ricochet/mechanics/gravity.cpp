#include "ricochet/mechanics/gravity.hpp"

namespace ricochet::mechanics {

namespace {

class Gravity final : public Term {
 public:
  Gravity(const model::Model& model, const DofMap& map) : gravity_(model.gravity) {
    for (const model::Body& body : model.bodies) {
      weights_.push_back({map.q_start(body.node.index), map.v_start(body.node.index), body.mass});
    }
  }

  Dependence dependence() const override { return Dependence::none; }
  bool couples_nodes() const override { return false; }

  void add_force(const State& /*state*/, VectorX& force) const override {
    for (const Weight& weight : weights_) force.segment<3>(weight.v_start) += weight.mass * gravity_;
  }

  void add_tangents(const State& /*state*/, double /*damping_factor*/, double /*stiffness_factor*/,
                    linalg::EffectiveMass& /*matrix*/) const override {}

  double potential(const State& state) const override {
    double sum = 0;
    for (const Weight& weight : weights_) sum -= weight.mass * gravity_.dot(state.q.segment<3>(weight.q_start));
    return sum;
  }

  double strain_energy(const State& /*state*/) const override { return 0; }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Weight& weight : weights_) {
      powers.conservative += weight.mass * gravity_.dot(state.v.segment<3>(weight.v_start));
    }
  }

  // The potential is linear: every quadrature is exact.
  double stage_excess(const State& /*begin*/, const State& /*stage*/, const State& /*end*/, double /*theta*/,
                      double /*h*/) const override {
    return 0;
  }

 private:
  struct Weight {
    int q_start = 0;
    int v_start = 0;
    double mass = 0;  // kg
  };
  Vector3 gravity_;
  std::vector<Weight> weights_;
};

}  // namespace

std::unique_ptr<Term> make_gravity(const model::Model& model, const DofMap& map) {
  return std::make_unique<Gravity>(model, map);
}

}  // namespace ricochet::mechanics
