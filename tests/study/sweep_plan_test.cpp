#include "ricochet/study/sweep_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace ricochet::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Variation::Kind;

const Variation words{"scheme", Kind::list, {"a", "b"}};

Variation drawn(const std::string& path, Kind kind, double first, double second, int count) {
  return {path, kind, {}, first, second, count};
}

TEST(SweepPlan, TheLastOfAGridRunsFastest) {
  const std::vector<Variation> variations = {words, drawn("mass", Kind::linear, 1, 2, 3)};
  EXPECT_THAT(plan_sweep(variations, 0),
              ElementsAre(ElementsAre("a", "1"), ElementsAre("a", "1.5"), ElementsAre("a", "2"), ElementsAre("b", "1"),
                          ElementsAre("b", "1.5"), ElementsAre("b", "2")));
}

TEST(SweepPlan, RangesEndWhereTheyShould) {
  EXPECT_THAT(values_of(drawn("x", Kind::linear, 0.1, 0.3, 3), 0), ElementsAre("0.1", "0.2", "0.3"));
  EXPECT_THAT(values_of(drawn("x", Kind::linear, 3, -1, 2), 0), ElementsAre("3", "-1"));
  const std::vector<std::string> ratios = values_of(drawn("x", Kind::logarithmic, 1e-3, 10, 5), 0);
  ASSERT_EQ(ratios.size(), 5u);
  EXPECT_EQ(ratios.front(), "0.001");
  EXPECT_EQ(ratios.back(), "10");
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(std::log10(std::stod(ratios[i])), -3.0 + static_cast<double>(i), 1e-13);
  }
}

TEST(SweepPlan, RandomValuesAreDrawnTogether) {
  const std::vector<Variation> variations = {drawn("x", Kind::uniform, 0, 1, 4), words,
                                             drawn("y", Kind::normal, 5, 2, 4)};
  const auto samples = plan_sweep(variations, 7);
  ASSERT_EQ(samples.size(), 8u);
  const std::vector<std::string> x = values_of(variations[0], 7), y = values_of(variations[2], 7);
  EXPECT_NE(x, y);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_THAT(samples[i], ElementsAre(x[i % 4], i < 4 ? "a" : "b", y[i % 4]));
  }
}

TEST(SweepPlan, ValuesDependOnSeedPathAndNumberAlone) {
  const Variation four = drawn("x", Kind::uniform, 0, 1, 4), nine = drawn("x", Kind::uniform, 0, 1, 9);
  const std::vector<std::string> few = values_of(four, 3), many = values_of(nine, 3);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_NE(values_of(four, 4), few);
  EXPECT_NE(values_of(drawn("y", Kind::uniform, 0, 1, 4), 3), few);
  const std::vector<Variation> both = {drawn("y", Kind::uniform, 0, 1, 4), four};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(plan_sweep(both, 3)[i][1], few[i]);
}

// Mean and standard deviation of 20000 values, to five standard errors.
TEST(SweepPlan, HasTheDistributionsThatItSays) {
  const int count = 20000;
  const auto moments = [&](const Variation& variation) {
    double sum = 0, squares = 0;
    for (const std::string& text : values_of(variation, 11)) {
      const double value = std::stod(text);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / count;
    return std::pair(mean, std::sqrt(squares / count - mean * mean));
  };
  const double root = std::sqrt(count);
  const auto [middle, width] = moments(drawn("x", Kind::uniform, -1, 3, count));
  EXPECT_NEAR(middle, 1, 5 * 4 / std::sqrt(12) / root);
  EXPECT_NEAR(width, 4 / std::sqrt(12), 5 * 4 / std::sqrt(12) / root);
  const auto [mean, deviation] = moments(drawn("x", Kind::normal, 10, 0.5, count));
  EXPECT_NEAR(mean, 10, 5 * 0.5 / root);
  EXPECT_NEAR(deviation, 0.5, 5 * 0.5 / std::sqrt(2) / root);
  for (const std::string& text : values_of(drawn("x", Kind::uniform, -1, 3, count), 11)) {
    EXPECT_GE(std::stod(text), -1);
    EXPECT_LE(std::stod(text), 3);
  }
}

TEST(SweepPlanBadInput, IsRefusedWithASentence) {
  const auto sentence = [](const std::vector<Variation>& variations) -> std::string {
    try {
      plan_sweep(variations, 0);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(sentence({drawn("x", Kind::uniform, 0, 1, 4), drawn("y", Kind::normal, 0, 1, 5)}),
              HasSubstr("need the same count, but x has 4 and y has 5"));
  EXPECT_THAT(sentence({words, words}), HasSubstr("scheme is varied twice"));
  EXPECT_THAT(sentence({drawn("x", Kind::linear, 0, 1, 2000), drawn("y", Kind::linear, 0, 1, 2000)}),
              HasSubstr("4000000 samples"));
}

}  // namespace
}  // namespace ricochet::study
