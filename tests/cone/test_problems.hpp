// Contact problems for the tests of this folder, and a judge that shares no code with cone/residual.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/cone/global_problem.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::cone::test {

// A problem from a dense Delassus matrix; blocks that are entirely zero are left out off the diagonal.
inline ContactProblem problem_from_dense(const std::vector<int>& sizes, const MatrixX& delassus, const VectorX& b,
                                         const std::vector<Friction>& friction) {
  ContactProblem problem;
  problem.delassus.reset(sizes);
  int row = 0;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    problem.delassus.begin_row(sizes[i]);
    int column = 0;
    for (int j = 0; j < static_cast<int>(sizes.size()); ++j) {
      const MatrixX block = delassus.block(row, column, sizes[i], sizes[j]);
      if (i == j || !block.isZero(0)) problem.delassus.append(j) = block;
      column += sizes[j];
    }
    row += sizes[i];
  }
  problem.free_velocity = b;
  problem.friction = friction;
  return problem;
}

inline ContactProblem single_contact(const MatrixX& block, const VectorX& b, const Friction& friction) {
  return problem_from_dense({static_cast<int>(b.size())}, block, b, {friction});
}

// Independent problems in one, their contacts interleaved: the first of every problem, then the second of every one ...
struct SideBySide {
  ContactProblem whole;
  std::vector<std::vector<int>> contacts;  // contacts[p][c]: where contact c of problem p is in the whole

  // The impulses of problem p within those of the whole.
  VectorX part(const VectorX& impulses, int p) const {
    VectorX result(0);
    for (const int contact : contacts[p]) {
      const VectorX before = result;
      result.resize(before.size() + whole.block_size(contact));
      result << before, impulses.segment(whole.block_offset(contact), whole.block_size(contact));
    }
    return result;
  }
};

inline SideBySide side_by_side(const std::vector<ContactProblem>& problems) {
  SideBySide result;
  const int count = static_cast<int>(problems.size());
  result.contacts.resize(count);
  int longest = 0, total = 0;
  for (const ContactProblem& problem : problems) longest = std::max(longest, problem.contacts());
  std::vector<int> sizes;
  for (int c = 0; c < longest; ++c) {
    for (int p = 0; p < count; ++p) {
      if (c >= problems[p].contacts()) continue;
      result.contacts[p].push_back(total++);
      sizes.push_back(problems[p].block_size(c));
    }
  }
  result.whole.delassus.reset(sizes);
  std::vector<double> b;
  for (int c = 0; c < longest; ++c) {
    for (int p = 0; p < count; ++p) {
      const ContactProblem& problem = problems[p];
      if (c >= problem.contacts()) continue;
      result.whole.delassus.begin_row(problem.block_size(c));
      for (const auto& entry : problem.delassus.row(c)) {
        result.whole.delassus.append(result.contacts[p][entry.column]) = problem.delassus.block(c, entry);
      }
      result.whole.friction.push_back(problem.friction[c]);
      result.whole.bilateral.push_back(static_cast<char>(problem.is_bilateral(c)));
      for (int k = 0; k < problem.block_size(c); ++k) b.push_back(problem.free_velocity[problem.block_offset(c) + k]);
    }
  }
  result.whole.free_velocity = VectorX(VectorX::Map(b.data(), static_cast<Eigen::Index>(b.size())));
  return result;
}

inline VectorX random_vector(math::Random& random, int size) {
  VectorX result(size);
  for (int i = 0; i < size; ++i) result[i] = random.normal();
  return result;
}

// W = H M^-1 H^T, b = H v: every contact joins two random bodies of six degrees of freedom (or one and the ground).
inline ContactProblem random_bodies_problem(math::Random& random, int contacts, int bodies, double largest_friction,
                                            const std::vector<int>& possible_sizes = {3}) {
  std::vector<int> sizes;
  std::vector<Friction> friction;
  int scalars = 0;
  for (int i = 0; i < contacts; ++i) {
    sizes.push_back(possible_sizes[random.integer(possible_sizes.size())]);
    friction.emplace_back(random.uniform(0, largest_friction));
    if (sizes.back() > 3) {
      friction.back().rolling = random.uniform(0, largest_friction);
      friction.back().spinning = random.uniform(0, largest_friction);
    }
    scalars += sizes.back();
  }
  MatrixX gradient = MatrixX::Zero(scalars, 6 * bodies);
  int row = 0;
  for (const int size : sizes) {
    const int first = static_cast<int>(random.integer(bodies)), second = static_cast<int>(random.integer(bodies + 1));
    for (const int body : {first, second}) {
      if (body == bodies) continue;
      for (int i = 0; i < size; ++i) {
        gradient.block(row + i, 6 * body, 1, 6) = random_vector(random, 6).transpose();
      }
    }
    row += size;
  }
  VectorX inverse_mass(6 * bodies);
  for (int i = 0; i < inverse_mass.size(); ++i) inverse_mass[i] = std::exp2(random.uniform(-2, 2));
  const VectorX velocity = random_vector(random, 6 * bodies);
  return problem_from_dense(sizes, gradient * inverse_mass.asDiagonal() * gradient.transpose(), gradient * velocity,
                            friction);
}

// A rigid table on four legs (corners at +-1, +-0.5, height 1 below the centre of mass): W has rank 6 of 12.
inline ContactProblem table_problem(const Vector3& velocity, double friction, double mass = 1) {
  MatrixX gradient = MatrixX::Zero(12, 6);
  int row = 0;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-0.5, 0.5}) {
      const double z = -1;
      // Rows n = e_z, t1 = e_x, t2 = e_y of v + omega x p.
      gradient.row(row++) << 0, 0, 1, y, -x, 0;
      gradient.row(row++) << 1, 0, 0, 0, z, -y;
      gradient.row(row++) << 0, 1, 0, -z, 0, x;
    }
  }
  Vector6 inverse_mass;
  inverse_mass << 1 / mass, 1 / mass, 1 / mass, 1.5 / mass, 0.8 / mass, 1.2 / mass;
  Vector6 free_motion = Vector6::Zero();
  free_motion.head<3>() = velocity;
  return problem_from_dense({3, 3, 3, 3}, gradient * inverse_mass.asDiagonal() * gradient.transpose(),
                            gradient * free_motion, std::vector<Friction>(4, friction));
}

// A sphere on the floor below it, n = e_z, with components (N, T1, T2, R1, R2, S): the motion after the free step is
// (v, omega), and r = 0 leaves it alone. `size` 3, 5 or 6.
inline ContactProblem sphere_problem(int size, double mass, double radius, const Friction& friction,
                                     const Vector3& velocity, const Vector3& angular_velocity) {
  const double inertia = 0.4 * mass * radius * radius;
  MatrixX gradient = MatrixX::Zero(6, 6);
  gradient(0, 2) = 1;
  gradient.row(1) << 1, 0, 0, 0, -radius, 0;  // v + omega x (0, 0, -radius)
  gradient.row(2) << 0, 1, 0, radius, 0, 0;
  gradient.bottomRightCorner<3, 3>().setIdentity();
  Vector6 inverse_mass, motion;
  inverse_mass << Vector3::Constant(1 / mass), Vector3::Constant(1 / inertia);
  motion << velocity, angular_velocity;
  const MatrixX rows = gradient.topRows(size);
  return problem_from_dense({size}, rows * inverse_mass.asDiagonal() * rows.transpose(), rows * motion, {friction});
}

// A planar box of half extents 0.2 and 0.1, mass 1, on both lower corners: W has rank 3 of 4, and the smaller the tilt
// (rad), the more parallel are the tangents. b = H v + (e u_N0, 0) from random velocities.
inline ContactProblem tilted_box_problem(math::Random& random, double tilt, double friction) {
  MatrixX gradient(4, 3);
  int row = 0;
  for (const double side : {-0.2, 0.2}) {
    const double x = side * std::cos(tilt) + 0.1 * std::sin(tilt), y = side * std::sin(tilt) - 0.1 * std::cos(tilt);
    gradient.row(row++) << 0, 1, x;
    gradient.row(row++) << 1, 0, -y;
  }
  const Vector3 inverse_mass(1, 1, 3 / (0.2 * 0.2 + 0.1 * 0.1));
  VectorX velocity = random_vector(random, 3);
  velocity[1] = -std::abs(velocity[1]);
  VectorX b = gradient * velocity;
  const VectorX before = gradient * random_vector(random, 3);
  const double restitution = random.uniform(-1, 1);  // none at all in half of the problems
  if (restitution > 0) {
    b[0] += restitution * before[0];
    b[2] += restitution * before[2];
  }
  return problem_from_dense({2, 2}, gradient * inverse_mass.asDiagonal() * gradient.transpose(), b,
                            {friction, friction});
}

// Frictionless point masses on top of each other, the lowest on the floor, all falling with `speed`.
inline ContactProblem stack_problem(const std::vector<double>& masses, double speed) {
  const int count = static_cast<int>(masses.size());
  MatrixX delassus = MatrixX::Zero(count, count);
  for (int i = 0; i < count; ++i) {
    delassus(i, i) = 1 / masses[i] + (i > 0 ? 1 / masses[i - 1] : 0.0);
    if (i > 0) delassus(i, i - 1) = delassus(i - 1, i) = -1 / masses[i - 1];
  }
  VectorX b = VectorX::Zero(count);
  b[0] = -speed;
  return problem_from_dense(std::vector<int>(count, 1), delassus, b, std::vector<Friction>(count, 0.0));
}

// How badly (r, u) breaks the law of a contact, branch by branch, u relative to `velocity_scale`: the largest of all
// violations. Rolling and spinning count as if they had an arm of 1 m.
inline double coulomb_violation(const VectorX& r, const VectorX& u, const Friction& friction, double velocity_scale) {
  double worst = std::max({0.0, -r[0], -u[0] / velocity_scale});
  if (r[0] > 0) worst = std::max(worst, std::abs(u[0]) / velocity_scale);
  const int size = static_cast<int>(r.size());
  const auto look_at = [&](int start, int count, double coefficient) {
    if (start >= size) return;
    const VectorX force = r.segment(start, count), motion = u.segment(start, count);
    const double limit = coefficient * r[0];
    if (force.norm() > limit) worst = std::max(worst, limit > 0 ? force.norm() / limit - 1 : force.norm());
    if (limit == 0) return;
    // Inside the cone nothing moves; on its boundary the motion opposes the resistance.
    worst = std::max(worst, std::min(1 - force.norm() / limit, motion.norm() / velocity_scale));
    if (force.norm() == 0) return;
    worst = std::max(worst, (motion + force * (motion.norm() / force.norm())).norm() / velocity_scale);
  };
  look_at(1, size == 2 ? 1 : 2, friction.sliding);
  look_at(3, 2, friction.rolling);
  look_at(5, 1, friction.spinning);
  return worst;
}

// The worst contact of a problem, each with u relative to |b|_max + |W| |r| of its own row.
inline double coulomb_violation(const ContactProblem& problem, const VectorX& r) {
  const MatrixX delassus = problem.delassus.dense();
  const VectorX u = delassus * r + problem.free_velocity;
  const double free_scale = problem.free_velocity.cwiseAbs().maxCoeff();
  double worst = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const int offset = problem.block_offset(i), size = problem.block_size(i);
    const double scale = free_scale + (delassus.middleRows(offset, size).cwiseAbs() * r.cwiseAbs()).maxCoeff();
    const VectorX r_i = r.segment(offset, size), u_i = u.segment(offset, size);
    worst = std::max(
        worst, problem.is_bilateral(i) ? u_i.norm() / scale : coulomb_violation(r_i, u_i, problem.friction[i], scale));
  }
  return worst;
}

// A point mass of 2 kg that arrives at the floor y-z with (-2, 0, 3) m/s; the floor moves along at 1 m/s; mu = 1/4.
inline GlobalContactProblem ball_on_a_moving_floor() {
  GlobalContactProblem problem;
  problem.mass.reset(std::vector<int>{3});
  problem.mass.begin_row(3);
  problem.mass.append(0) = 2 * Matrix3::Identity();
  problem.gradients.reset(std::vector<int>{3});
  problem.gradients.begin_row(3);
  problem.gradients.append(0) = Matrix3::Identity();
  problem.momentum = Vector3(-4, 0, 6);
  problem.surface_velocity = Vector3(0, 0, -1);  // the floor moves along
  problem.friction = {0.25};
  return problem;
}

}  // namespace ricochet::cone::test
