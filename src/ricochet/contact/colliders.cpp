#include "ricochet/contact/colliders.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

namespace {

// Of the size of a body: how much larger its boxes are in the broad phase. More saves updates, less saves candidates.
constexpr double kMargin = 1.0 / 16;

double difference(const math::Quaternion& a, const math::Quaternion& b) {
  const auto square = [](double x) { return x * x; };
  return std::sqrt(square(a.w - b.w) + square(a.x - b.x) + square(a.y - b.y) + square(a.z - b.z));
}

}  // namespace

Colliders::Colliders(const PairRules& rules, const Forms& forms, const mechanics::DofMap& map,
                     const model::Model& model)
    : rules_(rules), forms_(forms), map_(map) {
  const int bodies = static_cast<int>(model.bodies.size());
  for (int body = 0; body < bodies; ++body) {
    node_of_body_.push_back(model.bodies[body].node.index);
    start_.push_back(size());
    if (!rules.meets_bodies(body)) continue;
    for (std::size_t part = 0; part < forms.of_body(body).parts.size(); ++part) {
      colliders_.push_back({body, static_cast<int>(part)});
    }
  }
  start_.push_back(size());
  numbers_.resize(colliders_.size());
  std::iota(numbers_.begin(), numbers_.end(), 0);
  places_.resize(bodies);
  broad_phase_ = std::make_unique<geometry::BroadPhase>(size(), [this](int first, int second) {
    const int a = colliders_[first].body, b = colliders_[second].body;
    bool may_touch = false;
    if (a != b) rules_.for_each_rule(a, b, [&](int /*rule*/) { may_touch = true; });
    return may_touch;
  });
}

std::span<const int> Colliders::of_body(int body) const {
  return std::span(numbers_).subspan(start_[body], start_[body + 1] - start_[body]);
}

geometry::Bounds Colliders::box(int collider, const mechanics::State& state) const {
  const BodyPlace place = place_of(map_, state, node(collider));
  const FormPart& shape = part(collider);
  if (shape.is_ball || !shape.solid) {
    const Vector3 middle = place.position + place.arm(shape.middle);
    return geometry::enlarged({middle, middle}, shape.radius);
  }
  return shape.solid->bounds({place.position + place.arm(shape.center), place.rotation * shape.orientation});
}

void Colliders::place(const mechanics::State& state, double reach) {
  for (int body = 0; body < static_cast<int>(places_.size()); ++body) {
    if (start_[body] == start_[body + 1]) continue;
    const int at = node_of_body_[body];
    const Vector3 position = mechanics::position(map_, state, at);
    const math::Quaternion rotation = mechanics::orientation(map_, state, at);
    Place& place = places_[body];
    const double radius = forms_.of_body(body).radius;
    const double margin = kMargin * radius;
    const double needed = 0.5 * reach + gap_rounding(position.cwiseAbs().maxCoeff() + radius);
    const double moved =
        (position - place.position).norm() + 2 * radius * difference(rotation, place.rotation) + needed;
    // Too much room, which a far reach leaves behind, would cost as long as nothing moves.
    if (moved <= place.room && place.room <= needed + 4 * margin) continue;
    for (int collider = start_[body]; collider < start_[body + 1]; ++collider) {
      if (place.room > needed + 4 * margin) broad_phase_->remove(collider);
      broad_phase_->place(collider, geometry::enlarged(box(collider, state), needed + margin), 0);
    }
    place = {position, rotation, needed + margin};
  }
}

// Pairs of the broad phase are sorted already; rules are told apart by counting.
void Colliders::list_candidates() {
  rule_start_.assign(rules_.rules() + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (const geometry::BroadPhase::Pair& pair : broad_phase_->pairs()) {
      rules_.for_each_rule(colliders_[pair.first].body, colliders_[pair.second].body,
                           [&](int rule) { visit(rule, pair); });
    }
  };
  for_each([&](int rule, const geometry::BroadPhase::Pair& /*pair*/) { ++rule_start_[rule + 1]; });
  std::partial_sum(rule_start_.begin(), rule_start_.end(), rule_start_.begin());
  candidates_.resize(rule_start_.back());
  for_each([&](int rule, const geometry::BroadPhase::Pair& pair) {
    candidates_[rule_start_[rule]++] = {rule, pair.first, pair.second};
  });
}

std::span<const Candidate> Colliders::candidates(const mechanics::State& state, double reach) {
  place(state, reach);
  if (broad_phase_->update()) list_candidates();
  return candidates_;
}

}  // namespace ricochet::contact
