#include "ricochet/io/scene_clearance_schema.hpp"

#include <utility>

#include "ricochet/io/scene_law_schema.hpp"
#include "ricochet/model/assemblies/clearance.hpp"

namespace ricochet::io {

namespace {

using ClearanceFields = std::vector<Field>;

ClearanceFields clearance_axes(const std::string& absence) {
  return {
      optional_without_default("axis", vector(), absence,
                               "Direction in the world at the start, for both bodies, of any length but zero."),
      optional_without_default("axis_first", vector(), "the same axis as on the second body",
                               "Instead: the direction in the axes of the first body (of `world`: of the world)."),
      optional_without_default("axis_second", vector(), "the same axis as on the first body",
                               "And in those of the second. They may differ by what the clearance allows."),
  };
}

ClearanceFields with(ClearanceFields fields, ClearanceFields more) {
  for (Field& field : more) fields.push_back(std::move(field));
  return fields;
}

}  // namespace

Type clearance_type() {
  using model::clearance_type_names;
  Type type = group({
      required("type", choice({clearance_type_names.begin(), clearance_type_names.end()}), "Kind of joint."),
      required(
          "between", list(reference({"bodies"}, {"world"}), 2, 2),
          "Two bodies, or a body and `world`: first that of the slider, journal or ball, second that of the guide, "
          "bearing or socket."),
      required("clearance", number("m").above(0),
               "Room on each side when centred: half the difference of the widths or diameters."),
      optional_without_default("at", vector("m"), "the origin of the first body",
                               "The middle of both in the world at the start: centred."),
      optional_without_default(
          "at_first", vector("m"), "the same point as on the second body",
          "Instead: the middle of slider, journal or ball in the coordinates of the first body (of "
          "`world`: of the world)."),
      optional_without_default("at_second", vector("m"), "the same point as on the first body",
                               "And of guide, bearing or socket in those of the second. They may differ by what the "
                               "clearance allows."),
  });
  for (Field& field : law_fields("`0`")) type.fields.push_back(std::move(field));
  type.tag = "type";
  type.alternatives = {
      {"translational", "A slider in a straight guide without ends: the corners of a box against its walls.",
       with(clearance_axes("[1, 0, 0]"),
            {required("length", number("m").above(0), "Of the slider, along the axis."),
             required("width", number("m").above(0),
                      "Of the slider: in planar scenes across the axis; in space across the axis and `up`."),
             optional_without_default("height", number("m").above(0), "needed in space", "Of the slider, along `up`."),
             optional("up", vector(), "[0, 0, 1]",
                      "In space: the direction of the height in the world at the start; what of it lies along the axis "
                      "does not count.")})},
      {"revolute",
       "A journal in a bearing: a circle in a circle; in space the two rims of a pin in a bore without ends, so that a "
       "tilted pin touches with its edges.",
       with(clearance_axes("[0, 0, 1]"),
            {required("radius", number("m").above(0), "Of the bearing; the journal's is less by the clearance."),
             optional_without_default("length", number("m").above(0), "needed in space", "Of the pin, in space."),
             optional_without_default("axial_clearance", number("m").above(0), "the pin slides along its axis freely",
                                      "In space: room between the ends of the centred pin and thrust faces of the "
                                      "bearing, which they touch with their middles.")})},
      {"spherical",
       "A ball in a socket.",
       {required("radius", number("m").above(0), "Of the socket; the ball's is less by the clearance.")}},
  };
  return type;
}

}  // namespace ricochet::io
