#include "ricochet/contact/contact_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "ricochet/contact/features.hpp"
#include "ricochet/contact/point_plane.hpp"
#include "ricochet/contact/rim_plane.hpp"
#include "ricochet/contact/sphere_sphere.hpp"

namespace ricochet::contact {

namespace {

// Bodies of spheres touch each other; a body without a shape touches nothing.
bool is_made_of_spheres(const model::Body& body) {
  return std::all_of(body.parts.begin(), body.parts.end(), [](const model::ShapePart& part) {
    return std::holds_alternative<model::SphereShape>(part.shape);
  });
}

// Adds one pair of participants to the group that knows its shapes.
void add_pair(const model::Model& model, const std::vector<std::vector<Feature>>& features, int rule,
              const model::Participant& first, const model::Participant& second, PointPlanePairs& point_plane,
              RimPlanePairs& rim_plane, SphereSpherePairs& sphere_sphere) {
  const int a = model::participant_index(model, first);
  const int b = model::participant_index(model, second);
  if (second.surface.valid()) {
    const model::NodeId node = model.bodies[first.body.index].node;
    point_plane.add(rule, node, features[a], a, second.surface.index, b);
    rim_plane.add(rule, node, features[a], a, second.surface.index, b);
    return;
  }
  const model::Body& body_a = model.bodies[first.body.index];
  const model::Body& body_b = model.bodies[second.body.index];
  if (!is_made_of_spheres(body_a) || !is_made_of_spheres(body_b)) {
    throw std::invalid_argument(fmt::format("contact '{}' pairs '{}' ({}) with '{}' ({}): such a pair is not supported",
                                            model.contacts[rule].name, body_a.name, model::shape_name(body_a),
                                            body_b.name, model::shape_name(body_b)));
  }
  if (body_a.node == body_b.node) {
    throw std::invalid_argument(fmt::format("contact '{}' pairs '{}' with '{}', which sit on the same node",
                                            model.contacts[rule].name, body_a.name, body_b.name));
  }
  sphere_sphere.add(rule, body_a.node, features[a], a, body_b.node, features[b], b);
}

// The participants of one side of a rule, each once.
std::vector<int> side_of(const model::Model& model, const std::vector<model::Participant>& participants) {
  std::vector<int> side;
  side.reserve(participants.size());
  for (const model::Participant& participant : participants)
    side.push_back(model::participant_index(model, participant));
  std::sort(side.begin(), side.end());
  side.erase(std::unique(side.begin(), side.end()), side.end());
  return side;
}

// Pairs of participants that do not touch, the smaller number first.
std::set<std::pair<int, int>> exceptions_of(const model::Model& model, const model::ContactRule& rule) {
  std::set<std::pair<int, int>> result;
  for (const auto& [a, b] : rule.except) {
    result.insert(std::minmax({model::participant_index(model, a), model::participant_index(model, b)}));
  }
  return result;
}

model::Participant participant_at(const model::Model& model, int index) {
  const int bodies = static_cast<int>(model.bodies.size());
  return index < bodies ? model::Participant{{index}, {}} : model::Participant{{}, {index - bodies}};
}

}  // namespace

ContactSet::ContactSet(const model::Model& model, const mechanics::DofMap& map)
    : planar_(model.planar),
      map_(&map),
      surfaces_(std::make_unique<const mechanics::SurfaceMotion>(model)),
      bodies_(model.bodies) {
  auto point_plane = std::make_unique<PointPlanePairs>(map, *surfaces_, planar_);
  auto rim_plane = std::make_unique<RimPlanePairs>(map, *surfaces_);
  auto sphere_sphere = std::make_unique<SphereSpherePairs>(map, planar_);
  const int bodies = static_cast<int>(model.bodies.size());
  std::vector<std::vector<Feature>> features;
  features.reserve(model.bodies.size());
  for (const model::Body& body : model.bodies) features.push_back(features_of(body, planar_));
  for (std::size_t rule = 0; rule < model.contacts.size(); ++rule) {
    rule_names_.push_back(model.contacts[rule].name);
    const std::vector<int> first = side_of(model, model.contacts[rule].first);
    const std::vector<int> second = side_of(model, model.contacts[rule].second);
    const std::set<std::pair<int, int>> except = exceptions_of(model, model.contacts[rule]);
    const auto has = [](const std::vector<int>& side, int i) {
      return std::binary_search(side.begin(), side.end(), i);
    };
    for (const int i : first) {
      for (const int j : second) {
        // A body never touches itself; a pair that is there in both orders is taken in the first.
        if (i == j || (j < i && has(first, j) && has(second, i))) continue;
        if (i >= bodies && j >= bodies) {
          throw std::invalid_argument(fmt::format("contact '{}' pairs two surfaces", rule_names_.back()));
        }
        if (except.contains(std::minmax(i, j))) continue;
        // A is the body that meets a surface, else the body that comes first in the model: the smaller number.
        add_pair(model, features, static_cast<int>(rule), participant_at(model, std::min(i, j)),
                 participant_at(model, std::max(i, j)), *point_plane, *rim_plane, *sphere_sphere);
      }
    }
  }
  for (const model::Body& body : model.bodies) participant_names_.push_back(body.name);
  for (const model::Surface& surface : model.surfaces) participant_names_.push_back(surface.name);
  if (point_plane->size() > 0) groups_.push_back(std::move(point_plane));
  if (rim_plane->size() > 0) groups_.push_back(std::move(rim_plane));
  if (sphere_sphere->size() > 0) groups_.push_back(std::move(sphere_sphere));
  find_laws(model, features);
}

void ContactSet::find_laws(const model::Model& model, const std::vector<std::vector<Feature>>& features) {
  std::vector<int> start;  // of each rule in laws_: its own law, then those of its materials
  for (const model::ContactRule& rule : model.contacts) {
    start.push_back(static_cast<int>(laws_.size()));
    laws_.push_back(rule.law);
    for (const model::MaterialLaw& each : rule.material_laws) laws_.push_back(each.law);
  }
  const int bodies = static_cast<int>(model.bodies.size());
  const auto material_of = [&](int participant, int feature) {
    return participant < bodies ? features[participant][feature].material
                                : model.surfaces[participant - bodies].material;
  };
  for (const auto& group : groups_) {
    std::vector<int>& places = law_of_pair_.emplace_back();
    for (int pair = 0; pair < group->size(); ++pair) {
      const ContactKey& key = group->key(pair);
      places.push_back(start[key.rule] + model::law_place(model.contacts[key.rule],
                                                          material_of(key.participant_a, key.feature_a),
                                                          material_of(key.participant_b, key.feature_b)));
    }
  }
}

void ContactSet::detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const {
  contacts.clear();
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const std::size_t first = contacts.size();
    groups_[group]->detect(state, reach, contacts);
    if (state.present.size() > 0) {
      contacts.erase(std::remove_if(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
                                    [&](const Contact& contact) { return !are_present(contact.key, state); }),
                     contacts.end());
    }
    for (std::size_t i = first; i < contacts.size(); ++i) {
      contacts[i].group = static_cast<int>(group);
      contacts[i].surface_velocity = surface_velocity(contacts[i], state.time);
    }
  }
  const auto by_key = [](const Contact& a, const Contact& b) { return a.key < b.key; };
  if (!std::is_sorted(contacts.begin(), contacts.end(), by_key)) std::sort(contacts.begin(), contacts.end(), by_key);
}

bool ContactSet::are_present(const ContactKey& key, const mechanics::State& state) const {
  const auto is_there = [&](int participant) {
    return participant >= static_cast<int>(bodies_.size()) ||
           mechanics::is_present(state, bodies_[participant].node.index);
  };
  return is_there(key.participant_a) && is_there(key.participant_b);
}

double ContactSet::minimum_gap(const mechanics::State& state, int rule, int participant_a, int participant_b) const {
  double minimum = std::numeric_limits<double>::infinity();
  for (const auto& group : groups_) {
    for (int pair = 0; pair < group->size(); ++pair) {
      const ContactKey& key = group->key(pair);
      if (key.rule != rule || (participant_a >= 0 && key.participant_a != participant_a) ||
          (participant_b >= 0 && key.participant_b != participant_b) || !are_present(key, state)) {
        continue;
      }
      minimum = std::min(minimum, group->gap(pair, state));
    }
  }
  return minimum;
}

Vector3 ContactSet::surface_velocity(const Contact& contact, double time) const {
  if (driver(contact.key) < 0) return Vector3::Zero();
  const Vector3 velocity = surfaces_->velocity(key_surface(contact.key), time, contact.point);
  return {-contact.axes.normal.dot(velocity), -contact.axes.tangent1.dot(velocity),
          -contact.axes.tangent2.dot(velocity)};
}

void ContactSet::gradients(const mechanics::State& state, const std::vector<Contact>& contacts,
                           linalg::BlockSparseMatrix& gradients) const {
  gradients.reset(map_->v_sizes());
  // Velocity of a point at the arm r from a node: v + R Omega x r, so the block is axes * [1, -r~ R], with the sign of
  // the side: A counts positive, B negative.
  const auto append = [&](const ContactAxes& axes, model::NodeId node, const Vector3& arm, double sign) {
    linalg::MutableBlockView block = gradients.append(node.index);
    const bool frame = map_->is_frame(node.index);
    const math::Quaternion rotation = frame ? mechanics::orientation(*map_, state, node.index) : math::Quaternion{};
    const std::array<const Vector3*, 3> directions = {&axes.normal, &axes.tangent1, &axes.tangent2};
    for (int i = 0; i < block_size(); ++i) {
      const Vector3& direction = *directions[i];
      for (int k = 0; k < 3; ++k) block(i, k) = sign * direction[k];
      if (!frame) continue;
      // d . (omega x r) = omega . (r x d) = Omega . R^T (r x d)
      const Vector3 turning = rotation.rotate_inverse(math::cross(arm, direction));
      for (int k = 0; k < 3; ++k) block(i, 3 + k) = sign * turning[k];
    }
  };
  for (const Contact& contact : contacts) {
    gradients.begin_row(block_size());
    const bool a_first = !contact.node_b.valid() || contact.node_a.index < contact.node_b.index;
    if (contact.node_a.valid() && a_first) append(contact.axes, contact.node_a, contact.arm_a, 1);
    if (contact.node_b.valid()) append(contact.axes, contact.node_b, contact.arm_b, -1);
    if (contact.node_a.valid() && !a_first) append(contact.axes, contact.node_a, contact.arm_a, 1);
  }
}

std::string ContactSet::name(const ContactKey& key) const {
  const auto feature = [&](int participant, int index) {
    const std::string& owner = participant_names_[participant];
    if (participant >= static_cast<int>(bodies_.size())) return fmt::format("{}.plane", owner);
    return fmt::format("{}.{}", owner, feature_name(bodies_[participant], planar_, index));
  };
  return fmt::format("{}:{}|{}", rule_names_[key.rule], feature(key.participant_a, key.feature_a),
                     feature(key.participant_b, key.feature_b));
}

}  // namespace ricochet::contact
