// The case that the tests of this room run: a mass slides on a floor with friction and stops at t = v0/(mu g).
#pragma once

#include <string>

#include "ricochet/study/case.hpp"

namespace ricochet::study {

inline constexpr double sliding_speed = 2, sliding_friction = 0.5, sliding_gravity = 10;
inline constexpr double sliding_stop = sliding_speed / (sliding_friction * sliding_gravity);  // 0.4 s

inline int add_probe(Case& study_case, const std::string& name, const std::string& text) {
  const auto is_source = [&](std::string_view source) {
    return simulation::parse_probe_source(study_case.model, source).has_value();
  };
  return study_case.probes.add(study_case.model, name, math::Expression::parse(text, is_source));
}

// Without facts. Probes: 0 speed, 1 distance, 2 gap.
inline Case sliding_case() {
  Case result;
  result.id = "sliding";
  result.model.gravity = Vector3(0, -sliding_gravity, 0);
  model::Node node;
  node.name = "mass";
  node.velocity = Vector3(sliding_speed, 0, 0);
  result.model.nodes.push_back(node);
  result.model.bodies.push_back({"mass", {0}, 3, Matrix3::Zero(), {{model::PointShape{}}}});
  result.model.surfaces.push_back({"floor", Vector3::Zero(), Vector3::UnitY()});
  result.model.contacts.push_back({"ground", {{{0}, {}}}, {{{}, {0}}}, {sliding_friction, 0, 0}});
  result.settings.step = 1e-3;
  result.settings.end = 0.5;
  add_probe(result, "speed", "mass.velocity.x");
  add_probe(result, "distance", "mass.displacement.x");
  add_probe(result, "gap", "contact.ground.gap");
  return result;
}

// With three facts that hold: stop time, stopping distance and no penetration.
inline Case sliding_case_with_facts() {
  Case result = sliding_case();
  Fact stop;
  stop.name = "stop time";
  stop.source = "derived";
  stop.probe = 0;
  stop.event = Event{0, Direction::falling, 1};
  stop.expected = sliding_stop;
  stop.tolerance = 2 * result.settings.step;
  result.facts.push_back(stop);
  Fact distance;
  distance.name = "distance";
  distance.source = "derived";
  distance.probe = 1;
  distance.expected = sliding_speed * sliding_stop / 2;
  distance.tolerance = 2 * result.settings.step * sliding_speed;
  result.facts.push_back(distance);
  Fact gap;
  gap.name = "no penetration";
  gap.source = "derived";
  gap.probe = 2;
  gap.is_bound = true;
  gap.above = -1e-12;
  result.facts.push_back(gap);
  return result;
}

}  // namespace ricochet::study
