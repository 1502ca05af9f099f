// A small machine that has one of everything that is drawn.
#pragma once

#include "io/output_test_support.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::test {

//   bodies: 0 hammer (a box and a polyhedron; its origin is not its node)   1 bob (a sphere, comes and goes)   2 twin
//   surfaces: floor (a plane), slope (a mesh), table (a plane that a driver lifts with 2 m/s)
inline model::Model drawn_model() {
  model::Model model;
  model.gravity = Vector3(0, 0, -10);
  model.nodes.push_back({"hammer", model::NodeKind::frame, Vector3(1, 2, 3), {}, Vector3::Zero(), Vector3::Zero(), {}});
  model.nodes.push_back({"bob", model::NodeKind::frame, Vector3(-1, 0, 0), {}, Vector3::Zero(), Vector3::Zero(), {}});
  model.nodes.push_back({"twin", model::NodeKind::frame, Vector3(-1, 4, 0), {}, Vector3::Zero(), Vector3::Zero(), {}});
  const model::PolyhedronShape wedge = {{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)},
                                        {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  model::Body hammer = {"hammer", {0}, 2, Matrix3::Identity()};
  hammer.parts.push_back({model::BoxShape{Vector3(0.5, 0.25, 0.125)}, Vector3(1, 0, 0), {}, "head"});
  hammer.parts.push_back({wedge, Vector3(0, 0, 0.5), math::exponential(Vector3(0, 0, 1)), "wedge"});
  hammer.origin = Vector3(0.5, 0, 0);
  model.bodies.push_back(hammer);
  model.bodies.push_back({"bob", {1}, 1, Matrix3::Identity(), {{model::SphereShape{0.25}}}});
  model.bodies.back().appears = 0.25;
  model.bodies.back().disappears = 0.75;
  model.bodies.push_back({"twin", {2}, 1, Matrix3::Identity(), {{wedge}}});
  model.surfaces.push_back({"floor", Vector3(0, 0, -1), Vector3::UnitZ()});
  model::TriangleMesh slope;
  slope.vertices = {Vector3(0, 0, 0), Vector3(4, 0, 0), Vector3(0, 4, 1)};
  slope.triangles = {{0, 1, 2}};
  model.surfaces.push_back(
      {"slope", Vector3::Zero(), Vector3::UnitZ(), {}, std::make_shared<const model::TriangleMesh>(slope)});
  model.surfaces.push_back({"table", Vector3(0, 0, -2), Vector3::UnitZ()});
  model.springs.push_back({"cord", {{}, Vector3(0, 0, 9)}, {{0}, Vector3(1, 1, 1)}, 100, 0, 1, {}});
  model::Joint hinge;
  hinge.name = "hinge";
  hinge.type = model::JointType::revolute;
  hinge.first = {{{0}, Vector3(0.75, 0, 0)}, model::axes_along(Vector3::UnitX())};
  hinge.second = {{{}, Vector3(5, 6, 7)}, hinge.first.axes};
  model.joints.push_back(hinge);
  model::Driver lift;
  lift.name = "lift";
  lift.surface = {2};
  lift.translation = model::DrivenTranslation{
      model::DriverLevel::velocity,
      {math::TimeFunction::constant(0), math::TimeFunction::constant(0), math::TimeFunction::constant(2)},
      {true, true, true}};
  model.drivers.push_back(lift);
  model.contacts.push_back({"ground", {{{0}, {}}, {{1}, {}}}, {{{}, {0}}}, {0.3, 0, 0}});
  return model;
}

inline study::Case drawn_case() {
  study::Case result = floor_case();
  result.id = "drawn";
  result.model = drawn_model();
  result.probes = {};
  return result;
}

}  // namespace ricochet::test
