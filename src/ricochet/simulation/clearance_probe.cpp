#include "ricochet/simulation/clearance_probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ricochet/model/assemblies/clearance_geometry.hpp"
#include "ricochet/simulation/frame.hpp"
#include "ricochet/simulation/source_words.hpp"

namespace ricochet::simulation {

namespace {

using model::ClearanceType;

struct ClearanceQuantity {
  std::string_view name;
  Quantity quantity;
};

constexpr std::array<ClearanceQuantity, 6> clearance_quantities = {{{"gap", Quantity::clearance_gap},
                                                                    {"path", Quantity::clearance_path},
                                                                    {"angle", Quantity::clearance_angle},
                                                                    {"eccentricity", Quantity::clearance_eccentricity},
                                                                    {"corner", Quantity::clearance_corner},
                                                                    {"touching", Quantity::clearance_touching}}};

constexpr std::array<std::string_view, 8> corner_numbers = {"1", "2", "3", "4", "5", "6", "7", "8"};

// What may follow a quantity; empty: nothing.
std::vector<std::string> clearance_components(const model::Model& model, const model::Clearance& clearance,
                                              Quantity quantity) {
  std::vector<std::string> components;
  if (quantity == Quantity::clearance_gap) {
    for (const auto& element : model::elements_of(clearance, model.planar)) components.push_back(element.name);
  }
  if (quantity == Quantity::clearance_path) components.assign(vector_components.begin(), vector_components.end());
  if (quantity == Quantity::clearance_corner) {
    components.assign(corner_numbers.begin(), corner_numbers.begin() + (model.planar ? 4 : 8));
  }
  return components;
}

bool has_quantity(const model::Clearance& clearance, Quantity quantity) {
  const bool is_slider = clearance.type == ClearanceType::translational;
  if (quantity == Quantity::clearance_corner) return is_slider;
  if (quantity == Quantity::clearance_eccentricity) return !is_slider;
  return quantity != Quantity::clearance_angle || clearance.type != ClearanceType::spherical;
}

model::ClearancePose pose_in(const model::Clearance& clearance, const Frame& frame) {
  const mechanics::DofMap& map = frame.equations.map();
  const int first = frame.model.bodies[clearance.first.index].node.index;
  const int second = frame.model.bodies[clearance.second.index].node.index;
  return model::seen_from_second(
      clearance, mechanics::position(map, frame.state, first), mechanics::orientation(map, frame.state, first),
      mechanics::position(map, frame.state, second), mechanics::orientation(map, frame.state, second));
}

}  // namespace

bool is_clearance_quantity(std::string_view word) { return index_of_name(clearance_quantities, word) >= 0; }

std::optional<ProbeSource> parse_clearance_source(const model::Model& model, model::ClearanceId clearance,
                                                  std::span<const std::string_view> rest, std::string& why) {
  const model::Clearance& of = model.clearances[clearance.index];
  ProbeSource source;
  source.clearance = clearance;
  source.rule = of.rule;
  source.quantity = clearance_quantities[index_of_name(clearance_quantities, rest[0])].quantity;
  if (!has_quantity(of, source.quantity)) {
    why = fmt::format("'{}' is a {} clearance, which has no '{}'", of.name,
                      model::clearance_type_names[static_cast<int>(of.type)], rest[0]);
    return {};
  }
  const std::vector<std::string> components = clearance_components(model, of, source.quantity);
  const bool is_least = source.quantity == Quantity::clearance_gap && rest.size() == 1;
  const std::size_t most = components.empty() ? 1 : 2;
  if (rest.size() > most) {
    why = fmt::format("nothing can follow '.{}' in 'clearance.{}.{}'", rest[most - 1], of.name, fmt::join(rest, "."));
    return {};
  }
  if (rest.size() < most && !is_least) {
    why = fmt::format("'{}' of a clearance has components: add .{}", rest[0], fmt::join(components, ", ."));
    return {};
  }
  source.component = rest.size() == 2 ? index_of(components, rest[1]) : -1;
  if (rest.size() == 2 && source.component < 0) {
    why = fmt::format("'{}' has no '{}'{}", rest[0], rest[1], suggestion(rest[1], components));
    return {};
  }
  return source;
}

std::vector<std::string> clearance_suggestions(const model::Model& model, model::ClearanceId clearance) {
  const model::Clearance& of = model.clearances[clearance.index];
  std::vector<std::string> suggestions;
  for (const ClearanceQuantity& quantity : clearance_quantities) {
    if (!has_quantity(of, quantity.quantity)) continue;
    const std::vector<std::string> components = clearance_components(model, of, quantity.quantity);
    if (components.empty() || quantity.quantity == Quantity::clearance_gap) suggestions.emplace_back(quantity.name);
    for (const std::string& component : components) {
      suggestions.push_back(fmt::format("{}.{}", quantity.name, component));
    }
  }
  return suggestions;
}

double clearance_value(const ProbeSource& source, const Frame& frame) {
  const model::Clearance& clearance = frame.model.clearances[source.clearance.index];
  if (source.quantity == Quantity::clearance_touching) {
    const bool touches = std::any_of(frame.contacts.begin(), frame.contacts.end(),
                                     [&](const auto& record) { return record.key.rule == clearance.rule.index; });
    return touches ? 1 : 0;
  }
  const model::ClearancePose pose = pose_in(clearance, frame);
  const bool planar = frame.model.planar;
  switch (source.quantity) {
    case Quantity::clearance_path:
      return source.component < 3 ? pose.path[source.component] : pose.path.stableNorm();
    case Quantity::clearance_angle:
      return model::angle_of(clearance, pose, planar);
    case Quantity::clearance_eccentricity:
      return model::eccentricity(clearance, pose);
    default:
      break;
  }
  const std::vector<model::ClearanceElement> elements = model::elements_of(clearance, planar);
  if (source.quantity == Quantity::clearance_corner) {  // Flores et al. (2010), eq. (115)
    const model::ClearanceElement& corner = elements[source.component];
    return (model::place_of(corner, pose).y() - corner.place.y()) / clearance.clearance;
  }
  if (source.component >= 0) return model::gap_of(clearance, elements[source.component], pose);
  double least = std::numeric_limits<double>::infinity();
  for (const auto& element : elements) least = std::min(least, model::gap_of(clearance, element, pose));
  return least;
}

}  // namespace ricochet::simulation
