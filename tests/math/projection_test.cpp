// Projections: closed forms, edge cases, and the variational characterisation of a projection onto a convex cone.
#include "ricochet/math/projection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "ricochet/math/random.hpp"

namespace ricochet::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double tangent_norm(const Vector3& x) { return x.tail<2>().stableNorm(); }

TEST(Projection, ThreeRegionsOfTheCone) {
  EXPECT_EQ(project_onto_cone(0.5, Vector3(2, 0.6, -0.8)), Vector3(2, 0.6, -0.8));  // on the boundary
  EXPECT_EQ(project_onto_cone(0.5, Vector3(-2, 0.6, 0.8)), Vector3(0, 0, 0));       // in the polar cone
  EXPECT_LT((project_onto_cone(1, Vector3(0, 3, 4)) - Vector3(2.5, 1.5, 2)).norm(), 1e-15);
  EXPECT_LT((project_onto_cone(2, Vector3(0, 3, 4)) - Vector3(2, 2.4, 3.2)).norm(), 1e-15);
  EXPECT_LT((project_onto_dual_cone(0.5, Vector3(0, 3, 4)) - Vector3(2, 2.4, 3.2)).norm(), 1e-15);
  EXPECT_EQ(project_onto_dual_cone(0.5, Vector3(-10, 3, 4)), Vector3(0, 0, 0));
}

TEST(Projection, NoFrictionAndInfiniteFriction) {
  EXPECT_EQ(project_onto_cone(0, Vector3(2, 3, 4)), Vector3(2, 0, 0));
  EXPECT_EQ(project_onto_cone(0, Vector3(-2, 3, 4)), Vector3(0, 0, 0));
  EXPECT_EQ(project_onto_cone(0, Vector3(-2, 0, 0)), Vector3(0, 0, 0));
  EXPECT_EQ(project_onto_dual_cone(0, Vector3(-2, 3, 4)), Vector3(0, 3, 4));
  EXPECT_EQ(project_onto_dual_cone(0, Vector3(2, 3, 4)), Vector3(2, 3, 4));
  EXPECT_EQ(project_onto_dual_cone(0, Vector3(-2, 0, 0)), Vector3(0, 0, 0));
  for (const double friction : {1e160, 1e300, kInfinity}) {
    EXPECT_LT((project_onto_cone(friction, Vector3(-2, 3, 4)) - Vector3(0, 3, 4)).norm(), 1e-15) << friction;
    EXPECT_EQ(project_onto_cone(friction, Vector3(2, 3, 4)), Vector3(2, 3, 4)) << friction;
    EXPECT_LT((project_onto_dual_cone(friction, Vector3(2, 3, 4)) - Vector3(2, 0, 0)).norm(), 1e-15) << friction;
    EXPECT_EQ(project_onto_cone(friction, Vector3(-2, 0, 0)), Vector3(0, 0, 0)) << friction;
  }
}

TEST(Projection, TinyVectorsDoNotVanish) {
  EXPECT_LT((project_onto_cone(1, Vector3(0, 3e-200, 4e-200)) * 1e200 - Vector3(2.5, 1.5, 2)).norm(), 1e-15);
  EXPECT_LT((project_onto_disc(1e-200, Vector2(3e-200, 4e-200)) * 1e200 - Vector2(0.6, 0.8)).norm(), 1e-15);
  EXPECT_LT((project_onto_disc(1e200, Vector2(3e200, 4e200)) * 1e-200 - Vector2(0.6, 0.8)).norm(), 1e-15);
}

TEST(Projection, SizesOneAndTwo) {
  double negative = -3;
  project_onto_cone(0.5, std::span<double>(&negative, 1));
  EXPECT_EQ(negative, 0);
  double positive = 3;
  project_onto_dual_cone(0.5, std::span<double>(&positive, 1));
  EXPECT_EQ(positive, 3);
  std::vector<double> planar = {0, -5};
  project_onto_cone(2, planar);
  EXPECT_DOUBLE_EQ(planar[0], 2);
  EXPECT_DOUBLE_EQ(planar[1], -4);
  planar = {0, -5};
  project_onto_dual_cone(2, planar);
  EXPECT_DOUBLE_EQ(planar[0], 2);
  EXPECT_DOUBLE_EQ(planar[1], -1);
  project_onto_cone(1, std::span<double>());
  project_onto_dual_cone(1, std::span<double>());
  project_onto_disc(1, std::span<double>());
}

TEST(Projection, HalfLineAndDisc) {
  EXPECT_EQ(project_onto_half_line(-1e-300), 0);
  EXPECT_EQ(project_onto_half_line(2), 2);
  EXPECT_EQ(project_onto_disc(5, Vector2(3, 4)), Vector2(3, 4));
  EXPECT_LT((project_onto_disc(1, Vector2(3, -4)) - Vector2(0.6, -0.8)).norm(), 1e-15);
  EXPECT_EQ(project_onto_disc(0, Vector2(3, -4)).norm(), 0);
  EXPECT_EQ(project_onto_disc(-1, Vector2(3, -4)).norm(), 0);
  EXPECT_EQ(project_onto_disc(0, Vector2(0, 0)).norm(), 0);
  double interval = -7;
  project_onto_disc(2, std::span<double>(&interval, 1));
  EXPECT_EQ(interval, -2);
}

TEST(Projection, NotANumberStays) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(project_onto_half_line(nan)));
  EXPECT_TRUE(std::isnan(project_onto_cone(0.5, Vector3(nan, 1, 1))[0]));
  EXPECT_TRUE(std::isnan(project_onto_cone(0.5, Vector3(1, nan, 1))[0]));
  EXPECT_TRUE(std::isnan(project_onto_cone(nan, Vector3(1, 1, 1))[0]));
  EXPECT_TRUE(std::isnan(project_onto_dual_cone(0.5, Vector3(1, nan, 1))[0]));
  EXPECT_TRUE(std::isnan(project_onto_disc(1, Vector2(nan, 0))[0]));
}

TEST(ProjectionProperty, VariationalCharacterisationAndMoreau) {
  Random random(1);
  const double frictions[] = {0, 1e-12, 0.1, 0.5, 1, 1.5, 30, 1e8};
  int inside = 0;
  int polar = 0;
  for (int i = 0; i < 4000; ++i) {
    const double friction = frictions[random.integer(8)];
    const Vector3 x(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
    const Vector3 p = project_onto_cone(friction, x);
    const Vector3 rest = x - p;
    inside += p == x ? 1 : 0;
    polar += p.norm() == 0 ? 1 : 0;
    // p is in K; x - p is in the polar cone -K*; they are orthogonal: this characterises the projection.
    ASSERT_LE(tangent_norm(p), friction * p[0] + 1e-14 * (1 + friction * p[0]));
    ASSERT_LE(friction * tangent_norm(rest), -rest[0] + 1e-14 * (1 + friction));
    ASSERT_NEAR(p.dot(rest), 0, 1e-14);
    // Moreau: x = P_K(x) - P_K*(-x).
    ASSERT_LT((x - p + project_onto_dual_cone(friction, -x)).norm(), 2e-15);
    ASSERT_LT((project_onto_cone(friction, p) - p).norm(), 2e-15);
    const Vector3 d = project_onto_dual_cone(friction, x);
    ASSERT_LT((project_onto_dual_cone(friction, d) - d).norm(), 2e-15);
    // Not expansive.
    const Vector3 y(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
    ASSERT_LE((project_onto_cone(friction, y) - p).norm(), (y - x).norm() + 1e-15);
    // Powers of two scale bit for bit.
    ASSERT_EQ(project_onto_cone(friction, 1024 * x), Vector3(1024 * p));
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(polar, 100);
}

TEST(ProjectionProperty, PlanarIsSpatialWithoutSecondTangent) {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const double friction = random.uniform(0, 3);
    std::vector<double> planar = {random.uniform(-2, 2), random.uniform(-2, 2)};
    std::vector<double> dual = planar;
    const Vector3 x(planar[0], planar[1], 0);
    project_onto_cone(friction, planar);
    project_onto_dual_cone(friction, dual);
    ASSERT_LT((project_onto_cone(friction, x) - Vector3(planar[0], planar[1], 0)).norm(), 1e-15);
    ASSERT_LT((project_onto_dual_cone(friction, x) - Vector3(dual[0], dual[1], 0)).norm(), 1e-15);
  }
}

TEST(ProjectionProperty, DiscIsTheNearestPoint) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double radius = random.uniform(0, 2);
    const Vector2 x(random.uniform(-3, 3), random.uniform(-3, 3));
    const Vector2 p = project_onto_disc(radius, x);
    ASSERT_LE(p.norm(), radius * (1 + 1e-15));
    ASSERT_NEAR((project_onto_disc(radius, p) - p).norm(), 0, 1e-15);
    // (x - p).(y - p) <= 0 for all y in the disc.
    const double angle = random.uniform(0, 6.3);
    const Vector2 y = radius * Vector2(std::cos(angle), std::sin(angle));
    ASSERT_LE((x - p).dot(y - p), 1e-14);
  }
}

using Block = std::vector<double>;

Block onto_rolling_cone(double friction, double rolling, double spinning, Block x) {
  const std::array<ConeGroup, 3> groups = {{{1, 2, friction}, {3, 2, rolling}, {5, 1, spinning}}};
  project_onto_group_cone({groups.data(), x.size() - 3}, x);
  return x;
}

TEST(RollingCone, RegionsByHand) {
  EXPECT_EQ(onto_rolling_cone(0.5, 0.25, 0.5, {4, 2, 0, 0, 1, -2}), (Block{4, 2, 0, 0, 1, -2}));  // on every boundary
  EXPECT_EQ(onto_rolling_cone(0.5, 0.25, 0.5, {-4, 2, 0, 0, 1, -2}), Block(6, 0.0));              // in the polar cone
  // n = (0 + 5) / (1 + 1): rolling and spin are within their bounds there.
  EXPECT_EQ(onto_rolling_cone(1, 1, 1, {0, 3, 4, 2, 0, -2}), (Block{2.5, 1.5, 2, 2, 0, -2}));
  // n = (0 + 5 + 5 + 5) / (1 + 3).
  EXPECT_EQ(onto_rolling_cone(1, 1, 1, {0, 3, 4, 4, 3, -5}), (Block{3.75, 2.25, 3, 3, 2.25, -3.75}));
  EXPECT_EQ(onto_rolling_cone(1, 1, 9, {0, 3, 4, 0, -10}), (Block{5, 3, 4, 0, -5}));
  EXPECT_EQ(onto_rolling_cone(0, 0, 0, {2, 3, 4, 1, 1, 1}), (Block{2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(onto_rolling_cone(0, 0, 0, {0, 0, 0, 0, 0}), Block(5, 0.0));
}

TEST(RollingCone, ExtremesAndBadSizes) {
  for (const double huge : {1e160, 1e300}) {
    const Block p = onto_rolling_cone(huge, 1, 1, {-2, 3, 4, 0, 0, 0});
    EXPECT_NEAR(p[0], 0, 1e-15);
    EXPECT_NEAR(p[1], 3, 1e-14);
  }
  EXPECT_TRUE(std::isnan(onto_rolling_cone(1, 1, 1, {std::nan(""), 1, 1, 1, 1, 1})[0]));
  EXPECT_TRUE(std::isnan(onto_rolling_cone(1, 1, 1, {1, 1, 1, std::nan(""), 1, 1})[3]));
  Block three = {1, 2, 3};
  const std::array<ConeGroup, 1> beyond = {{{2, 2, 1.0}}};
  EXPECT_THROW(project_onto_group_cone(beyond, three), std::invalid_argument);
}

TEST(RollingConeProperty, IsTheNearestPointOfTheCone) {
  Random random(71);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const int size = repeat % 2 == 0 ? 5 : 6;
    const double c[3] = {random.uniform(0, 2), random.uniform(0, 2), repeat % 7 == 0 ? 0.0 : random.uniform(0, 2)};
    Block x(size);
    for (double& component : x) component = random.normal();
    const Block p = onto_rolling_cone(c[0], c[1], c[2], x);
    const double spin = size == 6 ? std::abs(p[5]) : 0.0;
    EXPECT_LE(std::hypot(p[1], p[2]), c[0] * p[0] * (1 + 1e-15));
    EXPECT_LE(std::hypot(p[3], p[4]), c[1] * p[0] * (1 + 1e-15));
    EXPECT_LE(spin, c[2] * p[0] * (1 + 1e-15));
    // x - p is perpendicular to p and in the polar cone: y_N + sum c_g |y_g| <= 0.
    Block y(size);
    double product = 0;
    for (int k = 0; k < size; ++k) product += (y[k] = x[k] - p[k]) * p[k];
    EXPECT_NEAR(product, 0, 1e-14);
    const double spin_part = size == 6 ? c[2] * std::abs(y[5]) : 0.0;
    EXPECT_LE(y[0] + c[0] * std::hypot(y[1], y[2]) + c[1] * std::hypot(y[3], y[4]) + spin_part, 1e-14);
    // Scales exactly, and is the plain cone where nothing rolls.
    Block scaled = x;
    for (double& component : scaled) component *= 0x1p-40;
    scaled = onto_rolling_cone(c[0], c[1], c[2], scaled);
    for (int k = 0; k < size; ++k) EXPECT_EQ(scaled[k], p[k] * 0x1p-40);
    const Block plain = onto_rolling_cone(c[0], c[1], c[2], {x[0], x[1], x[2], 0, 0});
    EXPECT_LT((Vector3(plain[0], plain[1], plain[2]) - project_onto_cone(c[0], Vector3(x[0], x[1], x[2]))).norm(),
              1e-14);
  }
}

}  // namespace
}  // namespace ricochet::math
