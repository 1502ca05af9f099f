// Reading probe sources: from a dotted name to a ProbeSource, or to a sentence that helps.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include "ricochet/mechanics/joints/joint_factory.hpp"
#include "ricochet/simulation/clearance_probe.hpp"
#include "ricochet/simulation/ledger.hpp"
#include "ricochet/simulation/probe.hpp"
#include "ricochet/simulation/source_words.hpp"
#include "ricochet/simulation/system_probe.hpp"

namespace ricochet::simulation {

namespace {

struct NamedQuantity {
  std::string_view name;
  Quantity quantity;
};

constexpr std::array<NamedQuantity, 8> motion_quantities = {
    {{"position", Quantity::position},
     {"velocity", Quantity::velocity},
     {"acceleration", Quantity::acceleration},
     {"displacement", Quantity::displacement},
     {"angular_velocity", Quantity::angular_velocity},
     {"angular_velocity_world", Quantity::angular_velocity_world},
     {"angular_acceleration", Quantity::angular_acceleration},
     {"rotation_vector", Quantity::rotation_vector}}};

constexpr std::array<NamedQuantity, 11> contact_quantities = {{{"gap", Quantity::contact_gap},
                                                               {"count", Quantity::contact_count},
                                                               {"status", Quantity::contact_status},
                                                               {"relative_velocity", Quantity::contact_velocity},
                                                               {"impulse", Quantity::contact_impulse},
                                                               {"force", Quantity::contact_force},
                                                               {"shift", Quantity::contact_shift},
                                                               {"relative_spin", Quantity::contact_spin},
                                                               {"moment", Quantity::contact_moment},
                                                               {"torque", Quantity::contact_torque},
                                                               {"work", Quantity::contact_work}}};

constexpr std::array<NamedQuantity, 3> driver_quantities = {
    {{"force", Quantity::driver_force}, {"torque", Quantity::driver_torque}, {"power", Quantity::driver_power}}};

constexpr std::array<NamedQuantity, 10> joint_quantities = {{{"coordinate", Quantity::joint_coordinate},
                                                             {"speed", Quantity::joint_speed},
                                                             {"spring", Quantity::joint_spring},
                                                             {"limit", Quantity::joint_limit},
                                                             {"friction", Quantity::joint_friction},
                                                             {"motor", Quantity::joint_motor},
                                                             {"effort", Quantity::joint_effort},
                                                             {"error", Quantity::joint_error},
                                                             {"force", Quantity::joint_force},
                                                             {"torque", Quantity::joint_torque}}};
constexpr std::array<std::string_view, 3> coordinate_numbers = {"0", "1", "2"};

// There is one for each coordinate of the joint.
bool is_of_coordinates(Quantity quantity) {
  return quantity == Quantity::joint_coordinate || quantity == Quantity::joint_speed ||
         quantity == Quantity::joint_spring || quantity == Quantity::joint_limit ||
         quantity == Quantity::joint_friction || quantity == Quantity::joint_motor;
}

// Whether something of this kind acts along a coordinate of a joint. What every joint has acts as well.
bool acts(Quantity quantity, const model::Model& model, model::JointId joint, int coordinate) {
  const auto any = [&](const auto& actions) {
    return std::any_of(actions.begin(), actions.end(), [&](const auto& action) {
      return action.coordinate.joint == joint && action.coordinate.index == coordinate;
    });
  };
  switch (quantity) {
    case Quantity::joint_spring:
      return any(model.joint_springs);
    case Quantity::joint_limit:
      return any(model.joint_limits);
    case Quantity::joint_friction:
      return any(model.joint_frictions);
    case Quantity::joint_motor:
      return any(model.joint_motors);
    default:
      return true;
  }
}

bool is_scalar_of_joint(Quantity quantity) {
  return quantity == Quantity::joint_error || quantity == Quantity::joint_effort;
}

bool has_effort(model::JointType type) {
  return model::acts_on_coordinates(type) || type == model::JointType::distance;
}

// The components of a quantity of a joint; those of coordinates, which may be left out, are as many as the joint has.
// Empty for a scalar.
std::span<const std::string_view> joint_components(Quantity quantity, model::JointType type) {
  if (is_of_coordinates(quantity)) return std::span(coordinate_numbers).first(mechanics::coordinate_count(type));
  if (is_scalar_of_joint(quantity)) return {};
  return vector_components;
}

// The components of a quantity of a contact; empty for a scalar.
std::span<const std::string_view> components_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::contact_velocity:
    case Quantity::contact_impulse:
    case Quantity::contact_force:
    case Quantity::contact_shift:
    case Quantity::contact_spin:
    case Quantity::contact_moment:
    case Quantity::contact_torque:
      return contact_components;
    case Quantity::contact_work:
      return work_components;
    default:
      return {};
  }
}

// Each name once, in the order of first use.
std::vector<std::string_view> distinct(const std::vector<std::string_view>& names) {
  std::vector<std::string_view> result;
  std::unordered_set<std::string_view> seen;
  for (const std::string_view name : names) {
    if (seen.insert(name).second) result.push_back(name);
  }
  return result;
}

// What can move: bodies and nodes, which often bear the same names.
std::vector<std::string_view> moving_names(const model::Model& model) {
  std::vector<std::string_view> names = names_of(model.bodies);
  for (const model::Node& node : model.nodes) {
    if (node.kind != model::NodeKind::generalised) names.emplace_back(node.name);
  }
  return distinct(names);
}

std::vector<std::string_view> split_at_dots(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = text.find('.');
    parts.push_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// One finite number and nothing else, independent of the locale.
std::optional<double> plain_number(std::string_view text) {
  text = without_spaces(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

// Reads one source. Every function either returns a source or sets `why_` and returns nothing.
class SourceReader {
 public:
  SourceReader(const model::Model& model, std::string_view text) : model_(model), text_(text) {}

  std::optional<ProbeSource> read();
  const std::string& why() const { return why_; }

 private:
  using Parts = std::span<const std::string_view>;
  using Result = std::optional<ProbeSource>;

  Result read_material_point(std::size_t at_sign);
  Result read_motion(std::string_view owner, Parts rest, const Vector3* offset);
  Result read_contact(Parts rest);
  Result read_driver(Parts rest);
  Result read_joint(Parts rest);
  Result read_clearance(Parts rest);
  Result read_entry(std::string_view owner, Parts rest, Quantity quantity, std::span<const std::string_view> entries);
  bool read_participants(std::string_view first, std::string_view second, ProbeSource& source);
  bool read_component(std::string_view owner, std::string_view component, std::span<const std::string_view> choice,
                      ProbeSource& source);

  model::NodeId find_node(std::string_view name) const;
  std::vector<std::string_view> owners() const;
  std::nullopt_t refuse(std::string why) {
    why_ = std::move(why);
    return std::nullopt;
  }

  const model::Model& model_;
  std::string_view text_;
  std::string why_;
};

std::optional<ProbeSource> SourceReader::read() {
  if (const std::size_t at_sign = text_.find('@'); at_sign != std::string_view::npos) {
    return read_material_point(at_sign);
  }
  const std::vector<std::string_view> parts = split_at_dots(text_);
  const std::string_view owner = parts.front();
  const Parts rest = Parts(parts).subspan(1);
  if (owner == "time" && rest.empty()) return ProbeSource{};
  // A body with the name of one of the words below: the number of words and the last of them tell which is meant.
  if (find_node(owner).valid()) {
    if (Result source = read_motion(owner, rest, nullptr)) return source;
  }
  if (owner == "contact") return read_contact(rest);
  if (owner == "driver") return read_driver(rest);
  if (owner == "joint") return read_joint(rest);
  if (owner == "system") return parse_system_source(model_, rest, why_);
  if (owner == "clearance") return read_clearance(rest);
  if (owner == "energy") return read_entry(owner, rest, Quantity::energy, ledger_entries);
  if (owner == "solver") return read_entry(owner, rest, Quantity::solver, solver_entries);
  if (owner == "time") return refuse("'time' has no parts: write 'time'");
  return read_motion(owner, rest, nullptr);
}

std::optional<ProbeSource> SourceReader::read_material_point(std::size_t at_sign) {
  const std::string_view owner = text_.substr(0, at_sign);
  const std::string_view after = text_.substr(at_sign + 1);
  const std::size_t close = after.find(']');
  const bool followed = close != std::string_view::npos && close + 1 < after.size() && after[close + 1] == '.';
  if (!after.starts_with('[') || !followed) {
    return refuse(fmt::format("a material point is written like '{}@[0.1,0,0].position.x'", owner));
  }
  Vector3 offset;
  std::string_view numbers = after.substr(1, close - 1);
  for (int i = 0; i < 3; ++i) {
    const std::size_t comma = numbers.find(',');
    const std::optional<double> number = plain_number(numbers.substr(0, comma));
    const bool is_last = comma == std::string_view::npos;
    if (!number || is_last != (i == 2)) {
      return refuse(fmt::format("'@{}' is not a material point: it needs three plain numbers, like '@[0.1,0,0]'",
                                after.substr(0, close + 1)));
    }
    offset[i] = *number;
    if (!is_last) numbers.remove_prefix(comma + 1);
  }
  const std::vector<std::string_view> parts = split_at_dots(after.substr(close + 2));
  return read_motion(owner, parts, &offset);
}

std::optional<ProbeSource> SourceReader::read_motion(std::string_view owner, Parts rest, const Vector3* offset) {
  ProbeSource source;
  source.node = find_node(owner);
  if (!source.node.valid()) {
    return refuse(fmt::format("'{}' is neither a body nor a node{}", owner, suggestion(owner, owners())));
  }
  const bool is_body = index_of_name(model_.bodies, owner) >= 0;
  const bool is_point = model_.nodes[source.node.index].kind == model::NodeKind::point;
  if (offset != nullptr) {
    if (is_point && !offset->isZero(0)) {
      return refuse(fmt::format("'{}' is a point and has no other material point than [0,0,0]", owner));
    }
    source.offset = *offset;
  }
  // A body is described in a frame of its own, whose origin need not be the node.
  if (is_body) source.offset += model_.bodies[index_of_name(model_.bodies, owner)].origin;
  const std::string_view kind = is_body ? "body" : "node";
  if (rest.empty()) {
    return refuse(fmt::format("'{}' is a {}, not a number: write for example '{}.position.x'", owner, kind, owner));
  }
  const int quantity = index_of_name(motion_quantities, rest[0]);
  if (quantity < 0) {
    return refuse(fmt::format("a {} has no '{}'{}", kind, rest[0], suggestion(rest[0], names_of(motion_quantities))));
  }
  source.quantity = motion_quantities[quantity].quantity;
  if (rest.size() == 1) {
    return refuse(fmt::format("'{}' is a vector: add .x, .y, .z or .norm", text_));
  }
  if (!read_component(rest[0], rest[1], vector_components, source)) return {};
  if (rest.size() > 2) return refuse(fmt::format("nothing can follow '.{}' in '{}'", rest[1], text_));
  return source;
}

std::optional<ProbeSource> SourceReader::read_contact(Parts rest) {
  if (rest.empty()) return refuse("a contact source is written like 'contact.RULE.gap'");
  ProbeSource source;
  source.rule.index = index_of_name(model_.contacts, rest[0]);
  if (!source.rule.valid()) {
    return refuse(
        fmt::format("there is no contact rule '{}'{}", rest[0], suggestion(rest[0], names_of(model_.contacts))));
  }
  const std::string_view rule = rest[0];
  rest = rest.subspan(1);
  // With 3 or 4 words left, the first two are participants: a quantity has at most 2 words.
  if (rest.size() == 3 || rest.size() == 4) {
    if (!read_participants(rest[0], rest[1], source)) return {};
    rest = rest.subspan(2);
  }
  if (rest.empty() || rest.size() > 2) {
    return refuse(
        fmt::format("'{}' is not complete: write 'contact.{}.QUANTITY', or 'contact.{}.A.B.QUANTITY' for one pair",
                    text_, rule, rule));
  }
  const int quantity = index_of_name(contact_quantities, rest[0]);
  if (quantity < 0) {
    if (rest.size() == 2 && index_of_name(contact_quantities, rest[1]) >= 0) {
      return refuse(fmt::format("'{}' names one participant; name both, or none for all pairs of '{}'", text_, rule));
    }
    return refuse(fmt::format("a contact has no '{}'{}", rest[0], suggestion(rest[0], names_of(contact_quantities))));
  }
  source.quantity = contact_quantities[quantity].quantity;
  const std::span<const std::string_view> components = components_of(source.quantity);
  if (components.empty() && rest.size() == 2) {
    return refuse(fmt::format("'{}' of a contact is one number: nothing can follow it", rest[0]));
  }
  if (!components.empty() && rest.size() == 1) {
    return refuse(fmt::format("'{}' of a contact has components: add .{}", rest[0], fmt::join(components, ", .")));
  }
  if (rest.size() == 2 && !read_component(rest[0], rest[1], components, source)) return {};
  return source;
}

std::optional<ProbeSource> SourceReader::read_driver(Parts rest) {
  if (rest.size() < 2) return refuse("a driver source is written like 'driver.NAME.power'");
  ProbeSource source;
  source.driver.index = index_of_name(model_.drivers, rest[0]);
  if (!source.driver.valid()) {
    return refuse(fmt::format("there is no driver '{}'{}", rest[0], suggestion(rest[0], names_of(model_.drivers))));
  }
  const int quantity = index_of_name(driver_quantities, rest[1]);
  if (quantity < 0) {
    return refuse(fmt::format("a driver has no '{}'{}", rest[1], suggestion(rest[1], names_of(driver_quantities))));
  }
  source.quantity = driver_quantities[quantity].quantity;
  source.component = along_driver;
  const std::size_t most = source.quantity == Quantity::driver_power ? 2 : 3;
  if (rest.size() > most) return refuse(fmt::format("nothing can follow '.{}' in '{}'", rest[most - 1], text_));
  if (rest.size() == 3 && !read_component(rest[1], rest[2], vector_components, source)) return {};
  return source;
}

std::optional<ProbeSource> SourceReader::read_joint(Parts rest) {
  if (rest.size() < 2) return refuse("a joint source is written like 'joint.NAME.coordinate'");
  ProbeSource source;
  source.joint.index = index_of_name(model_.joints, rest[0]);
  if (!source.joint.valid()) {
    return refuse(fmt::format("there is no joint '{}'{}", rest[0], suggestion(rest[0], names_of(model_.joints))));
  }
  const int quantity = index_of_name(joint_quantities, rest[1]);
  if (quantity < 0) {
    return refuse(fmt::format("a joint has no '{}'{}", rest[1], suggestion(rest[1], names_of(joint_quantities))));
  }
  source.quantity = joint_quantities[quantity].quantity;
  const model::JointType type = model_.joints[source.joint.index].type;
  const std::span<const std::string_view> components = joint_components(source.quantity, type);
  const bool is_numbered = is_of_coordinates(source.quantity);
  if (source.quantity == Quantity::joint_effort && !has_effort(type)) {
    return refuse(
        fmt::format("'{}' is a {} joint: watch its force or torque; gears, couplers, drives and distances "
                    "have an effort",
                    rest[0], name_of(type)));
  }
  if (is_numbered && components.empty()) {
    return refuse(fmt::format("'{}' is a {} joint, which has no coordinates", rest[0], name_of(type)));
  }
  const std::size_t most = components.empty() ? 2 : 3;
  if (rest.size() > most) return refuse(fmt::format("nothing can follow '.{}' in '{}'", rest[most - 1], text_));
  if (rest.size() == 2 && !components.empty() && !is_numbered) {
    return refuse(fmt::format("'{}' of a joint has components: add .{}", rest[1], fmt::join(components, ", .")));
  }
  if (rest.size() == 3 && !read_component(rest[1], rest[2], components, source)) return {};
  if (!acts(source.quantity, model_, source.joint, source.component)) {
    return refuse(fmt::format("joint '{}' has no {} along its coordinate {}", rest[0], rest[1], source.component));
  }
  return source;
}

// The contacts of a clearance have a rule of its name.
std::optional<ProbeSource> SourceReader::read_clearance(Parts rest) {
  if (rest.size() < 2) return refuse("a clearance source is written like 'clearance.NAME.gap'");
  const model::ClearanceId clearance{index_of_name(model_.clearances, rest[0])};
  if (!clearance.valid()) {
    return refuse(
        fmt::format("there is no clearance '{}'{}", rest[0], suggestion(rest[0], names_of(model_.clearances))));
  }
  if (is_clearance_quantity(rest[1])) return parse_clearance_source(model_, clearance, rest.subspan(1), why_);
  return read_contact(rest);
}

bool SourceReader::read_participants(std::string_view first, std::string_view second, ProbeSource& source) {
  const model::ContactRule& rule = model_.contacts[source.rule.index];
  const auto side_has = [&](const std::vector<model::Participant>& side, int participant) {
    for (const model::Participant& candidate : side) {
      if (model::participant_index(model_, candidate) == participant) return true;
    }
    return false;
  };
  const auto find = [&](std::string_view name) {
    const int body = index_of_name(model_.bodies, name);
    if (body >= 0) return body;
    const int surface = index_of_name(model_.surfaces, name);
    return surface < 0 ? -1 : static_cast<int>(model_.bodies.size()) + surface;
  };
  const int a = find(first), b = find(second);
  for (const auto& [name, participant] : {std::pair(first, a), std::pair(second, b)}) {
    if (side_has(rule.first, participant) || side_has(rule.second, participant)) continue;
    std::vector<std::string_view> known;
    for (const auto* side : {&rule.first, &rule.second}) {
      for (const model::Participant& candidate : *side) {
        known.emplace_back(candidate.body.valid() ? model_.bodies[candidate.body.index].name
                                                  : model_.surfaces[candidate.surface.index].name);
      }
    }
    refuse(fmt::format("'{}' takes no part in the contact rule '{}'{}", name, rule.name,
                       suggestion(name, distinct(known))));
    return false;
  }
  const bool as_written = side_has(rule.first, a) && side_has(rule.second, b);
  const bool swapped = side_has(rule.first, b) && side_has(rule.second, a);
  if (a == b || !(as_written || swapped)) {
    refuse(fmt::format("'{}' and '{}' never touch each other under the contact rule '{}'", first, second, rule.name));
    return false;
  }
  // Either order is accepted; contact identities have the body before the surface and the earlier body before the
  // later.
  source.participant_a = std::min(a, b);
  source.participant_b = std::max(a, b);
  return true;
}

std::optional<ProbeSource> SourceReader::read_entry(std::string_view owner, Parts rest, Quantity quantity,
                                                    std::span<const std::string_view> entries) {
  ProbeSource source;
  source.quantity = quantity;
  if (rest.size() != 1) {
    return refuse(fmt::format("'{}' is written like '{}.{}'", owner, owner, entries.front()));
  }
  if (!read_component(owner, rest[0], entries, source)) return {};
  return source;
}

bool SourceReader::read_component(std::string_view owner, std::string_view component,
                                  std::span<const std::string_view> choice, ProbeSource& source) {
  source.component = index_of(choice, component);
  if (source.component >= 0) return true;
  refuse(fmt::format("'{}' has no '{}'{}", owner, component, suggestion(component, choice)));
  return false;
}

model::NodeId SourceReader::find_node(std::string_view name) const {
  if (const int body = index_of_name(model_.bodies, name); body >= 0) return model_.bodies[body].node;
  const int node = index_of_name(model_.nodes, name);
  if (node >= 0 && model_.nodes[node].kind == model::NodeKind::generalised) return {};
  return {node};
}

std::vector<std::string_view> SourceReader::owners() const {
  std::vector<std::string_view> names = moving_names(model_);
  for (const std::string_view word : {"contact", "driver", "joint", "system", "clearance", "energy", "solver", "time"})
    names.push_back(word);
  return names;
}

}  // namespace

std::optional<ProbeSource> parse_probe_source(const model::Model& model, std::string_view text, std::string* why) {
  SourceReader reader(model, text);
  std::optional<ProbeSource> source = reader.read();
  if (!source && why != nullptr) *why = reader.why();
  return source;
}

std::vector<std::string> probe_suggestions(const model::Model& model) {
  std::vector<std::string> suggestions = {"time"};
  for (const std::string_view owner : moving_names(model)) {
    for (const NamedQuantity& quantity : motion_quantities) {
      for (const std::string_view component : vector_components) {
        suggestions.push_back(fmt::format("{}.{}.{}", owner, quantity.name, component));
      }
    }
  }
  for (const model::ContactRule& rule : model.contacts) {
    for (const NamedQuantity& quantity : contact_quantities) {
      const std::span<const std::string_view> components = components_of(quantity.quantity);
      if (components.empty()) suggestions.push_back(fmt::format("contact.{}.{}", rule.name, quantity.name));
      for (const std::string_view component : components) {
        suggestions.push_back(fmt::format("contact.{}.{}.{}", rule.name, quantity.name, component));
      }
    }
  }
  for (const model::Driver& driver : model.drivers) {
    for (const NamedQuantity& quantity : driver_quantities) {
      suggestions.push_back(fmt::format("driver.{}.{}", driver.name, quantity.name));
      if (quantity.quantity == Quantity::driver_power) continue;
      for (const std::string_view component : vector_components) {
        suggestions.push_back(fmt::format("driver.{}.{}.{}", driver.name, quantity.name, component));
      }
    }
  }
  for (int i = 0; i < static_cast<int>(model.joints.size()); ++i) {
    const model::Joint& joint = model.joints[i];
    for (const NamedQuantity& quantity : joint_quantities) {
      const std::span<const std::string_view> components = joint_components(quantity.quantity, joint.type);
      const bool exists = quantity.quantity != Quantity::joint_effort || has_effort(joint.type);
      if (is_scalar_of_joint(quantity.quantity) && exists) {
        suggestions.push_back(fmt::format("joint.{}.{}", joint.name, quantity.name));
      }
      for (int k = 0; k < static_cast<int>(components.size()); ++k) {
        if (!acts(quantity.quantity, model, {i}, k)) continue;
        suggestions.push_back(fmt::format("joint.{}.{}.{}", joint.name, quantity.name, components[k]));
      }
    }
  }
  for (const model::System& system : model.systems) {
    for (std::string& source : system_suggestions(system)) suggestions.push_back(std::move(source));
  }
  for (int i = 0; i < static_cast<int>(model.clearances.size()); ++i) {
    for (const std::string& source : clearance_suggestions(model, {i})) {
      suggestions.push_back(fmt::format("clearance.{}.{}", model.clearances[i].name, source));
    }
  }
  for (const std::string_view entry : ledger_entries) suggestions.push_back(fmt::format("energy.{}", entry));
  for (const std::string_view entry : solver_entries) suggestions.push_back(fmt::format("solver.{}", entry));
  return suggestions;
}

}  // namespace ricochet::simulation
