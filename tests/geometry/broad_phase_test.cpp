#include "ricochet/geometry/broad_phase.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "ricochet/math/random.hpp"

namespace ricochet::geometry {

// For messages of tests.
inline void PrintTo(const BroadPhase::Pair& pair, std::ostream* out) { *out << pair.first << '|' << pair.second; }

namespace {

using Pair = BroadPhase::Pair;

Bounds cube(const Vector3& center, double half = 0.5) { return enlarged({center, center}, half); }

bool everybody(int /*first*/, int /*second*/) { return true; }

std::vector<Pair> list_of(const BroadPhase& phase) { return {phase.pairs().begin(), phase.pairs().end()}; }

TEST(BroadPhase, BoxesThatTouchOverlap) {
  EXPECT_TRUE(overlap(cube(Vector3::Zero()), cube(Vector3(1, 1, 1))));
  EXPECT_FALSE(overlap(cube(Vector3::Zero()), cube(Vector3(0, 0, 1.001))));
  EXPECT_EQ(distance(cube(Vector3::Zero()), cube(Vector3(4, 5, 0.5))), 5);
  EXPECT_EQ(distance(cube(Vector3::Zero()), cube(Vector3(0.5, 0.5, 0.5))), 0);
}

TEST(BroadPhase, ByHand) {
  BroadPhase phase(4, [](int first, int second) { return !(first == 0 && second == 2); });
  for (int i = 0; i < 3; ++i) phase.place(i, cube(Vector3(0.9 * i, 0, 0)), 0);
  phase.place(0, cube(Vector3(0.9, 0, 0)), 0);  // overlaps both; with the last it may not
  EXPECT_TRUE(phase.update());
  EXPECT_THAT(phase.pairs(), ::testing::ElementsAre(Pair{0, 1}, Pair{1, 2}));
  EXPECT_FALSE(phase.update());
  phase.place(3, cube(Vector3(1.8, 0.9, 0)), 0);
  phase.remove(1);
  EXPECT_TRUE(phase.update());
  EXPECT_THAT(phase.pairs(), ::testing::ElementsAre(Pair{0, 3}, Pair{2, 3}));
  phase.remove(1);  // is not there
  EXPECT_FALSE(phase.update());
  phase.place(1, cube(Vector3(0.9, -0.9, 0)), 0);
  EXPECT_TRUE(phase.update());
  EXPECT_THAT(phase.pairs(), ::testing::ElementsAre(Pair{0, 1}, Pair{0, 3}, Pair{1, 2}, Pair{2, 3}));
}

TEST(BroadPhase, NothingHappensInsideTheMargin) {
  BroadPhase phase(2, everybody);
  phase.place(0, cube(Vector3::Zero()), 0.1);
  phase.place(1, cube(Vector3(1.15, 0, 0)), 0.1);
  EXPECT_TRUE(phase.update());
  EXPECT_THAT(phase.pairs(), ::testing::ElementsAre(Pair{0, 1}));  // by their margins
  phase.place(1, cube(Vector3(1.24, 0.09, 0)), 0.1);
  EXPECT_FALSE(phase.update());
  EXPECT_EQ(phase.moves(), 2);
  phase.place(1, cube(Vector3(1.26, 0, 0)), 0.1);
  EXPECT_TRUE(phase.update());
  EXPECT_EQ(phase.moves(), 3);
  EXPECT_TRUE(phase.pairs().empty());
}

// Boxes wander; the pairs are always those of the enlarged boxes, as comparing all with all finds them.
TEST(BroadPhaseProperty, FindsWhatComparingAllFinds) {
  math::Random random(5);
  for (int run = 0; run < 20; ++run) {
    const int count = 5 + 10 * run;
    const double margin = run % 2 == 0 ? 0 : 0.2;
    const auto filter = [&](int first, int second) { return (first + second) % 3 != 0; };
    BroadPhase phase(count, filter);
    std::vector<Bounds> tight(count), fat(count);
    std::vector<char> is_there(count, 0);
    for (int step = 0; step < 30; ++step) {
      for (int i = 0; i < count; ++i) {
        const double choice = random.uniform(0, 1);
        if (choice < 0.3 && step > 0) continue;
        if (choice < 0.35) {
          phase.remove(i);
          is_there[i] = 0;
          continue;
        }
        const Vector3 jump(random.normal(), random.normal(), random.normal());
        const Vector3 center =
            is_there[i] != 0 ? Vector3(0.5 * (tight[i].lower + tight[i].upper) + 0.1 * jump) : jump * 2;
        tight[i] = cube(center, random.uniform(0.1, 0.4));
        const bool contained = is_there[i] != 0 && (fat[i].lower.array() <= tight[i].lower.array()).all() &&
                               (tight[i].upper.array() <= fat[i].upper.array()).all();
        if (!contained) fat[i] = enlarged(tight[i], margin);
        is_there[i] = 1;
        phase.place(i, tight[i], margin);
      }
      phase.update();
      std::vector<Pair> expected;
      for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
          if (is_there[i] != 0 && is_there[j] != 0 && filter(i, j) && overlap(fat[i], fat[j]))
            expected.push_back({i, j});
        }
      }
      ASSERT_EQ(list_of(phase), expected) << "run " << run << ", step " << step;
    }
  }
}

// A block of 1e5 cubes side by side: each touches its 26 neighbours, of which half have a larger number.
TEST(BroadPhaseSlow, AHundredThousandBoxes) {
  constexpr int edge = 46, count = edge * edge * edge + 2664;
  BroadPhase phase(count, everybody);
  const auto center = [](int i) { return Vector3(i % edge, i / edge % edge, i / (edge * edge)); };
  for (int i = 0; i < count; ++i) phase.place(i, cube(center(i), 0.501), 0.05);
  EXPECT_TRUE(phase.update());
  std::int64_t expected = 0;
  for (int i = 0; i < count; ++i) {
    for (int k = 14; k < 27; ++k) {  // neighbours with a larger number
      const Vector3 at = center(i) + Vector3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
      const int j = static_cast<int>(at.x() + edge * (at.y() + edge * at.z()));
      expected += at.minCoeff() >= 0 && at.x() < edge && at.y() < edge && j < count ? 1 : 0;
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(phase.pairs().size()), expected);
  for (int step = 1; step < 100; ++step) {  // a settled heap trembles
    const Vector3 tremble = Vector3::Constant(0.0004 * step);
    for (int i = 0; i < count; ++i) phase.place(i, cube(center(i) + tremble, 0.501), 0.05);
    EXPECT_FALSE(phase.update());
  }
  EXPECT_EQ(phase.moves(), count);
}

// Whoever looks for the nearest finds it, and does not see them all; whoever keeps the limit sees all within it.
TEST(BroadPhaseProperty, VisitsWhatIsNear) {
  math::Random random(12);
  constexpr int count = 400;
  const auto somewhere = [&] {
    return Vector3(random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(-2, 2));
  };
  BroadPhase phase(count, everybody);
  phase.visit_near(cube(Vector3::Zero()), 1e9,
                   [](int /*box*/) -> double { throw std::logic_error("nobody is there"); });
  std::vector<Bounds> boxes(count);
  std::vector<char> is_there(count, 0);
  int visits = 0;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < count; ++i) {
      if (round > 0 && random.integer(20) > 0) continue;
      if (is_there[i] = random.integer(10) > 0 ? 1 : 0; is_there[i] == 0) {
        phase.remove(i);
      } else {
        phase.place(i, boxes[i] = cube(somewhere(), random.uniform(0.1, 0.5)), round % 2 == 0 ? 0 : 0.05);
      }
    }
    phase.update();
    const Bounds from = cube(somewhere(), 0.3);
    double nearest = 1e9, expected = 1e9;
    phase.visit_near(from, nearest, [&](int box) {
      ++visits;
      EXPECT_NE(is_there[box], 0);
      return nearest = std::min(nearest, distance(boxes[box], from));
    });
    std::vector<char> is_seen(count, 0);
    phase.visit_near(from, 3, [&](int box) {
      is_seen[box] = 1;
      return 3.0;
    });
    for (int i = 0; i < count; ++i) {
      if (is_there[i] == 0) continue;
      expected = std::min(expected, distance(boxes[i], from));
      const double away = distance(boxes[i], from);
      EXPECT_TRUE(is_seen[i] != 0 || away > 3);
      EXPECT_TRUE(is_seen[i] == 0 || away <= 3 + 0.1 * std::sqrt(3.0));  // what margins add
    }
    EXPECT_EQ(nearest, expected);
  }
  EXPECT_LT(visits, 100 * count / 20);
}

}  // namespace
}  // namespace ricochet::geometry
