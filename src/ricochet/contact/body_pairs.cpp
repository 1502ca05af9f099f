#include "ricochet/contact/body_pairs.hpp"

#include <algorithm>
#include <limits>

#include "ricochet/contact/ball_face.hpp"
#include "ricochet/contact/ball_hollow.hpp"
#include "ricochet/contact/ball_solid.hpp"
#include "ricochet/contact/gap_rounding.hpp"
#include "ricochet/contact/solid_pair.hpp"
#include "ricochet/contact/sphere_sphere.hpp"
#include "ricochet/mechanics/presence.hpp"

namespace ricochet::contact {

namespace {

constexpr int kChunk = 256;  // candidates that one thread looks at in a row: some ten microseconds and more

// Of coordinates and of directions: points that agree to this are one. They are computed to some 1e-15.
constexpr double kSamePoint = 1e-12;

BallOfBody ball_a(const Contact& contact) { return {contact.center_a, contact.radius_a}; }
BallOfBody ball_b(const Contact& contact) { return {contact.center_b, contact.radius_b}; }

}  // namespace

BodyPairs::BodyPairs(const PairRules& rules, const Forms& forms, const mechanics::DofMap& map,
                     const model::Model& model)
    : rules_(rules), forms_(forms), map_(map), planar_(model.planar), colliders_(rules, forms, map, model) {}

BodyPlace BodyPairs::place_at(model::NodeId node, const mechanics::State& state) const {
  return node.valid() ? place_of(map_, state, node.index) : in_world();
}

void BodyPairs::detect(const mechanics::State& state, double reach, const math::Threads& threads, Before before,
                       std::vector<Contact>& contacts) {
  if (colliders_.size() == 0) return;
  const std::span<const Candidate> candidates = colliders_.candidates(state, reach);
  const auto length = static_cast<int>(candidates.size());
  const int chunks = math::Threads::chunks(length, kChunk);
  int last_rule = -1, last_body = -1;
  const auto arrive_at = [&](int rule, int body) {
    if (rule == last_rule && body == last_body) return;
    last_rule = rule;
    last_body = body;
    before(rule, body);
  };
  if (threads.count() == 1 || chunks < 2) {
    for (const Candidate& candidate : candidates) {
      arrive_at(candidate.rule, colliders_[candidate.a].participant);
      detect_pair(candidate, state, reach, contacts);
    }
    drop_repeated(contacts);
    return;
  }
  if (static_cast<int>(found_.size()) < chunks) found_.resize(chunks);
  threads.for_each(chunks, [&](int chunk) {
    found_[chunk].clear();
    const int end = std::min(length, (chunk + 1) * kChunk);
    for (int i = chunk * kChunk; i < end; ++i) detect_pair(candidates[i], state, reach, found_[chunk]);
  });
  for (int chunk = 0; chunk < chunks; ++chunk) {
    for (const Contact& contact : found_[chunk]) {
      arrive_at(contact.key.rule, contact.key.participant_a);
      contacts.push_back(contact);
    }
  }
  drop_repeated(contacts);
}

// Triangles that share an edge or a vertex both find what touches it: one of them is enough, the first. Contacts with
// planes, which may be there already, stay.
void BodyPairs::drop_repeated(std::vector<Contact>& contacts) const {
  if (!colliders_.has_meshes()) return;
  std::size_t kept = 0, run = 0;  // contacts that stay; where those of the same body and mesh begin
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact contact = contacts[i];
    const auto is_same_pair = [&](const Contact& other) {
      return other.key.rule == contact.key.rule && other.key.participant_a == contact.key.participant_a &&
             other.key.participant_b == contact.key.participant_b;
    };
    if (kept > 0 && !is_same_pair(contacts[kept - 1])) run = kept;
    const double close = kSamePoint * (contact.arm_a.norm() + contact.point.cwiseAbs().maxCoeff());
    const auto repeats = [&](const Contact& other) {
      return (other.point - contact.point).squaredNorm() <= close * close &&
             (other.axes.normal - contact.axes.normal).squaredNorm() <= kSamePoint * kSamePoint;
    };
    const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(run);
    const auto end = contacts.begin() + static_cast<std::ptrdiff_t>(kept);
    const bool is_at_mesh = !contact.node_b.valid() && !is_at_plane(contact.kind);
    if (!is_at_mesh || std::none_of(begin, end, repeats)) contacts[kept++] = contact;
  }
  contacts.resize(kept);
}

void BodyPairs::detect_pair(const Candidate& candidate, const mechanics::State& state, double reach,
                            std::vector<Contact>& contacts) const {
  const Collider& of_a = colliders_[candidate.a];
  const Collider& of_b = colliders_[candidate.b];
  const std::size_t first = contacts.size();
  if (of_a.is_ball && of_b.is_ball) {
    const BodyPlace at_a = colliders_.place(candidate.a, state), at_b = colliders_.place(candidate.b, state);
    if (!find_sphere_sphere({of_a.center, of_a.radius}, at_a, {of_b.center, of_b.radius}, at_b, planar_, reach,
                            contacts.emplace_back())) {
      contacts.pop_back();
    }
  } else {
    const FormPart& a = colliders_.part(candidate.a);
    const FormPart& b = colliders_.part(candidate.b);
    if (a.is_holder() || b.is_holder()) return detect_at_holder(candidate, state, reach, contacts);
    const BodyPlace at_a = colliders_.place(candidate.a, state), at_b = colliders_.place(candidate.b, state);
    const double radii = a.radius + b.radius;
    const double limit = radii + reach + gap_rounding(at_a.position, at_b.position, 2 * radii);
    const Vector3 between = (at_a.position - at_b.position) + (at_a.arm(a.middle) - at_b.arm(b.middle));
    if (between.squaredNorm() > limit * limit) return;  // the broad phase gives more than is near
    if (is_ball_at_solid(a, b)) {
      Contact contact;
      if (find_ball_solid(a, at_a, b, at_b, reach, contact)) contacts.push_back(contact);
    } else {
      find_solid_contacts(a, at_a, b, at_b, reach, contacts);
    }
  }
  if (contacts.size() == first) return;
  const int law = rules_.law_place(candidate.rule, of_a.material, of_b.material);
  for (std::size_t i = first; i < contacts.size(); ++i) {
    Contact& contact = contacts[i];
    contact.key = {candidate.rule, of_a.participant, feature_of(of_a, contact.key.feature_a), of_b.participant,
                   feature_of(of_b, contact.key.feature_b)};
    contact.law = law;
    contact.node_a = {of_a.node};
    contact.node_b = {of_b.node};
  }
}

// Those of the side that holds nothing: none of what holds itself, nor of a mesh.
std::span<const Feature> BodyPairs::features_at_holder(int collider) const {
  const Collider& of = colliders_[collider];
  return of.node < 0 ? std::span<const Feature>() : forms_.of_body(of.participant).features_of(of.part);
}

void BodyPairs::detect_at_holder(const Candidate& candidate, const mechanics::State& state, double reach,
                                 std::vector<Contact>& contacts) const {
  const bool ball_is_a = colliders_.part(candidate.b).is_holder();
  const int with_ball = ball_is_a ? candidate.a : candidate.b, holding = ball_is_a ? candidate.b : candidate.a;
  const BodyPlace at_ball = colliders_.place(with_ball, state), at_holder = colliders_.place(holding, state);
  const FormPart& holder = colliders_.part(holding);
  const Collider& of_a = colliders_[candidate.a];
  const Collider& of_b = colliders_[candidate.b];
  const int law = rules_.law_place(candidate.rule, of_a.material, of_b.material);
  const std::span<const Feature> balls = features_at_holder(with_ball);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const BallOfBody ball{balls[i].offset, balls[i].radius};
    Contact contact;
    const bool is_near =
        holder.face ? find_ball_face(ball, at_ball, *holder.face, at_holder, ball_is_a, planar_, reach, contact)
                    : find_ball_hollow(ball, at_ball, *holder.hollow, at_holder, ball_is_a, planar_, reach, contact);
    if (!is_near) continue;
    const Collider& of_ball = colliders_[with_ball];
    const int ball_feature = forms_.of_body(of_ball.participant).first_feature[of_ball.part] + static_cast<int>(i);
    const int holder_feature = feature_of(colliders_[holding], 0);
    contact.key = {candidate.rule, of_a.participant, ball_is_a ? ball_feature : holder_feature, of_b.participant,
                   ball_is_a ? holder_feature : ball_feature};
    contact.law = law;
    contact.node_a = {of_a.node};
    contact.node_b = {of_b.node};
    contacts.push_back(contact);
  }
}

double BodyPairs::distance_to_holder(int collider_a, int collider_b, const mechanics::State& state) const {
  const bool ball_is_a = colliders_.part(collider_b).is_holder();
  const int with_ball = ball_is_a ? collider_a : collider_b, holding = ball_is_a ? collider_b : collider_a;
  const BodyPlace at_ball = colliders_.place(with_ball, state), at_holder = colliders_.place(holding, state);
  const FormPart& holder = colliders_.part(holding);
  double minimum = std::numeric_limits<double>::infinity();
  for (const Feature& feature : features_at_holder(with_ball)) {
    const BallOfBody ball{feature.offset, feature.radius};
    minimum = std::min(minimum, holder.face ? ball_face_gap(ball, at_ball, *holder.face, at_holder)
                                            : ball_hollow_gap(ball, at_ball, *holder.hollow, at_holder));
  }
  return minimum;
}

// The number of a feature of a collider's solid within its body or mesh.
int BodyPairs::feature_of(const Collider& collider, int of_solid) const {
  if (of_solid == 0) return collider.first_feature;
  return collider.node < 0 ? kTriangleFeatures * collider.part + of_solid
                           : forms_.of_body(collider.participant).feature(collider.part, of_solid);
}

double BodyPairs::gap(const Contact& contact, const mechanics::State& state) const {
  const BodyPlace at_a = place_at(contact.node_a, state), at_b = place_at(contact.node_b, state);
  return contact.kind == ContactKind::centers ? sphere_sphere_gap(ball_a(contact), at_a, ball_b(contact), at_b)
                                              : carried_gap(contact, at_a, at_b);
}

Vector3 BodyPairs::point(const Contact& contact, const mechanics::State& state) const {
  const BodyPlace at_a = place_at(contact.node_a, state), at_b = place_at(contact.node_b, state);
  return contact.kind == ContactKind::centers ? sphere_sphere_point(ball_a(contact), at_a, ball_b(contact), at_b)
                                              : carried_point(contact, at_a, at_b);
}

double BodyPairs::distance(int collider_a, int collider_b, const mechanics::State& state) const {
  const FormPart& a = colliders_.part(collider_a);
  const FormPart& b = colliders_.part(collider_b);
  if (a.is_holder() || b.is_holder()) return distance_to_holder(collider_a, collider_b, state);
  const BodyPlace at_a = colliders_.place(collider_a, state), at_b = colliders_.place(collider_b, state);
  if (a.is_ball && b.is_ball) return sphere_sphere_gap({a.center, a.radius}, at_a, {b.center, b.radius}, at_b);
  return is_ball_at_solid(a, b) ? ball_solid_gap(a, at_a, b, at_b) : solid_distance(a, at_a, b, at_b);
}

double BodyPairs::minimum_gap(const mechanics::State& state, int rule, int participant_a, int participant_b,
                              double minimum) {
  if (participant_b >= 0 && !rules_.collides(participant_b)) return minimum;  // a plane
  const auto is_asked = [&](int collider) {
    const Collider& of = colliders_[collider];
    return rules_.takes_part(rule, of.participant) && rules_.has_channel(rule, of.channel) &&
           (of.node < 0 || mechanics::is_present(state, of.node));
  };
  const auto limit = [&] { return std::max(minimum, 0.0); };  // boxes that overlap tell nothing about gaps
  const auto look_at = [&](int first, int second) {
    const auto [a, b] = std::minmax(first, second);
    const int of_a = colliders_[a].participant, of_b = colliders_[b].participant;
    if (participant_a >= 0 && participant_a != of_a) return;
    if (participant_b >= 0 && participant_b != of_b) return;
    if (colliders_[a].channel != colliders_[b].channel || !is_asked(a) || !is_asked(b)) return;
    if (rules_.may_touch(rule, of_a, of_b)) minimum = std::min(minimum, distance(a, b, state));
  };
  if (participant_a >= 0 && participant_b >= 0 && participant_b < rules_.bodies()) {
    for (const int a : colliders_.of_body(participant_a)) {
      for (const int b : colliders_.of_body(participant_b)) {
        if (colliders_.may_be_within(limit(), a, b, state)) look_at(a, b);
      }
    }
    return minimum;
  }
  if (colliders_.size() == 0) return minimum;
  colliders_.candidates(state, 0);  // what detection will ask next: bodies are where the state has them
  const auto of_a = participant_a < 0 ? colliders_.of_bodies() : colliders_.of_body(participant_a);
  for (const int collider : of_a) {
    if (!is_asked(collider)) continue;
    colliders_.visit_near(collider, state, limit(), [&](int other) {
      const bool comes_from_other = other < collider && colliders_[other].node >= 0;
      if (!comes_from_other) look_at(collider, other);
      return limit();
    });
  }
  return minimum;
}

}  // namespace ricochet::contact
