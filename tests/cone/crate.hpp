// A heap in space for solvers that work on bodies: so many neighbours that the path over them is not cheap.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/cone/residual_scales.hpp"
#include "ricochet/math/rotation.hpp"

namespace ricochet::cone::test {

// Balls of one metre and one kilogram, `edge` along each side of a cubic lattice, each in touch with those below, to
// the left and in front; the outermost with a floor and two walls. The walls lean, so that all balls are pressed
// together.
struct Crate {
  int edge;
  linalg::BlockSparseMatrix gradients;
  std::unique_ptr<linalg::EffectiveMass> mass;
  BodyForm form;
  ContactProblem problem;
  VectorX velocity;  // without contacts

  Crate(int balls_along_an_edge, double friction) : edge(balls_along_an_edge) {
    const int balls = edge * edge * edge;
    const std::vector<int> sizes(balls, 6);
    const std::vector<char> free(6 * balls, 1);
    mass = linalg::make_block_diagonal_mass(sizes, free);
    mass->clear();
    velocity = VectorX::Zero(6 * balls);
    for (int ball = 0; ball < balls; ++ball) {
      Matrix6 matrix = Matrix6::Identity();
      matrix.bottomRightCorner<3, 3>() *= 0.4 * 0.25;
      mass->add(ball, ball, matrix);
      velocity.segment<3>(6 * ball) = Vector3(-0.02, -0.03, -0.1);
    }
    mass->factorise();
    gradients.reset(sizes);
    const int steps[3] = {edge * edge, edge, 1};
    for (int ball = 0; ball < balls; ++ball) {
      for (int axis = 0; axis < 3; ++axis) {
        const bool outermost = ball / steps[axis] % edge == 0;
        const Vector3 n = Vector3::Unit(axis), t = Vector3::Unit((axis + 1) % 3), s = Vector3::Unit((axis + 2) % 3);
        gradients.begin_row(3);
        const auto add = [&](int body, double side) {
          Eigen::Matrix<double, 3, 6> rows;
          int row = 0;
          for (const Vector3& direction : {n, t, s}) {
            rows.row(row).head<3>() = side * direction;
            rows.row(row++).tail<3>() = side * (-0.5 * side * n).cross(direction);
          }
          gradients.append(body) = rows;
        };
        if (!outermost) add(ball - steps[axis], -1);
        add(ball, 1);
        problem.friction.emplace_back(friction);
      }
    }
    mass->delassus(gradients, problem.delassus);
    form = {&gradients, mass.get(), gradients.rows()};
    problem.bodies = &form;
    find_free_velocity();
  }

  void push(int ball, const Vector3& by) {
    velocity.segment<3>(6 * ball) += by;
    find_free_velocity();
  }

 private:
  void find_free_velocity() {
    problem.free_velocity.setZero(gradients.scalar_rows());
    gradients.multiply_add(velocity, problem.free_velocity);
  }
};

}  // namespace ricochet::cone::test
