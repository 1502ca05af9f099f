// Contacts with faces that move and turn: what the scheme keeps there.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

// A ball drops on a plate that turns about its middle, held there or floating, in space.
model::Model ball_and_plate(bool is_held, double friction, double restitution) {
  model::Model model;
  test::add_ball(model, 0.5, 0.1, Vector3(0.4, 0.3, 0.6), Vector3(0.1, 0.2, -2));
  model.nodes[0].angular_velocity = Vector3(1, -2, 3);
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.angular_velocity = Vector3(0.3, 0.2, 1.5);
  node.orientation = math::Quaternion::from_axis_angle(Vector3::UnitX(), 0.2);
  if (is_held) node.fixed = {true, true, true, false, false, false};
  test::add_body(model, node, 2, model::FaceShape{Vector2(4, 4)}, Vector3(1, 1.2, 2).asDiagonal());
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {friction, restitution, 0});
  return model;
}

TEST(MoreauJeanFace, ElasticImpactsConserveEnergy) {
  for (const bool is_held : {false, true}) {
    model::Model model = ball_and_plate(is_held, 0, 1);
    if (is_held) model.gravity = Vector3(0, 0, -9.81);
    test::Runner run(model);
    const double before = run.energy();
    int impacts = 0;
    for (int step = 0; step < 1500; ++step) {
      run.step();
      for (const auto& contact : run.report.contacts) impacts += contact.impulse[0] > 0.1 ? 1 : 0;
      ASSERT_LE(std::abs(run.closing_error), 1e-12 * run.energy_scale) << step;
    }
    EXPECT_GE(impacts, 1);
    EXPECT_NEAR(run.energy(), before, 1e-10 * before);
  }
}

TEST(MoreauJeanFace, ImpactsConserveMomentum) {
  for (const double friction : {0.0, 0.4}) {
    test::Runner run(ball_and_plate(false, friction, 0.5));
    const Vector3 momentum = run.momentum();
    int impacts = 0;
    for (int step = 0; step < 600; ++step) {
      run.step();
      ASSERT_LE((run.momentum() - momentum).norm(), 1e-13);
      for (const auto& contact : run.report.contacts) impacts += contact.impulse[0] > 0.1 ? 1 : 0;
    }
    EXPECT_GE(impacts, 1);
  }
}

// On a level plate that is held everywhere a block rests as on a plane, on the points that are its corners.
TEST(MoreauJeanFace, CornersRestOnAFixedFaceAsOnAPlane) {
  model::Model model;
  model.gravity = Vector3(0, 0, -10);
  test::add_box(model, 2, Vector3(0.5, 0.5, 0.25), Vector3(0, 0, 0.25));
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.fixed = {true, true, true, true, true, true};
  test::add_body(model, node, 1, model::FaceShape{Vector2(1, 1)}, Matrix3::Identity());
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {0.5, 0, 0});
  test::Runner run(model);
  for (int step = 0; step < 50; ++step) {
    const StepReport& report = run.step();
    double sum = 0;
    ASSERT_EQ(report.contacts.size(), 4u);
    for (const auto& contact : report.contacts) sum += contact.impulse[0];
    EXPECT_NEAR(sum, 2 * 10 * run.h, 1e-13);
  }
  EXPECT_NEAR(run.position(0).z(), 0.25, 1e-14);
}

}  // namespace
}  // namespace ricochet::integrate
