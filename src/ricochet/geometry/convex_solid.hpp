// A convex solid in its own axes, made once and never changed. Lengths in m.
//
//   sphere      |x| <= radius
//   capsule     within `radius` of the segment |z| <= half_length of the axis z
//   box         |x_i| <= half_extents_i
//   polyhedron  vertices and faces, convex; it need not contain the origin
//   cylinder    x^2 + y^2 <= radius^2, |z| <= half_length
//   cone        between the disc of this radius at z = -height/2 and the apex at z = height/2
//   triangle    one side of a triangle of a surface (mesh_triangles.hpp)
//
// A solid is a *core* with a rounding radius around it. Sphere and capsule are a point and a segment with a radius; all
// others are their own core. The distance of two solids is that of their cores less the radii, exactly so, as long as
// the cores do not overlap, and also the smallest translation that parts them when they do.
//
// Features are numbered vertices, then edges, then faces, so that one int holds them (Polytope); an edge has one
// number, whichever of its faces is looked at. The corners of a box are numbered by the signs of x, y, z (bits 0, 1,
// 2), its faces -x, +x, -y, +y, -z, +z.
//
//   sphere           0 sphere
//   capsule          0, 1 end0 (z < 0), end1; 2 side
//   box              0-7 corner0-7, then edge0-11, face0-5
//   polyhedron       vertex0.., edge0.. (in the order in which the faces name them), face0..
//   triangle         vertex0-2, edge0-2, face0
//   cylinder         0 rim0.low, 1-5 rim0.leg1-5, 6-11 of rim1; 12-17 rim0.arc0-5, 18-23 of rim1; 24 side; 25 end0, 26
//   end1 cone             0 rim0.low, 1-5 rim0.leg1-5, 6 apex; 7-12 rim0.arc0-5; 13 side; 14 end0
//
// A rim touches with its lowest point and with legs at sixths of a turn from it (support_polygon.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ricochet/geometry/bounds.hpp"
#include "ricochet/geometry/polytope.hpp"
#include "ricochet/geometry/pose.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::geometry {

enum class SolidKind { sphere, capsule, box, polyhedron, triangle, cylinder, cone };

class ConvexSolid {
 public:
  // Makers. They throw std::invalid_argument with a sentence when no solid has these dimensions.
  static ConvexSolid sphere(double radius);  // 0: a point
  static ConvexSolid capsule(double radius, double half_length);
  static ConvexSolid box(const Vector3& half_extents);
  static ConvexSolid cylinder(double radius, double half_length);
  static ConvexSolid cone(double radius, double height);
  static ConvexSolid polyhedron(std::span<const Vector3> vertices, std::span<const std::vector<int>> faces);
  static ConvexSolid triangle(const Vector3& a, const Vector3& b, const Vector3& c,
                              std::span<const Vector3, 3> neighbor_normals,
                              std::span<const Vector3, 3> shadows,  // see triangle_polytope
                              const Vector3& below = Vector3::Zero());

  SolidKind kind() const { return kind_; }
  bool is_curved() const { return kind_ == SolidKind::cylinder || kind_ == SolidKind::cone; }  // no polytope as core
  double radius() const { return radius_; }                                                    // of the rounding, m
  const Polytope& core() const { return core_; }                 // not of cylinder and cone
  const Vector3& middle() const { return core_.middle; }         // m
  const Vector3& half_extents() const { return half_extents_; }  // of a box, m
  double rim_radius() const { return half_extents_.x(); }        // of a cylinder or a cone, m
  double half_length() const { return half_extents_.z(); }       // of a cylinder or a cone, m

  // Of a triangle, m: a solid whose middle has come through it is held as long as it is between the triangle and the
  // triangle moved by this. Zero: what is behind is let alone.
  const Vector3& below() const { return below_; }

  double bounding_radius() const { return bounding_radius_; }  // of a ball about the middle, m, with what is below
  Bounds bounds(const Pose& pose) const;                       // tight, with what is below
  Vector3 support(const Vector3& direction) const;             // m, own axes: the furthest point in a direction
  Vector3 core_support(const Vector3& direction) const;        // m, of the core, from the middle

  std::string feature_name(int feature) const;

 private:
  ConvexSolid(SolidKind kind, double radius, Polytope core);

  SolidKind kind_;
  double radius_;
  Polytope core_;
  Vector3 half_extents_ = Vector3::Zero();
  Vector3 below_ = Vector3::Zero();
  double bounding_radius_ = 0;
};

}  // namespace ricochet::geometry
