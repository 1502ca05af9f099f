#include "ricochet/contact/plane_pairs.hpp"

#include <algorithm>

#include "ricochet/contact/gap_rounding.hpp"
#include "ricochet/contact/point_plane.hpp"
#include "ricochet/contact/rim_plane.hpp"
#include "ricochet/mechanics/presence.hpp"

namespace ricochet::contact {

PlanePairs::PlanePairs(const PairRules& rules, const Forms& forms, const mechanics::DofMap& map,
                       const mechanics::SurfaceMotion& surfaces, const model::Model& model)
    : rules_(rules), forms_(forms), map_(map), surfaces_(surfaces), planar_(model.planar) {
  for (std::size_t body = 0; body < model.bodies.size(); ++body) {
    node_of_body_.push_back(model.bodies[body].node);
    radius_of_body_.push_back(forms.of_body(static_cast<int>(body)).radius);
  }
  for (const model::Surface& surface : model.surfaces) material_of_surface_.push_back(surface.material);
  planes_.resize(model.surfaces.size());
}

PlanePairs::PlaneNow PlanePairs::plane_now(int surface, double time) const {
  const mechanics::PlaneAt plane = surfaces_.plane(surface, time);
  return {plane, axes_for_normal(plane.normal, planar_), plane.point.cwiseAbs().maxCoeff()};
}

void PlanePairs::begin(const mechanics::State& state, double reach) {
  state_ = &state;
  reach_ = reach;
  next_rule_ = 0;
  next_body_ = 0;
  for (std::size_t i = 0; i < planes_.size(); ++i) planes_[i] = plane_now(static_cast<int>(i), state.time);
}

void PlanePairs::detect_before(int rule, int body, std::vector<Contact>& contacts) {
  for (; next_rule_ <= rule && next_rule_ < rules_.rules(); ++next_rule_, next_body_ = 0) {
    const std::span<const int> bodies = rules_.bodies_at_planes(next_rule_);
    for (; next_body_ < bodies.size(); ++next_body_) {
      if (next_rule_ == rule && bodies[next_body_] >= body) return;
      detect_body(next_rule_, bodies[next_body_], contacts);
    }
    if (next_rule_ == rule) return;
  }
}

void PlanePairs::detect_body(int rule, int body, std::vector<Contact>& contacts) const {
  const mechanics::State& state = *state_;
  const double reach = reach_;
  const model::NodeId node = node_of_body_[body];
  const double radius = radius_of_body_[body];
  BodyPlace place;
  bool has_place = false;
  const Vector3 position = mechanics::position(map_, state, node.index);
  for (const int participant : rules_.planes_at_bodies(rule)) {
    if (!rules_.all_meet(rule) && !rules_.may_touch(rule, body, participant)) continue;
    const PlaneNow& now = planes_[surface_of(participant)];
    const double coordinates = position.cwiseAbs().maxCoeff() + now.coordinate;
    const double near = radius + reach + 2 * gap_rounding(coordinates + 2 * radius);
    if (now.plane.normal.dot(position - now.plane.point) > near) continue;
    if (!has_place) place = place_of(map_, state, node.index);
    has_place = true;
    const Form& form = forms_.of_body(body);
    RimLean lean;
    for (std::size_t i = 0; i < form.features.size(); ++i) {
      const Feature& feature = form.features[i];
      if (!rules_.has_channel(rule, feature.channel)) continue;
      Contact contact;
      if (feature.kind == FeatureKind::ball) {
        if (!find_ball_plane(feature, place, now.plane, coordinates, reach, contact)) continue;
      } else {
        // A rim begins with its lowest point; the others share all that follows.
        if (feature.sixth == 0) lean = rim_lean(feature, place, now.plane);
        if (!find_rim_plane(feature, lean, place, coordinates, reach, contact)) continue;
        contact.rim = static_cast<int>(i) - feature.sixth;
      }
      contact.key = {rule, body, static_cast<int>(i), participant, 0};
      contact.law = rules_.law_place(rule, feature.material, material_of_surface_[surface_of(participant)]);
      contact.axes = now.axes;
      contact.node_a = node;
      contacts.push_back(contact);
    }
  }
}

double PlanePairs::gap(const Contact& contact, const mechanics::State& state) const {
  const BodyPlace place = place_of(map_, state, contact.node_a.index);
  const mechanics::PlaneAt plane = surfaces_.plane(surface_of(contact.key.participant_b), state.time);
  if (contact.kind == ContactKind::ball_plane) return ball_plane_gap(contact.center_a, contact.radius_a, place, plane);
  const Feature& rim = forms_.of_body(contact.key.participant_a).features[contact.key.feature_a];
  return rim_plane_gap(rim, rim_lean(rim, place, plane));
}

Vector3 PlanePairs::point(const Contact& contact, const mechanics::State& state) const {
  const BodyPlace place = place_of(map_, state, contact.node_a.index);
  const mechanics::PlaneAt plane = surfaces_.plane(surface_of(contact.key.participant_b), state.time);
  if (contact.kind == ContactKind::ball_plane) {
    return ball_plane_point(contact.center_a, contact.radius_a, place, plane);
  }
  const Feature& rim = forms_.of_body(contact.key.participant_a).features[contact.key.feature_a];
  return place.position + rim_plane_arm(rim, rim_lean(rim, place, plane), place);
}

double PlanePairs::smallest_gap(int rule, int body, const BodyPlace& place, const mechanics::PlaneAt& plane,
                                double minimum) const {
  const Form& form = forms_.of_body(body);
  const double coordinates = place.position.cwiseAbs().maxCoeff() + plane.point.cwiseAbs().maxCoeff();
  const double least = plane.normal.dot(place.position - plane.point) - form.radius;
  if (least > minimum + 2 * gap_rounding(coordinates + 2 * form.radius)) return minimum;
  RimLean lean;
  for (const Feature& feature : form.features) {
    if (!rules_.has_channel(rule, feature.channel)) continue;
    if (feature.kind == FeatureKind::ball) {
      minimum = std::min(minimum, ball_plane_gap(feature.offset, feature.radius, place, plane));
    } else {
      if (feature.sixth == 0) lean = rim_lean(feature, place, plane);
      minimum = std::min(minimum, rim_plane_gap(feature, lean));
    }
  }
  return minimum;
}

double PlanePairs::minimum_gap(const mechanics::State& state, int rule, int participant_a, int participant_b,
                               double minimum) const {
  for (const int participant : rules_.planes_at_bodies(rule)) {
    if (participant_b >= 0 && participant_b != participant) continue;
    const mechanics::PlaneAt plane = surfaces_.plane(surface_of(participant), state.time);
    for (const int body : rules_.bodies_at_planes(rule)) {
      if (participant_a >= 0 && participant_a != body) continue;
      const int node = node_of_body_[body].index;
      if (!mechanics::is_present(state, node) || !rules_.may_touch(rule, body, participant)) continue;
      minimum = smallest_gap(rule, body, place_of(map_, state, node), plane, minimum);
    }
  }
  return minimum;
}

}  // namespace ricochet::contact
