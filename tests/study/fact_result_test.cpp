#include "ricochet/study/fact_result.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ricochet::study {
namespace {

FactResult with_status(FactResult::Status status) {
  FactResult result;
  result.status = status;
  return result;
}

TEST(FactResult, WhatCountsAsAFailure) {
  using Status = FactResult::Status;
  EXPECT_FALSE(fails(with_status(Status::holds)));
  EXPECT_TRUE(fails(with_status(Status::fails)));
  EXPECT_FALSE(fails(with_status(Status::not_applicable)));
  EXPECT_TRUE(fails(with_status(Status::not_reached)));
  std::vector<FactResult> results = {with_status(Status::holds), with_status(Status::not_applicable)};
  EXPECT_FALSE(fails(results));
  results.push_back(with_status(Status::not_reached));
  EXPECT_TRUE(fails(results));
  EXPECT_FALSE(fails(std::vector<FactResult>{}));
}

TEST(FactResult, Names) {
  EXPECT_EQ(status_name(FactResult::Status::holds), "holds");
  EXPECT_EQ(status_name(FactResult::Status::fails), "fails");
  EXPECT_EQ(status_name(FactResult::Status::not_applicable), "not applicable");
  EXPECT_EQ(status_name(FactResult::Status::not_reached), "not reached");
}

}  // namespace
}  // namespace ricochet::study
