#include "ricochet/io/scene_schema.hpp"

#include <array>

#include "ricochet/io/scene_clearance_schema.hpp"
#include "ricochet/io/scene_generate_schema.hpp"
#include "ricochet/io/scene_integrator_schema.hpp"
#include "ricochet/io/scene_joint_schema.hpp"
#include "ricochet/io/scene_law_schema.hpp"
#include "ricochet/io/scene_systems.hpp"
#include "ricochet/io/scene_velocity_conditions.hpp"

namespace ricochet::io {

namespace {

Type time_settings_type() {
  return group({
      required("end", number("s").above(0),
               "End of the run. If it is not a whole number of steps, the run goes to the next step, with a notice."),
      required(
          "step", number("s").above(0).with_scope(Scope::time),
          "Time step: a number, or a function of the time at which a step begins (the last one then ends at `end`)."),
  });
}

// An STL or OBJ file in place of a list of vertices.
Field file_field() {
  return optional_without_default("file", text(), "none",
                                  "An STL or OBJ file, from the folder of the scene, in place of lists.");
}
Field scale_field() {
  return optional("scale", number("m").above(0), "1", "What one unit of the file is: 0.001 for millimetres.");
}

Type shape_type() {
  const Field axis = optional("axis", choice({"x", "y", "z"}), "z", "The body axis along which it lies.");
  const auto length = [](const std::string& meaning) {
    return optional_without_default("length", number("m").above(0), "1 m in planar scenes; needed otherwise", meaning);
  };
  Type type = group({
      optional("type",
               choice({"point", "sphere", "box", "cylinder", "capsule", "cone", "polyhedron", "face", "hollow-sphere",
                       "hollow-cylinder"}),
               "point", "What the body looks like to contacts."),
  });
  type.tag = "type";
  type.alternatives = {
      {"point", "A point. Without an `inertia` it does not rotate.", {}},
      {"sphere", "A ball.", {required("radius", number("m").above(0), "Radius.")}},
      {"box",
       "A cuboid. It touches planes with its corners.",
       {required("size", list(number("m").above(0), 2, 3),
                 "Full edge lengths along the body axes; in planar scenes the third may be left out (then 1 m).")}},
      {"cylinder",
       "A cylinder with flat ends. It touches planes with its rims: the lowest point of each and, when it stands "
       "flat, five more around it. In planar scenes it is a disc.",
       {required("radius", number("m").above(0), "Radius."), length("Full length."), axis}},
      {"capsule",
       "A cylinder with hemispheres at its ends.",
       {required("radius", number("m").above(0), "Radius."),
        length("Length of the straight part, between the centres of the hemispheres."), axis}},
      {"cone",
       "A cone with a flat end. The origin is half way between the disc and the apex. It touches planes with its rim, "
       "as "
       "a cylinder does, and with its apex. In planar scenes it is a disc.",
       {required("radius", number("m").above(0), "Radius of the disc."),
        required("height", number("m").above(0), "From the disc to the apex."),
        optional("axis", choice({"x", "y", "z"}), "z", "The body axis along which it points, from disc to apex.")}},
      {"polyhedron",
       "A solid with flat faces. It touches planes with its vertices. In planar scenes their outline counts.",
       {optional_without_default("vertices", list(vector("m"), 4), "those of the file",
                                 "Corners in body coordinates. The origin need not be the centre."),
        file_field(), scale_field(),
        optional_without_default("faces", list(list(integer().at_least(0), 3), 4), "the convex hull of the vertices",
                                 "Each a list of vertex numbers, counted from 0, counter-clockwise seen from "
                                 "outside. The solid need not be convex.")}},
      {"face",
       "A flat face without thickness that holds points, balls and corners of other bodies on one side. It has no mass "
       "of its own: the body must have a `mass` and an `inertia`. In space it is a rectangle with the normal +z, in "
       "planar scenes a straight line along x with the normal +y; `orientation` turns it.",
       {optional_without_default("size", list(number("m").above(0), 2, 2), "without limits",
                                 "In space: full edge lengths along x and y."),
        optional_without_default("length", number("m").above(0), "without limits",
                                 "In planar scenes: full length along x.")}},
      {"hollow-sphere",
       "The inside of a sphere: a container that holds points, balls and corners of other bodies. What is outside by "
       "less than the radius is pushed in. It has no mass of its own: the body must have a `mass` and an `inertia`. In "
       "planar scenes it is a circle.",
       {required("radius", number("m").above(0), "Inner radius.")}},
      {"hollow-cylinder",
       "The inside of a cylinder, open at both ends: a bore that holds points, balls and corners of other bodies where "
       "they are between its ends. It has no mass of its own, as a hollow sphere has none. In planar scenes it is a "
       "circle.",
       {required("radius", number("m").above(0), "Inner radius."),
        optional_without_default("length", number("m").above(0), "without ends",
                                 "Full length; planar scenes have none."),
        axis}},
  };
  return type;
}

Type orientation_type() {
  return group({
      optional("axis", vector(), "[0, 0, 1]",
               "Axis of the rotation that turns the body from the world axes to its own, of any length but zero."),
      optional("angle", number("rad"), "0", "Angle of the rotation; `15*deg` is an angle in degrees."),
      optional_without_default("quaternion", list(number(), 4, 4), "none",
                               "Instead of axis and angle: w, x, y, z, of any length but zero."),
  });
}

// `what`: the body, or the part.
std::vector<Field> mass_fields(const std::string& what) {
  return {optional_without_default("mass", number("kg").above(0), "from the density", "Mass of the " + what + "."),
          optional_without_default("density", number("kg/m³").above(0), "that of the material",
                                   "Instead of the mass: mass per volume of the shape.")};
}

Type part_type() {
  Type type = group({
      required("shape", shape_type(), "Shape of the part."),
      optional_without_default("material", reference({"materials"}), "that of the body", "What the part is made of."),
      optional("position", vector("m"), "[0, 0, 0]", "Where its centre is, in body coordinates."),
      optional("orientation", orientation_type(), "{angle: 0}", "How it is turned, relative to the body."),
  });
  for (Field& field : mass_fields("part")) type.fields.push_back(std::move(field));
  return type;
}

Field group_field(const std::string& meaning) {
  return optional_without_default("group", text(), "none",
                                  meaning + " Contact rules select it by `group:NAME`. A group needs no declaration.");
}

Type body_type() {
  Type type = group({
      optional("shape", shape_type(), "{type: point}", "Shape, around the origin of the body."),
      optional_without_default(
          "parts", section("part", part_type()), "one part: the shape",
          "Instead of `shape`: several shapes, rigidly joined. They may have masses or densities of their own."),
  });
  for (Field& field : mass_fields("body")) type.fields.push_back(std::move(field));
  const std::vector<Field> others = {
      optional_without_default(
          "inertia",
          any_of({number("kg m²").above(0), list(number("kg m²").above(0), 3, 3),
                  list(list(number("kg m²"), 3, 3), 3, 3)}),
          "that of the homogeneous solid",
          "Moment of inertia about the centre of mass: a number (planar: about z), three principal values, or a "
          "tensor in body axes."),
      optional_without_default("center_of_mass", vector("m"), "that of the homogeneous solid",
                               "Centre of mass in body coordinates."),
      optional("position", vector("m"), "[0, 0, 0]", "Initial position of the origin of the body."),
      optional("orientation", orientation_type(), "{angle: 0}",
               "Initial orientation: `{axis, angle}` or `{quaternion}`."),
      optional("velocity", vector("m/s"), "[0, 0, 0]", "Initial velocity of the origin of the body."),
      optional("angular_velocity", any_of({vector("rad/s"), number("rad/s")}), "[0, 0, 0]",
               "Initial angular velocity in body components; in planar scenes a single number is allowed."),
      optional("appears", number("s").at_least(0), "0",
               "When the body appears, with its initial motion. Before, it is not there: no weight, no contact. It "
               "appears at the first step that begins then or later."),
      optional_without_default("disappears", number("s").above(0), "never", "When the body is gone again."),
      optional(
          "fixed", list(choice({"x", "y", "z", "rx", "ry", "rz"})), "[]",
          "Velocity components held at zero: x, y, z of the world, rx, ry, rz about the body axes. A body with all "
          "of x, y, z fixed turns about its origin. Single ones can be fixed only if the centre of mass is at the "
          "origin."),
      optional_without_default("material", reference({"materials"}), "none",
                               "What the body is made of: for its density, and for the laws of `material_pairs`."),
      group_field("The body belongs to this group."),
  };
  type.fields.insert(type.fields.end(), others.begin(), others.end());
  return type;
}

Type surface_type() {
  Type type = group({
      required("type", choice({"plane", "mesh", "height-field"}), "Kind of surface."),
      optional_without_default("material", reference({"materials"}), "none",
                               "What the surface is made of: for the laws of `material_pairs`."),
      group_field("The surface belongs to this group."),
  });
  type.tag = "type";
  const Field position = optional("position", vector("m"), "[0, 0, 0]", "Where the origin of its coordinates is.");
  const Field orientation = optional("orientation", orientation_type(), "{}", "How its coordinates are turned.");
  type.alternatives = {
      {"plane",
       "An unbounded plane; bodies live on the side to which the normal points. Drivers may move it.",
       {optional("point", vector("m"), "[0, 0, 0]", "Any point of the plane."),
        required("normal", vector(), "Normal out of the surface, of any length but zero.")}},
      {"mesh",
       "A surface of triangles that stays where it is. Bodies live on the side from which the corners are "
       "counter-clockwise.",
       {optional_without_default("vertices", list(vector("m"), 3), "those of the file", "Corners of the triangles."),
        optional_without_default("triangles", list(list(integer().at_least(0), 3, 3), 1), "those of the file",
                                 "Each a list of three vertex numbers, counted from 0."),
        file_field(), scale_field(),
        optional("flipped", boolean(), "false",
                 "Bodies live on the other side: of the file of a container, whose triangles look outwards, inside."),
        position, orientation}},
      {"height-field",
       "A landscape over a rectangular grid, above which bodies live. It stays where it is, and holds what has come "
       "through it to a depth of half the smaller spacing.",
       {required("heights", list(list(number("m"), 2), 2),
                 "Rows of heights z along x, the next row further along y; the first is at the origin."),
        required("spacing", list(number("m").above(0), 2, 2), "Between neighbours along x and along y."), position,
        orientation}},
  };
  return type;
}

// One end of a spring, or the point where a load acts.
Type attachment_type(std::vector<std::string> also) {
  Type type = group({
      required("body", reference({"bodies"}, std::move(also)), "Body."),
      optional("at", vector("m"), "[0, 0, 0]", "Point in body coordinates (of `world`: in world coordinates)."),
  });
  type.shorthand = "body";
  return type;
}

Type spring_type() {
  const Type end = attachment_type({"world"});
  Type type = group({
      optional("type", choice({"line", "torsion"}), "line", "What the spring resists: stretching or twisting."),
      required("start", end,
               "One end: the name of a body, or `{body: NAME, at: [x, y, z]}`. The body `world` is the fixed world."),
      required("end", end, "The other end."),
  });
  type.tag = "type";
  type.alternatives = {
      {"line",
       "A force along the line between the ends, or along an axis.",
       {required("stiffness", number("N/m").at_least(0), "Stiffness."),
        optional("damping", number("N s/m").at_least(0), "0", "Damping, parallel to the stiffness."),
        optional_without_default("free_length", number("m").at_least(0), "the length at the start of the run",
                                 "Length without force (the start: after assembly)."),
        optional_without_default("axis", vector(), "the line between the ends",
                                 "Fixed direction in the world, of any length but zero: makes the spring linear, with "
                                 "the length axis · (end − start).")}},
      {"torsion",
       "A torque about an axis between two bodies that rotate, or a body and the world. The angle is that of the end "
       "against the start; it is counted over whole turns.",
       {required("stiffness", number("N m/rad").at_least(0), "Stiffness."),
        optional("damping", number("N m s/rad").at_least(0), "0", "Damping, parallel to the stiffness."),
        optional("free_angle", number("rad"), "0", "Angle without torque, relative to the start of the run."),
        optional("axis", vector(), "[0, 0, 1]",
                 "Axis in the world at the start of the run, of any length but zero; each end carries it along.")}},
  };
  return type;
}

Type load_type() {
  const Type force = vector("N").with_scope(Scope::time);
  const Type torque = vector("N m").with_scope(Scope::time);
  return group({
      required("on", attachment_type({}),
               "Where the force acts: the name of a body, or `{body: NAME, at: [x, y, z]}`."),
      optional("force", force, "[0, 0, 0]", "Force, each component a function of time."),
      optional("torque", any_of({torque, number("N m").with_scope(Scope::time)}), "[0, 0, 0]",
               "Torque, each component a function of time; in planar scenes a single function is allowed. Only on "
               "bodies that rotate."),
      optional("axes", choice({"world", "body"}), "world",
               "Whose components force and torque have. In `body` axes they turn with the body."),
  });
}

Type driver_type() {
  const auto function = [](const std::string& unit) { return number(unit).with_scope(Scope::time); };
  return group({
      optional_without_default("body", reference({"bodies"}), "none", "The body that is driven."),
      optional_without_default("surface", reference({"surfaces"}), "none", "Or the surface, a plane."),
      optional_without_default("position", vector("m").with_scope(Scope::time), "not prescribed",
                               "Position in the world, each component a function of time: of the body, or of the point "
                               "by which the surface is given. The body starts there."),
      optional_without_default("velocity", vector("m/s").with_scope(Scope::time), "not prescribed",
                               "Instead of the position: the velocity."),
      optional_without_default("components", list(choice({"x", "y", "z"}), 1, 3), "all",
                               "Of a body: the components of position or velocity that are driven; the others are "
                               "free, and what is given for them is not used."),
      optional_without_default("angle", function("rad"), "not prescribed",
                               "Angle of rotation about the axis, a function of time, counted from the orientation at "
                               "the start."),
      optional_without_default("angular_velocity", function("rad/s"), "not prescribed",
                               "Instead of the angle: the angular velocity about the axis."),
      optional("axis", vector(), "[0, 0, 1]",
               "Axis of the rotation, of any length but zero: in body axes for a body, in the world for a surface. It "
               "keeps its direction."),
      optional("tilts_freely", boolean(), "false",
               "`true`: only the angular velocity about the axis (x, y or z of the body) is driven; the body may turn "
               "about the other two."),
      optional_without_default("center", vector("m"), "the point by which the surface is given",
                               "Of a surface: a point of the axis, in the world. It is carried along by the "
                               "translation."),
  });
}

Type material_type() {
  return group({optional_without_default("density", number("kg/m³").above(0), "none",
                                         "Of bodies and parts that have neither mass nor density of their own.")});
}

Type material_pair_type() {
  Type type = group({required("between", list(reference({"materials"}), 2, 2),
                              "Two materials, in either order; twice the same for a material with itself.")});
  for (Field& field : law_fields("`0`")) type.fields.push_back(std::move(field));
  return type;
}

Type contact_type() {
  const Type participant = pattern({"bodies", "surfaces"});
  const Type pair = list(any_of({participant, list(participant)}), 2, 2);
  Type type = group({
      required("between", pair,
               "Two sides; each is the name of a body or surface, a pattern such as `ball-*`, a group as `group:NAME`, "
               "or a list of those. Everything of one side may touch everything of the other."),
      optional("except", list(pair), "[]",
               "Pairs that do not touch under this rule, written like `between`: `[[link-1, link-2], [link-2, "
               "link-3]]`."),
  });
  for (Field& field : law_fields("that of the materials, otherwise `0`")) type.fields.push_back(std::move(field));
  return type;
}

Type fact_type() {
  const auto run_number = [](const std::string& unit = "") { return number(unit).with_scope(Scope::run); };
  return group({
      required("fact", text(), "Name of the fact."),
      optional_without_default("probe", probe(), "that of the event",
                               "A probe by its name, or an expression over the sources of probes."),
      optional_without_default("take", choice({"first", "last", "min", "max", "mean", "range", "integral"}), "`last`",
                               "How one number is read from the probe: its first, last, smallest or largest value, its "
                               "mean over time, largest minus smallest, or its integral over time."),
      optional_without_default("at", run_number("s"), "none",
                               "Instead of `take`: the time at which the probe is read."),
      optional_without_default(
          "event",
          group({
              required("probe", probe(), "A probe by its name, or an expression over the sources of probes."),
              optional("crosses", run_number(), "0", "The level that the probe crosses."),
              optional("direction", choice({"any", "rising", "falling"}), "any", "Which crossings count."),
              optional("nth", integer().at_least(1), "1", "Which of them is meant."),
          }),
          "none", "Instead of `take`: the time at which a probe crosses a level."),
      optional_without_default(
          "order",
          group({
              required("probe", probe(), "A probe by its name, or an expression over the sources of probes."),
              required("steps", list(run_number("s").above(0), 2, 2), "The largest and the smallest step."),
              optional("count", integer().at_least(2), "5", "How many steps, in equal ratios."),
          }),
          "none",
          "Instead of `take`: the order at which the history of the probe converges with the step. The value is the "
          "slope "
          "of the error over the step, both logarithmic; the error is Σ|f − f_ref|/Σ|f_ref| over all steps, against a "
          "run at a quarter of the smallest step. Only `ricochet validate` judges it."),
      optional_without_default("over", list(run_number("s"), 2, 2), "the whole run",
                               "The window, from and to, in which the fact looks."),
      optional_without_default("value", run_number(), "none", "What must come out, within the tolerance."),
      optional_without_default(
          "tolerance",
          group({
              optional_without_default("absolute", run_number().at_least(0), "none", "In the unit of the value."),
              optional_without_default("relative", run_number().at_least(0), "none",
                                       "As a part of the value; the larger of both counts."),
          }),
          "none", "How far the result may be from the value."),
      optional_without_default(
          "bound",
          group({
              optional_without_default("above", run_number(), "none", "The probe must not be below this."),
              optional_without_default("below", run_number(), "none", "The probe must not be above this."),
          }),
          "none", "Instead of `value` and `tolerance`: limits that hold at every step of the window."),
      required("source", text(), "Where the value comes from: `derived`, or a citation."),
      optional_without_default("when", any_of({boolean(), run_number()}), "always, but see the text above",
                               "The fact applies only if this is not zero. `true`, or a condition on parameters: a "
                               "fact with literal numbers holds "
                               "whatever else is changed."),
  });
}

Type assembly_type() {
  return group({
      optional(
          "tolerance", number().at_least(0), "0.01",
          "How far joints may be open as the scene places its bodies, and how far bodies may be moved to close "
          "them: in parts of the size of the machine (the diagonal of the box around all bodies and joint points), "
          "axes and angles in rad. `0`: whatever is not closed to rounding is refused."),
      optional("velocity_tolerance", number().at_least(0), "0.01",
               "How far initial velocities may be from what joints allow, in parts of the largest speed. `1`: whatever "
               "they are, they are made to fit. `0`: they fit to rounding, or are refused."),
  });
}

Type variant_type() {
  return group({
      optional("description", text(), "''", "What is different."),
      required("set", settings(), "What is different, as paths and values: `{parameters.spin: 2.5}`."),
      optional(
          "long", boolean(), "false",
          "`true`: it takes minutes. `ricochet validate` then leaves it out, unless it is named as SCENE/VARIANT."),
      optional("expect", list(fact_type()), "[]",
               "Facts of the variant. They are added to those of the scene; one with the same name replaces it."),
  });
}

Type named_section(std::string noun, Type element, std::vector<std::string> reserved = {}) {
  Type type = section(std::move(noun), std::move(element));
  type.reserved = std::move(reserved);
  return type;
}

Type make_scene_schema() {
  // Sources of probes begin with the name of a body or with one of these words.
  const std::vector<std::string> source_words = {"world",  "contact", "energy",    "solver", "joint",
                                                 "driver", "system",  "clearance", "time"};
  Type parameters = named_section("parameter", number(), {"t", "time", "step", "end", "theta"});
  parameters.reserves_words = true;
  Type scene = group({
      required("ricochet", integer(), "Version of the scene format: 1."),
      optional("name", text(), "''", "Title of the scene."),
      optional("description", text(), "''", "What it shows, and where it comes from."),
      optional("planar", boolean(), "false",
               "Motion in the x-y plane: translation along z and rotation about x and y are eliminated."),
      optional("gravity", vector("m/s²"), "[0, 0, 0]", "Acceleration of gravity."),
      optional("parameters", parameters, "{}",
               "Numbers with names, for use in expressions. They may use each other, in any order, without cycles."),
      required("time", time_settings_type(), "End of the run and time step."),
      optional("integrator", integrator_type(), "{scheme: moreau-jean}", "Time scheme and its options."),
      optional("solver", solver_type(), "{name: auto}", "Contact solver and its options."),
      optional("materials", named_section("material", material_type()), "{}", "What bodies and surfaces are made of."),
      optional("material_pairs", named_section("material pair", material_pair_type()), "{}",
               "The law with which two materials touch, wherever a contact rule does not say otherwise."),
      optional("bodies", named_section("body", body_type(), source_words), "{}", "Rigid bodies."),
      optional("surfaces", named_section("surface", surface_type(), {"world"}), "{}",
               "Surfaces, fixed in the world unless a driver moves them."),
      optional("springs", named_section("spring", spring_type()), "{}", "Springs and dampers."),
      optional("joints", named_section("joint", joint_type()), "{}", "Joints between bodies, and what drives them."),
      optional("systems", named_section("system", system_type()), "{}",
               "Systems in minimal coordinates with contacts of their own."),
      optional("velocity_conditions", named_section("velocity condition", velocity_condition_type()), "{}",
               "Conditions on velocities alone, about or along axes that stand still in the world."),
      optional("assembly", assembly_type(), "{}",
               "How bodies and velocities that do not fit their joints are brought on them before the run."),
      optional("loads", named_section("load", load_type()), "{}", "Forces and torques."),
      optional("drivers", named_section("driver", driver_type()), "{}", "Prescribed motion of bodies and surfaces."),
      optional("contacts", named_section("contact rule", contact_type()), "{}",
               "What may touch what, and under which law."),
      optional("clearances", named_section("clearance", clearance_type()), "{}",
               "Joints with clearance: sliders in guides, journals in bearings, balls in sockets that touch where they "
               "meet."),
      optional("probes", named_section("probe", probe(), {"time"}), "{}",
               "Columns of the history: expressions over sources and parameters."),
      optional("output",
               group({optional("every", integer().at_least(1), "1", "Steps from one row of the result to the next."),
                      optional("portraits", named_section("portrait", list(reference({"probes"}), 2, 2)), "{}",
                               "Plots of one probe over another in the report: `NAME: [x, y]`.")}),
               "{every: 1}", "What is written."),
      optional("checkpoint",
               group({optional_without_default(
                   "every", number("s").above(0), "no checkpoints",
                   "Wall time from one checkpoint to the next. `ricochet resume` continues from a checkpoint.")}),
               "{}", "Files from which a run can be resumed."),
      optional("expect", list(fact_type()), "[]", "Facts that must come out of a run."),
      optional("variants", named_section("variant", variant_type()), "{}",
               "The same scene with other values. The id of a variant is SCENE/VARIANT."),
  });
  add_generate_field(scene);
  return scene;
}

}  // namespace

const Type& scene_schema() {
  static const Type schema = make_scene_schema();
  return schema;
}

bool is_physical_path(const std::vector<std::string>& path) {
  const std::string& key = path.front();
  if (key == "integrator") return path.back() == "impact" || path.back() == "active_set";
  constexpr std::array<std::string_view, 8> kOther = {"name",   "description", "time",       "integrator",
                                                      "solver", "output",      "checkpoint", "expect"};
  for (const std::string_view other : kOther) {
    if (other == key) return false;
  }
  return true;
}

}  // namespace ricochet::io
