#include "ricochet/contact/contact_block.hpp"

#include <gtest/gtest.h>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

using model::ContactLaw;
using model::SpinningLaw;

std::vector<ContactLaw> all_laws() {
  return {{.friction = 0.5},
          {.friction = 0.5, .rolling = 0.1},
          {.friction = 0.5, .spinning = 0.2},
          {.friction = 0.5, .rolling = 0.1, .spinning = 0.2},
          {.friction = 0.5, .spinning = 0.2, .spinning_law = SpinningLaw::contensou},
          {.friction = 0.5, .rolling = 0.1, .spinning = 0.2, .spinning_law = SpinningLaw::contensou}};
}

TEST(ContactBlock, HasTheSizeOfItsLaw) {
  const std::vector<int> sizes = {3, 5, 6, 6, 4, 6};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(ContactBlock::of_law(all_laws()[i], false).size, sizes[i]) << i;
    EXPECT_EQ(ContactBlock::of_law(all_laws()[i], true).size, i == 0 ? 2 : sizes[i]) << i;
  }
  EXPECT_EQ(ContactBlock::of_law(all_laws()[4], false).arm, 0.4);
  // Without friction there is nothing to couple with.
  EXPECT_EQ(ContactBlock::of_law({.spinning = 0.2, .spinning_law = SpinningLaw::contensou}, false).size, 6);
}

TEST(ContactBlock, GivesBackWhatItWasGiven) {
  const Vector3 linear(1, 2, 3), angular(4, 5, 6);
  for (const ContactLaw& law : all_laws()) {
    const ContactBlock block = ContactBlock::of_law(law, false);
    std::array<double, 6> velocity = {}, impulse = {};
    block.set_velocity(linear, angular, velocity);
    block.set_impulse(linear, angular, impulse);
    EXPECT_EQ(block.linear_part(velocity), linear);
    const Vector3 held(law.spinning > 0 ? 4 : 0, block.roll >= 0 ? 5 : 0, block.roll >= 0 ? 6 : 0);
    EXPECT_LE((block.angular_velocity(velocity) - held).norm(), 1e-15);
    EXPECT_LE((block.moment(impulse) - held).norm(), 1e-15);
    double power = 0;
    for (int k = 0; k < block.size; ++k) power += velocity[k] * impulse[k];
    EXPECT_NEAR(power, linear.squaredNorm() + held.squaredNorm(), 1e-13);
  }
}

// Rows behind those of slip give the relative angular velocity along the axes of the contact.
TEST(ContactBlock, RowsGiveTheRelativeAngularVelocity) {
  math::Random random(8);
  for (const ContactLaw& law : all_laws()) {
    model::Model model;
    test::add_random_frame(model, random);
    test::add_random_frame(model, random);
    test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
    test::add_contact(model, {test::body(0), test::body(1)}, {test::body(0), test::body(1), test::surface(0)}, law);
    test::ContactCase c(model);
    c.detect(100);
    ASSERT_EQ(c.contacts.size(), 3u);
    linalg::ReusableVector u;
    c.set.relative_velocities(c.contacts, c.gradients, c.state.v, u);
    for (std::size_t i = 0; i < c.contacts.size(); ++i) {
      const Contact& contact = c.contacts[i];
      const ContactBlock& block = c.set.block(contact);
      const auto spin = [&](model::NodeId node) -> Vector3 {
        if (!node.valid()) return Vector3::Zero();
        return mechanics::orientation(c.map, c.state, node.index)
            .rotate(Vector3(c.state.v.segment<3>(c.map.v_start(node.index) + 3)));
      };
      const Vector3 relative = spin(contact.node_a) - spin(contact.node_b);
      const Vector3 found = block.angular_velocity(u.data() + c.gradients.row_offset(static_cast<int>(i)));
      const ContactAxes& axes = contact.axes;
      if (block.spin >= 0) {
        EXPECT_NEAR(found[0], axes.normal.dot(relative), 1e-14);
      }
      if (block.roll >= 0) {
        EXPECT_NEAR(found[1], axes.tangent1.dot(relative), 1e-14);
        EXPECT_NEAR(found[2], axes.tangent2.dot(relative), 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::contact
