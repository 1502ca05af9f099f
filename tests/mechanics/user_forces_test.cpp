// Forces of user-defined laws: what they do to bodies, tangents against finite differences, power, and energy in a run.
#include "ricochet/mechanics/user_forces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "mechanics/term_checks.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {
namespace {

using model::PointMotion;
using model::Wrench;

// Linear in positions and velocities of all points, and a force and a torque that turn with each body.
class GeneralLaw final : public model::ForceLaw {
 public:
  GeneralLaw(int points, math::Random& random)
      : stiffness_(MatrixX::Zero(6 * points, 6 * points)), damping_(6 * points, 6 * points) {
    for (int i = 0; i < 6 * points; ++i) {
      for (int j = 0; j < 6 * points; ++j) {
        if (j % 6 < 3) stiffness_(i, j) = random.normal();
        damping_(i, j) = random.normal();
      }
    }
    thrust_ = test::random_vector3(random);
    twist_ = test::random_vector3(random);
  }

  void evaluate(double time, std::span<const PointMotion> points, std::span<Wrench> wrenches) const override {
    const auto count = static_cast<Eigen::Index>(points.size());
    VectorX x = VectorX::Zero(6 * count), v(6 * count);
    for (Eigen::Index i = 0; i < count; ++i) {
      x.segment<3>(6 * i) = points[i].position;
      v.segment<3>(6 * i) = points[i].velocity;
      v.segment<3>(6 * i + 3) = points[i].angular_velocity;
    }
    const VectorX all = -stiffness_ * x - damping_ * v;
    for (Eigen::Index i = 0; i < count; ++i) {
      wrenches[i].force = all.segment<3>(6 * i) + points[i].orientation.rotate(thrust_) + Vector3(time, 0, 0);
      wrenches[i].torque = all.segment<3>(6 * i + 3) + points[i].orientation.rotate(twist_);
    }
  }

  void tangents(double /*time*/, std::span<const PointMotion> points, MatrixX& stiffness,
                MatrixX& damping) const override {
    EXPECT_TRUE(stiffness.isZero(0) && damping.isZero(0));
    stiffness = stiffness_;
    damping = damping_;
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(points.size()); ++i) {
      const Matrix3 rotation = points[i].orientation.matrix();
      stiffness.block<3, 3>(6 * i, 6 * i + 3) = rotation * math::skew(thrust_);
      stiffness.block<3, 3>(6 * i + 3, 6 * i + 3) = rotation * math::skew(twist_);
    }
  }

 private:
  MatrixX stiffness_, damping_;
  Vector3 thrust_, twist_;
};

TEST(UserForcesProperty, TangentsAndPowers) {
  math::Random random(71);
  for (int i = 0; i < 100; ++i) {
    model::Model model;
    const int nodes = 1 + i % 3;
    const bool has_point = i % 4 == 0;
    model::UserForce force;
    for (int node = 0; node < nodes; ++node) {
      const bool is_point = has_point && node == nodes - 1;
      if (is_point) {
        test::add_random_point(model, random);
      } else {
        test::add_random_frame(model, random);
      }
      force.points.push_back({{node}, is_point ? Vector3::Zero() : test::random_vector3(random)});
    }
    force.law = std::make_shared<GeneralLaw>(nodes, random);
    model.user_forces.push_back(force);
    const DofMap map(model);
    State state = initial_state(model, map);
    state.time = random.uniform(0, 2);
    const auto term = make_user_forces(model, map);
    EXPECT_EQ(term->dependence(), Dependence::nonlinear);
    EXPECT_EQ(term->couples_nodes(), nodes > 1);
    test::expect_tangents(*term, map, state);
    test::expect_powers(*term, map, state);
    test::expect_stage_excess(*term, map, state, state.v, 0.5, 0.1);
    EXPECT_NEAR(test::term_powers(*term, state).loads, test::term_force(*term, map, state).dot(state.v),
                1e-12 * (1 + std::abs(test::term_powers(*term, state).loads)));
  }
}

class ConstantLaw final : public model::ForceLaw {
 public:
  explicit ConstantLaw(const Wrench& wrench) : wrench_(wrench) {}
  void evaluate(double /*time*/, std::span<const PointMotion> /*points*/, std::span<Wrench> wrenches) const override {
    wrenches[0] = wrench_;
  }

 private:
  Wrench wrench_;
};

// As a load with the same numbers (see AppliedLoads): a body turned by 90 degrees about z, a force at an arm.
TEST(UserForces, ActAtAPointInWorldAxes) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero(),
                math::Quaternion::from_axis_angle(Vector3::UnitZ(), M_PI / 2));
  model.user_forces.push_back(
      {"a",
       {{{0}, Vector3(2, 0, 0)}},
       std::make_shared<ConstantLaw>(Wrench{.force = Vector3(5, 0, 0), .torque = Vector3(7, 0, 1)})});
  const Equations equations(model);
  VectorX force;
  equations.force(equations.initial_state(), force);
  Vector6 expected;
  expected << 5, 0, 0, 0, -7, -10 + 1;
  EXPECT_LE((force - expected).norm(), 1e-14);
  EXPECT_EQ(equations.dependence(), Dependence::nonlinear);
}

TEST(UserForcesBadInput, IsRefused) {
  model::Model good;
  test::add_ball(good, 1, 1, Vector3::Zero());
  good.user_forces.push_back({"wind", {{{0}, Vector3::Zero()}}, std::make_shared<ConstantLaw>(Wrench{})});
  model::validate(good);
  const auto expect_complaint = [&](const auto& spoil, const char* words) {
    model::Model bad = good;
    spoil(bad);
    EXPECT_THAT([&] { model::validate(bad); },
                ::testing::ThrowsMessage<std::invalid_argument>(::testing::HasSubstr(words)));
  };
  expect_complaint([](model::Model& model) { model.user_forces[0].law = nullptr; }, "'wind' has no law");
  expect_complaint([](model::Model& model) { model.user_forces[0].points.clear(); }, "'wind' acts on no body");
  expect_complaint([](model::Model& model) { model.user_forces[0].points[0].node = {1}; }, "does not exist");
  expect_complaint([](model::Model& model) { model.user_forces[0].points[0].node = {}; }, "does not exist");
  expect_complaint([](model::Model& model) { model.user_forces[0].points[0].offset[1] = NAN; }, "must be finite");
  expect_complaint(
      [](model::Model& model) {
        model.user_efforts.push_back({"push", {{0}, 0}, nullptr});
      },
      "'push' has no law");
  expect_complaint(
      [](model::Model& model) {
        model.bodies[0].appears = 1;
        model.user_forces[0].points.push_back({{0}, Vector3::UnitX()});
      },
      "'wind' holds the body");
}

}  // namespace
}  // namespace ricochet::mechanics
