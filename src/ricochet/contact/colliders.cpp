#include "ricochet/contact/colliders.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ricochet::contact {

namespace {

// Of the size of a body: how much larger its boxes are in the broad phase. More saves updates, less saves candidates.
constexpr double kMargin = 1.0 / 16;

// Of coordinates and sizes: how much smaller than the gap the computed one is at most. Rounding alone is far less, but
// closest points of curved sides are exact to 1e-10 only, and of axes that are about as good the first is taken.
constexpr double kGapError = 1e-9;

// `radius` is that of a ball around the position which holds all.
double gap_error(const Vector3& position, double radius) {
  return kGapError * (position.cwiseAbs().maxCoeff() + radius);
}

double difference(const math::Quaternion& a, const math::Quaternion& b) {
  const auto square = [](double x) { return x * x; };
  return std::sqrt(square(a.w - b.w) + square(a.x - b.x) + square(a.y - b.y) + square(a.z - b.z));
}

}  // namespace

Colliders::Colliders(const PairRules& rules, const Forms& forms, const mechanics::DofMap& map,
                     const model::Model& model)
    : rules_(rules), forms_(forms), map_(map) {
  const auto add = [&](int participant, const std::vector<FormPart>& parts, int node) {
    if (!rules.collides(participant)) return;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const FormPart& form = parts[part];
      const int first = node < 0 ? kTriangleFeatures * static_cast<int>(part)
                                 : forms.of_body(participant).feature(static_cast<int>(part), 0);
      colliders_.push_back({participant, static_cast<int>(part), node, form.channel, first, form.material, form.is_ball,
                            form.radius, form.center});
    }
  };
  const int bodies = rules.bodies();
  for (int body = 0; body < bodies; ++body) {
    start_.push_back(size());
    add(body, forms.of_body(body).parts, model.bodies[body].node.index);
  }
  start_.push_back(size());
  for (std::size_t surface = 0; surface < model.surfaces.size(); ++surface) {
    add(bodies + static_cast<int>(surface), forms.of_surface(static_cast<int>(surface)), -1);
  }
  numbers_.resize(colliders_.size());
  std::iota(numbers_.begin(), numbers_.end(), 0);
  places_.resize(bodies);
  for (int body = 0; body < bodies; ++body) places_[body].radius = forms.of_body(body).radius;
  broad_phase_ = std::make_unique<geometry::BroadPhase>(
      size(), [this](int first, int second) { return may_touch(first, second); });
  list_pairs_of_unlimited();
}

bool Colliders::may_touch(int first, int second) const {
  const int a = colliders_[first].participant, b = colliders_[second].participant;
  const int channel = colliders_[first].channel;
  if (a == b || channel != colliders_[second].channel) return false;
  bool may_touch = false;
  rules_.for_each_rule(a, b, [&](int rule) { may_touch = may_touch || rules_.has_channel(rule, channel); });
  return may_touch;
}

void Colliders::list_pairs_of_unlimited() {
  for (int i = 0; i < size(); ++i) {
    if (!part(i).is_unlimited()) continue;
    for (int j = 0; j < size(); ++j) {
      const auto [first, second] = std::minmax(i, j);
      if (!part(j).is_holder() && may_touch(first, second)) unlimited_.push_back({first, second});
    }
  }
  std::sort(unlimited_.begin(), unlimited_.end());
}

geometry::Bounds Colliders::box(int collider, const mechanics::State& state) const {
  const BodyPlace at = place(collider, state);
  const FormPart& shape = part(collider);
  if (shape.face) return face_bounds(*shape.face, at);
  if (shape.hollow) return hollow_bounds(*shape.hollow, at);
  if (shape.is_ball || !shape.is_convex()) {
    const Vector3 middle = at.position + at.arm(shape.middle);
    return geometry::enlarged({middle, middle}, shape.radius);
  }
  return shape.bounds({at.position + at.arm(shape.center), at.rotation * shape.orientation});
}

geometry::Bounds Colliders::box_with_error(int collider, const mechanics::State& state) const {
  const FormPart& shape = part(collider);
  const Vector3 position = place(collider, state).position;
  return geometry::enlarged(box(collider, state), gap_error(position, shape.middle.norm() + shape.radius));
}

// Once: they stay where they are, and the reach is added to the boxes of bodies.
void Colliders::place_meshes(const mechanics::State& state) {
  if (has_meshes_placed_) return;
  has_meshes_placed_ = true;
  for (int collider = start_.back(); collider < size(); ++collider) {
    broad_phase_->place(collider, box_with_error(collider, state), 0);
  }
}

void Colliders::place_bodies(const mechanics::State& state, double reach) {
  for (int body = 0; body < static_cast<int>(places_.size()); ++body) {
    if (start_[body] == start_[body + 1]) continue;
    const int at = colliders_[start_[body]].node;
    const Vector3 position = mechanics::position(map_, state, at);
    const math::Quaternion rotation = mechanics::orientation(map_, state, at);
    Place& place = places_[body];
    const double radius = place.radius;
    const double margin = kMargin * radius;
    const double needed = std::max(reach, 0.0) + gap_error(position, radius);
    const double moved =
        (position - place.position).norm() + 2 * radius * difference(rotation, place.rotation) + needed;
    // Too much room, which a far reach leaves behind, would cost as long as nothing moves.
    if (moved <= place.room && place.room <= needed + 4 * margin) continue;
    for (int collider = start_[body]; collider < start_[body + 1]; ++collider) {
      if (part(collider).is_unlimited()) continue;
      if (place.room > needed + 4 * margin) broad_phase_->remove(collider);
      broad_phase_->place(collider, geometry::enlarged(box(collider, state), needed + margin), 0);
    }
    place = {position, rotation, needed + margin, radius};
  }
}

// Pairs of the broad phase are sorted already; rules are told apart by counting.
void Colliders::list_candidates() {
  rule_start_.assign(rules_.rules() + 1, 0);
  const auto for_each = [&](const auto& visit) {
    const auto visit_pair = [&](const geometry::BroadPhase::Pair& pair) {
      rules_.for_each_rule(colliders_[pair.first].participant, colliders_[pair.second].participant, [&](int rule) {
        if (rules_.has_channel(rule, colliders_[pair.first].channel)) visit(rule, pair);
      });
    };
    auto unlimited = unlimited_.begin();
    for (const geometry::BroadPhase::Pair& pair : broad_phase_->pairs()) {
      while (unlimited != unlimited_.end() && *unlimited < pair) visit_pair(*unlimited++);
      visit_pair(pair);
    }
    while (unlimited != unlimited_.end()) visit_pair(*unlimited++);
  };
  for_each([&](int rule, const geometry::BroadPhase::Pair& /*pair*/) { ++rule_start_[rule + 1]; });
  std::partial_sum(rule_start_.begin(), rule_start_.end(), rule_start_.begin());
  candidates_.resize(rule_start_.back());
  for_each([&](int rule, const geometry::BroadPhase::Pair& pair) {
    candidates_[rule_start_[rule]++] = {rule, pair.first, pair.second};
  });
}

std::span<const Candidate> Colliders::candidates(const mechanics::State& state, double reach) {
  place_meshes(state);
  place_bodies(state, reach);
  if (broad_phase_->update() || !has_listed_) list_candidates();
  has_listed_ = true;
  return candidates_;
}

void Colliders::visit_near(int collider, const mechanics::State& state, double limit,
                           geometry::BroadPhase::Visit visit) const {
  const auto is_before = [](const geometry::BroadPhase::Pair& pair, int number) { return pair.first < number; };
  for (auto pair = std::lower_bound(unlimited_.begin(), unlimited_.end(), collider, is_before);
       pair != unlimited_.end() && pair->first == collider; ++pair) {
    limit = visit(pair->second);
  }
  if (!part(collider).is_unlimited()) broad_phase_->visit_near(box_with_error(collider, state), limit, visit);
}

bool Colliders::may_be_within(double limit, int a, int b, const mechanics::State& state) const {
  return part(a).is_unlimited() || part(b).is_unlimited() ||
         geometry::distance(box_with_error(a, state), box_with_error(b, state)) <= limit;
}

}  // namespace ricochet::contact
