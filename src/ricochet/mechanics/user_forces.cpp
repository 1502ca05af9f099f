#include "ricochet/mechanics/user_forces.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "ricochet/mechanics/material_point.hpp"

namespace ricochet::mechanics {

namespace {

class UserForces final : public Term {
 public:
  UserForces(const model::Model& model, const DofMap& map) : map_(map) {
    std::size_t most = 0;
    for (const model::UserForce& force : model.user_forces) {
      Entry entry;
      entry.law = force.law;
      for (const model::Attachment& point : force.points) {
        entry.points.emplace_back(point);
        entry.arms.push_back(map.is_frame(point.node.index) ? point.offset : Vector3::Zero());
      }
      most = std::max(most, entry.points.size());
      forces_.push_back(std::move(entry));
    }
    couples_nodes_ = most > 1;
    motions_.resize(most);
    wrenches_.resize(most);
  }

  Dependence dependence() const override { return Dependence::nonlinear; }
  bool couples_nodes() const override { return couples_nodes_; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Entry& entry : forces_) {
      const std::span<const model::Wrench> wrenches = evaluate(entry, state);
      for (std::size_t i = 0; i < entry.points.size(); ++i) {
        const MaterialPoint& point = entry.points[i];
        point.add_force(map_, state, wrenches[i].force, force);
        if (!map_.is_frame(point.node())) continue;
        force.segment<3>(map_.v_start(point.node()) + 3) += motions_[i].orientation.rotate_inverse(wrenches[i].torque);
      }
    }
  }

  void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    for (const Entry& entry : forces_) {
      const std::span<const model::Wrench> wrenches = evaluate(entry, state);
      const std::size_t count = entry.points.size();
      stiffness_.setZero(6 * count, 6 * count);
      damping_.setZero(6 * count, 6 * count);
      entry.law->tangents(state.time, {motions_.data(), count}, stiffness_, damping_);
      for (std::size_t i = 0; i < count; ++i) {
        const int row = entry.points[i].node();
        const Matrix3 rotation = motions_[i].orientation.matrix();
        Matrix6 to_generalised = Matrix6::Identity();  // B
        to_generalised.topRightCorner<3, 3>() = -rotation * math::skew(entry.arms[i]);
        to_generalised.bottomRightCorner<3, 3>() = rotation;
        for (std::size_t j = 0; j < count; ++j) {
          const int column = entry.points[j].node();
          const Matrix3 turn = motions_[j].orientation.matrix();
          Matrix6 motion = Matrix6::Identity();  // J
          motion.topRightCorner<3, 3>() = -turn * math::skew(entry.arms[j]);
          Matrix6 swing = Matrix6::Zero();  // J'
          swing.topRightCorner<3, 3>() = -turn * math::skew(motions_[j].angular_velocity.cross(entry.arms[j]));
          const Matrix6 c = damping_.block<6, 6>(6 * i, 6 * j);
          Matrix6 block = to_generalised.transpose() *
                          (stiffness_factor * (stiffness_.block<6, 6>(6 * i, 6 * j) * motion + c * swing) +
                           damping_factor * c * motion);
          if (i == j) {
            const Vector3 force = motions_[i].orientation.rotate_inverse(wrenches[i].force);
            const Vector3 torque = motions_[i].orientation.rotate_inverse(wrenches[i].torque);
            block.bottomRightCorner<3, 3>() -=
                stiffness_factor * (math::skew(entry.arms[i]) * math::skew(force) + math::skew(torque));
          }
          matrix.add(row, column, block.topLeftCorner(map_.v_size(row), map_.v_size(column)));
        }
      }
    }
  }

  double potential(const State& /*state*/) const override { return 0; }
  double strain_energy(const State& /*state*/) const override { return 0; }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Entry& entry : forces_) {
      const std::span<const model::Wrench> wrenches = evaluate(entry, state);
      for (std::size_t i = 0; i < entry.points.size(); ++i) {
        const model::PointMotion& motion = motions_[i];
        powers.loads += wrenches[i].force.dot(motion.velocity) +
                        motion.orientation.rotate_inverse(wrenches[i].torque).dot(motion.angular_velocity);
      }
    }
  }

  double stage_excess(const State& /*begin*/, const State& /*stage*/, const State& /*end*/, double /*theta*/,
                      double /*h*/) const override {
    return 0;
  }

 private:
  struct Entry {
    std::shared_ptr<const model::ForceLaw> law;
    std::vector<MaterialPoint> points;
    std::vector<Vector3> arms;  // m, a: from the node in its axes
  };

  // Writes the motions of its points too.
  std::span<const model::Wrench> evaluate(const Entry& entry, const State& state) const {
    const std::size_t count = entry.points.size();
    for (std::size_t i = 0; i < count; ++i) {
      const MaterialPoint& point = entry.points[i];
      model::PointMotion& motion = motions_[i];
      motion.position = point.position(map_, state);
      motion.orientation = orientation(map_, state, point.node());
      motion.velocity = point.velocity(map_, state);
      motion.angular_velocity.setZero();
      if (map_.is_frame(point.node())) motion.angular_velocity = state.v.segment<3>(map_.v_start(point.node()) + 3);
      wrenches_[i] = {};
    }
    entry.law->evaluate(state.time, {motions_.data(), count}, {wrenches_.data(), count});
    return {wrenches_.data(), count};
  }

  const DofMap& map_;
  std::vector<Entry> forces_;
  bool couples_nodes_ = false;
  mutable std::vector<model::PointMotion> motions_;  // workspaces
  mutable std::vector<model::Wrench> wrenches_;
  mutable MatrixX stiffness_, damping_;
};

}  // namespace

std::unique_ptr<Term> make_user_forces(const model::Model& model, const DofMap& map) {
  return std::make_unique<UserForces>(model, map);
}

}  // namespace ricochet::mechanics
