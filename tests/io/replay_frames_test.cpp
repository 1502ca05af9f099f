// io/replay_frames: which rows become frames, what box holds them, and how many contacts fit.
#include "ricochet/io/replay_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ricochet::io {
namespace {

using ::testing::ElementsAre;

TEST(ReplayFrames, RowsAtEqualDistances) {
  EXPECT_THAT(chosen_rows(5, 5), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(chosen_rows(101, 3), ElementsAre(0, 50, 100));
  EXPECT_THAT(chosen_rows(7, 1), ElementsAre(6));
  const std::vector<std::size_t> rows = chosen_rows(100'000, 5000);
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), 99'999u);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_NEAR(static_cast<double>(rows[i] - rows[i - 1]), 20.0, 1.0);
}

TEST(ReplayFrames, TheBoxHoldsTheBodiesAndNotTheRunaway) {
  ResultGeometry geometry;
  geometry.bodies = {{"a", 0, 1}, {"b", 0, 1}};
  geometry.parts.push_back({0, "", "sphere", Vector3(0.5, 0, 0), Vector3::Zero(), {}, -1});
  ReplayFrames frames;
  for (int i = 0; i < 100; ++i) {
    for (const double value : {0.01 * i, 0.0, 0.0, 0.0, 2.0, 0.0}) frames.position.push_back(value);
  }
  const ReplayBox near = replay_box(geometry, frames);
  EXPECT_EQ(near.low, Vector3(-0.5, -0.5, -0.5));
  EXPECT_NEAR((near.high - Vector3(1.49, 2, 0.5)).norm(), 0, 1e-12);
  frames.position[frames.position.size() - 2] = 1e4;
  EXPECT_LT(replay_box(geometry, frames).high.y(), 10);
  frames.position[frames.position.size() - 2] = std::nan("");
  EXPECT_LT(replay_box(geometry, frames).high.y(), 10);
  EXPECT_FALSE(replay_box({}, {}).empty());
}

TEST(ReplayFrames, TheLargestLimitThatFits) {
  const ReplayContact contact = {};
  const std::vector<std::vector<ReplayContact>> frames = {
      std::vector<ReplayContact>(10, contact), std::vector<ReplayContact>(3, contact), {}};
  EXPECT_EQ(contact_limit(frames, 100), 10u);
  EXPECT_EQ(contact_limit(frames, 13), 10u);
  EXPECT_EQ(contact_limit(frames, 12), 9u);
  EXPECT_EQ(contact_limit(frames, 5), 2u);
  EXPECT_EQ(contact_limit(frames, 1), 0u);
}

}  // namespace
}  // namespace ricochet::io
