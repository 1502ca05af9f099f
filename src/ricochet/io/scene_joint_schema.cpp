#include "ricochet/io/scene_joint_schema.hpp"

#include <utility>

namespace ricochet::io {

namespace {

using Fields = std::vector<Field>;

Fields joined(Fields first, const Fields& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Fields sides() {
  return {
      optional("first", reference({"bodies"}, {"world"}), "world",
               "One body, or `world`. Coordinates are relative to it."),
      required("second", reference({"bodies"}, {"world"}), "The other body. Reactions are those on it."),
  };
}

Fields points() {
  return {
      optional_without_default("at", vector("m"), "the origin of the second side",
                               "The joint point in the world, as the scene places the bodies."),
      optional_without_default("at_first", vector("m"), "the same point as on the second side",
                               "Instead: the joint point in the coordinates of the first body (of `world`: of the "
                               "world)."),
      optional_without_default(
          "at_second", vector("m"), "the same point as on the first side",
          "And in those of the second. If both are given they must coincide at the start to within "
          "`assembly.tolerance`, but for what the joint leaves free."),
  };
}

Fields axes() {
  return {
      optional_without_default("axis", vector(), "[0, 0, 1]",
                               "The joint axis in the world, as the scene places the bodies, of any length but zero."),
      optional_without_default("axis_first", vector(), "the same axis as on the second side",
                               "Instead: the joint axis in the axes of the first body (of `world`: of the world)."),
      optional_without_default("axis_second", vector(), "the same axis as on the first side",
                               "And in those of the second. If both are given they must be parallel at the start to "
                               "within `assembly.tolerance`."),
  };
}

Field target(const std::string& unit, const std::string& meaning) {
  return optional_without_default("target", number(unit).with_scope(Scope::time), "as the scene places the bodies",
                                  meaning);
}

// A coordinate of another joint: its name, or `{joint: NAME, coordinate: 1}`.
Type coordinate_type() {
  Type type = group({
      required("joint", reference({"joints"}), "A joint that has coordinates."),
      optional("coordinate", integer().between(0, 2), "0", "Which of them, counted from 0."),
  });
  type.shorthand = "joint";
  return type;
}

Fields two_coordinates(const std::string& unit) {
  return {
      required("joints", list(coordinate_type(), 2, 2),
               "Two coordinates, each the name of a joint or `{joint: NAME, coordinate: NUMBER}`."),
      optional("ratio", number(), "1", "Speed of the first coordinate over that of the second, not zero."),
      target(unit, "A function of time that is added: first = ratio · second + target."),
  };
}

}  // namespace

Type joint_type() {
  Type type = group({required("type",
                              choice({"ball", "revolute", "universal", "cylindrical", "prismatic", "planar", "fixed",
                                      "distance", "screw", "gear", "coupler", "drive"}),
                              "Kind of joint.")});
  type.tag = "type";
  const Fields with_point = joined(sides(), points());
  const Fields with_axis = joined(with_point, axes());
  type.alternatives = {
      {"ball", "Keeps a point of one body on a point of the other. No coordinates.", with_point},
      {"revolute",
       "A hinge: one point and one axis in common. Coordinate 0: the angle about the axis, zero as the "
       "scene places the bodies.",
       with_axis},
      {"universal",
       "A cross of two axes: one point in common; the axis of the first body stays normal to the second axis, which "
       "the "
       "second body carries. Coordinates: 0 the angle about the axis, 1 the angle about the second axis, both zero as "
       "the scene places the bodies.",
       joined(with_axis,
              {required(
                  "second_axis", vector(),
                  "The other arm of the cross, in the world, as the scene places the bodies, normal to the axis.")})},
      {"cylindrical",
       "A shaft in a long bore: slides along the axis and turns about it. Coordinates: 0 translation, 1 angle.",
       with_axis},
      {"prismatic", "A slide: moves along the axis, without turning. Coordinate 0: translation.", with_axis},
      {"planar",
       "A point stays in the plane normal to the axis, and the axis stays normal to it. Coordinates: 0 and 1 "
       "translations, 2 the angle about the axis.",
       with_axis},
      {"fixed", "A weld: no relative motion. No coordinates.", with_point},
      {"distance", "A rod without mass between two points. Coordinate 0: its length.",
       joined(sides(), {optional("at_first", vector("m"), "[0, 0, 0]",
                                 "Its point on the first body, in body coordinates (of `world`: of the world)."),
                        optional("at_second", vector("m"), "[0, 0, 0]", "Its point on the second."),
                        target("m", "Length, a function of time.")})},
      {"screw", "Cylindrical, and the translation follows the angle. Coordinates: 0 translation, 1 angle.",
       joined(with_axis,
              {required("pitch", number("m"), "Translation per turn, right-handed if positive, not zero."),
               target("m", "A function of time that is added: translation = pitch · angle/(2π) + target.")})},
      {"gear", "Couples the angles of two joints: first = ratio · second + target.", two_coordinates("rad")},
      {"coupler", "Couples any two coordinates, angles or translations, in the same way.", two_coordinates("")},
      {"drive",
       "A motor that makes a coordinate of a joint follow a function of time.",
       {required("joint", coordinate_type(), "The joint, or `{joint: NAME, coordinate: NUMBER}`."),
        target("",
               "The coordinate, in m or rad, a function of time. It must start where the joint stands, to within "
               "`assembly.tolerance`: angles at 0.")}},
  };
  return type;
}

}  // namespace ricochet::io
