#include "bench/growth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "bench/sphere_deposit.hpp"

namespace ricochet::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<GrowthRow> rows_of_power(double power) {
  std::vector<GrowthRow> rows;
  for (const int spheres : {1000, 2000, 16000}) {
    rows.push_back({.spheres = spheres, .lies = true, .seconds = 3e-6 * std::pow(spheres, power)});
  }
  return rows;
}

// Of a heap with a level top; the highest sphere alone would tell how rough the top is.
double height(const Heap& heap) {
  double sum = 0;
  for (const HeapBody& body : heap.bodies) sum += body.position.z();
  return 2 * sum / static_cast<double>(heap.bodies.size());
}

TEST(Growth, TheExponentOfAPowerIsItsPower) {
  EXPECT_NEAR(growth_exponent(rows_of_power(1)), 1, 1e-12);
  EXPECT_NEAR(growth_exponent(rows_of_power(1.3)), 1.3, 1e-12);
  // Of several heaps of one size the geometric mean counts.
  const std::vector<GrowthRow> pairs = {{.spheres = 1000, .seconds = 1},
                                        {.spheres = 1000, .seconds = 4},
                                        {.spheres = 2000, .seconds = 3},
                                        {.spheres = 2000, .seconds = 12}};
  EXPECT_NEAR(growth_exponent(pairs), std::log2(3), 1e-12);
  const std::vector<GrowthRow> same(2, {.spheres = 1000, .seconds = 1});
  EXPECT_THROW(growth_exponent(same), std::invalid_argument);
  EXPECT_FALSE(are_of_several_sizes(same));
  EXPECT_TRUE(are_of_several_sizes(pairs));
}

TEST(Growth, ComplainsOfAllThatIsNotAsItShouldBe) {
  EXPECT_THAT(growth_complaints(rows_of_power(1.14), 1.15), IsEmpty());
  const std::vector<GrowthRow> steep = rows_of_power(1.2);
  EXPECT_THAT(growth_complaints(steep, 1.15), ElementsAre(HasSubstr("n^1.20, faster than n^1.15")));
  EXPECT_THAT(growth_complaints(std::span(steep).first(2), 1.15), IsEmpty());
  std::vector<GrowthRow> rows = rows_of_power(1);
  rows[1].missed = 3;
  rows[2].lies = false;
  rows[2].which = 2;
  EXPECT_THAT(growth_complaints(rows, 1.15), ElementsAre(HasSubstr("3 steps of heap 1 of 2000"),
                                                         HasSubstr("heap 2 of 16000 spheres did not come to rest")));
}

TEST(Growth, HeapsAreEquallyHighAndTheirFootprintGrows) {
  // Walls make the smallest heaps denser: 500 spheres are a tenth lower than 2,000.
  const Heap small = heap_of_equal_height(1000), large = heap_of_equal_height(4000);
  ASSERT_EQ(large.bodies.size(), 4000u);
  EXPECT_NEAR(height(large), height(small), 0.1 * height(small));
  EXPECT_NEAR(large.planes[2].point.x(), 2 * small.planes[2].point.x(), 1e-12);
  const Heap again = heap_of_equal_height(1000), other = heap_of_equal_height(1000, 2);
  EXPECT_EQ(again.bodies[7].position, small.bodies[7].position);
  EXPECT_NE(other.bodies[7].position, small.bodies[7].position);
  EXPECT_NEAR(height(other), height(small), 0.1 * height(small));
}

TEST(Growth, ABoxOfItsOwnWidthIsFilledAsOneOfTheUsualWidth) {
  const SphereDeposit usual = deposit_spheres(100, 3), same = deposit_spheres(100, 3, cubic_width(100));
  ASSERT_EQ(same.spheres.size(), usual.spheres.size());
  for (std::size_t i = 0; i < usual.spheres.size(); ++i) {
    EXPECT_EQ(same.spheres[i].center, usual.spheres[i].center);
  }
  EXPECT_EQ(deposit_spheres(100, 3, 0.2).width, 0.2);
  EXPECT_THROW(deposit_spheres(100, 3, 0.05), std::invalid_argument);
}

TEST(Growth, AWindowIsTheSameEachTimeAndStartsWarm) {
  GrowingHeap heap(100);
  int told = 0;
  const Rest rest = heap.settle(600, [&](const Rest&) { ++told; });
  EXPECT_EQ(told, 600);
  EXPECT_EQ(rest.steps, 600);
  EXPECT_TRUE(rest.lies()) << rest.kinetic;
  heap.measure(2, 5);
  const GrowthRow first = heap.row();
  heap.measure(2, 5);
  const GrowthRow second = heap.row();
  EXPECT_EQ(first.spheres, 100);
  EXPECT_TRUE(first.lies);
  EXPECT_GT(first.contacts, 150);
  EXPECT_EQ(first.missed, 0);
  EXPECT_LT(first.iterations, 50) << "a cold start takes more";
  EXPECT_EQ(second.iterations, first.iterations);
  EXPECT_EQ(second.contacts, first.contacts);
  EXPECT_EQ(second.kinetic, first.kinetic);
  EXPECT_GT(second.seconds, 0);
  EXPECT_LE(second.seconds, first.seconds) << "of each step the shortest time counts";
  EXPECT_NEAR(first.detecting + first.building + first.solving + first.correcting, 0.9, 0.1);
}

}  // namespace
}  // namespace ricochet::bench
