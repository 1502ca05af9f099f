// The gradient of every contact against finite differences: H v is the rate of the gap and the relative velocity of the
// two material points that touch.
#pragma once

#include <gtest/gtest.h>

#include "model/test_models.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/mechanics/material_point.hpp"

namespace ricochet::contact::test {

using namespace ricochet::test;

struct ContactCase {
  model::Model model;
  mechanics::DofMap map;
  ContactSet set;
  mechanics::State state;
  std::vector<Contact> contacts;
  linalg::BlockSparseMatrix gradients;

  explicit ContactCase(const model::Model& source)
      : model(source), map(model), set(model, map), state(mechanics::initial_state(model, map)) {}

  void detect(double reach) {
    set.detect(state, reach, contacts);
    set.gradients(state, contacts, gradients);
  }
};

inline void expect_right_handed(const ContactAxes& axes) {
  EXPECT_NEAR(axes.normal.norm(), 1, 1e-14);
  EXPECT_NEAR(axes.tangent1.norm(), 1, 1e-14);
  EXPECT_LE((math::cross(axes.normal, axes.tangent1) - axes.tangent2).norm(), 1e-14);
}

// The world velocity of the point of a node that is at the arm now.
inline Vector3 velocity_at(const ContactCase& c, model::NodeId node, const Vector3& arm) {
  if (!node.valid()) return Vector3::Zero();
  const math::Quaternion rotation = mechanics::orientation(c.map, c.state, node.index);
  const model::Attachment attachment{node, rotation.rotate_inverse(arm)};
  return mechanics::MaterialPoint(attachment).velocity(c.map, c.state);
}

inline void expect_consistent_gradients(ContactCase& c) {
  const int size = c.set.planar() ? 2 : 3;
  ASSERT_EQ(c.gradients.rows(), static_cast<int>(c.contacts.size()));
  VectorX u = VectorX::Zero(c.gradients.scalar_rows());
  c.gradients.multiply_add(c.state.v, u);
  const double small = 1e-5;
  mechanics::State later = c.state, earlier = c.state;
  mechanics::advance(c.map, c.state.q, c.state.v, small, later.q);
  mechanics::advance(c.map, c.state.q, c.state.v, -small, earlier.q);
  for (std::size_t i = 0; i < c.contacts.size(); ++i) {
    const Contact& contact = c.contacts[i];
    expect_right_handed(contact.axes);
    const bool is_at_plane = !contact.node_b.valid();
    EXPECT_NEAR(c.set.gap(contact, c.state), contact.gap, is_at_plane ? 0 : contact.gap_rounding);
    EXPECT_LE((c.set.point(contact, c.state) - contact.point).norm(), contact.gap_rounding);
    const double rate = (c.set.gap(contact, later) - c.set.gap(contact, earlier)) / (2 * small);
    EXPECT_NEAR(u[size * static_cast<int>(i)], rate, 1e-8);
    const Vector3 relative =
        velocity_at(c, contact.node_a, contact.arm_a) - velocity_at(c, contact.node_b, contact.arm_b);
    const std::array<Vector3, 3> axes = {contact.axes.normal, contact.axes.tangent1, contact.axes.tangent2};
    for (int k = 0; k < size; ++k) EXPECT_NEAR(u[size * static_cast<int>(i) + k], axes[k].dot(relative), 1e-13);
    EXPECT_TRUE(contact.surface_velocity.isZero(0));
  }
}

}  // namespace ricochet::contact::test
