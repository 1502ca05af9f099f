// The fifteen axes of boxes give what the axes of polyhedra give.
#include <gtest/gtest.h>

#include "geometry/test_solids.hpp"
#include "ricochet/geometry/separating_axes.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

TEST(BoxAxesProperty, AreThoseOfPolyhedra) {
  math::Random random(82);
  int edges = 0, faces = 0;
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    const ConvexSolid a =
        ConvexSolid::box(Vector3(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)));
    const ConvexSolid b =
        ConvexSolid::box(Vector3(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)));
    // Every other pair nearly parallel: then edges are, too.
    const math::Quaternion turn = i % 2 == 0
                                      ? random_rotation(random)
                                      : math::exponential(random_vector(random, std::pow(10, random.uniform(-12, -1))));
    const Placement place = {turn.matrix(), random_vector(random, 1.5)};
    SeparatingAxis as_boxes, as_polyhedra;
    ASSERT_TRUE(find_box_axis(a.half_extents(), b.half_extents(), place, kInfinity, as_boxes));
    ASSERT_TRUE(find_separating_axis(a.core(), b.core(), place, kInfinity, as_polyhedra));
    if (as_polyhedra.separation <= 0) {
      EXPECT_NEAR(as_boxes.separation, as_polyhedra.separation, 1e-12);
      EXPECT_GT(as_boxes.normal.dot(place.position), 0);
      (as_boxes.source == AxisSource::edges ? edges : faces) += 1;
    } else {
      EXPECT_GT(as_boxes.separation, 0);
    }
    EXPECT_NEAR(as_boxes.normal.norm(), 1, 1e-14);
    const double apart = as_boxes.normal.dot(place.apply(a.core_support(-place.turn_back(as_boxes.normal))) -
                                             b.core_support(as_boxes.normal));
    EXPECT_NEAR(apart, as_boxes.separation, 1e-12);
    EXPECT_FALSE(find_box_axis(a.half_extents(), b.half_extents(), place, as_boxes.separation - 1e-9, as_polyhedra));
  }
  EXPECT_GT(edges, 20);
  EXPECT_GT(faces, 20);
}

}  // namespace
}  // namespace ricochet::geometry
