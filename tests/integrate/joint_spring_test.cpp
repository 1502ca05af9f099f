// Bodies on hinges and slides with springs, step by step: frequency, damping, whole turns, and a ledger that closes.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

using model::JointType;

// A block of 3 kg, 1 x 0.2 x 0.2 m, without gravity, on a slide along x or a hinge about z; the joint is `arm` off its
// centre, where the block begins at `place`.
struct SprungBlock {
  JointType type = JointType::prismatic;
  bool planar = false;
  double arm = 0;
  Vector3 place = Vector3::Zero();
  double stiffness = 0, damping = 0;
  math::TimeFunction rest = {};
  double speed = 0;  // of the coordinate, where the arm is zero

  double inertia() const { return type == JointType::prismatic ? 3 : 3 * (1.0 + 0.04) / 12 + 3 * arm * arm; }

  model::Model model() const {
    const bool hinge = type == JointType::revolute;
    model::Model model;
    model.planar = planar;
    test::add_box(model, 3, Vector3(0.5, 0.1, 0.1), place);
    (hinge ? model.nodes[0].angular_velocity.z() : model.nodes[0].velocity.x()) = speed;
    model::Joint joint;
    joint.name = "guide";
    joint.type = type;
    const math::Quaternion axes = model::axes_along(hinge ? Vector3::UnitZ() : Vector3::UnitX());
    joint.first = {{{}, place - Vector3(arm, 0, 0)}, axes};
    joint.second = {{{0}, Vector3(-arm, 0, 0)}, axes};
    model.joints.push_back(joint);
    model.joint_springs.push_back({{{0}, 0}, stiffness, damping, rest});
    return model;
  }
};

double spring_coordinate(const test::Runner& run) { return run.now.state.angles[0]; }

math::TimeFunction rest_function(const char* text) { return math::TimeFunction(math::Expression::parse(text)); }

double account_error(const test::Runner& run) { return std::abs(run.closing_error); }

// theta = 1/2 is Cayley's map of the oscillator: rest - s_n = rest cos(n alpha), tan(alpha/2) = omega h/2.
TEST(JointSpringRun, Frequency) {
  for (const JointType type : {JointType::prismatic, JointType::revolute}) {
    for (const bool planar : {true, false}) {
      const double omega = 2, h = 0.05, alpha = 2 * std::atan(0.5 * omega * h);
      SprungBlock block{.type = type, .planar = planar, .rest = math::TimeFunction::constant(1)};
      block.stiffness = block.inertia() * omega * omega;
      test::Runner run(block.model(), {.h = h});
      for (int i = 1; i <= 200; ++i) {
        run.step();
        ASSERT_NEAR(1 - spring_coordinate(run), std::cos(i * alpha), 1e-12) << i;
        ASSERT_LE(account_error(run), 1e-13 * block.stiffness) << i;
      }
    }
  }
}

// A rod on a hinge at its end. In a step by an angle d its centre moves along the chord of its circle, which makes its
// inertia smaller by at most d^2/8, and the phase runs ahead by half of that.
TEST(JointSpringRun, FrequencyOfARodOnAHinge) {
  for (const bool planar : {true, false}) {
    const double omega = 2, h = 0.05, alpha = 2 * std::atan(0.5 * omega * h), rest = 0.5;
    SprungBlock rod{.type = JointType::revolute,
                    .planar = planar,
                    .arm = 0.5,
                    .place = {0.5, 0, 0},
                    .rest = math::TimeFunction::constant(rest)};
    rod.stiffness = rod.inertia() * omega * omega;
    test::Runner run(rod.model(), {.h = h});
    const double inertia_error = std::pow(rest * omega * h, 2) / 8;
    for (int i = 1; i <= 200; ++i) {
      run.step();
      const double tolerance = rest * (inertia_error * (0.5 * i * alpha + 1));
      ASSERT_NEAR(rest - spring_coordinate(run), rest * std::cos(i * alpha), tolerance) << i;
      ASSERT_LE(account_error(run), 1e-13 * rod.stiffness) << i;
    }
  }
}

// 20 rad, more than three turns, and back, and the other way.
TEST(JointSpringRun, ThreeTurnsAndBack) {
  for (const bool planar : {true, false}) {
    const double omega = 2, h = 0.01, amplitude = 20, alpha = 2 * std::atan(0.5 * omega * h);
    SprungBlock block{.type = JointType::revolute, .planar = planar, .speed = amplitude * omega};
    block.stiffness = block.inertia() * omega * omega;
    test::Runner run(block.model(), {.h = h});
    double largest = 0, smallest = 0;
    for (int i = 1; i <= 400; ++i) {
      run.step();
      const double angle = spring_coordinate(run);
      ASSERT_NEAR(angle, amplitude * std::sin(i * alpha), 1e-10);
      largest = std::max(largest, angle);
      smallest = std::min(smallest, angle);
    }
    EXPECT_GT(largest, 6 * M_PI);
    EXPECT_LT(smallest, -6 * M_PI);
  }
}

// m (v_1 - v_0) = h (k (rest(t_theta) - s_theta) - d v_theta) with s_theta = s_0 + theta h v_theta, whatever moves the
// rest position; damper, mover and scheme each have their account.
TEST(JointSpringRun, DampedBlockOnAShakenSpring) {
  for (const double theta : {0.5, 0.75, 1.0}) {
    const double stiffness = 40, damping = 2, mass = 3, h = 0.02;
    const math::TimeFunction rest = rest_function("0.3*sin(5*t) + (t < 1 ? 0 : 0.2)");
    test::Runner run(SprungBlock{.stiffness = stiffness, .damping = damping, .rest = rest, .speed = 1}.model(),
                     {.h = h, .scheme = {.theta = theta}});
    double place = 0, speed = 1, given = 0, taken = 0;
    for (int i = 0; i < 200; ++i) {
      const double begin = run.now.state.time, before = run.energy();
      const double rest_0 = rest.value(begin), rest_1 = rest.value(begin + h);
      const double force = stiffness * (rest.value(begin + theta * h) - place - theta * h * speed) - damping * speed;
      const double change = h * force / (mass + theta * h * damping + theta * theta * h * h * stiffness);
      const double middle = speed + theta * change, end = place + h * middle;
      run.step();
      given += run.report.works.loads;
      taken += run.report.works.damping;
      ASSERT_NEAR(spring_coordinate(run), end, 1e-12);
      ASSERT_NEAR(run.report.works.damping, h * damping * middle * middle, 1e-13);
      ASSERT_NEAR(run.report.works.loads, -stiffness * (0.5 * (place + end - rest_0 - rest_1)) * (rest_1 - rest_0),
                  1e-13);
      ASSERT_LE(account_error(run), 1e-13 * (before + stiffness * 0.5 * 0.5));
      place = end;
      speed += change;
    }
    EXPECT_GT(given, 0.5);
    EXPECT_GT(taken, 0.5);
  }
}

// The rest position jumps while the block stands still: who moved it gave k/2 of the square of the jump, and the scheme
// nothing but what a step of the motion that follows is worth.
TEST(JointSpringRun, AJumpIsWorkOfLoads) {
  const double stiffness = 12, omega = 2, h = 1e-3;  // of 3 kg
  test::Runner run(SprungBlock{.stiffness = stiffness, .rest = rest_function("t < 0.0105 ? 0 : 0.4")}.model(),
                   {.h = h});
  double given = 0, numerical = 0;
  for (int i = 0; i < 1000; ++i) {
    run.step();
    given += run.report.works.loads;
    numerical += run.report.works.numerical;
  }
  const double energy = 0.5 * stiffness * 0.4 * 0.4;
  EXPECT_NEAR(given, energy, energy * omega * omega * h * h);
  EXPECT_NEAR(numerical, 0, energy * omega * omega * h * h);
  EXPECT_NEAR(0.4 - spring_coordinate(run), 0.4 * std::cos(omega * (1 - 0.0105)), 0.4 * omega * h);
}

// A block 1 km away comes to rest at zero, where nothing is left but rounding: the steps go on converging.
TEST(JointSpringRun, ComesToRestFarAway) {
  for (const bool planar : {true, false}) {
    const SprungBlock block{
        .planar = planar, .place = {1000, 300, 0}, .stiffness = 300, .damping = 60, .rest = {}, .speed = 1};
    test::Runner run(block.model(), {.h = 0.01});
    for (int i = 0; i < 1000; ++i) {
      run.step();
      ASSERT_LE(run.report.motion_iterations, 3);
    }
    EXPECT_LE(std::abs(spring_coordinate(run)), 1e-12);
  }
}

}  // namespace
}  // namespace ricochet::integrate
