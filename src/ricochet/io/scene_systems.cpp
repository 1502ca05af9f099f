#include "ricochet/io/scene_systems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ricochet/io/scene_law_schema.hpp"
#include "ricochet/io/scene_materials.hpp"
#include "ricochet/model/systems/planar_body.hpp"
#include "ricochet/model/systems/slider_crank.hpp"

namespace ricochet::io {

namespace {

// Those of sliding alone: the contacts of a system do not roll.
std::vector<Field> with_law(std::vector<Field> fields) {
  for (Field& field : law_fields("`0`")) {
    const bool slides = field.key == "friction" || field.key == "restitution" || field.key == "tangential_restitution";
    if (slides) fields.push_back(std::move(field));
  }
  return fields;
}

Type link_type(std::vector<Field> sizes) {
  sizes.push_back(required("mass", number("kg").above(0), "Mass. The centre of mass is in the middle."));
  sizes.push_back(required("inertia", number("kg m²").above(0), "Moment of inertia about the centre of mass."));
  sizes.push_back(optional("angle", number("rad"), "0", "At the start, against the x axis."));
  sizes.push_back(optional("angular_velocity", number("rad/s"), "0", "At the start."));
  return group(std::move(sizes));
}

std::vector<Field> body_fields(std::vector<Field> sizes) {
  sizes.push_back(required("mass", number("kg").above(0), "Mass."));
  sizes.push_back(required("inertia", number("kg m²").above(0), "Moment of inertia about the centre of mass."));
  sizes.push_back(required("position", list(number("m"), 2, 2), "x and y of the centre of mass at the start."));
  sizes.push_back(optional("angle", number("rad"), "0", "At the start."));
  sizes.push_back(optional("velocity", list(number("m/s"), 2, 2), "[0, 0]", "At the start."));
  sizes.push_back(optional("angular_velocity", number("rad/s"), "0", "At the start."));
  return sizes;
}

struct Start {
  std::shared_ptr<const model::LagrangianSystem> equations;
  VectorX coordinates, rates;
};

Start read_slider_crank(const Entry& entry, const Vector2& gravity) {
  const Entry crank = entry["crank"], rod = entry["rod"], slider = entry["slider"];
  model::SliderCrankData data;
  data.crank_length = crank["length"].number();
  data.rod_length = rod["length"].number();
  data.slider_length = slider["length"].number();
  data.slider_width = slider["width"].number();
  data.clearance = entry["clearance"].number();
  data.crank_mass = crank["mass"].number();
  data.rod_mass = rod["mass"].number();
  data.slider_mass = slider["mass"].number();
  data.crank_inertia = crank["inertia"].number();
  data.rod_inertia = rod["inertia"].number();
  data.slider_inertia = slider["inertia"].number();
  data.gravity = gravity;
  Start start{std::make_shared<model::SliderCrank>(data), VectorX(3), VectorX(3)};
  int i = 0;
  for (const Entry* link : {&crank, &rod, &slider}) {
    start.coordinates[i] = (*link)["angle"].number();
    start.rates[i++] = (*link)["angular_velocity"].number();
  }
  return start;
}

Start read_planar_body(const Entry& entry, std::shared_ptr<const model::LagrangianSystem> equations) {
  Start start{std::move(equations), VectorX(3), VectorX(3)};
  const std::vector<Entry> position = entry["position"].entries(), velocity = entry["velocity"].entries();
  start.coordinates << position[0].number(), position[1].number(), entry["angle"].number();
  start.rates << velocity[0].number(), velocity[1].number(), entry["angular_velocity"].number();
  return start;
}

Start read_start(const Entry& entry, const Vector2& gravity) {
  const std::string& type = entry["type"].text();
  if (type == "slider-crank") return read_slider_crank(entry, gravity);
  const double mass = entry["mass"].number(), inertia = entry["inertia"].number();
  if (type == "impacting-stick") {
    return read_planar_body(entry, model::make_impacting_stick(entry["length"].number(), mass, inertia, gravity));
  }
  return read_planar_body(
      entry, model::make_rocking_block(entry["width"].number(), entry["height"].number(), mass, inertia, gravity));
}

}  // namespace

Type system_type() {
  Type type = group({required("type", choice({"slider-crank", "impacting-stick", "rocking-block"}), "Which system.")});
  type.tag = "type";
  const Type rod = link_type({required("length", number("m").above(0), "From joint to joint.")});
  const Type slider = link_type({required("length", number("m").above(0), "Along the guide."),
                                 required("width", number("m").above(0), "Across the guide.")});
  type.alternatives = {
      {"slider-crank",
       "A crank, a connecting rod and a slider with clearance in its guide, joined by ideal joints (Flores, Leine & "
       "Glocker 2010). Coordinates: `crank`, `rod`, `slider`, the angles of each against the x axis, along which the "
       "guide runs through the axis of the crank. Contacts: `corner1` (upper left) and `corner2` (upper right) with "
       "the "
       "upper side of the guide, `corner3` and `corner4` (lower left and right) with the lower.",
       with_law({required("crank", rod, "The crank."), required("rod", rod, "The connecting rod."),
                 required("slider", slider, "The slider."),
                 required("clearance", number("m").above(0),
                          "Between slider and guide on either side: the sides of the guide are width + 2 clearance "
                          "apart.")})},
      {"impacting-stick",
       "A stick that strikes the ground y = 0 with its lower tip. Coordinates: `x`, `y`, `angle`; upright at 0. "
       "Contact: `tip`.",
       with_law(body_fields({required("length", number("m").above(0), "Length.")}))},
      {"rocking-block",
       "A rectangular block on the ground y = 0. Coordinates: `x`, `y`, `angle`. Contacts: the lower corners `left` "
       "and "
       "`right`.",
       with_law(body_fields(
           {required("width", number("m").above(0), "Width."), required("height", number("m").above(0), "Height.")}))},
  };
  return type;
}

void read_systems(const Entry& scene, model::Model& model) {
  for (const Entry& entry : scene["systems"].entries()) {
    if (!model.planar) {
      entry.refuse(fmt::format("'{}' is a system in the plane; write 'planar: true'", entry.path()));
    }
    const auto is_taken = [&](const auto& other) { return other.name == entry.name(); };
    if (std::any_of(model.contacts.begin(), model.contacts.end(), is_taken)) {
      entry.refuse(
          fmt::format("'{}' has the name of a contact rule; its contacts could not be told from those", entry.path()));
    }
    Start start = read_start(entry, model.gravity.head<2>());
    model::Node node;
    node.name = entry.name();
    node.kind = model::NodeKind::generalised;
    node.coordinates = std::move(start.coordinates);
    node.rates = std::move(start.rates);
    model::ContactRule rule;
    rule.name = entry.name();
    rule.law = read_sliding_law(entry, {});
    rule.system = {static_cast<int>(model.systems.size())};
    model.systems.push_back({entry.name(), {static_cast<int>(model.nodes.size())}, std::move(start.equations)});
    model.nodes.push_back(std::move(node));
    model.contacts.push_back(std::move(rule));
  }
}

}  // namespace ricochet::io
