// A rigid body thrown on a plane, step by step: where the contact problems of tumbling boxes, plates, cylinders and
// polyhedra come from. A small independent version of what the rooms behind cone/ do (Moreau-Jean steps, gyroscopic
// force and its tangent, restitution in b, warm starts), so that solvers can be tested on what they will meet.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "cone/test_problems.hpp"
#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/math/rotation.hpp"

namespace ricochet::cone::test {

enum class ThrownShape { box, plate, thin_plate, cylinder, polyhedron };
inline constexpr int kThrownShapes = 5;

class ThrownBody {
 public:
  // Everything random: shape and size, friction in [0, 1] (now and then 0 or 2), restitution in [0, 1] (now and then an
  // end), theta 1/2 or 1, position, velocity and spin.
  ThrownBody(math::Random& random, ThrownShape shape) {
    friction_ = pick(random, {0.0, 2.0, 1.0}, random.uniform(0, 1));
    restitution_ = pick(random, {0.0, 1.0, 0.0}, random.uniform(0, 1));
    theta_ = random.integer(2) == 0 ? 0.5 : 1.0;
    make_shape(random, shape);
    mass_ = std::exp2(random.uniform(-6, 6));
    inertia_ *= mass_;
    rotation_ = math::exponential(3 * random_vector(random, 3));
    if (random.integer(8) == 0) rotation_ = math::exponential(1e-3 * random_vector(random, 3));  // lands flat
    velocity_ = Vector3(random.normal(), random.normal(), -std::abs(random.normal()));
    spin_ = 5 * random_vector(random, 3);
    double lowest = 0;
    for (const Touch& touch : touches()) lowest = std::min(lowest, touch.arm.z());
    position_ = Vector3(0, 0, 1e-3 - lowest);
  }

  double friction() const { return friction_; }
  double restitution() const { return restitution_; }

  // One step of 1 ms. `solve(problem, impulses)` gets every contact problem with its first guess (two per step, as the
  // equations of motion are linearised twice) and leaves its solution in the impulses. Returns the number of contacts.
  template <class Solve>
  int step(const Solve& solve) {
    const std::vector<Touch> closed = closed_touches();
    const Matrix3 frame = rotation_.matrix();
    linalg::BlockSparseMatrix gradients;
    gradients.reset(std::vector<int>{6});
    linalg::ReusableVector impulses;
    impulses.setZero(3 * static_cast<int>(closed.size()));
    for (std::size_t i = 0; i < closed.size(); ++i) {
      gradients.begin_row(3);
      auto block = gradients.append(0);
      const Matrix3 to_contact = axes();
      block.leftCols(3) = to_contact;
      block.rightCols(3) = -to_contact * math::skew(closed[i].arm) * frame;
      impulses.segment(3 * static_cast<int>(i), 3) = to_contact * remembered_[closed[i].key].impulse;
    }
    Vector6 begin, end, free;
    begin << velocity_, spin_;
    end = begin;
    const VectorX before = gradients.dense() * begin;
    for (int repeat = 0; repeat < 2; ++repeat) {
      free_motion(begin, end, free);
      end = free;
      if (closed.empty()) continue;
      ContactProblem problem;
      matrix_->delassus(gradients, problem.delassus);
      problem.friction.assign(closed.size(), friction_);
      problem.free_velocity = gradients.dense() * free;
      for (std::size_t i = 0; i < closed.size(); ++i) {
        const auto normal = 3 * static_cast<Eigen::Index>(i);
        problem.free_velocity[normal] += restitution_ * before[normal];
      }
      solve(problem, impulses);
      VectorX change = gradients.dense().transpose() * impulses;
      matrix_->solve_in_place(change);
      end += change;
    }
    remember(closed, impulses);
    const Vector6 mean = (1 - theta_) * begin + theta_ * end;
    position_ += step_ * mean.head<3>();
    rotation_ = math::advance(rotation_, step_ * mean.tail<3>());
    velocity_ = end.head<3>();
    spin_ = end.tail<3>();
    return static_cast<int>(closed.size());
  }

 private:
  struct Touch {
    int key = 0;
    Vector3 arm = Vector3::Zero();  // world axes, m
  };
  struct Remembered {
    Vector3 impulse = Vector3::Zero();  // world axes, N s
    double slack = 0;
  };

  static double pick(math::Random& random, const std::vector<double>& seldom, double often) {
    const auto choice = static_cast<std::size_t>(random.integer(5 * seldom.size()));
    return choice < seldom.size() ? seldom[choice] : often;
  }

  // Rows n, t1, t2; tangents that no symmetry of the body shares.
  static Matrix3 axes() {
    Matrix3 result;
    result << 0, 0, 1, 0.6, 0.8, 0, -0.8, 0.6, 0;
    return result;
  }

  void make_shape(math::Random& random, ThrownShape shape) {
    if (shape == ThrownShape::cylinder) {
      radius_ = random.uniform(0.02, 0.2);
      half_length_ = random.uniform(0.02, 0.2);
      const double across = (3 * radius_ * radius_ + 4 * half_length_ * half_length_) / 12;
      inertia_ = Vector3(across, across, radius_ * radius_ / 2).asDiagonal();
    } else if (shape == ThrownShape::polyhedron) {
      const int count = 4 + static_cast<int>(random.integer(6));
      Vector3 mean = Vector3::Zero();
      for (int i = 0; i < count; ++i) {
        vertices_.emplace_back(0.1 * random_vector(random, 3));
        mean += vertices_.back() / count;
      }
      inertia_.setZero();  // of masses at the corners and a ball in the middle
      for (Vector3& vertex : vertices_) {
        vertex -= mean;
        inertia_ += (vertex.squaredNorm() * Matrix3::Identity() - vertex * vertex.transpose()) / (2 * count);
      }
      inertia_ += 1e-3 * Matrix3::Identity();
    } else {
      const double half = random.uniform(0.05, 0.2);
      const double flatness =
          shape == ThrownShape::box ? random.uniform(0.5, 1) : (shape == ThrownShape::plate ? 0.15 : 0.005);
      const Vector3 size(half, half * random.uniform(0.3, 1), half * flatness);
      for (int i = 0; i < 8; ++i) {
        vertices_.emplace_back((i & 1 ? 1 : -1) * size.x(), (i & 2 ? 1 : -1) * size.y(), (i & 4 ? 1 : -1) * size.z());
      }
      const Vector3 square = size.cwiseProduct(size) / 3;
      inertia_ = Vector3(square.y() + square.z(), square.x() + square.z(), square.x() + square.y()).asDiagonal();
    }
    remembered_.resize(std::max<std::size_t>(vertices_.size(), 6));
  }

  std::vector<Touch> touches() const {
    std::vector<Touch> result;
    for (const Vector3& vertex : vertices_) {
      result.push_back({static_cast<int>(result.size()), rotation_.rotate(vertex)});
    }
    if (radius_ == 0) return result;
    const Vector3 up = rotation_.rotate_inverse(Vector3::UnitZ());
    Vector3 down(-up.x(), -up.y(), 0);
    if (down.norm() == 0) down = Vector3::UnitX();
    down.normalize();
    for (const double end : {-half_length_, half_length_}) {
      for (const double turn : {0.0, 1.0, -1.0}) {  // the lowest point of the rim, and a third of a turn away from it
        const double angle = turn * 2 * std::acos(-1.0) / 3;
        const Vector3 point = std::cos(angle) * down + std::sin(angle) * Vector3(-down.y(), down.x(), 0);
        result.push_back(
            {static_cast<int>(result.size()), rotation_.rotate(Vector3(radius_ * point + end * Vector3::UnitZ()))});
      }
    }
    return result;
  }

  std::vector<Touch> closed_touches() const {
    std::vector<Touch> result = touches();
    std::erase_if(result, [&](const Touch& touch) {
      return position_.z() + touch.arm.z() > remembered_[touch.key].slack + 1e-16;
    });
    return result;
  }

  void remember(const std::vector<Touch>& closed, const linalg::VectorView& impulses) {
    std::vector<Remembered> now(remembered_.size());
    for (std::size_t i = 0; i < closed.size(); ++i) {
      Remembered& memory = now[closed[i].key];
      const Vector3 impulse = impulses.segment(3 * static_cast<Eigen::Index>(i), 3);
      memory.impulse = axes().transpose() * impulse;
      if (impulse[0] > 0) memory.slack = remembered_[closed[i].key].slack + 1e-10 * step_ * step_ * gravity_;
    }
    remembered_ = now;
  }

  // One Newton step of the equations of motion without contact from `end`.
  void free_motion(const Vector6& begin, const Vector6& end, Vector6& free) {
    const Vector3 spin = (1 - theta_) * begin.tail<3>() + theta_ * end.tail<3>();
    const Matrix3 gyroscopic = math::skew(spin) * inertia_ - math::skew(inertia_ * spin);
    Matrix6 matrix = Matrix6::Zero();
    matrix.topLeftCorner<3, 3>() = mass_ * Matrix3::Identity();
    matrix.bottomRightCorner<3, 3>() = inertia_ + step_ * theta_ * gyroscopic;
    matrix_->clear();
    matrix_->add(0, 0, matrix);
    matrix_->factorise();
    VectorX change(6);
    change.head<3>() = step_ * mass_ * Vector3(0, 0, -gravity_) - mass_ * (end - begin).head<3>();
    change.tail<3>() = -step_ * math::cross(spin, inertia_ * spin) - inertia_ * (end - begin).tail<3>();
    matrix_->solve_in_place(change);
    free = end + change;
  }

  double step_ = 1e-3, gravity_ = 9.81, theta_ = 0.5;
  double friction_ = 0, restitution_ = 0, mass_ = 1;
  Matrix3 inertia_ = Matrix3::Identity();
  std::vector<Vector3> vertices_;        // body axes
  double radius_ = 0, half_length_ = 0;  // of a cylinder along z
  std::vector<Remembered> remembered_;   // by key
  Vector3 position_ = Vector3::Zero(), velocity_ = Vector3::Zero(), spin_ = Vector3::Zero();
  math::Quaternion rotation_;
  std::unique_ptr<linalg::EffectiveMass> matrix_ =
      linalg::make_block_diagonal_mass(std::vector<int>{6}, std::vector<char>(6, 1));
};

}  // namespace ricochet::cone::test
