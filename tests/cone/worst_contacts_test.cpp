#include "ricochet/cone/worst_contacts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

std::vector<int> numbers(const std::vector<WorstContact>& contacts) {
  std::vector<int> result;
  for (const WorstContact& contact : contacts) result.push_back(contact.contact);
  return result;
}

TEST(WorstContacts, ByHand) {
  // Four frictionless contacts that feel each other a little, all closing with 1 m/s, each with another part of its
  // impulse: u_i = r_i - 1, to 1e-9.
  MatrixX delassus = MatrixX::Identity(4, 4);
  for (int i = 1; i < 4; ++i) delassus(i, i - 1) = delassus(i - 1, i) = 1e-9;
  const ContactProblem problem =
      test::problem_from_dense({1, 1, 1, 1}, delassus, VectorX::Constant(4, -1), std::vector<Friction>(4, 0.0));
  const VectorX r{{1.0, 0.9, 0.0, 0.99}};
  const std::vector<WorstContact> worst = worst_contacts(problem, r, 3);
  EXPECT_THAT(numbers(worst), testing::ElementsAre(2, 1, 3));
  EXPECT_NEAR(worst[0].residual, 1, 1e-8);
  EXPECT_NEAR(worst[1].residual, 0.1, 1e-8);
  EXPECT_NEAR(worst[2].residual, 0.01, 1e-8);
  EXPECT_EQ(worst[0].status, ContactStatus::open);
  EXPECT_EQ(worst[1].status, ContactStatus::slip);  // closed and without friction
}

TEST(WorstContacts, StatusOffsetsAndBilateralBlocks) {
  // Contacts of sizes 3, 2 and 6 and a bilateral row, without coupling.
  const std::vector<int> sizes = {3, 2, 6, 1};
  ContactProblem problem = test::problem_from_dense(sizes, MatrixX::Identity(12, 12), VectorX::Constant(12, -1),
                                                    {0.5, 0.5, Friction(0.5, 0.1, 0.1), 0});
  problem.bilateral = {0, 0, 0, 1};
  VectorX r = VectorX::Zero(12);
  r.segment(0, 3) = Vector3(1, 0.3, 0.4);  // on the cone
  r.segment(3, 2) = Vector2(1, 0.4);       // inside
  r[5] = 0;
  r[11] = 3;
  const std::vector<WorstContact> worst = worst_contacts(problem, r, 100);
  ASSERT_EQ(worst.size(), 4u);
  const int offsets[] = {0, 3, 5, 11};
  const ContactStatus statuses[] = {ContactStatus::slip, ContactStatus::stick, ContactStatus::open,
                                    ContactStatus::stick};
  for (const WorstContact& contact : worst) {
    EXPECT_EQ(contact.size, sizes[contact.contact]);
    EXPECT_EQ(contact.offset, offsets[contact.contact]);
    EXPECT_EQ(contact.status, statuses[contact.contact]) << contact.contact;
    EXPECT_EQ(contact.status, contact_status(problem, r, contact.contact));
  }
}

TEST(WorstContacts, EqualOnesInOrderAndNaNFirst) {
  const ContactProblem problem =
      test::problem_from_dense({1, 1, 1}, MatrixX::Identity(3, 3), VectorX::Constant(3, -1), {0, 0, 0});
  EXPECT_THAT(numbers(worst_contacts(problem, VectorX::Zero(3), 2)), testing::ElementsAre(0, 1));
  VectorX r = VectorX::Zero(3);
  r[2] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<WorstContact> worst = worst_contacts(problem, r, 2);
  EXPECT_THAT(numbers(worst), testing::ElementsAre(2, 0));
  EXPECT_TRUE(std::isnan(worst[0].residual));
}

TEST(WorstContacts, NothingAskedAndNothingThere) {
  const ContactProblem problem = test::single_contact(MatrixX::Identity(3, 3), Vector3(-1, 0, 0), 0.5);
  EXPECT_TRUE(worst_contacts(problem, VectorX::Zero(3), 0).empty());
  EXPECT_TRUE(worst_contacts(problem, VectorX::Zero(3), -1).empty());
  EXPECT_TRUE(worst_contacts(ContactProblem{}, VectorX(0), 5).empty());
  EXPECT_THROW(worst_contacts(problem, VectorX::Zero(2), 1), std::invalid_argument);
  ResidualScales scales;
  scales.prepare(problem);
  EXPECT_THROW(worst_contacts(scales, VectorX::Zero(3), VectorX::Zero(4), 1), std::invalid_argument);
  EXPECT_THROW(worst_contacts(scales, VectorX::Zero(2), VectorX::Zero(3), 1), std::invalid_argument);
}

TEST(WorstContactsProperty, TheFirstIsTheResidual) {
  math::Random random(7);
  for (int repetition = 0; repetition < 200; ++repetition) {
    const ContactProblem problem = test::random_bodies_problem(random, 12, 5, 0.8, {1, 2, 3, 5, 6});
    const VectorX r = test::random_vector(random, problem.delassus.scalar_rows());
    const Residual all = residual(problem, r);
    const std::vector<WorstContact> worst = worst_contacts(problem, r, problem.contacts());
    ASSERT_EQ(static_cast<int>(worst.size()), problem.contacts());
    EXPECT_EQ(worst.front().contact, all.worst_contact);
    EXPECT_NEAR(worst.front().residual, all.value, 1e-12 * all.value);
    for (std::size_t i = 1; i < worst.size(); ++i) EXPECT_LE(worst[i].residual, worst[i - 1].residual);
  }
}

}  // namespace
}  // namespace ricochet::cone
