#include "ricochet/mechanics/springs.hpp"

#include <algorithm>

#include "ricochet/mechanics/material_point.hpp"

namespace ricochet::mechanics {

namespace {

class Springs final : public Term {
 public:
  Springs(const model::Model& model, const DofMap& map) : map_(map) {
    for (const model::Spring& spring : model.springs) {
      Entry entry{MaterialPoint(spring.start),
                  MaterialPoint(spring.end),
                  spring.stiffness,
                  spring.damping,
                  spring.free_length,
                  spring.axis};
      const bool turns = is_on_frame(entry.start) || is_on_frame(entry.end);
      dependence_ = std::max(dependence_, spring.axis && !turns ? Dependence::linear : Dependence::nonlinear);
      couples_nodes_ = couples_nodes_ || (!entry.start.in_world() && !entry.end.in_world());
      springs_.push_back(entry);
    }
  }

  Dependence dependence() const override { return dependence_; }
  bool couples_nodes() const override { return couples_nodes_; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Entry& spring : springs_) {
      const Stretch stretch = measure(spring, state);
      const Vector3 pull = tension(spring, stretch) * stretch.direction;
      spring.start.add_force(map_, state, pull, force);
      spring.end.add_force(map_, state, -pull, force);
    }
  }

  void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override {
    for (const Entry& spring : springs_) add_spring_tangents(spring, state, damping_factor, stiffness_factor, matrix);
  }

  double potential(const State& state) const override { return strain_energy(state); }

  double strain_energy(const State& state) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double elongation = measure(spring, state).length - spring.free_length;
      sum += 0.5 * spring.stiffness * elongation * elongation;
    }
    return sum;
  }

  double energy_size(const State& state) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double length = measure(spring, state).length;
      sum += 0.5 * spring.stiffness * (length * length + spring.free_length * spring.free_length);
    }
    return sum;
  }

  void add_powers(const State& state, Powers& powers) const override {
    for (const Entry& spring : springs_) {
      const Stretch stretch = measure(spring, state);
      powers.conservative -= spring.stiffness * (stretch.length - spring.free_length) * stretch.rate;
      powers.damping += spring.damping * stretch.rate * stretch.rate;
    }
  }

  double stage_excess(const State& begin, const State& stage, const State& end, double theta, double h) const override {
    double sum = 0;
    for (const Entry& spring : springs_) {
      const double from = measure(spring, begin).length;
      const double to = measure(spring, end).length;
      const bool linear = spring.axis && !is_on_frame(spring.start) && !is_on_frame(spring.end);
      if (linear) {
        sum += (0.5 - theta) * spring.stiffness * (to - from) * (to - from);
        continue;
      }
      // V(end) - V(begin) minus the work that the force of the stage does along the step, per unit of stiffness.
      const Stretch middle = measure(spring, stage);
      sum += spring.stiffness * ((to - from) * (0.5 * (to + from) - spring.free_length) -
                                 (middle.length - spring.free_length) * middle.rate * h);
    }
    return sum;
  }

 private:
  struct Entry {
    MaterialPoint start, end;
    double stiffness = 0;    // N/m
    double damping = 0;      // N s/m
    double free_length = 0;  // m
    std::optional<Vector3> axis;
  };

  struct Stretch {
    double length = 0;  // m
    double rate = 0;    // m/s
    Vector3 direction = Vector3::Zero();
  };

  bool is_on_frame(const MaterialPoint& point) const { return !point.in_world() && map_.is_frame(point.node()); }

  Stretch measure(const Entry& spring, const State& state) const {
    const Vector3 between = spring.end.position(map_, state) - spring.start.position(map_, state);
    const Vector3 relative = spring.end.velocity(map_, state) - spring.start.velocity(map_, state);
    Stretch stretch;
    if (spring.axis) {
      stretch.length = spring.axis->dot(between);
      stretch.direction = *spring.axis;
    } else {
      stretch.length = between.norm();
      // Ends that coincide have no direction: the spring pulls nowhere (its force is not defined there).
      if (stretch.length > 0) stretch.direction = between / stretch.length;
    }
    stretch.rate = stretch.direction.dot(relative);
    return stretch;
  }

  static double tension(const Entry& spring, const Stretch& stretch) {
    return spring.stiffness * (stretch.length - spring.free_length) + spring.damping * stretch.rate;
  }

  // Force on the end: F = -T(l, dl/dt) n. With d the vector between the ends and n = d/l:
  //   -dF/dd   = k n n^T + (T/l)(1 - n n^T) + c n (d'/l)^T (1 - n n^T)     (spatial; the linear spring keeps k n n^T)
  //   -dF/dd'  = c n n^T
  // A rotation increment dTheta of a body moves the point by G dTheta (G = rotation_gradient), which also changes its
  // velocity by -R (Omega x a)~ dTheta, and turns the torque's arm.
  void add_spring_tangents(const Entry& spring, const State& state, double damping_factor, double stiffness_factor,
                           linalg::EffectiveMass& matrix) const {
    const Stretch stretch = measure(spring, state);
    const Vector3& n = stretch.direction;
    const double pull = tension(spring, stretch);
    const Matrix3 along = n * n.transpose();
    Matrix3 position_tangent = spring.stiffness * along;
    if (!spring.axis && stretch.length > 0) {
      const Matrix3 across = Matrix3::Identity() - along;
      const Vector3 relative = spring.end.velocity(map_, state) - spring.start.velocity(map_, state);
      position_tangent +=
          (pull / stretch.length) * across + (spring.damping / stretch.length) * n * (across * relative).transpose();
    }
    const Matrix3 velocity_tangent = spring.damping * along;
    const std::array<const MaterialPoint*, 2> points = {&spring.start, &spring.end};
    for (int i = 0; i < 2; ++i) {
      if (points[i]->in_world()) continue;
      const MatrixX force_gradient = gradient(*points[i], state);  // 3 x (3 or 6): virtual displacement of the point
      for (int j = 0; j < 2; ++j) {
        if (points[j]->in_world()) continue;
        const double sign = i == j ? 1 : -1;
        const MatrixX point_gradient = gradient(*points[j], state);
        const MatrixX rate_gradient = velocity_gradient(*points[j], state);
        MatrixX block = force_gradient.transpose() *
                        (stiffness_factor * (position_tangent * point_gradient + velocity_tangent * rate_gradient) +
                         damping_factor * velocity_tangent * point_gradient);
        block *= sign;
        if (i == j && is_on_frame(*points[i])) {
          const Vector3 force = (i == 0 ? pull : -pull) * n;
          block.bottomRightCorner<3, 3>() -= stiffness_factor * arm_tangent(*points[i], state, force);
        }
        matrix.add(points[i]->node(), points[j]->node(), block);
      }
    }
  }

  MatrixX gradient(const MaterialPoint& point, const State& state) const {
    MatrixX result = MatrixX::Zero(3, map_.v_size(point.node()));
    result.leftCols<3>().setIdentity();
    if (is_on_frame(point)) result.rightCols<3>() = point.rotation_gradient(map_, state);
    return result;
  }

  // Change of the point's velocity with the rotation at constant body angular velocity: -R (Omega x a)~.
  MatrixX velocity_gradient(const MaterialPoint& point, const State& state) const {
    MatrixX result = MatrixX::Zero(3, map_.v_size(point.node()));
    if (is_on_frame(point)) {
      const math::Quaternion rotation = orientation(map_, state, point.node());
      const Vector3 arm = rotation.rotate_inverse(point.arm(map_, state));
      const Vector3 angular = state.v.segment<3>(map_.v_start(point.node()) + 3);
      result.rightCols<3>() = -rotation.matrix() * math::skew(math::cross(angular, arm));
    }
    return result;
  }

  // d(a x R^T F)/dTheta at constant world force: a~ (R^T F)~.
  Matrix3 arm_tangent(const MaterialPoint& point, const State& state, const Vector3& force) const {
    const math::Quaternion rotation = orientation(map_, state, point.node());
    return math::skew(rotation.rotate_inverse(point.arm(map_, state))) * math::skew(rotation.rotate_inverse(force));
  }

  const DofMap& map_;
  std::vector<Entry> springs_;
  Dependence dependence_ = Dependence::none;
  bool couples_nodes_ = false;
};

}  // namespace

std::unique_ptr<Term> make_springs(const model::Model& model, const DofMap& map) {
  return std::make_unique<Springs>(model, map);
}

}  // namespace ricochet::mechanics
