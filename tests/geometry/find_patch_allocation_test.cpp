// Finding a patch allocates nothing. All requests for memory of this test program are counted.
#include <gtest/gtest.h>

#include <cstdlib>

#include "geometry/test_solids.hpp"
#include "ricochet/geometry/planar_patch.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

namespace {
long memory_requests = 0;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
void* __libc_malloc(std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++memory_requests;
  return __libc_malloc(size);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

namespace ricochet::geometry {
namespace {

using namespace testing;

TEST(FindPatchAllocation, NoMemoryIsAskedFor) {
  math::Random random(19);
  const std::array<Vector3, 3> beyond = {Vector3(0, 0, 1), Vector3(0, 0, 1), Vector3(0, 0, 1)};
  const std::array<Vector3, 3> no_shadows = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  std::vector<ConvexSolid> solids = {
      ConvexSolid::sphere(0.3),
      ConvexSolid::capsule(0.2, 0.5),
      ConvexSolid::box(Vector3(0.3, 0.4, 0.5)),
      ConvexSolid::cylinder(0.3, 0.5),
      ConvexSolid::cone(0.3, 0.8),
      random_hull(random, 30),
      prism(60, 0.5, 0.2),
      ConvexSolid::triangle(Vector3(-1, -1, 0), Vector3(1, -1, 0), Vector3(0, 2, 0), beyond, no_shadows)};
  const std::vector<ConvexOutline> outlines = {ConvexOutline::disc(0.3), ConvexOutline::box(Vector2(0.3, 0.4)),
                                               ConvexOutline::capsule(0.1, Vector2(0, -1), Vector2(0, 1))};
  Patch patch;
  int found = 0;
  const long before = memory_requests;
  ASSERT_GT(before, 0);  // they are counted
  for (const ConvexSolid& a : solids) {
    for (const ConvexSolid& b : solids) {
      for (int i = 0; i < 20; ++i) {
        const Pose pose_of_a = {random_vector(random), random_rotation(random)};
        found += find_patch(a, pose_of_a, b, {Vector3::Zero(), random_rotation(random)}, 0.5, patch) ? 1 : 0;
        const Bounds bounds = a.bounds(pose_of_a);
        found += bounds.lower.x() > bounds.upper.x() ? 1000000 : 0;
      }
    }
  }
  for (const ConvexOutline& a : outlines) {
    for (const ConvexOutline& b : outlines) {
      found += find_planar_patch(a, {Vector3(0.3, 0.4, 0), {}}, b, {}, 0.5, patch) ? 1 : 0;
    }
  }
  EXPECT_EQ(memory_requests - before, 0);
  EXPECT_GT(found, 500);
  EXPECT_LT(found, 1000000);
}

}  // namespace
}  // namespace ricochet::geometry

#endif
