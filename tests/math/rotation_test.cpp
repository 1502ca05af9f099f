// Rotations: closed forms, round trips at the awkward angles, and the tangents against independent derivatives.
#include "ricochet/math/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "ricochet/math/random.hpp"

namespace ricochet::math {
namespace {

constexpr double kPi = std::numbers::pi;

Vector3 random_direction(Random& random) {
  for (;;) {
    const Vector3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
  }
}

// exp(a) by its power series in complex long double: no formula of the code under test enters. |a| up to 2 pi.
using ComplexMatrix = Eigen::Matrix<std::complex<long double>, 3, 3>;
using ComplexVector = Eigen::Matrix<std::complex<long double>, 3, 1>;

ComplexMatrix series_exponential(const ComplexVector& a) {
  ComplexMatrix generator;
  const std::complex<long double> zero = 0;
  generator << zero, -a(2), a(1), a(2), zero, -a(0), -a(1), a(0), zero;
  ComplexMatrix sum = ComplexMatrix::Identity();
  ComplexMatrix term = ComplexMatrix::Identity();
  for (int k = 1; k < 60; ++k) {
    term = (term * generator / static_cast<long double>(k)).eval();
    sum += term;
  }
  return sum;
}

// Column j of the right tangent is the body angular velocity for d psi/dt = e_j: the vector of R^T dR/d psi_j. The
// derivative is a complex step, exact to rounding.
Matrix3 differentiated_right_tangent(const Vector3& psi) {
  Matrix3 result;
  const ComplexVector base = psi.cast<std::complex<long double>>();
  const long double step = 1e-30L;
  for (int j = 0; j < 3; ++j) {
    ComplexVector shifted = base;
    shifted(j) += std::complex<long double>(0, step);
    const Eigen::Matrix<long double, 3, 3> derivative = series_exponential(shifted).imag() / step;
    const Eigen::Matrix<long double, 3, 3> spin = series_exponential(base).real().transpose() * derivative;
    result.col(j) =
        Vector3(static_cast<double>(spin(2, 1)), static_cast<double>(spin(0, 2)), static_cast<double>(spin(1, 0)));
  }
  return result;
}

const double kAngles[] = {0,         1e-300, 1e-160, 1e-20,  1e-9, 1e-8, 2e-8, 1e-4,       0.01, 0.3,
                          0.4999999, 0.5,    0.51,   0.9999, 1.0,  1.5,  2.5,  kPi - 1e-4, 3.1,  kPi - 1e-9};

TEST(Rotation, QuarterTurnAboutZ) {
  const Quaternion q = Quaternion::from_axis_angle({0, 0, 3}, kPi / 2);
  EXPECT_NEAR((q.rotate({1, 0, 0}) - Vector3(0, 1, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((q.rotate_inverse({1, 0, 0}) - Vector3(0, -1, 0)).norm(), 0, 1e-15);
  Matrix3 expected;
  expected << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_NEAR((q.matrix() - expected).norm(), 0, 1e-15);
  EXPECT_NEAR((exponential_matrix({0, 0, kPi / 2}) - expected).norm(), 0, 1e-15);
}

TEST(Rotation, SkewIsTheCrossProduct) {
  const Vector3 a(1, 2, 3);
  const Vector3 b(-4, 5, 7);
  EXPECT_EQ(Vector3(skew(a) * b), Vector3(2 * 7 - 3 * 5, 3 * -4 - 1 * 7, 1 * 5 - 2 * -4));
  EXPECT_EQ(cross(a, b), Vector3(skew(a) * b));
}

TEST(Rotation, DefaultIsTheIdentity) {
  EXPECT_EQ(Quaternion().matrix(), Matrix3(Matrix3::Identity()));
  EXPECT_EQ(logarithm(Quaternion()), Vector3(Vector3::Zero()));
}

TEST(Rotation, AxisWithoutDirectionIsRefused) {
  EXPECT_THROW(Quaternion::from_axis_angle(Vector3::Zero(), 1), std::invalid_argument);
  EXPECT_THROW(Quaternion::from_axis_angle({std::nan(""), 0, 1}, 1), std::invalid_argument);
  EXPECT_NEAR(Quaternion::from_axis_angle({0, 1e-200, 0}, kPi).y, 1, 1e-15);
}

TEST(Rotation, NormOfExtremeQuaternions) {
  EXPECT_DOUBLE_EQ((Quaternion{3e-200, 0, 4e-200, 0}).norm(), 5e-200);
  EXPECT_DOUBLE_EQ((Quaternion{3e200, 0, 4e200, 0}).norm(), 5e200);
  EXPECT_DOUBLE_EQ((Quaternion{3e200, 0, 4e200, 0}).normalized().y, 0.8);
  EXPECT_TRUE(std::isnan((Quaternion{0, 0, 0, 0}).normalized().w));
}

TEST(Rotation, LogarithmAtHalfATurn) {
  const Vector3 expected(0, kPi, 0);
  EXPECT_EQ(logarithm(Quaternion{0, 0, 1, 0}), expected);
  EXPECT_EQ(logarithm(Quaternion{0, 0, -1, 0}), expected);
  EXPECT_EQ(logarithm(Quaternion{-0.0, 0, -1, 0}), expected);
  Matrix3 half_turn = Matrix3::Zero();
  half_turn.diagonal() << -1, 1, -1;
  EXPECT_EQ(logarithm(half_turn), expected);
  EXPECT_EQ(logarithm(Quaternion{0, 0, 0, -1}), Vector3(0, 0, kPi));
  EXPECT_EQ(logarithm(Quaternion{0, -1, 0, 0}), Vector3(kPi, 0, 0));
}

TEST(RotationProperty, ExponentialAgreesWithThePowerSeries) {
  Random random(1);
  for (const double angle : kAngles) {
    for (int i = 0; i < 10; ++i) {
      const Vector3 psi = angle * random_direction(random);
      const Matrix3 expected = series_exponential(psi.cast<std::complex<long double>>()).real().cast<double>();
      EXPECT_LT((exponential_matrix(psi) - expected).norm(), 2e-15) << angle;
      EXPECT_LT(std::abs(exponential(psi).norm() - 1), 5e-16) << angle;
    }
  }
}

TEST(RotationProperty, LogarithmInvertsTheExponential) {
  Random random(2);
  for (const double angle : kAngles) {
    for (int i = 0; i < 20; ++i) {
      const Vector3 psi = angle * random_direction(random);
      const Quaternion q = exponential(psi);
      const double tolerance = angle < 1e-7 ? 1e-15 * angle : 1e-12;  // small vectors to full relative accuracy
      EXPECT_LE((logarithm(q) - psi).stableNorm(), tolerance) << angle;
      EXPECT_LE((logarithm(exponential_matrix(psi)) - psi).stableNorm(), tolerance) << angle;
      EXPECT_EQ(logarithm(Quaternion{-q.w, -q.x, -q.y, -q.z}), logarithm(q));
      // Not normalised: the same rotation.
      EXPECT_LE((logarithm(Quaternion{3 * q.w, 3 * q.x, 3 * q.y, 3 * q.z}) - psi).stableNorm(), 2 * tolerance);
    }
  }
  // At pi, psi and -psi are one rotation.
  for (int i = 0; i < 100; ++i) {
    const Vector3 psi = kPi * random_direction(random);
    for (const Vector3& back : {logarithm(exponential(psi)), logarithm(exponential_matrix(psi))}) {
      EXPECT_LT(std::min((back - psi).norm(), (back + psi).norm()), 1e-12);
      EXPECT_LE(back.norm(), kPi + 1e-15);
    }
  }
  // Beyond pi the logarithm goes the short way round.
  const Vector3 axis = random_direction(random);
  EXPECT_LT((logarithm(exponential(4 * axis)) - (4 - 2 * kPi) * axis).norm(), 1e-12);
}

TEST(RotationProperty, ProductComposesAndRotateAgreesWithTheMatrix) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Quaternion a = exponential(random.uniform(0, 6) * random_direction(random));
    const Quaternion b = exponential(random.uniform(0, 6) * random_direction(random));
    const Vector3 v = random_direction(random);
    EXPECT_LT(((a * b).matrix() - a.matrix() * b.matrix()).norm(), 3e-15);
    EXPECT_LT((a.rotate(v) - a.matrix() * v).norm(), 1e-15);
    EXPECT_LT((a.rotate_inverse(v) - a.matrix().transpose() * v).norm(), 1e-15);
    EXPECT_LT((Quaternion::from_matrix(a.matrix()).matrix() - a.matrix()).norm(), 3e-15);
    EXPECT_GE(Quaternion::from_matrix(a.matrix()).w, 0);
  }
}

TEST(RotationProperty, TangentsAgreeWithTheDerivativeOfTheExponential) {
  Random random(4);
  for (const double angle : kAngles) {
    for (const double sum : {angle, angle + kPi - 0.01}) {
      const Vector3 psi = sum * random_direction(random);
      const Matrix3 expected = differentiated_right_tangent(psi);
      EXPECT_LT((right_tangent(psi) - expected).norm(), 1e-14) << sum;
      EXPECT_LT((left_tangent(psi) - expected.transpose()).norm(), 1e-14) << sum;
      // The world angular velocity is R times the body angular velocity.
      EXPECT_LT((left_tangent(psi) - exponential_matrix(psi) * expected).norm(), 1e-14) << sum;
    }
  }
}

TEST(RotationProperty, TangentInverses) {
  Random random(5);
  for (const double angle : kAngles) {
    for (const double sum : {angle, angle + kPi - 0.01}) {
      const Vector3 psi = sum * random_direction(random);
      EXPECT_LT((right_tangent(psi) * right_tangent_inverse(psi) - Matrix3::Identity()).norm(), 1e-12) << sum;
      EXPECT_LT((left_tangent_inverse(psi) * left_tangent(psi) - Matrix3::Identity()).norm(), 1e-12) << sum;
    }
  }
}

TEST(RotationProperty, AdvanceDoesNotDrift) {
  Quaternion q = exponential({0.1, 0.2, 0.3});
  for (int i = 0; i < 100000; ++i) q = advance(q, {0.01, -0.02, 0.003});
  EXPECT_LT(std::abs(q.norm() - 1), 4e-16);
  // The increments commute with each other: the result is one large rotation.
  const Vector3 total = 100000 * Vector3(0.01, -0.02, 0.003);
  const Matrix3 closed = exponential_matrix({0.1, 0.2, 0.3}) *
                         Quaternion::from_axis_angle(total, std::fmod(total.norm(), 4 * kPi)).matrix();
  EXPECT_LT((q.matrix() - closed).norm(), 1e-9);
}

TEST(RotationProperty, AdvanceAppliesTheIncrementOnTheRight) {
  const Quaternion q = exponential({0.4, -0.3, 0.9});
  const Vector3 increment(0.05, 0.2, -0.1);
  EXPECT_LT((advance(q, increment).matrix() - q.matrix() * exponential_matrix(increment)).norm(), 1e-15);
}

}  // namespace
}  // namespace ricochet::math
