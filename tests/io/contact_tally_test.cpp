// io/contact_tally: the contacts of a row are sums over its steps.
#include "ricochet/io/contact_tally.hpp"

#include <gtest/gtest.h>

#include <map>

#include "ricochet/math/random.hpp"

namespace ricochet::io {
namespace {

integrate::ContactRecord tally_record(int feature, const Vector3& impulse, double gap = 0) {
  integrate::ContactRecord record;
  record.key = {1, 2, feature, 3, 0};
  record.impulse = impulse;
  record.gap = gap;
  record.work_normal = -impulse[0];
  record.work_tangential = -2 * impulse[0];
  return record;
}

TEST(ContactTally, OneStepPassesThrough) {
  ContactTally tally;
  const std::vector<integrate::ContactRecord> step = {tally_record(0, {1, 2, 3}), tally_record(4, {4, 5, 6})};
  tally.add(step);
  ASSERT_EQ(tally.records().size(), 2u);
  EXPECT_EQ(tally.records()[1].key, step[1].key);
  EXPECT_EQ(tally.records()[1].impulse, Vector3(4, 5, 6));
  tally.clear();
  EXPECT_TRUE(tally.records().empty());
  tally.add({});
  EXPECT_TRUE(tally.records().empty());
}

TEST(ContactTally, SumsImpulsesAndKeepsTheLatestOfTheRest) {
  ContactTally tally;
  integrate::ContactRecord first = tally_record(5, {1, 2, 3}, 0.5);
  first.status = cone::ContactStatus::slip;
  first.point = Vector3(1, 1, 1);
  integrate::ContactRecord second = tally_record(5, {10, 20, 30}, 0.25);
  second.status = cone::ContactStatus::stick;
  second.point = Vector3(2, 2, 2);
  second.axes.normal = Vector3::UnitZ();
  second.velocity = Vector3(7, 8, 9);
  tally.add(std::vector{first});
  tally.add(std::vector{second});
  tally.add(std::vector{tally_record(2, {0.5, 0, 0}), tally_record(9, {0.25, 0, 0})});
  ASSERT_EQ(tally.records().size(), 3u);
  const integrate::ContactRecord& sum = tally.records()[1];
  EXPECT_EQ(sum.key.feature_a, 5);
  EXPECT_EQ(sum.impulse, Vector3(11, 22, 33));
  EXPECT_EQ(sum.work_normal, -11);
  EXPECT_EQ(sum.work_tangential, -22);
  EXPECT_EQ(sum.gap, 0.25);
  EXPECT_EQ(sum.status, cone::ContactStatus::stick);
  EXPECT_EQ(sum.point, Vector3(2, 2, 2));
  EXPECT_EQ(sum.axes.normal, Vector3::UnitZ());
  EXPECT_EQ(sum.velocity, Vector3(7, 8, 9));
  EXPECT_EQ(tally.records()[0].key.feature_a, 2);
  EXPECT_EQ(tally.records()[2].key.feature_a, 9);
}

TEST(ContactTally, RandomStepsAgainstAMap) {
  math::Random random(7);
  ContactTally tally;
  for (int row = 0; row < 100; ++row) {
    std::map<contact::ContactKey, Vector3> expected;
    const int steps = 1 + static_cast<int>(random.uniform() * 5);
    for (int step = 0; step < steps; ++step) {
      std::vector<integrate::ContactRecord> records;
      for (int feature = 0; feature < 12; ++feature) {
        if (random.uniform() < 0.5) continue;
        records.push_back(tally_record(feature, Vector3(random.uniform(), random.uniform(), 1)));
        expected.try_emplace(records.back().key, Vector3::Zero()).first->second += records.back().impulse;
      }
      tally.add(records);
    }
    ASSERT_EQ(tally.records().size(), expected.size());
    auto entry = expected.begin();
    for (const integrate::ContactRecord& record : tally.records()) {
      EXPECT_EQ(record.key, entry->first);
      EXPECT_EQ(record.impulse, entry->second);
      ++entry;
    }
    tally.clear();
  }
}

TEST(ContactTally, NoMemoryOnceWarm) {
  ContactTally tally;
  std::vector<integrate::ContactRecord> even, odd;
  for (int feature = 0; feature < 100; ++feature) {
    (feature % 2 == 0 ? even : odd).push_back(tally_record(feature, Vector3::UnitX()));
  }
  const auto row = [&] {
    tally.clear();
    for (int step = 0; step < 4; ++step) tally.add(step % 2 == 0 ? even : odd);
    return tally.records().data();
  };
  row();
  const auto* memory = row();
  const auto* other = row();
  for (int i = 0; i < 10; ++i) {
    const auto* now = row();
    EXPECT_TRUE(now == memory || now == other);  // two lists that are swapped
  }
}

}  // namespace
}  // namespace ricochet::io
