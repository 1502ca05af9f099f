// Contact of a ball of one body (see features.hpp: a point with a radius) with a face that another body carries.
//
// With d = R^T (c - x) - p, where c is the centre of the ball, x, R the node of the face and p the middle of the face
// in its axes (Galvez et al., eq. (28)-(30), there for points):
//
//   gap = N . d - r,    if |X . d| <= a, |Y . d| <= b and N . d >= -min(a, b)
//
// X, Y are the directions of the edges, a, b half their lengths, N = X x Y. Otherwise there is no contact: the ball
// passes beside the face, or is so far behind it that it has not come through it but around it. Without limits all that
// is behind the face has come through it.
//
// The face holds nothing on its other side, and its edges are not features: what is round or has corners meets the face
// where the centre or the corner is over it, and only there.
#pragma once

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/sphere_sphere.hpp"
#include "ricochet/geometry/bounds.hpp"
#include "ricochet/model/shape.hpp"

namespace ricochet::contact {

// In the axes of the node.
struct FaceOfBody {
  Vector3 center = Vector3::Zero();  // p, m, from the node
  Vector3 along_x = Vector3::UnitX(), along_y = Vector3::UnitY(), normal = Vector3::UnitZ();
  Vector2 half_extents = Vector2::Zero();  // a, b, m; infinite: without limits

  // In the plane only the extent along x tells.
  bool has_limits() const { return half_extents.array().isFinite().any(); }
  double depth() const { return half_extents.minCoeff(); }  // m, how far behind it holds what has come through it
};

FaceOfBody make_face(const model::FaceShape& shape, const Vector3& position, const math::Quaternion& orientation,
                     bool planar);

// If the gap is at most `reach` (m), up to the rounding error of computing it, fills in all of the contact but key, law
// and nodes. The ball is A, or else the face.
bool find_ball_face(const BallOfBody& ball, const BodyPlace& at_ball, const FaceOfBody& face, const BodyPlace& at_face,
                    bool ball_is_a, bool planar, double reach, Contact& contact);

// Infinite if the ball is beside the face or too far behind it.
double ball_face_gap(const BallOfBody& ball, const BodyPlace& at_ball, const FaceOfBody& face,
                     const BodyPlace& at_face);

// Of the face and of all behind it that it holds; infinite without limits.
geometry::Bounds face_bounds(const FaceOfBody& face, const BodyPlace& at_face);
double face_radius(const FaceOfBody& face, bool planar);  // m, of the sphere around its middle that holds the same

}  // namespace ricochet::contact
