// Gap and slip of contacts over a step against their rows and curvature, by finite differences.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "contact/contact_checks.hpp"
#include "mechanics/term_checks.hpp"
#include "ricochet/contact/contact_motion.hpp"

namespace ricochet::contact::test {

// Two bodies (or one and a plane) that nearly touch, and where they were a step before.
struct MotionCase : ContactCase {
  mechanics::State begin, found_at;

  explicit MotionCase(const model::Model& source) : ContactCase(source), begin(state), found_at(state) {
    set.detect(state, 0.05, contacts);
  }

  // In the plane a frame has x, y and the angle about z.
  bool moves(int component) const { return map.is_free(component); }

  // All nodes moved and turned by something of this size.
  mechanics::State jolted(const mechanics::State& from, math::Random& random, double size) const {
    mechanics::State result = from;
    VectorX change(map.v_total());
    for (Eigen::Index i = 0; i < change.size(); ++i)
      change[i] = moves(static_cast<int>(i)) ? size * random.normal() : 0;
    mechanics::advance(map, from.q, change, 1, result.q);
    return result;
  }
};

inline Vector3 gap_and_slip(const MotionCase& c, Contact contact, const mechanics::State& now) {
  const ContactMotion motion(c.set, c.begin);
  motion.move(now, contact);
  const Eigen::Vector2d slip = motion.slip(contact, now);
  return {contact.gap, slip[0], slip[1]};
}

// rows^T r at a state.
inline VectorX force_of(const MotionCase& c, std::vector<Contact> contacts, const mechanics::State& now,
                        const VectorX& r) {
  const ContactMotion motion(c.set, c.begin);
  linalg::BlockSparseMatrix rows;
  for (Contact& contact : contacts) motion.move(now, contact);
  motion.gradients(now, contacts, rows);
  VectorX force = VectorX::Zero(c.map.v_total());
  rows.transpose_multiply_add(r, force);
  return force;
}

inline mechanics::State moved(const MotionCase& c, const mechanics::State& from, int component, double by) {
  mechanics::State result = from;
  mechanics::advance(c.map, from.q, VectorX::Unit(c.map.v_total(), component), by, result.q);
  return result;
}

// All bodies moved and turned together, at random.
inline mechanics::State moved_as_one(const MotionCase& c, math::Random& random) {
  const math::Quaternion turn = ricochet::test::random_rotation(random);
  const Vector3 shift = ricochet::test::random_vector3(random);
  mechanics::State now = c.state;
  for (int node = 0; node < c.map.nodes(); ++node) {
    const int start = c.map.q_start(node);
    now.q.segment<3>(start) = turn.rotate(Vector3(c.state.q.segment<3>(start))) + shift;
    const math::Quaternion r = turn * mechanics::orientation(c.map, c.state, node);
    now.q.segment<4>(start + 3) << r.w, r.x, r.y, r.z;
  }
  return now;
}

struct Exactness {
  double rows = 1e-7;  // of the rows, relative to lengths of about 1
  double curvature = 1e-6;
  bool at_the_beginning = false;  // nothing has turned since the beginning of the step
};

// Where something round rolls, the curvature has the tangent of the rotation vector at zero: what is missing has the
// size of the increment, here 0.05, times the tangential force (about 1) and the radius.
constexpr Exactness kRolling = {1e-7, 0.05};
// Before anything has turned nothing is missing.
constexpr Exactness kExact = {1e-7, 1e-6, true};

// Rows against differences of gap and slip, curvature against differences of rows^T r, at places away from where the
// contacts were found.
inline void expect_derivatives(MotionCase& c, math::Random& random, const Exactness& exactness = {}) {
  ASSERT_FALSE(c.contacts.empty());
  c.begin = c.jolted(c.state, random, 0.02);
  const mechanics::State now = c.jolted(c.state, random, 0.02);
  if (exactness.at_the_beginning) c.begin = now;
  const ContactMotion motion(c.set, c.begin);
  motion.carry(c.state, c.contacts);
  std::vector<Contact> at = c.contacts;
  linalg::BlockSparseMatrix rows;
  for (Contact& contact : at) motion.move(now, contact);
  motion.gradients(now, at, rows);
  const int size = c.set.planar() ? 2 : 3;
  const double small = 1e-5;
  VectorX r(rows.scalar_rows());
  for (Eigen::Index i = 0; i < r.size(); ++i) r[i] = random.normal();
  ricochet::mechanics::test::DenseMass curvature(c.map);
  motion.add_curvature(now, at, r, 1, curvature);
  for (int component = 0; component < c.map.v_total(); ++component) {
    if (!c.moves(component)) continue;
    const mechanics::State plus = moved(c, now, component, small), minus = moved(c, now, component, -small);
    VectorX column = VectorX::Zero(rows.scalar_rows());
    rows.multiply_add(VectorX::Unit(c.map.v_total(), component), column);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Vector3 rate = (gap_and_slip(c, at[i], plus) - gap_and_slip(c, at[i], minus)) / (2 * small);
      for (int k = 0; k < size; ++k) {
        EXPECT_NEAR(column[size * static_cast<int>(i) + k], rate[k], exactness.rows)
            << "contact " << i << ", row " << k << ", component " << component;
      }
    }
    const VectorX change = (force_of(c, at, plus, r) - force_of(c, at, minus, r)) / (2 * small);
    VectorX difference = curvature.matrix().col(component) - change;
    for (int i = 0; i < c.map.v_total(); ++i) difference[i] *= c.moves(i) ? 1 : 0;
    EXPECT_LE(difference.lpNorm<Eigen::Infinity>(), exactness.curvature) << "component " << component;
  }
}

}  // namespace ricochet::contact::test
