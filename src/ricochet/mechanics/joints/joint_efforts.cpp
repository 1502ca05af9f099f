#include "ricochet/mechanics/joints/joint_efforts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/mechanics/joints/joint_factory.hpp"

namespace ricochet::mechanics {

namespace {

class JointEfforts final : public Term {
 public:
  JointEfforts(const model::Model& model, const DofMap& map, const JointSet& joints) : joints_(joints) {
    for (const model::UserEffort& effort : model.user_efforts) {
      Joint row = make_coordinate_row(model, effort.coordinate, math::TimeFunction::constant(0), map);
      couples_nodes_ = couples_nodes_ || row.nodes() > 1;
      efforts_.push_back({effort.name, std::move(row), effort.coordinate, effort.law});
    }
  }

  Dependence dependence() const override { return Dependence::nonlinear; }
  bool couples_nodes() const override { return couples_nodes_; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Entry& entry : efforts_) entry.row.add_force(state, single(effort(entry, state)), force);
  }

  void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    Joint::Gradient gradient;
    Joint::Tangent second;  // D
    for (const Entry& entry : efforts_) {
      const Joint& row = entry.row;
      const model::EffortLaw::Tangent law =
          entry.law->tangent(state.time, coordinate(entry, state), row.speeds(state)[0]);
      row.gradient(state, gradient);
      row.tangent(state, single(1), second);
      VectorX velocity(row.columns());
      for (int i = 0; i < row.nodes(); ++i) {
        velocity.segment(row.column(i), row.v_size(i)) = state.v.segment(row.v_start(i), row.v_size(i));
      }
      const VectorX along = gradient.row(0).transpose();
      const MatrixX block = along * ((stiffness_factor * law.stiffness + damping_factor * law.damping) * along +
                                     stiffness_factor * law.damping * (second.transpose() * velocity))
                                        .transpose() -
                            stiffness_factor * effort(entry, state) * second;
      for (int i = 0; i < row.nodes(); ++i) {
        for (int j = 0; j < row.nodes(); ++j) {
          matrix.add(row.node(i), row.node(j), block.block(row.column(i), row.column(j), row.v_size(i), row.v_size(j)));
        }
      }
    }
  }

  double potential(const State& /*state*/) const override { return 0; }
  double strain_energy(const State& /*state*/) const override { return 0; }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Entry& entry : efforts_) powers.loads += effort(entry, state) * entry.row.speeds(state)[0];
  }

  double stage_excess(const State& /*begin*/, const State& /*stage*/, const State& /*end*/, double /*theta*/,
                      double /*h*/) const override {
    return 0;
  }

  void update_angles(State& state, double h) const override {
    for (const Entry& entry : efforts_) {
      if (entry.row.coordinate_unit(0) != JointUnit::angle) continue;
      if (std::abs(entry.row.speeds(state)[0]) * h < M_PI) continue;
      throw std::runtime_error(
          fmt::format("{} acts about a joint that turns by half a turn or more in one step of "
                      "{:.3g} s, so that its turns cannot be counted: take a smaller step",
                      entry.name, h));
    }
  }

 private:
  struct Entry {
    std::string name;
    Joint row;
    model::JointCoordinate coordinate;
    std::shared_ptr<const model::EffortLaw> law;
  };

  static Joint::Rows single(double value) {
    Joint::Rows rows(1);
    rows[0] = value;
    return rows;
  }

  double coordinate(const Entry& entry, const State& state) const {
    const Joint::Coordinates all = joints_.coordinates_of(entry.coordinate.joint.index, state);
    return entry.row.coordinates(state, {all[static_cast<std::size_t>(entry.coordinate.index)]})[0];
  }

  double effort(const Entry& entry, const State& state) const {
    return entry.law->effort(state.time, coordinate(entry, state), entry.row.speeds(state)[0]);
  }

  const JointSet& joints_;
  std::vector<Entry> efforts_;
  bool couples_nodes_ = false;
};

}  // namespace

std::unique_ptr<Term> make_joint_efforts(const model::Model& model, const DofMap& map, const JointSet& joints) {
  return std::make_unique<JointEfforts>(model, map, joints);
}

}  // namespace ricochet::mechanics
