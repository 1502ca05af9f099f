// Clearance joints as plain data: a slider in a guide, a journal in a bearing, a ball in a socket, each with room to
// move.
//
// Unlike an ideal joint a clearance joint holds nothing together. It is an assembly of what exists: shapes on two
// bodies (corners and faces, balls and bores) and the contact rule under which they touch (add_clearance), so every
// scheme, law and record knows it already. The first body carries the slider, journal or ball, the second the guide,
// bearing or socket. Each carries a frame, and with e the place of a point of the first seen from the frame of the
// second, c the clearance and s = +1 or -1 the side on which it is (Flores et al. 2010, eqs 98-105, for sliders in the
// plane):
//
//   type           axes of the frames              touches with              gap
//   translational  x along the guide, y up         corners of a box          half_size_y + c - s e_y,  in space and
//                                                                            half_size_z + c - s e_z
//   revolute       z along the axis; in the plane  a circle, the journal     c - |e|
//                  in space                        two rims at +-half_length c - |(e_x, e_y)|
//                  with an axial clearance         two ends there            half_length + axial - s e_z
//   spherical      any                             a ball                    c - |e|
//
// c is the room on each side: centred, the guide is 2 (half_size_y + c) wide, and a bearing has the radius of its
// journal and c more. Guides and bores have no ends.
//
// A rim is taken as a ball of the journal's radius r. A pin with sharp edges that is tilted by an angle p stands away
// from the bore's wall by up to r (1 - cos p) more, about r p^2/2. A pin in its bearing is tilted by at most 2 c/length
// (length = 2 half_length), so what is neglected of c is at most 2 r c/length^2: half a percent for c = 0.1 mm,
// r = 10 mm, length = 20 mm, less than what edges are rounded by. In return gap and curvature are smooth, and exact for
// a pin with two crowned collars. An end touches with its middle.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/coefficient.hpp"
#include "ricochet/model/ids.hpp"
#include "ricochet/model/joint.hpp"

namespace ricochet::model {

enum class ClearanceType { translational, revolute, spherical };
inline constexpr std::array<const char*, 3> clearance_type_names = {"translational", "revolute", "spherical"};

struct Clearance {
  std::string name;
  ClearanceType type = ClearanceType::spherical;
  BodyId first, second;
  JointFrame first_frame, second_frame;  // on the nodes of the two bodies
  double clearance = 0;                  // c, m
  double radius = 0;                     // m, of the bearing or socket
  Vector3 half_size = Vector3::Zero();   // m, of the slider: along the guide, up, and in space across both
  double half_length = 0;                // m, of a pin in space
  double axial_clearance = std::numeric_limits<double>::infinity();  // m, at each end of a pin in space; infinite: none
  ContactLaw law;
  RuleId rule = {};  // its contacts; add_clearance sets it
};

struct Model;

// Adds shapes to the two bodies, the contact rule of the same name and the clearance itself to a model. Throws
// std::invalid_argument with a sentence that begins with what is wrong and names the clearance.
void add_clearance(Clearance clearance, Model& model);

// A body without mass that stands in the world, named `world`: what is fixed there carries parts only as a body. Made
// when it is asked for first.
BodyId world_body(Model& model);

}  // namespace ricochet::model
