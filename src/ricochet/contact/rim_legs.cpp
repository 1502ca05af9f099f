#include "ricochet/contact/rim_legs.hpp"

#include <algorithm>
#include <limits>

#include "ricochet/contact/body_place.hpp"

namespace ricochet::contact {

namespace {

constexpr int kPoints = 6;  // of a rim

bool is_leg(const Contact& contact) { return contact.rim >= 0 && contact.kind == ContactKind::ball_plane; }

// Contacts of one body with all that it meets under one rule follow each other, features before what they touch.
bool are_of_one_body(const Contact& first, const Contact& second) {
  return first.key.rule == second.key.rule && first.key.participant_a == second.key.participant_a;
}

// Of a point of a rim and another contact of its body.
bool are_of_one_rim(const Contact& first, const Contact& second) {
  return first.rim == second.rim && first.key.participant_b == second.key.participant_b;
}

// Where the contact of a key is, or where it would be.
std::vector<Contact>::iterator place_of_key(const ContactKey& key, std::vector<Contact>& contacts) {
  return std::lower_bound(contacts.begin(), contacts.end(), key,
                          [](const Contact& contact, const ContactKey& sought) { return contact.key < sought; });
}

// The feature of its rim under which a point finds room beside the legs that are known.
int room_beside_legs(const Contact& point, std::vector<Contact>& contacts) {
  ContactKey key = point.key;
  int most_open = key.feature_a;
  double largest_gap = -std::numeric_limits<double>::infinity();
  for (key.feature_a = point.rim; key.feature_a < point.rim + kPoints; ++key.feature_a) {
    const auto place = place_of_key(key, contacts);
    if (place == contacts.end() || place->key != key) return key.feature_a;
    if (place->gap <= largest_gap) continue;
    largest_gap = place->gap;
    most_open = key.feature_a;
  }
  return most_open;
}

}  // namespace

void fix_legs(const mechanics::DofMap& map, const mechanics::State& state, std::vector<Contact>& contacts) {
  const auto fix = [&](Contact& contact) {
    if (contact.kind != ContactKind::rim_plane) return;
    const BodyPlace body = place_of(map, state, contact.node_a.index);
    contact.kind = ContactKind::ball_plane;
    contact.center_a = body.rotation.rotate_inverse(contact.arm_a);
    contact.radius_a = 0;
  };
  // Points of one rim at one plane may have those at other planes, and contacts with other bodies, between them.
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].rim < 0) continue;
    for (std::size_t j = i + 1; j < contacts.size() && are_of_one_body(contacts[i], contacts[j]); ++j) {
      if (!are_of_one_rim(contacts[i], contacts[j])) continue;
      fix(contacts[i]);
      fix(contacts[j]);
      break;  // further ones are neighbours of this one
    }
  }
}

void add_with_legs(const std::vector<Contact>& found, std::vector<Contact>& contacts) {
  for (Contact contact : found) {
    auto place = place_of_key(contact.key, contacts);
    if (place != contacts.end() && place->key == contact.key && is_leg(*place)) {
      contact.key.feature_a = room_beside_legs(contact, contacts);
      place = place_of_key(contact.key, contacts);
    }
    if (place != contacts.end() && place->key == contact.key) {
      *place = contact;
    } else {
      contacts.insert(place, contact);
    }
  }
}

}  // namespace ricochet::contact
