// A small machine for the tests of probes, and a frame of it whose numbers are all different.
//
//   participants: 0 block (frame, box)   1 ball-1 (frame, sphere)   2 ball-2 (frame, sphere)   3 mass (point)
//                 4 floor                5 wall
//   rules:        0 ground (block, ball-1, ball-2 with floor)   1 balls (ball-1, ball-2 with ball-1, ball-2)
//                 2 side-wall (wall with mass, block)
#pragma once

#include <string>
#include <vector>

#include "ricochet/simulation/frame.hpp"

namespace ricochet::simulation {

inline model::Model probe_model() {
  model::Model model;
  const auto add_body = [&](const std::string& name, model::NodeKind kind, const model::Shape& shape) {
    const int index = static_cast<int>(model.nodes.size());
    model.nodes.push_back({name, kind, Vector3(index, 2.0 * index, 3), {}, Vector3::Zero(), Vector3::Zero(), {}});
    model.bodies.push_back({name, {index}, 2, Matrix3::Identity(), {{shape}}});
  };
  add_body("block", model::NodeKind::frame, model::BoxShape{Vector3(0.1, 0.2, 0.3)});
  add_body("ball-1", model::NodeKind::frame, model::SphereShape{0.5});
  add_body("ball-2", model::NodeKind::frame, model::SphereShape{0.25});
  add_body("mass", model::NodeKind::point, model::PointShape{});
  model.nodes.push_back({"anchor", model::NodeKind::point, Vector3(7, 8, 9), {}, Vector3::Zero(), Vector3::Zero(), {}});
  model.surfaces.push_back({"floor", Vector3(0, -1, 0), Vector3::UnitY()});
  model.surfaces.push_back({"wall", Vector3(-2, 0, 0), Vector3::UnitX()});
  const auto body = [](int index) { return model::Participant{{index}, {}}; };
  const auto surface = [](int index) { return model::Participant{{}, {index}}; };
  model.contacts.push_back({"ground", {body(0), body(1), body(2)}, {surface(0)}, {}});
  model.contacts.push_back({"balls", {body(1), body(2)}, {body(1), body(2)}, {}});
  model.contacts.push_back({"side-wall", {surface(1)}, {body(3), body(0)}, {}});
  return model;
}

// Everything that a frame points to.
struct ProbeScene {
  model::Model model = probe_model();
  mechanics::Equations equations{model};
  contact::ContactSet contact_set{model, equations.map()};
  mechanics::State initial_state = equations.initial_state();
  mechanics::State state = initial_state;
  Ledger ledger;
  integrate::StepReport report;

  Frame frame() const {
    return {model, equations, contact_set, initial_state, state, ledger, report, report.contacts, 5, 100};
  }
  Eigen::Ref<VectorX> coordinates(int node) {
    return state.q.segment(equations.map().q_start(node), equations.map().is_frame(node) ? 7 : 3);
  }
  Eigen::Ref<VectorX> velocities(int node) {
    return state.v.segment(equations.map().v_start(node), equations.map().v_size(node));
  }
  Eigen::Ref<VectorX> accelerations(int node) {
    return state.a.segment(equations.map().v_start(node), equations.map().v_size(node));
  }
  integrate::ContactRecord& add_contact(contact::ContactKey key, const Vector3& impulse, const Vector3& velocity) {
    integrate::ContactRecord record;
    record.key = key;
    record.impulse = impulse;
    record.velocity = velocity;
    report.contacts.push_back(record);
    return report.contacts.back();
  }
};

}  // namespace ricochet::simulation
