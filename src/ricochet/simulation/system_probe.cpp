#include "ricochet/simulation/system_probe.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "ricochet/simulation/frame.hpp"
#include "ricochet/simulation/source_words.hpp"

namespace ricochet::simulation {

namespace {

struct SystemQuantity {
  std::string_view name;
  Quantity quantity;
  bool of_contact;
  bool has_component;
};

constexpr std::array<SystemQuantity, 6> system_quantities = {
    {{"coordinate", Quantity::system_coordinate, false, false},
     {"speed", Quantity::system_speed, false, false},
     {"acceleration", Quantity::system_acceleration, false, false},
     {"gap", Quantity::system_gap, true, false},
     {"relative_velocity", Quantity::system_velocity, true, true},
     {"impulse", Quantity::system_impulse, true, true}}};

// The names of coordinates, or of what touches in each contact.
std::vector<std::string> elements_of_system(const model::System& system, bool of_contact) {
  if (!of_contact) return system.equations->coordinates();
  std::vector<std::string> names;
  for (const auto& contact : system.equations->contacts()) names.push_back(contact.first);
  return names;
}

}  // namespace

std::optional<ProbeSource> parse_system_source(const model::Model& model, std::span<const std::string_view> rest,
                                               std::string& why) {
  const auto refuse = [&](std::string sentence) {
    why = std::move(sentence);
    return std::nullopt;
  };
  if (rest.size() < 3) {
    return refuse(
        "a source of a system is written like 'system.NAME.coordinate.COORDINATE' or 'system.NAME.gap.CONTACT'");
  }
  ProbeSource source;
  source.system.index = index_of_name(model.systems, rest[0]);
  if (!source.system.valid()) {
    return refuse(fmt::format("there is no system '{}'{}", rest[0], suggestion(rest[0], names_of(model.systems))));
  }
  const model::System& system = model.systems[source.system.index];
  const int place = index_of_name(system_quantities, rest[1]);
  if (place < 0) {
    return refuse(fmt::format("a system has no '{}'{}", rest[1], suggestion(rest[1], names_of(system_quantities))));
  }
  const SystemQuantity& quantity = system_quantities[place];
  source.quantity = quantity.quantity;
  const std::vector<std::string> elements = elements_of_system(system, quantity.of_contact);
  source.element = index_of(elements, rest[2]);
  if (source.element < 0) {
    return refuse(fmt::format("system '{}' has no {} '{}'{}", system.name,
                              quantity.of_contact ? "contact" : "coordinate", rest[2], suggestion(rest[2], elements)));
  }
  if (!quantity.has_component) {
    if (rest.size() > 3) return refuse(fmt::format("nothing can follow '.{}' of system '{}'", rest[2], system.name));
    return source;
  }
  if (rest.size() != 4) {
    return refuse(fmt::format("'{}' of a contact is a vector: add .normal, .t1, .t2 or .tangent", rest[1]));
  }
  source.component = index_of(contact_components, rest[3]);
  if (source.component < 0) {
    return refuse(fmt::format("'{}' has no '{}'{}", rest[1], rest[3], suggestion(rest[3], contact_components)));
  }
  return source;
}

std::vector<std::string> system_suggestions(const model::System& system) {
  std::vector<std::string> suggestions;
  for (const SystemQuantity& quantity : system_quantities) {
    for (const std::string& element : elements_of_system(system, quantity.of_contact)) {
      const std::string start = fmt::format("system.{}.{}.{}", system.name, quantity.name, element);
      if (!quantity.has_component) suggestions.push_back(start);
      if (!quantity.has_component) continue;
      for (const std::string_view component : contact_components) {
        suggestions.push_back(fmt::format("{}.{}", start, component));
      }
    }
  }
  return suggestions;
}

double system_value(const ProbeSource& source, const Frame& frame) {
  const model::System& system = frame.model.systems[source.system.index];
  const mechanics::DofMap& map = frame.equations.map();
  const int node = system.node.index;
  switch (source.quantity) {
    case Quantity::system_coordinate:
      return frame.state.q[map.q_start(node) + source.element];
    case Quantity::system_speed:
      return frame.state.v[map.v_start(node) + source.element];
    case Quantity::system_acceleration:
      return frame.state.a[map.v_start(node) + source.element];
    case Quantity::system_gap: {
      std::array<double, 3> values = {};
      const std::span<const double> q(frame.state.q.data() + map.q_start(node),
                                      static_cast<std::size_t>(map.q_size(node)));
      system.equations->displacements(source.element, frame.state.time, q,
                                      std::span(values).first(1 + system.equations->slip_directions()));
      return values[0];
    }
    default:
      break;
  }
  for (const integrate::ContactRecord& record : frame.contacts) {
    const bool is_it =
        frame.model.contacts[record.key.rule].system == source.system && record.key.feature_a == source.element;
    if (!is_it) continue;
    const Vector3& vector = source.quantity == Quantity::system_impulse ? record.impulse : record.velocity;
    return source.component == 3 ? std::hypot(vector[1], vector[2]) : vector[source.component];
  }
  return 0;
}

}  // namespace ricochet::simulation
