#include "ricochet/contact/contact_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "ricochet/contact/body_pairs.hpp"
#include "ricochet/contact/plane_pairs.hpp"
#include "ricochet/contact/possible_pairs.hpp"

namespace ricochet::contact {

namespace {

bool by_key(const Contact& a, const Contact& b) { return a.key < b.key; }

// Contacts of a rule and a body A follow each other already, in ascending order: only within such a run the order of
// features and of those that A touches is left to do.
void sort_runs(std::vector<Contact>& contacts) {
  for (auto begin = contacts.begin(); begin != contacts.end();) {
    const auto end = std::find_if(begin, contacts.end(), [&](const Contact& contact) {
      return contact.key.rule != begin->key.rule || contact.key.participant_a != begin->key.participant_a;
    });
    if (!std::is_sorted(begin, end, by_key)) std::sort(begin, end, by_key);
    begin = end;
  }
}

}  // namespace

struct ContactSet::Search {
  PlanePairs plane_pairs;
  BodyPairs body_pairs;
};

ContactSet::ContactSet(const model::Model& model, const mechanics::DofMap& map)
    : planar_(model.planar),
      map_(&map),
      rules_(std::make_unique<const PairRules>(model)),
      forms_(std::make_unique<const Forms>(model)),
      surfaces_(std::make_unique<const mechanics::SurfaceMotion>(model)),
      systems_(model, map, *rules_) {
  for (const model::ContactRule& rule : model.contacts) rule_names_.push_back(rule.name);
  for (const model::Body& body : model.bodies) participant_names_.push_back(body.name);
  for (const model::Surface& surface : model.surfaces) participant_names_.push_back(surface.name);
  for (const model::System& system : model.systems) participant_names_.push_back(system.name);
  for (const model::Body& body : model.bodies) node_of_body_.push_back(body.node.index);
  has_explicit_velocities_ = !systems_.empty();
  for (int i = 0; i < static_cast<int>(model.surfaces.size()); ++i) {
    has_explicit_velocities_ = has_explicit_velocities_ || surfaces_->moves(i);
  }
  for (int i = 0; i < rules_->laws(); ++i) blocks_.push_back(ContactBlock::of_law(rules_->law(i), planar_));
  if (const auto impossible = find_impossible_pair(model, *rules_, *forms_)) {
    throw std::invalid_argument(fmt::format("contact '{}' {}", rule_names_[impossible->rule], impossible->sentence));
  }
  search_ = std::unique_ptr<Search>(  // NOLINT(modernize-make-unique): a plain struct has no constructor to call
      new Search{{*rules_, *forms_, map, *surfaces_, model}, {*rules_, *forms_, map, model}});
}

ContactSet::ContactSet(ContactSet&&) noexcept = default;
ContactSet::~ContactSet() = default;

const math::Threads& ContactSet::one_thread() {
  static const math::Threads one;
  return one;
}

void ContactSet::detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const {
  contacts.clear();
  PlanePairs& planes = search_->plane_pairs;
  planes.begin(state, reach);
  search_->body_pairs.detect(
      state, reach, *threads_, [&](int rule, int body) { planes.detect_before(rule, body, contacts); }, contacts);
  planes.detect_rest(contacts);
  if (state.present.size() > 0) {
    std::erase_if(contacts, [&](const Contact& contact) { return !are_present(contact.key, state); });
  }
  sort_runs(contacts);
  if (has_explicit_velocities_) {
    for (Contact& contact : contacts) {
      contact.surface_velocity = surface_velocity(contact, state.time);
      contact.surface_spin = surface_spin(contact, state.time);
    }
  }
  if (systems_.empty()) return;
  const auto of_bodies = static_cast<std::ptrdiff_t>(contacts.size());
  systems_.detect(state, reach, contacts);
  std::inplace_merge(contacts.begin(), contacts.begin() + of_bodies, contacts.end(), by_key);
}

bool ContactSet::are_present(const ContactKey& key, const mechanics::State& state) const {
  const auto is_there = [&](int participant) {
    return participant >= rules_->bodies() || mechanics::is_present(state, node_of_body_[participant]);
  };
  return is_there(key.participant_a) && is_there(key.participant_b);
}

double ContactSet::gap(const Contact& contact, const mechanics::State& state) const {
  if (contact.kind == ContactKind::generalised) return systems_.displacements(contact, state)[0];
  return is_at_plane(contact.kind) ? search_->plane_pairs.gap(contact, state) : search_->body_pairs.gap(contact, state);
}

Vector3 ContactSet::point(const Contact& contact, const mechanics::State& state) const {
  if (contact.kind == ContactKind::generalised) return systems_.point(contact, state);
  return is_at_plane(contact.kind) ? search_->plane_pairs.point(contact, state)
                                   : search_->body_pairs.point(contact, state);
}

double ContactSet::minimum_gap(const mechanics::State& state, int rule, int participant_a, int participant_b) const {
  double minimum = systems_.minimum_gap(state, rule, std::numeric_limits<double>::infinity());
  minimum = search_->plane_pairs.minimum_gap(state, rule, participant_a, participant_b, minimum);
  return search_->body_pairs.minimum_gap(state, rule, participant_a, participant_b, minimum);
}

Vector3 ContactSet::surface_velocity(const Contact& contact, double time) const {
  if (contact.kind == ContactKind::generalised) return contact.surface_velocity;
  if (driver(contact.key) < 0) return Vector3::Zero();
  const Vector3 velocity = surfaces_->velocity(key_surface(contact.key), time, contact.point);
  return {-contact.axes.normal.dot(velocity), -contact.axes.tangent1.dot(velocity),
          -contact.axes.tangent2.dot(velocity)};
}

Vector3 ContactSet::surface_spin(const Contact& contact, double time) const {
  if (driver(contact.key) < 0 || !block(contact).resists()) return Vector3::Zero();
  const Vector3 spin = surfaces_->angular_velocity(key_surface(contact.key), time);
  return {-contact.axes.normal.dot(spin), -contact.axes.tangent1.dot(spin), -contact.axes.tangent2.dot(spin)};
}

int ContactSet::scalars(const std::vector<Contact>& contacts) const {
  int scalars = 0;
  for (const Contact& contact : contacts) scalars += block(contact).size;
  return scalars;
}

void ContactSet::gradients(const mechanics::State& state, const std::vector<Contact>& contacts,
                           linalg::BlockSparseMatrix& gradients) const {
  gradients.reset(map_->v_sizes());
  // Velocity of a point at the arm r from a node: v + R Omega x r, so the block is axes * [1, -r~ R], with the sign of
  // the side: A counts positive, B negative. Angular velocity along an axis d: d . R Omega.
  const auto append = [&](const Contact& contact, model::NodeId node, const Vector3& arm, double sign) {
    const ContactBlock& of = block(contact);
    const ContactAxes& axes = contact.axes;
    linalg::MutableBlockView rows = gradients.append(node.index);
    const bool frame = map_->is_frame(node.index);
    const math::Quaternion rotation = frame ? mechanics::orientation(*map_, state, node.index) : math::Quaternion{};
    const std::array<const Vector3*, 3> directions = {&axes.normal, &axes.tangent1, &axes.tangent2};
    for (int i = 0; i < of.linear; ++i) {
      const Vector3& direction = *directions[i];
      for (int k = 0; k < 3; ++k) rows(i, k) = sign * direction[k];
      if (!frame) continue;
      // d . (omega x r) = omega . (r x d) = Omega . R^T (r x d)
      const Vector3 turning = rotation.rotate_inverse(math::cross(arm, direction));
      for (int k = 0; k < 3; ++k) rows(i, 3 + k) = sign * turning[k];
    }
    const auto set_spin_row = [&](int row, double weight, const Vector3& direction) {
      if (row < 0) return;
      for (int k = 0; k < 3; ++k) rows(row, k) = 0;
      if (!frame) return;
      const Vector3 turning = rotation.rotate_inverse(direction);
      for (int k = 0; k < 3; ++k) rows(row, 3 + k) = sign * weight * turning[k];
    };
    if (!of.resists()) return;
    set_spin_row(of.spin, of.arm, axes.normal);
    set_spin_row(of.roll, 1, axes.tangent1);
    set_spin_row(of.roll < 0 ? -1 : of.roll + 1, 1, axes.tangent2);
  };
  for (const Contact& contact : contacts) {
    gradients.begin_row(block(contact).size);
    if (contact.kind == ContactKind::generalised) {
      systems_.append_gradients(contact, state, block(contact).linear, gradients);
      continue;
    }
    const bool a_first = !contact.node_b.valid() || contact.node_a.index < contact.node_b.index;
    if (contact.node_a.valid() && a_first) append(contact, contact.node_a, contact.arm_a, 1);
    if (contact.node_b.valid()) append(contact, contact.node_b, contact.arm_b, -1);
    if (contact.node_a.valid() && !a_first) append(contact, contact.node_a, contact.arm_a, 1);
  }
}

void ContactSet::surface_velocities(const std::vector<Contact>& contacts, double time, Eigen::Index size,
                                    linalg::ReusableVector& velocities) const {
  velocities.setZero(size);
  if (!has_explicit_velocities_) return;
  double* next = velocities.data();
  for (const Contact& contact : contacts) {
    if (driver(contact.key) >= 0 || contact.kind == ContactKind::generalised) {
      block(contact).set_velocity(surface_velocity(contact, time), surface_spin(contact, time), next);
    }
    next += block(contact).size;
  }
}

void ContactSet::relative_velocities(const std::vector<Contact>& contacts, const linalg::BlockSparseMatrix& gradients,
                                     const VectorX& v, linalg::ReusableVector& velocities) const {
  velocities.setZero(gradients.scalar_rows());
  if (has_explicit_velocities_) {
    double* next = velocities.data();
    for (const Contact& contact : contacts) {
      block(contact).set_velocity(contact.surface_velocity, contact.surface_spin, next);
      next += block(contact).size;
    }
  }
  gradients.multiply_add(v, velocities);
}

std::string ContactSet::name(const ContactKey& key) const {
  if (key.participant_a >= rules_->participants()) {
    return fmt::format("{}:{}", rule_names_[key.rule], systems_.name(key));
  }
  const auto feature = [&](int participant, int index) {
    const std::string& owner = participant_names_[participant];
    const int surface = participant - rules_->bodies();
    return fmt::format(
        "{}.{}", owner,
        surface >= 0 ? forms_->surface_feature_name(surface, index) : forms_->feature_name(participant, index));
  };
  return fmt::format("{}:{}|{}", rule_names_[key.rule], feature(key.participant_a, key.feature_a),
                     feature(key.participant_b, key.feature_b));
}

}  // namespace ricochet::contact
