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

// What acts along a coordinate of a joint: one map, or a list of them.
Type action(Fields fields) {
  fields.insert(fields.begin(),
                optional("coordinate", integer().between(0, 2), "0", "Which coordinate of the joint, counted from 0."));
  const Type one = group(std::move(fields));
  return any_of({one, list(one)});
}

// The keys of all joints that have coordinates of their own.
Fields actions() {
  return {
      optional_without_default(
          "spring",
          action({required("stiffness", number("N/m or N m/rad").at_least(0), "Stiffness."),
                  optional("damping", number("N s/m or N m s/rad").at_least(0), "0",
                           "Damping, parallel to the stiffness: against the speed of the coordinate."),
                  optional_without_default("rest", number("m or rad").with_scope(Scope::time),
                                           "where the joint stands at the start",
                                           "Coordinate without force, a function of time. Angles count over whole "
                                           "turns.")}),
          "none", "A spring and damper along a coordinate of the joint, or a list of them."),
      optional_without_default(
          "limits",
          action({optional_without_default("lower", number("m or rad"), "none", "The coordinate does not go below."),
                  optional_without_default("upper", number("m or rad"), "none", "The coordinate does not go above."),
                  optional("restitution", number().between(0, 1), "0",
                           "Of the speed of the coordinate when it strikes the end.")}),
          "none", "Hard ends of the range of a coordinate, or a list of them."),
      optional_without_default(
          "friction",
          action({optional("coefficient", number().at_least(0), "0",
                           "Of what the joint carries across its axis (planar: across its plane; screw: all of it)."),
                  optional("radius", number("m").at_least(0), "0", "Where the pin of an angle rubs."),
                  optional("length", number("m").at_least(0), "0",
                           "Of the guide of a translation: then moments rub as well, as forces at its two ends."),
                  optional("constant", number("N or N m").at_least(0), "0", "Whatever the joint carries.")}),
          "none", "Dry friction along a coordinate, which may stick, or a list of them."),
      optional_without_default(
          "motor",
          action({required("speed", number("m/s or rad/s").with_scope(Scope::time),
                           "What it aims at, a function of time."),
                  required("largest", number("N or N m").at_least(0), "The largest force or torque that it has.")}),
          "none",
          "A motor that brings a coordinate to a speed as far as its force suffices, or a list of them. One that "
          "follows a given motion whatever it takes is a joint of type `drive`."),
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
  const Fields along_axis = joined(with_axis, actions());
  type.alternatives = {
      {"ball", "Keeps a point of one body on a point of the other. No coordinates.", with_point},
      {"revolute",
       "A hinge: one point and one axis in common. Coordinate 0: the angle about the axis, zero as the "
       "scene places the bodies.",
       along_axis},
      {"universal",
       "A cross of two axes: one point in common; the axis of the first body stays normal to the second axis, which "
       "the second body carries. Coordinates: 0 the angle about the axis, 1 the angle about the second axis, both zero "
       "as "
       "the scene places the bodies.",
       joined(joined(with_axis, {required("second_axis", vector(),
                                          "The other arm of the cross, in the world, as the scene places the bodies, "
                                          "normal to the axis.")}),
              actions())},
      {"cylindrical",
       "A shaft in a long bore: slides along the axis and turns about it. Coordinates: 0 translation, 1 angle.",
       along_axis},
      {"prismatic", "A slide: moves along the axis, without turning. Coordinate 0: translation.", along_axis},
      {"planar",
       "A point stays in the plane normal to the axis, and the axis stays normal to it. Coordinates: 0 and 1 "
       "translations, 2 the angle about the axis.",
       along_axis},
      {"fixed", "A weld: no relative motion. No coordinates.", with_point},
      {"distance", "A rod without mass between two points. Coordinate 0: its length.",
       joined(joined(sides(), {optional("at_first", vector("m"), "[0, 0, 0]",
                                        "Its point on the first body, in body coordinates (of `world`: of the world)."),
                               optional("at_second", vector("m"), "[0, 0, 0]", "Its point on the second."),
                               target("m", "Length, a function of time.")}),
              actions())},
      {"screw", "Cylindrical, and the translation follows the angle. Coordinates: 0 translation, 1 angle.",
       joined(joined(with_axis,
                     {required("pitch", number("m"), "Translation per turn, right-handed if positive, not zero."),
                      target("m", "A function of time that is added: translation = pitch · angle/(2π) + target.")}),
              actions())},
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
