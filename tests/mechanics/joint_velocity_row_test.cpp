#include "ricochet/mechanics/joints/velocity_row.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <stdexcept>

#include "mechanics/joint_checks.hpp"

namespace ricochet::mechanics {
namespace {

using model::VelocityKind;

MatrixX row_gradient(const VelocityRow& row, const State& state) {
  VelocityRow::Gradient g;
  row.gradient(state, g);
  return g;
}

VectorX row_velocity(const VelocityRow& row, const VectorX& v) {
  VectorX local(row.columns());
  for (int i = 0; i < row.nodes(); ++i) {
    local.segment(row.column(i), row.v_size(i)) = v.segment(row.v_start(i), row.v_size(i));
  }
  return local;
}

// A ball turned by 90 degrees about x: its y axis is the vertical z of the world.
TEST(VelocityRow, SpinAboutTheVertical) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero(),
                math::Quaternion::from_axis_angle(Vector3::UnitX(), M_PI / 2));
  model.nodes[0].angular_velocity = Vector3(3, 4, 5);
  const DofMap map(model);
  const State state = initial_state(model, map);
  model::VelocityRow data;
  data.second.node = {0};
  data.speed = test::joint_time_function("1+2*t");
  const VelocityRow row = make_velocity_row(model, data, map);
  EXPECT_EQ(row.nodes(), 1);
  EXPECT_EQ(row.columns(), 6);
  EXPECT_EQ(row.unit(), JointUnit::angle);
  EXPECT_NEAR(row.value(state), 4 - 1, 1e-14);
  EXPECT_TRUE(row.depends_on_time());
  EXPECT_EQ(row.time_derivative(0), -2);
  EXPECT_EQ(row.curvature(state), 0);
  VectorX force = VectorX::Zero(6), expected = VectorX::Zero(6);
  row.add_force(state, 7, force);
  expected[4] = 7;
  EXPECT_LE((force - expected).norm(), 1e-14);
  EXPECT_EQ(row.reaction(7).torque, Vector3(0, 0, 7));
  EXPECT_EQ(row.reaction(7).force, Vector3::Zero());
}

// A point 2 m from the centre of a body that turns with 3 rad/s has the centripetal acceleration 18 m/s^2.
TEST(VelocityRow, SpeedOfAPointAlongADirection) {
  model::Model model;
  test::add_point(model, 1, Vector3(9, 9, 9), Vector3(0.5, 0, 0));
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  model.nodes[1].velocity = Vector3(1, 0, 0);
  model.nodes[1].angular_velocity = Vector3(0, 0, 3);
  const DofMap map(model);
  const State state = initial_state(model, map);
  const model::VelocityRow along_x{"x",
                                   VelocityKind::translation,
                                   {{0}, Vector3::Zero()},
                                   {{1}, Vector3(0, 2, 0)},
                                   Vector3::UnitX(),
                                   math::TimeFunction::constant(1)};
  const VelocityRow row = make_velocity_row(model, along_x, map);
  EXPECT_EQ(row.unit(), JointUnit::length);
  EXPECT_EQ(row.columns(), 9);
  EXPECT_NEAR(row.value(state), 1 - 6 - 0.5 - 1, 1e-14);
  EXPECT_FALSE(row.depends_on_time());
  EXPECT_NEAR(row.curvature(state), 0, 1e-14);
  EXPECT_EQ(row.reaction(7).force, Vector3(7, 0, 0));
  model::VelocityRow along_y = along_x;
  along_y.axis = Vector3::UnitY();
  EXPECT_NEAR(make_velocity_row(model, along_y, map).curvature(state), -18, 1e-13);
}

// Gradient against the velocities themselves, curvature and tangent against differences along a motion.
TEST(VelocityRowProperty, DerivativesAndForces) {
  math::Random random(51);
  for (int i = 0; i < 200; ++i) {
    model::Model model;
    test::add_random_frame(model, random);
    test::add_random_point(model, random);
    test::add_random_frame(model, random);
    const bool rotation = i % 2 == 0;
    const int rotating[][2] = {{-1, 0}, {2, -1}, {0, 2}};
    const int moving[][2] = {{-1, 1}, {0, -1}, {0, 2}, {1, 2}, {2, 1}};
    const auto& nodes = rotation ? rotating[i % 3] : moving[i % 5];
    const auto attachment = [&](int node) -> model::Attachment {
      return {{node}, node == 1 ? Vector3(Vector3::Zero()) : Vector3(test::random_vector3(random))};
    };
    model::VelocityRow data{"row",
                            rotation ? VelocityKind::rotation : VelocityKind::translation,
                            attachment(nodes[0]),
                            attachment(nodes[1]),
                            test::random_vector3(random).normalized(),
                            test::joint_time_function("3+sin(2*t)")};
    const DofMap map(model);
    State state = initial_state(model, map);
    state.time = random.uniform(0, 3);
    const VelocityRow row = make_velocity_row(model, data, map);

    // The velocity of each side by its definition, in the world.
    const auto velocity = [&](const model::Attachment& side) -> Vector3 {
      const int node = side.node.index;
      if (node < 0) return Vector3::Zero();
      Vector3 v = state.v.segment<3>(map.v_start(node));
      if (!map.is_frame(node)) return v;
      const Vector3 omega = orientation(map, state, node).rotate(Vector3(state.v.segment<3>(map.v_start(node) + 3)));
      return rotation ? omega : Vector3(v + math::cross(omega, orientation(map, state, node).rotate(side.offset)));
    };
    const double speed = 3 + std::sin(2 * state.time);
    EXPECT_NEAR(row.value(state), data.axis.dot(velocity(data.second) - velocity(data.first)) - speed, 1e-13);
    const VectorX v = row_velocity(row, state.v);
    const MatrixX g = row_gradient(row, state);
    ASSERT_EQ(g.cols(), row.columns());
    EXPECT_NEAR(row.value(state), (g * v)(0) - speed, 1e-13);

    const double small = 1e-5;
    State at_plus = state, at_minus = state;
    at_plus.time += small;
    at_minus.time -= small;
    EXPECT_NEAR(row.time_derivative(state.time), (row.value(at_plus) - row.value(at_minus)) / (2 * small), 1e-8);

    const State later = test::advanced(map, state, state.v, small),
                before = test::advanced(map, state, state.v, -small);
    const double gamma = row.curvature(state), scale = 1 + v.squaredNorm() * (1 + g.norm());
    EXPECT_NEAR(gamma, (row.value(later) - row.value(before)) / (2 * small), 1e-7 * scale);
    if (rotation) {
      EXPECT_EQ(gamma, 0);
    }

    const double lambda = random.normal();
    VelocityRow::Tangent k;
    row.tangent(state, lambda, k);
    EXPECT_NEAR(lambda * gamma, v.dot(k * v), 1e-12 * scale * (1 + std::abs(lambda)));
    MatrixX wide = MatrixX::Zero(map.v_total(), map.v_total());
    VectorX expected = VectorX::Zero(map.v_total());
    for (int a = 0; a < row.nodes(); ++a) {
      expected.segment(row.v_start(a), row.v_size(a)) = lambda * g.middleCols(row.column(a), row.v_size(a)).transpose();
      for (int b = 0; b < row.nodes(); ++b) {
        wide.block(row.v_start(a), row.v_start(b), row.v_size(a), row.v_size(b)) =
            k.block(row.column(a), row.column(b), row.v_size(a), row.v_size(b));
      }
    }
    const auto force = [&](const State& at) {
      VectorX result = VectorX::Zero(map.v_total());
      row.add_force(at, lambda, result);
      return result;
    };
    EXPECT_LE((force(state) - expected).norm(), 1e-14 * scale);
    for (int c = 0; c < map.v_total(); ++c) {
      const VectorX unit = VectorX::Unit(map.v_total(), c);
      const VectorX difference =
          (force(test::advanced(map, state, unit, small)) - force(test::advanced(map, state, unit, -small))) /
          (2 * small);
      EXPECT_LE((wide.col(c) - difference).norm(), 1e-8 * scale) << "column " << c;
    }

    // The reaction is what the second side gets, in the world; its power with lambda . u is that of the force.
    EXPECT_NEAR(force(state).dot(state.v), lambda * (row.value(state) + speed), 1e-12 * scale);
    const Joint::Reaction reaction = row.reaction(lambda);
    const double given =
        (rotation ? reaction.torque : reaction.force).dot(velocity(data.second) - velocity(data.first));
    EXPECT_NEAR(given, lambda * (row.value(state) + speed), 1e-12 * scale);
  }
}

TEST(VelocityRowBadInput, SaysWhatIsWrong) {
  struct Spoiled {
    std::function<void(model::Model&, model::VelocityRow&)> spoil;
    const char* word;
  };
  const std::vector<Spoiled> cases = {
      {[](model::Model&, model::VelocityRow& r) { r.second.node = {2}; }, "does not exist"},
      {[](model::Model&, model::VelocityRow& r) { r.first.node = {-2}; }, "does not exist"},
      {[](model::Model&, model::VelocityRow& r) { r.second.node = {}; }, "in the world"},
      {[](model::Model&, model::VelocityRow& r) { r.first.node = {0}; }, "same node"},
      {[](model::Model&, model::VelocityRow& r) { r.second.node = {1}; }, "'body1' is a point and does not rotate"},
      {[](model::Model&, model::VelocityRow& r) {
         r.kind = VelocityKind::translation;
         r.second = {{1}, Vector3::UnitX()};
       },
       "without an offset"},
      {[](model::Model&, model::VelocityRow& r) { r.axis = Vector3(1, 1, 0); }, "unit vector"},
      {[](model::Model&, model::VelocityRow& r) { r.axis.x() = std::numeric_limits<double>::quiet_NaN(); }, "unit"},
      {[](model::Model&, model::VelocityRow& r) { r.second.offset.x() = std::numeric_limits<double>::infinity(); },
       "finite"},
      {[](model::Model& m, model::VelocityRow& r) { m.planar = true, r.axis = Vector3::UnitX(); }, "plane"},
      {[](model::Model& m, model::VelocityRow& r) { m.planar = true, r.kind = VelocityKind::translation; }, "plane"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    model::Model model;
    test::add_ball(model, 1, 1, Vector3::Zero());
    test::add_point(model, 1, Vector3::UnitX());
    model::VelocityRow row;
    row.name = "no spin";
    row.second.node = {0};
    cases[i].spoil(model, row);
    const DofMap map(model);
    try {
      make_velocity_row(model, row, map);
      ADD_FAILURE() << "case " << i << " (" << cases[i].word << ") was accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(cases[i].word)) << "case " << i;
      EXPECT_THAT(error.what(), testing::HasSubstr("'no spin'"));
    }
  }
}

}  // namespace
}  // namespace ricochet::mechanics
