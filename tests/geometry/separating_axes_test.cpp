// The best axis of polytopes against all axes, with boxes once as boxes and once as polyhedra.
#include "ricochet/geometry/separating_axes.hpp"

#include <gtest/gtest.h>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

TEST(SeparatingAxesProperty, PrunedEdgesLoseNothing) {
  math::Random random(81);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const ConvexSolid a = random_hull(random, 4 + static_cast<int>(random.integer(10)));
    const ConvexSolid b = random_hull(random, 4 + static_cast<int>(random.integer(10)));
    const Placement place = {random_rotation(random).matrix(), random_vector(random, 1.2)};
    SeparatingAxis axis;
    ASSERT_TRUE(find_separating_axis(a.core(), b.core(), place, kInfinity, axis));
    double best = -kInfinity;
    const auto offer = [&](const Vector3& n) {
      const double low = n.dot(place.apply(a.core_support(-place.turn_back(n))));
      best = std::max(best, low - n.dot(b.core_support(n)));
    };
    for (const auto& face : b.core().faces) offer(face.normal);
    for (const auto& face : a.core().faces) offer(-place.turn(face.normal));
    for (const auto& edge_a : a.core().edges) {
      for (const auto& edge_b : b.core().edges) {
        const Vector3 along_a = place.turn(a.core().vertices[edge_a.head] - a.core().vertices[edge_a.tail]);
        const Vector3 along_b = b.core().vertices[edge_b.head] - b.core().vertices[edge_b.tail];
        offer(math::cross(along_a, along_b).normalized());
        offer(-math::cross(along_a, along_b).normalized());
      }
    }
    // Where they are apart, an axis of two edges whose arcs do not cross may be as good, never better by more.
    if (best <= 0) {
      EXPECT_NEAR(axis.separation, best, 1e-13);
    } else {
      EXPECT_LE(axis.separation, best + 1e-13);
      EXPECT_GT(axis.separation, 0);
    }
    EXPECT_FALSE(find_separating_axis(a.core(), b.core(), place, axis.separation - 1e-9, axis));
  }
}

TEST(SeparatingAxes, PrefersFacesOfBThenOfA) {
  const ConvexSolid box = ConvexSolid::box(Vector3(1, 1, 1));
  SeparatingAxis axis;
  const Placement above = {Matrix3::Identity(), Vector3(0.2, 0.1, 1.9)};
  ASSERT_TRUE(find_separating_axis(box.core(), box.core(), above, 1, axis));
  EXPECT_EQ(axis.source, AxisSource::face_of_b);
  EXPECT_EQ(axis.normal, Vector3(0, 0, 1));
  EXPECT_NEAR(axis.separation, -0.1, 1e-15);
  // B stands on a corner below a face of A.
  const math::Quaternion turn = math::exponential(Vector3(0.5, -0.4, 0));
  const Placement below = {turn.matrix(), turn.rotate(Vector3(0.1, 0.2, 1 + std::sqrt(2.0)))};
  ASSERT_TRUE(find_separating_axis(box.core(), box.core(), below, 1, axis));
  EXPECT_EQ(axis.source, AxisSource::face_of_a);
}

}  // namespace
}  // namespace ricochet::geometry
