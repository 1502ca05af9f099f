// A heap for solvers that work on bodies.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <utility>
#include <vector>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/cone/residual_scales.hpp"
#include "ricochet/math/random.hpp"
#include "ricochet/math/rotation.hpp"

namespace ricochet::cone::test {

// Cubes of one metre and one kilogram on each other and on the ground, each with four corners on the one below.
struct Tower {
  linalg::BlockSparseMatrix gradients;
  std::unique_ptr<linalg::EffectiveMass> mass;
  BodyForm form;
  ContactProblem problem;
  ResidualScales scales;
  std::vector<int> contacts;

  // `unsymmetric`: part of the matrix of a body, as gyroscopic terms make it. `second`: the cube with which a second
  // tower begins.
  Tower(math::Random& random, int cubes, double friction, double speed, int size = 3, double unsymmetric = 0,
        double unit_of_mass = 1, int second = 0) {
    const std::vector<int> sizes(cubes, 6);
    const std::vector<char> free(6 * cubes, 1);
    mass = linalg::make_block_diagonal_mass(sizes, free);
    mass->clear();
    VectorX velocity = VectorX::Zero(6 * cubes);
    for (int i = 0; i < cubes; ++i) {
      Matrix6 matrix = Matrix6::Identity();
      matrix.bottomRightCorner<3, 3>() /= 6;
      if (unsymmetric > 0) {
        const Vector3 spin(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        matrix.bottomRightCorner<3, 3>() += unsymmetric * math::skew(spin);
      }
      mass->add(i, i, unit_of_mass * matrix);
      for (int k = 0; k < 6; ++k) velocity[6 * i + k] = speed * random.uniform(-1, 1);
      velocity[6 * i + 2] -= 0.05;
    }
    mass->factorise();
    gradients.reset(sizes);
    for (int i = 0; i < cubes; ++i) {
      const Vector3 shift(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0);
      for (const auto& [x, y] :
           {std::pair(-0.4, -0.4), std::pair(0.4, -0.4), std::pair(-0.4, 0.4), std::pair(0.4, 0.4)}) {
        gradients.begin_row(size);
        const auto add = [&](int body, const Vector3& arm, double sign) {
          Eigen::Matrix<double, 3, 6> rows;
          const Vector3 directions[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
          for (int k = 0; k < 3; ++k) {
            rows.row(k).head<3>() = sign * directions[k];
            rows.row(k).tail<3>() = sign * arm.cross(directions[k]);
          }
          gradients.append(body) = rows.topRows(size);
        };
        if (i > 0 && i != second) add(i - 1, Vector3(x, y, 0.5) + shift, -1);
        add(i, Vector3(x, y, -0.5), 1);
        problem.friction.emplace_back(friction);
      }
    }
    mass->delassus(gradients, problem.delassus);
    problem.free_velocity.setZero(gradients.scalar_rows());
    gradients.multiply_add(velocity, problem.free_velocity);
    form = {&gradients, mass.get(), gradients.rows()};
    problem.bodies = &form;
    scales.prepare(problem);
    for (int i = 0; i < problem.contacts(); ++i) contacts.push_back(i);
  }
};

}  // namespace ricochet::cone::test
