#include "ricochet/mechanics/joints/joint_efforts.hpp"

#include <memory>
#include <string>
#include <vector>

#include "ricochet/mechanics/joints/coordinate_force.hpp"

namespace ricochet::mechanics {

namespace {

class JointEfforts final : public Term {
 public:
  JointEfforts(const model::Model& model, const DofMap& map, const JointSet& joints) {
    for (const model::UserEffort& effort : model.user_efforts) {
      efforts_.push_back(
          {effort.name, {model, effort.coordinate, math::TimeFunction::constant(0), map, joints}, effort.law});
      couples_nodes_ = couples_nodes_ || efforts_.back().along.couples_nodes();
    }
  }

  Dependence dependence() const override { return Dependence::nonlinear; }
  bool couples_nodes() const override { return couples_nodes_; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Entry& entry : efforts_) entry.along.add_force(state, effort(entry, state), force);
  }

  void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    for (const Entry& entry : efforts_) {
      const model::EffortLaw::Tangent law =
          entry.law->tangent(state.time, entry.along.value(state), entry.along.speed(state));
      entry.along.add_tangents(state, effort(entry, state), law.stiffness, law.damping, damping_factor,
                               stiffness_factor, matrix);
    }
  }

  double potential(const State& /*state*/) const override { return 0; }
  double strain_energy(const State& /*state*/) const override { return 0; }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Entry& entry : efforts_) powers.loads += effort(entry, state) * entry.along.speed(state);
  }

  double stage_excess(const State& /*begin*/, const State& /*stage*/, const State& /*end*/, double /*theta*/,
                      double /*h*/) const override {
    return 0;
  }

  void update_angles(State& state, double h) const override {
    for (const Entry& entry : efforts_) {
      if (entry.along.turns_can_be_counted(state, h)) continue;
      throw CoordinateForce::too_fast(entry.name + " acts about a joint that", h);
    }
  }

 private:
  struct Entry {
    std::string name;
    CoordinateForce along;
    std::shared_ptr<const model::EffortLaw> law;
  };

  static double effort(const Entry& entry, const State& state) {
    return entry.law->effort(state.time, entry.along.value(state), entry.along.speed(state));
  }

  std::vector<Entry> efforts_;
  bool couples_nodes_ = false;
};

}  // namespace

std::unique_ptr<Term> make_joint_efforts(const model::Model& model, const DofMap& map, const JointSet& joints) {
  return std::make_unique<JointEfforts>(model, map, joints);
}

}  // namespace ricochet::mechanics
