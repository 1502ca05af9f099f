#include "ricochet/cone/body_contacts.hpp"

#include <gtest/gtest.h>

namespace ricochet::cone {
namespace {

// Three nodes: a body of six components, a point of three, and one component; contacts 0 on the body, 1 on body and
// point, 2 on all three.
TEST(BodyContacts, KnowsTheBodiesOfItsContacts) {
  const std::vector<int> sizes = {6, 3, 1};
  std::vector<char> free(10, 1);
  free[4] = 0;  // the body does not turn about its second axis
  const auto mass = linalg::make_block_diagonal_mass(sizes, free);
  mass->clear();
  for (int node = 0; node < 3; ++node)
    mass->add(node, node, (2.0 + node) * MatrixX::Identity(sizes[node], sizes[node]));
  mass->factorise();
  linalg::BlockSparseMatrix gradients;
  gradients.reset(sizes);
  gradients.begin_row(3);
  gradients.append(0).setConstant(1);
  gradients.begin_row(2);
  gradients.append(0).setConstant(2);
  gradients.append(1).setConstant(3);
  gradients.begin_row(1);
  for (int node = 0; node < 3; ++node) gradients.append(node).setConstant(4);
  ContactProblem problem;
  mass->delassus(gradients, problem.delassus);
  problem.free_velocity.setZero(6);
  problem.friction = {0.3, 0.4, 0.5};
  BodyForm form{&gradients, mass.get(), 3};
  problem.bodies = &form;

  BodyContacts found;
  const std::vector<int> two = {1, 0}, all = {0, 1, 2};
  ASSERT_TRUE(found.prepare(problem, two));
  ASSERT_EQ(found.bodies().size(), 2U);
  EXPECT_EQ(found.bodies()[0].node, 0);
  EXPECT_EQ(found.bodies()[1].node, 1);
  EXPECT_EQ(found.bodies()[0].inverse(0, 0), 0.5);
  EXPECT_EQ(found.bodies()[0].inverse(4, 4), 0);
  EXPECT_NEAR(found.bodies()[1].inverse(2, 2), 1.0 / 3, 1e-15);
  EXPECT_EQ(found.bodies()[1].inverse(3, 3), 0);
  const BodyContacts::Contact& both = found.contacts()[0];
  EXPECT_EQ(both.contact, 1);
  EXPECT_EQ(both.offset, 3);
  EXPECT_EQ(both.size, 2);
  EXPECT_EQ(both.friction, 0.4);
  EXPECT_EQ(both.bodies[0], 0);
  EXPECT_EQ(both.bodies[1], 1);
  EXPECT_EQ(both.gradients[1](1, 2), 3);
  EXPECT_EQ(both.gradients[1](1, 3), 0);
  EXPECT_EQ(both.gradients[1](2, 0), 0);
  EXPECT_EQ(found.contacts()[1].bodies[1], -1);
  EXPECT_FALSE(found.prepare(problem, all)) << "three nodes";
  form.contacts = 1;
  EXPECT_FALSE(found.prepare(problem, two)) << "the second is no contact of bodies";
  problem.bodies = nullptr;
  EXPECT_FALSE(found.prepare(problem, two));
}

}  // namespace
}  // namespace ricochet::cone
