#include "ricochet/mechanics/joints/measure.hpp"

#include <gtest/gtest.h>

#include "mechanics/joint_checks.hpp"

namespace ricochet::mechanics {
namespace {

constexpr int measure_count = static_cast<int>(JointMeasure::second_angle) + 1;

RelativePose pose_of(const Vector3& y, const math::Quaternion& rotation) { return {y, rotation, rotation.matrix()}; }

RelativePose moved_pose(const RelativePose& pose, int component, double amount) {
  Vector6 step = Vector6::Zero();
  step[component] = amount;
  return pose_of(pose.y + step.head<3>(), math::advance(pose.rotation, step.tail<3>()));
}

TEST(JointMeasureProperty, GradientAndHessian) {
  math::Random random(121);
  const double small = 1e-5;
  int checked = 0;
  for (int i = 0; i < 100; ++i) {
    const RelativePose pose = pose_of(test::random_vector3(random), test::random_rotation(random));
    for (int k = 0; k < measure_count; ++k) {
      const auto measure = static_cast<JointMeasure>(k);
      SCOPED_TRACE(k);
      const Vector6 gradient = measure_gradient(measure, pose);
      const Matrix6 hessian = measure_hessian(measure, pose);
      const double scale = 1 + gradient.norm() + hessian.norm();
      if (scale > 30 || std::abs(pose.rotation.w) < 1e-3) continue;  // near a singularity differences are useless
      ++checked;
      for (int j = 0; j < 6; ++j) {
        const RelativePose plus = moved_pose(pose, j, small), minus = moved_pose(pose, j, -small);
        double difference = measure_value(measure, plus) - measure_value(measure, minus);
        if (is_periodic(measure)) difference = std::remainder(difference, 2 * M_PI);
        EXPECT_NEAR(gradient[j], difference / (2 * small), 1e-9 * scale * scale * scale);
        EXPECT_LE((hessian.col(j) - (measure_gradient(measure, plus) - measure_gradient(measure, minus)) / (2 * small))
                      .norm(),
                  1e-9 * scale * scale * scale);
      }
    }
  }
  EXPECT_GT(checked, 90 * measure_count);
}

// The twist about z turns with n . omega, n = (A_z + B_z)/(1 + A_z . B_z): along the middle of the two axes.
TEST(JointMeasureProperty, TwistTurnsAboutTheMiddleOfTheAxes) {
  math::Random random(122);
  for (int i = 0; i < 100; ++i) {
    const RelativePose pose = pose_of(Vector3::Zero(), test::random_rotation(random));
    const Vector3 first = pose.axes.row(2), second = Vector3::UnitZ();  // in the axes of B
    const double cosine = first.dot(second);
    if (cosine < -0.9) continue;
    EXPECT_LE((measure_gradient(JointMeasure::twist, pose).tail<3>() - (first + second) / (1 + cosine)).norm(), 1e-13);
    EXPECT_NEAR(
        std::remainder(measure_value(JointMeasure::twist, pose) - 2 * std::atan2(pose.rotation.z, pose.rotation.w),
                       2 * M_PI),
        0, 1e-13);
  }
}

TEST(JointMeasure, ValuesOfAKnownPose) {
  const RelativePose pose = pose_of(Vector3(1, 2, -2), math::Quaternion::from_axis_angle(Vector3::UnitX(), 0.3));
  EXPECT_EQ(measure_value(JointMeasure::x, pose), 1);
  EXPECT_EQ(measure_value(JointMeasure::y, pose), 2);
  EXPECT_EQ(measure_value(JointMeasure::z, pose), -2);
  EXPECT_DOUBLE_EQ(measure_value(JointMeasure::length, pose), 3);
  EXPECT_DOUBLE_EQ(measure_value(JointMeasure::xz, pose), 0);
  EXPECT_DOUBLE_EQ(measure_value(JointMeasure::yz, pose), -std::sin(0.3));
  EXPECT_DOUBLE_EQ(measure_value(JointMeasure::zx, pose), 0);
  EXPECT_DOUBLE_EQ(measure_value(JointMeasure::lock_x, pose), 2 * std::sin(0.15));
  EXPECT_DOUBLE_EQ(measure_value(JointMeasure::twist, pose), 0);
  EXPECT_DOUBLE_EQ(measure_value(JointMeasure::first_angle, pose), 0);
  EXPECT_DOUBLE_EQ(measure_value(JointMeasure::second_angle, pose), 0.3);
}

TEST(JointMeasure, Units) {
  for (const auto measure : {JointMeasure::x, JointMeasure::y, JointMeasure::z, JointMeasure::length}) {
    EXPECT_EQ(unit_of(measure), JointUnit::length);
    EXPECT_FALSE(is_periodic(measure));
  }
  for (const auto measure : {JointMeasure::xz, JointMeasure::yz, JointMeasure::zx, JointMeasure::lock_z}) {
    EXPECT_EQ(unit_of(measure), JointUnit::angle);
    EXPECT_FALSE(is_periodic(measure));
  }
  for (const auto measure : {JointMeasure::twist, JointMeasure::first_angle, JointMeasure::second_angle}) {
    EXPECT_EQ(unit_of(measure), JointUnit::angle);
    EXPECT_TRUE(is_periodic(measure));
  }
}

TEST(JointMeasure, LengthZeroHasNoDirection) {
  const RelativePose pose = pose_of(Vector3::Zero(), {});
  EXPECT_TRUE(measure_gradient(JointMeasure::length, pose).isZero(0));
  EXPECT_TRUE(measure_hessian(JointMeasure::length, pose).isZero(0));
}

}  // namespace
}  // namespace ricochet::mechanics
