#include "ricochet/integrate/merged_report.hpp"

#include <gtest/gtest.h>

namespace ricochet::integrate {
namespace {

ContactRecord record(int feature, double impulse) {
  ContactRecord result;
  result.key.feature_a = feature;
  result.impulse = Vector3(impulse, 0, 0);
  result.work_normal = -impulse;
  result.gap_before = feature;
  return result;
}

TEST(MergedReport, SumsAndMeans) {
  StepReport first, later;
  first.contacts = {record(1, 2), record(3, 1)};
  later.contacts = {record(2, 5), record(3, 4)};
  first.works.contact_normal = -3;
  later.works.contact_normal = -9;
  first.joints = {{Vector3(3, 0, 0), Vector3::Zero(), 3}};
  later.joints = {{Vector3(6, 0, 0), Vector3::Zero(), 6}};
  first.subproblems[1].iterations = 2;
  later.subproblems[1].iterations = 3;
  merge_later(later, 1, 2, first);
  ASSERT_EQ(first.contacts.size(), 3);
  EXPECT_EQ(first.contacts[0].impulse[0], 2);
  EXPECT_EQ(first.contacts[1].impulse[0], 5);
  EXPECT_EQ(first.contacts[2].impulse[0], 5);
  EXPECT_EQ(first.contacts[2].work_normal, -5);
  EXPECT_EQ(first.works.contact_normal, -12);
  EXPECT_NEAR(first.joints[0].force.x(), 4, 1e-15);
  EXPECT_EQ(first.subproblems[1].iterations, 5);
}

}  // namespace
}  // namespace ricochet::integrate
