#include "ricochet/contact/contact_motion.hpp"

#include <array>
#include <cmath>

#include "ricochet/contact/carried_core.hpp"
#include "ricochet/contact/rim_legs.hpp"

namespace ricochet::contact {

using mechanics::State;

namespace {

// Rotation vector, in the axes in which both rotations give their result, of what turns `before` into `after`.
Vector3 turned(const math::Quaternion& before, const math::Quaternion& after) {
  return math::logarithm(after * before.conjugate());
}

// The rotation of a body seen from another.
math::Quaternion seen_from(const BodyPlace& carrier, const BodyPlace& other) {
  return carrier.rotation.conjugate() * other.rotation;
}

bool has_core(const Contact& contact) { return contact.core != CarriedCore::plane; }

// Are the tangents of the slip those of the place where the contact was found?
bool is_frozen(const Contact& contact) { return contact.kind == ContactKind::centers || has_core(contact); }

// The tangent that was found, laid into the plane across a normal that has turned since.
ContactAxes following_axes(const Vector3& normal, const Vector3& tangent, bool planar) {
  const Vector3 across = tangent - normal.dot(tangent) * normal;
  if (planar || !(across.squaredNorm() > 0)) return axes_for_normal(normal, planar);
  const Vector3 tangent1 = across.normalized();
  return {normal, tangent1, math::cross(normal, tangent1)};
}

// The sides of a contact whose normal one body carries. `sign` is +1 if A is the other one: what it slips on its
// carrier is then the slip of A on B.
struct Carried {
  model::NodeId carrier, other;
  Vector3 center;     // of the other side, from its node in its axes
  double radius = 0;  // m, of the other side; its point is at center - sign radius n
  double sign = 1;
};

Carried carried_sides(const Contact& contact) {
  if (contact.kind == ContactKind::carried_by_a) {
    return {contact.node_a, contact.node_b, contact.center_b, contact.radius_b, -1};
  }
  return {contact.node_b, contact.node_a, contact.center_a, contact.radius_a, 1};
}

// A block of the second derivatives of a node with another (or itself), in full: (translation, rotation).
void add_block(const mechanics::DofMap& map, int row, int column, double factor, const Matrix6& block,
               linalg::EffectiveMass& matrix) {
  matrix.add(row, column, factor * block.topLeftCorner(map.v_size(row), map.v_size(column)));
}

// How a point at an arm from its node moves, for velocities of the node.
Eigen::Matrix<double, 3, 6> point_gradient(const BodyPlace& side, const Vector3& arm) {
  Eigen::Matrix<double, 3, 6> result;
  result << Matrix3::Identity(), -math::skew(arm) * side.rotation.matrix();
  return result;
}

// The torque about a node, in body axes, of a force that stays as it is (world) at a point of the body: how it changes
// as the body turns. The couple (world) of a round side is the gradient of a rotation vector, whose tangent takes half
// of its turn back.
Matrix3 torque_by_rotation(const BodyPlace& place, const Vector3& center, const Vector3& force, const Vector3& couple) {
  return math::skew(center) * math::skew(place.rotation.rotate_inverse(force)) +
         0.5 * math::skew(place.rotation.rotate_inverse(couple));
}

}  // namespace

BodyPlace ContactMotion::place(model::NodeId node, const State& state) const {
  return node.valid() ? place_of(set_.map(), state, node.index) : in_world();
}

void ContactMotion::carry(const State& found_at, std::vector<Contact>& contacts) const {
  carry_tangents(found_at, contacts);
  fix_legs(set_.map(), found_at, contacts);
}

void ContactMotion::add(const State& found_at, std::vector<Contact>& found, std::vector<Contact>& contacts) const {
  carry_tangents(found_at, found);
  add_with_legs(found, contacts);
  fix_legs(set_.map(), found_at, contacts);
}

void ContactMotion::carry_tangents(const State& found_at, std::vector<Contact>& contacts) const {
  for (Contact& contact : contacts) {
    if (contact.kind == ContactKind::centers) {  // the world carries those of two balls
      contact.carried_normal = contact.axes.normal;
      contact.carried_tangent = contact.axes.tangent1;
    }
    if (contact.kind != ContactKind::carried_by_a && contact.kind != ContactKind::carried_by_b) continue;
    const BodyPlace carrier = place(carried_sides(contact).carrier, found_at);
    contact.carried_tangent = carrier.rotation.rotate_inverse(contact.axes.tangent1);
  }
}

void ContactMotion::move(const State& state, Contact& contact) const {
  if (contact.kind == ContactKind::generalised) return set_.systems().move(state, contact);
  contact.gap = set_.gap(contact, state);
  contact.point = set_.point(contact, state);
  const BodyPlace a = place(contact.node_a, state), b = place(contact.node_b, state);
  if (is_at_plane(contact.kind)) {
    contact.axes = axes_for_normal(set_.plane(contact.key, state.time).normal, set_.planar());
    contact.arm_a = contact.point - a.position;
  } else if (contact.kind == ContactKind::centers) {
    const Vector3 arm_a = a.arm(contact.center_a), arm_b = b.arm(contact.center_b);
    const Vector3 between = (a.position - b.position) + (arm_a - arm_b);
    const double distance = between.norm();
    const Vector3 n = distance > 0 ? Vector3(between / distance) : contact.axes.normal;
    contact.axes = following_axes(n, contact.carried_tangent, set_.planar());
    contact.arm_a = arm_a - contact.radius_a * n;
    contact.arm_b = arm_b + contact.radius_b * n;
  } else {
    const Carried sides = carried_sides(contact);
    const bool by_a = sides.sign < 0;
    const math::Quaternion& rotation = (by_a ? a : b).rotation;
    if (has_core(contact)) {
      contact.axes =
          following_axes(core_at(contact, a, b).normal, rotation.rotate(contact.carried_tangent), set_.planar());
    } else {
      contact.axes.normal = rotation.rotate(contact.carried_normal);
      contact.axes.tangent1 = rotation.rotate(contact.carried_tangent);
      contact.axes.tangent2 = math::cross(contact.axes.normal, contact.axes.tangent1);
    }
    // Both arms lead to the point of the side that does not carry the normal: its foot on the other moves about.
    const BodyPlace& other = by_a ? b : a;
    const Vector3 arm = other.arm(sides.center) - sides.sign * sides.radius * contact.axes.normal;
    const Vector3 point = other.position + arm;
    contact.arm_a = by_a ? Vector3(point - a.position) : arm;
    contact.arm_b = by_a ? arm : Vector3(point - b.position);
  }
  contact.surface_velocity = set_.surface_velocity(contact, state.time);
  contact.surface_spin = set_.surface_spin(contact, state.time);
}

Eigen::Vector2d ContactMotion::slip(const Contact& contact, const State& now) const {
  if (contact.kind == ContactKind::generalised) {
    return (set_.systems().displacements(contact, now) - set_.systems().displacements(contact, begin_)).tail<2>();
  }
  const ContactAxes& axes = contact.axes;
  Vector3 moved;  // in the world, of A past B
  if (is_at_plane(contact.kind)) {
    const BodyPlace before = place(contact.node_a, begin_), after = place(contact.node_a, now);
    const bool is_round = contact.kind == ContactKind::ball_plane && contact.radius_a > 0 && after.turns;
    // Of a rim that rolls, the material point that touches now: it comes down on the plane without slip.
    const Vector3 center =
        contact.kind == ContactKind::ball_plane ? contact.center_a : after.rotation.rotate_inverse(contact.arm_a);
    moved = (after.position + after.arm(center)) - (before.position + before.arm(center));
    if (is_round) moved -= contact.radius_a * math::cross(turned(before.rotation, after.rotation), axes.normal);
    const double h = now.time - begin_.time;
    if (set_.driver(contact.key) >= 0 && h > 0) {
      const Vector3 start = contact.point - moved;
      const auto velocity = [&](double part) {
        return set_.surface_velocity_at(contact.key, begin_.time + part * h, (1 - part) * start + part * contact.point);
      };
      moved -= h / 6 * (velocity(0) + 4 * velocity(0.5) + velocity(1));
    }
  } else if (contact.kind == ContactKind::centers) {
    const BodyPlace a0 = place(contact.node_a, begin_), a = place(contact.node_a, now);
    const BodyPlace b0 = place(contact.node_b, begin_), b = place(contact.node_b, now);
    moved = (a.position - a0.position) - (b.position - b0.position) +
            (a.arm(contact.center_a) - a0.arm(contact.center_a)) - (b.arm(contact.center_b) - b0.arm(contact.center_b));
    Vector3 rolled = Vector3::Zero();
    if (a.turns && contact.radius_a > 0) rolled += contact.radius_a * turned(a0.rotation, a.rotation);
    if (b.turns && contact.radius_b > 0) rolled += contact.radius_b * turned(b0.rotation, b.rotation);
    moved -= math::cross(rolled, contact.carried_normal);
    return {contact.carried_tangent.dot(moved),
            math::cross(contact.carried_normal, contact.carried_tangent).dot(moved)};
  } else {
    const Carried sides = carried_sides(contact);
    const BodyPlace carrier0 = place(sides.carrier, begin_), carrier = place(sides.carrier, now);
    const BodyPlace other0 = place(sides.other, begin_), other = place(sides.other, now);
    const auto seen = [&](const BodyPlace& from, const BodyPlace& side) {
      return from.rotation.rotate_inverse(Vector3(side.position + side.arm(sides.center) - from.position));
    };
    Vector3 local = sides.sign * (seen(carrier, other) - seen(carrier0, other0));
    if (other.turns && sides.radius > 0) {
      const Vector3 turn = turned(seen_from(carrier0, other0), seen_from(carrier, other));
      local -= sides.radius * math::cross(turn, contact.carried_normal);
    }
    if (has_core(contact)) {
      return {contact.carried_tangent.dot(local),
              math::cross(contact.carried_normal, contact.carried_tangent).dot(local)};
    }
    moved = carrier.rotation.rotate(local);
  }
  return {axes.tangent1.dot(moved), axes.tangent2.dot(moved)};
}

void ContactMotion::gradients(const State& now, const std::vector<Contact>& contacts,
                              linalg::BlockSparseMatrix& rows) const {
  set_.gradients(now, contacts, rows);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (is_frozen(contacts[i])) set_slip_rows(contacts[i], static_cast<int>(i), now, rows);
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].kind == ContactKind::generalised) continue;
    correct_rolling(contacts[i], static_cast<int>(i), now, rows);
    if (set_.block(contacts[i]).resists()) set_turn_rows(contacts[i], static_cast<int>(i), now, rows);
  }
}

Vector3 ContactMotion::turn(const Contact& contact, const State& now) const {
  const auto turn_of = [&](model::NodeId node) {
    return node.valid() ? turned(place(node, begin_).rotation, place(node, now).rotation) : Vector3::Zero();
  };
  const Vector3 relative = turn_of(contact.node_a) - turn_of(contact.node_b);
  const ContactAxes& axes = contact.axes;
  Vector3 result(axes.normal.dot(relative), axes.tangent1.dot(relative), axes.tangent2.dot(relative));
  const double h = now.time - begin_.time;
  if (set_.driver(contact.key) >= 0 && h > 0) {
    const auto spin = [&](double part) { return set_.surface_spin(contact, begin_.time + part * h); };
    result += h / 6 * (spin(0) + 4 * spin(0.5) + spin(1));
  }
  return result;
}

// Rotation vectors change by the inverse tangent times what turns; the axes are taken as they are now.
void ContactMotion::set_turn_rows(const Contact& contact, int row, const State& now,
                                  linalg::BlockSparseMatrix& rows) const {
  const ContactBlock& of = set_.block(contact);
  for (const auto& entry : rows.row(row)) {
    const bool is_a = entry.column == contact.node_a.index;
    const BodyPlace side = place(is_a ? contact.node_a : contact.node_b, now);
    if (!side.turns) continue;
    const BodyPlace before = place(is_a ? contact.node_a : contact.node_b, begin_);
    const Matrix3 tangent = (is_a ? 1.0 : -1.0) * math::left_tangent_inverse(turned(before.rotation, side.rotation)) *
                            side.rotation.matrix();
    linalg::MutableBlockView block = rows.block(row, entry);
    const auto set_row = [&](int at, double weight, const Vector3& axis) {
      const Vector3 values = weight * tangent.transpose() * axis;
      for (int k = 0; k < 3; ++k) block(at, 3 + k) = values[k];
    };
    if (of.spin >= 0) set_row(of.spin, of.arm, contact.axes.normal);
    if (of.roll < 0) continue;
    set_row(of.roll, 1, contact.axes.tangent1);
    set_row(of.roll + 1, 1, contact.axes.tangent2);
  }
}

// The normal and the first tangent of the slip, in the world.
std::array<Vector3, 2> ContactMotion::slip_axes(const Contact& contact, const State& now) const {
  if (!is_frozen(contact)) return {contact.axes.normal, contact.axes.tangent1};
  if (contact.kind == ContactKind::centers) return {contact.carried_normal, contact.carried_tangent};
  const math::Quaternion rotation = place(carried_sides(contact).carrier, now).rotation;
  return {rotation.rotate(contact.carried_normal), rotation.rotate(contact.carried_tangent)};
}

// Along tangents that stand still in the world, of two balls, or in the carrier.
void ContactMotion::set_slip_rows(const Contact& contact, int row, const State& now,
                                  linalg::BlockSparseMatrix& rows) const {
  const auto [normal, tangent1] = slip_axes(contact, now);
  const std::array<Vector3, 2> tangents = {tangent1, math::cross(normal, tangent1)};
  const BodyPlace a = place(contact.node_a, now), b = place(contact.node_b, now);
  Vector3 arm_a = a.arm(contact.center_a) - contact.radius_a * normal;
  Vector3 arm_b = b.arm(contact.center_b) + contact.radius_b * normal;
  // As for a face, both arms lead to the point of the ball.
  if (contact.kind == ContactKind::carried_by_a) arm_a = (b.position - a.position) + arm_b;
  if (contact.kind == ContactKind::carried_by_b) arm_b = (a.position - b.position) + arm_a;
  for (const auto& entry : rows.row(row)) {
    linalg::MutableBlockView block = rows.block(row, entry);
    const bool is_a = entry.column == contact.node_a.index;
    const double sign = is_a ? 1 : -1;
    const BodyPlace& side = is_a ? a : b;
    const Vector3& arm = is_a ? arm_a : arm_b;
    for (int i = 1; i < set_.block(contact).linear; ++i) {
      const Vector3& tangent = tangents[i - 1];
      for (int k = 0; k < 3; ++k) block(i, k) = sign * tangent[k];
      if (!side.turns) continue;
      const Vector3 turning = side.rotation.rotate_inverse(math::cross(arm, tangent));
      for (int k = 0; k < 3; ++k) block(i, 3 + k) = sign * turning[k];
    }
  }
}

// A rotation vector changes by the inverse tangent times what turns: the rows have 1 in place of it.
void ContactMotion::correct_rolling(const Contact& contact, int row, const State& now,
                                    linalg::BlockSparseMatrix& rows) const {
  const std::array<Vector3, 2> axes = slip_axes(contact, now);
  const Vector3 &normal = axes[0], &tangent1 = axes[1];
  const auto add = [&](model::NodeId node, double radius, const Matrix3& correction, const math::Quaternion& to_world) {
    // slip contains -r t.(Phi x n) = -r (n x t).Phi, and Phi changes by (1 + correction) times the turn.
    if (!node.valid() || !set_.map().is_frame(node.index)) return;
    for (const auto& entry : rows.row(row)) {
      if (entry.column != node.index) continue;
      linalg::MutableBlockView block = rows.block(row, entry);
      const math::Quaternion rotation = mechanics::orientation(set_.map(), now, node.index);
      for (int i = 1; i < set_.block(contact).linear; ++i) {
        const Vector3 tangent = i == 1 ? tangent1 : math::cross(normal, tangent1);
        const Vector3 lever = to_world.rotate_inverse(math::cross(normal, tangent));
        const Vector3 change = rotation.rotate_inverse(to_world.rotate(Vector3(correction.transpose() * lever)));
        for (int k = 0; k < 3; ++k) block(i, 3 + k) -= radius * change[k];
      }
    }
  };
  const auto correction = [](const Vector3& rotation_vector) {
    return Matrix3(math::left_tangent_inverse(rotation_vector) - Matrix3::Identity());
  };
  const auto turn_of = [&](model::NodeId node) {
    return turned(place(node, begin_).rotation, place(node, now).rotation);
  };
  const math::Quaternion world;
  if (contact.kind == ContactKind::ball_plane) {
    if (contact.radius_a > 0) add(contact.node_a, contact.radius_a, correction(turn_of(contact.node_a)), world);
  } else if (contact.kind == ContactKind::centers) {
    if (contact.radius_a > 0) add(contact.node_a, contact.radius_a, correction(turn_of(contact.node_a)), world);
    if (contact.radius_b > 0) add(contact.node_b, contact.radius_b, correction(turn_of(contact.node_b)), world);
  } else if (contact.kind != ContactKind::rim_plane) {
    const Carried sides = carried_sides(contact);
    const BodyPlace carrier = place(sides.carrier, now), other = place(sides.other, now);
    if (!other.turns || !(sides.radius > 0)) return;
    const Vector3 turn =
        turned(seen_from(place(sides.carrier, begin_), place(sides.other, begin_)), seen_from(carrier, other));
    const Matrix3 both = correction(turn);
    add(sides.other, sides.radius, both, carrier.rotation);
    add(sides.carrier, -sides.radius, both, carrier.rotation);
  }
}

// What the turning of the normal within its carrier adds, see carried_core.hpp.
void ContactMotion::add_core_curvature(const Contact& contact, const State& now, double factor,
                                       linalg::EffectiveMass& matrix) const {
  const mechanics::DofMap& map = set_.map();
  const BodyPlace a = place(contact.node_a, now), b = place(contact.node_b, now);
  const Matrix3 curvature = core_at(contact, a, b).curvature();
  const bool by_a = contact.kind == ContactKind::carried_by_a;
  // The centre of the ball, also as a point of the carrier.
  const Vector3 center = by_a ? Vector3(b.position + b.arm(contact.center_b)) : a.position + a.arm(contact.center_a);
  const Eigen::Matrix<double, 3, 6> of_a = point_gradient(a, center - a.position),
                                    of_b = point_gradient(b, center - b.position);
  const bool has_a = contact.node_a.valid(), has_b = contact.node_b.valid();
  const int node_a = contact.node_a.index, node_b = contact.node_b.index;
  if (has_a) add_block(map, node_a, node_a, factor, of_a.transpose() * curvature * of_a, matrix);
  if (has_b) add_block(map, node_b, node_b, factor, of_b.transpose() * curvature * of_b, matrix);
  if (!has_a || !has_b) return;
  const Matrix6 mixed = -of_a.transpose() * curvature * of_b;
  add_block(map, node_a, node_b, factor, mixed, matrix);
  add_block(map, node_b, node_a, factor, mixed.transpose(), matrix);
}

void ContactMotion::add_curvature(const State& now, const std::vector<Contact>& contacts,
                                  const linalg::VectorView& multipliers, double factor,
                                  linalg::EffectiveMass& matrix) const {
  const mechanics::DofMap& map = set_.map();
  const double* next = multipliers.data();
  for (const Contact& contact : contacts) {
    const ContactBlock& of = set_.block(contact);
    const Vector3 components = of.linear_part(next);
    next += of.size;
    if (components.isZero(0)) continue;
    if (contact.kind == ContactKind::generalised) {
      set_.systems().add_curvature(contact, now, components, factor, matrix);
      continue;
    }
    const Vector3& n = contact.axes.normal;
    Vector3 force = to_world(contact.axes, components);  // on A
    Matrix6 block = Matrix6::Zero();
    if (is_at_plane(contact.kind)) {
      const BodyPlace a = place(contact.node_a, now);
      if (!a.turns) continue;
      const bool is_ball = contact.kind == ContactKind::ball_plane;
      const Vector3 center = is_ball ? contact.center_a : a.rotation.rotate_inverse(contact.arm_a);
      const Vector3 couple = is_ball ? Vector3(-contact.radius_a * math::cross(n, force)) : Vector3::Zero();
      block.bottomRightCorner<3, 3>() = torque_by_rotation(a, center, force, couple);
      add_block(map, contact.node_a.index, contact.node_a.index, factor, block, matrix);
      continue;
    }
    if (contact.kind == ContactKind::centers) {
      const BodyPlace a = place(contact.node_a, now), b = place(contact.node_b, now);
      const Vector3 arm_a = a.arm(contact.center_a), arm_b = b.arm(contact.center_b);
      const Vector3& frozen = contact.carried_normal;
      const Vector3 along =
          components[1] * contact.carried_tangent + components[2] * math::cross(frozen, contact.carried_tangent);
      force = components[0] * n + along;
      const double distance = ((a.position - b.position) + (arm_a - arm_b)).norm();
      if (!(distance > 0)) continue;
      const Matrix3 stiffness = components[0] / distance * (Matrix3::Identity() - n * n.transpose());
      const Eigen::Matrix<double, 3, 6> of_a = point_gradient(a, arm_a), of_b = point_gradient(b, arm_b);
      const auto turning = [&](const BodyPlace& side, const Vector3& center, double sign, double radius) {
        Matrix6 result = Matrix6::Zero();
        const Vector3 couple = -radius * math::cross(frozen, along);
        if (side.turns) result.bottomRightCorner<3, 3>() = torque_by_rotation(side, center, sign * force, couple);
        return result;
      };
      const bool has_a = contact.node_a.valid(), has_b = contact.node_b.valid();
      if (has_a) {
        block = of_a.transpose() * stiffness * of_a + turning(a, contact.center_a, 1, contact.radius_a);
        add_block(map, contact.node_a.index, contact.node_a.index, factor, block, matrix);
      }
      if (has_b) {
        block = of_b.transpose() * stiffness * of_b + turning(b, contact.center_b, -1, contact.radius_b);
        add_block(map, contact.node_b.index, contact.node_b.index, factor, block, matrix);
      }
      if (has_a && has_b) {
        block = -of_a.transpose() * stiffness * of_b;
        add_block(map, contact.node_a.index, contact.node_b.index, factor, block, matrix);
        add_block(map, contact.node_b.index, contact.node_a.index, factor, block.transpose(), matrix);
      }
      continue;
    }
    // Galvez et al., eqs 56-57, for a face that turns and a point that may belong to a body that turns too. The force F
    // on the other side is fixed in the carrier.
    const Carried sides = carried_sides(contact);
    const BodyPlace carrier = place(sides.carrier, now), other = place(sides.other, now);
    Vector3 slip_normal = n;
    if (has_core(contact)) {  // the force along the tangents that were found is fixed in the carrier; the normal is not
      const std::array<Vector3, 2> axes = slip_axes(contact, now);
      slip_normal = axes[0];
      force = components[1] * axes[1] + components[2] * math::cross(axes[0], axes[1]);
    }
    Vector3 on_other = sides.sign * force;
    const Vector3 couple = -sides.sign * sides.radius * math::cross(slip_normal, on_other);
    if (has_core(contact)) {
      on_other += sides.sign * components[0] * n;
      add_core_curvature(contact, now, factor * components[0], matrix);
    }
    const Vector3 arm = other.arm(sides.center);
    const Matrix3 carrier_rotation = carrier.rotation.matrix(), other_rotation = other.rotation.matrix();
    const Matrix3 force_by_carrier = -math::skew(on_other) * carrier_rotation;
    if (sides.other.valid() && other.turns) {
      block.bottomRightCorner<3, 3>() = torque_by_rotation(other, sides.center, on_other, couple);
      add_block(map, sides.other.index, sides.other.index, factor, block, matrix);
    }
    if (!sides.carrier.valid() || !carrier.turns) continue;
    const Vector3 local_force = carrier.rotation.rotate_inverse(on_other);
    const Vector3 seen = carrier.rotation.rotate_inverse(Vector3(other.position + arm - carrier.position));
    const Matrix3 torque_by_place = math::skew(local_force) * carrier_rotation.transpose();
    block.setZero();
    block.topRightCorner<3, 3>() = -force_by_carrier;
    block.bottomLeftCorner<3, 3>() = -torque_by_place;
    const Matrix3 local_couple = math::skew(carrier.rotation.rotate_inverse(couple));
    block.bottomRightCorner<3, 3>() = math::skew(local_force) * math::skew(seen) - 0.5 * local_couple;
    add_block(map, sides.carrier.index, sides.carrier.index, factor, block, matrix);
    if (!sides.other.valid()) continue;
    block.setZero();
    block.topRightCorner<3, 3>() = force_by_carrier;
    if (other.turns) {
      block.bottomRightCorner<3, 3>() = math::skew(sides.center) * other_rotation.transpose() * force_by_carrier -
                                        0.5 * other_rotation.transpose() * math::skew(couple) * carrier_rotation;
    }
    add_block(map, sides.other.index, sides.carrier.index, factor, block, matrix);
    block.setZero();
    block.bottomLeftCorner<3, 3>() = torque_by_place;
    if (other.turns) {
      block.bottomRightCorner<3, 3>() = -torque_by_place * math::skew(arm) * other_rotation +
                                        0.5 * local_couple * carrier_rotation.transpose() * other_rotation;
    }
    add_block(map, sides.carrier.index, sides.other.index, factor, block, matrix);
  }
}

}  // namespace ricochet::contact
