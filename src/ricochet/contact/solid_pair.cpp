#include "ricochet/contact/solid_pair.hpp"

#include <cmath>

#include "ricochet/contact/carried_core.hpp"
#include "ricochet/contact/gap_rounding.hpp"
#include "ricochet/geometry/patch.hpp"
#include "ricochet/geometry/planar_patch.hpp"

namespace ricochet::contact {

namespace {

constexpr double kFlat = 1e-6;  // sine of the tilt below which a cylinder lies flat on its side

geometry::Pose pose_of(const FormPart& part, const BodyPlace& at) {
  return {at.position + at.arm(part.center), at.rotation * part.orientation};
}

double lengths_of(const FormPart& part) { return part.middle.cwiseAbs().maxCoeff() + part.radius; }

// Whose face gives the normal. Where both have one, the patch knows; against round sides only one has.
bool is_carried_by_a(const FormPart& a, const FormPart& b, const geometry::Patch& patch) {
  bool face_of_a = false, face_of_b = false;
  for (int i = 0; i < patch.count; ++i) {
    face_of_a |= a.is_face(patch.points[i].feature_a);
    face_of_b |= b.is_face(patch.points[i].feature_b);
  }
  return face_of_a != face_of_b ? face_of_a : patch.normal_from_a;
}

// Of the roundness around the place behind a contact point: 0 if the point itself is fixed in the body.
double round_radius(const FormPart& part, const BodyPlace& at, const Vector3& normal) {
  if (part.outline) return part.outline->radius();
  if (part.solid->kind() != geometry::SolidKind::cylinder) return part.solid->radius();
  const Vector3 axis = at.rotation.rotate(part.orientation.rotate(Vector3::UnitZ()));
  return std::abs(axis.dot(normal)) <= kFlat ? part.solid->rim_radius() : 0;
}

// A cylinder or a cone that does not lie on its side.
bool leans_on_rim(const FormPart& part, double round_radius) {
  return part.solid && part.solid->is_curved() && round_radius == 0;
}

bool find_patch_of(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b, double reach,
                   geometry::Patch& patch) {
  const geometry::Pose pose_a = pose_of(a, at_a), pose_b = pose_of(b, at_b);
  return a.outline ? geometry::find_planar_patch(*a.outline, pose_a, *b.outline, pose_b, reach, patch)
                   : geometry::find_patch(*a.solid, pose_a, *b.solid, pose_b, reach, patch);
}

Vector3 in_body_axes(const BodyPlace& at, const Vector3& arm) { return at.rotation.rotate_inverse(arm); }

// From c_B to c_A.
Vector3 between_centers(const Contact& contact, const BodyPlace& at_a, const BodyPlace& at_b) {
  return (at_a.position - at_b.position) + (at_a.arm(contact.center_a) - at_b.arm(contact.center_b));
}

Vector3 normal_at(const Contact& contact, const BodyPlace& at_a, const BodyPlace& at_b) {
  return (contact.kind == ContactKind::carried_by_a ? at_a : at_b).rotation.rotate(contact.carried_normal);
}

}  // namespace

void find_solid_contacts(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b,
                         double reach, std::vector<Contact>& contacts) {
  const double rounding = gap_rounding(at_a.position, at_b.position, lengths_of(a) + lengths_of(b));
  geometry::Patch patch;
  if (!find_patch_of(a, at_a, b, at_b, reach + rounding, patch)) return;
  const ContactAxes axes = axes_for_normal(patch.normal, a.outline != nullptr);
  const double radius_a = round_radius(a, at_a, patch.normal), radius_b = round_radius(b, at_b, patch.normal);
  const bool by_a = is_carried_by_a(a, b, patch);
  const bool is_of_rim = leans_on_rim(a, radius_a) || leans_on_rim(b, radius_b);
  const Vector3 carried_normal = in_body_axes(by_a ? at_a : at_b, patch.normal);
  for (int i = 0; i < patch.count; ++i) {
    const geometry::PatchPoint& point = patch.points[i];
    Contact& contact = contacts.emplace_back();
    contact.key.feature_a = point.feature_a;
    contact.key.feature_b = point.feature_b;
    contact.gap = point.gap;
    contact.gap_rounding = rounding;
    contact.axes = axes;
    contact.arm_a = point.on_a - at_a.position;
    contact.arm_b = point.on_b - at_b.position;
    contact.point = 0.5 * (point.on_a + point.on_b);
    contact.radius_a = radius_a;
    contact.radius_b = radius_b;
    contact.is_of_rim = is_of_rim;
    contact.center_a = in_body_axes(at_a, contact.arm_a + radius_a * patch.normal);
    contact.center_b = in_body_axes(at_b, contact.arm_b - radius_b * patch.normal);
    contact.carried_normal = carried_normal;
    contact.kind = by_a ? ContactKind::carried_by_a : ContactKind::carried_by_b;
    const bool are_points = a.is_vertex(point.feature_a) && b.is_vertex(point.feature_b);
    if (are_points && point.gap + radius_a + radius_b > 0) contact.kind = ContactKind::centers;
  }
}

double solid_distance(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b) {
  const geometry::Pose pose_a = pose_of(a, at_a), pose_b = pose_of(b, at_b);
  return a.outline ? geometry::planar_distance(*a.outline, pose_a, *b.outline, pose_b)
                   : geometry::distance(*a.solid, pose_a, *b.solid, pose_b);
}

double carried_gap(const Contact& contact, const BodyPlace& at_a, const BodyPlace& at_b) {
  if (contact.core != CarriedCore::plane) return core_at(contact, at_a, at_b).gap;
  return normal_at(contact, at_a, at_b).dot(between_centers(contact, at_a, at_b)) -
         (contact.radius_a + contact.radius_b);
}

Vector3 carried_point(const Contact& contact, const BodyPlace& at_a, const BodyPlace& at_b) {
  if (contact.core != CarriedCore::plane) {
    const CoreAt at = core_at(contact, at_a, at_b);
    const bool ball_is_a = contact.kind == ContactKind::carried_by_b;
    const BodyPlace& ball = ball_is_a ? at_a : at_b;
    const double inwards = (ball_is_a ? contact.radius_a : contact.radius_b) + 0.5 * at.gap;
    return ball.position +
           (ball.arm(ball_is_a ? contact.center_a : contact.center_b) - (ball_is_a ? inwards : -inwards) * at.normal);
  }
  const Vector3 normal = normal_at(contact, at_a, at_b);
  const Vector3 on_a = at_a.position + at_a.arm(contact.center_a) - contact.radius_a * normal;
  const Vector3 on_b = at_b.position + at_b.arm(contact.center_b) + contact.radius_b * normal;
  return 0.5 * (on_a + on_b);
}

}  // namespace ricochet::contact
