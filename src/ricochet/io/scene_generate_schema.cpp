#include "ricochet/io/scene_generate_schema.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet::io {

namespace {

// The sections of a scene that can be generated. Parameters cannot: generators are evaluated with them.
constexpr std::array<std::string_view, 12> kGenerated = {
    "materials",           "material_pairs", "bodies",  "surfaces", "springs", "joints",
    "velocity_conditions", "loads",          "drivers", "contacts", "probes",  "expect"};

std::vector<Field> template_fields(const Type& scene) {
  std::vector<Field> result;
  for (const std::string_view key : kGenerated) {
    const Field& section = *find_field(scene, nullptr, key);
    Type type = section.type;
    type.is_template = true;
    result.push_back(
        optional_without_default(section.key, std::move(type), "none", "As in the scene, once for each index."));
  }
  return result;
}

std::vector<Field> with_templates(std::vector<Field> settings, const std::vector<Field>& templates) {
  settings.insert(settings.end(), templates.begin(), templates.end());
  return settings;
}

// A generator may contain generators: the element of this section is that of the outer one.
Field nested_field(const std::shared_ptr<const Type>& generator) {
  Type type = section("generator", {});
  type.is_template = true;
  // Not owned, for it owns this: the outer section lives as long as the schema.
  type.element = std::shared_ptr<const Type>(std::shared_ptr<const Type>(), generator.get());
  return optional_without_default("generate", std::move(type), "none",
                                  "Generators inside of this one, each with an index of its own; they may use this "
                                  "one's too.");
}

// A body as in the scene, but for what the generator gives it.
Type body_template(const Type& scene, const std::vector<std::string_view>& given) {
  Type type = *find_field(scene, nullptr, "bodies")->type.element;
  type.is_template = true;
  std::erase_if(type.fields, [&given](const Field& field) {
    return std::find(given.begin(), given.end(), std::string_view(field.key)) != given.end();
  });
  return type;
}
Field placed_body(const Type& scene) {
  return optional("body", body_template(scene, {"position", "orientation"}), "{}",
                  "What is placed: a body as in the scene, without position and orientation. `$i` is its number.");
}
Field shaped_body(const Type& scene, const std::string& shape) {
  return optional("body", body_template(scene, {"position", "orientation", "shape", "parts"}), "{}",
                  "What else is known of a body: mass or density, material, group; its shape is " + shape +
                      ". `$i` is its number.");
}

// The keys that all layouts have, after their own.
std::vector<Field> layout_fields(const Type& scene, std::vector<Field> own) {
  const Type& body = *find_field(scene, nullptr, "bodies")->type.element;
  const std::vector<Field> common = {
      optional_without_default("name", text(), "the name of the generator",
                               "What bodies are called: with `-1`, `-2` … behind it."),
      optional("index", text(), "i", "Name of the index that numbers the bodies."),
      optional("position", vector("m"), "[0, 0, 0]", "Where the origin of the layout is."),
      optional("orientation", find_field(body, nullptr, "orientation")->type, "{angle: 0}",
               "How the layout is turned as a whole."),
  };
  own.insert(own.end(), common.begin(), common.end());
  return own;
}

Field count_field(double least = 0) { return required("count", integer().between(least, 1e6), "How many bodies."); }
Field seed_field() { return optional("seed", integer().at_least(0), "1", "Another seed gives other random numbers."); }
Field orientations_field(const std::string& fallback) {
  return optional("orientations", choice({"aligned", "random"}), fallback,
                  "`aligned` with the axes of the layout, or `random`: all equally likely (planar: about z).");
}
Field block_size_field() {
  return required("size", list(number("m").above(0), 2, 3),
                  "Of a block: [length, depth, height]; in planar scenes [length, height].");
}

Alternative grid_alternative(const Type& scene) {
  return {"grid", "Bodies at the places of a rectangular grid, the first at the origin of the layout.",
          layout_fields(scene, {required("count", list(integer().between(0, 1e6), 3, 3),
                                         "How many along x, y and z; x runs first, then y, then z."),
                                required("spacing", any_of({number("m").above(0), vector("m")}),
                                         "Between neighbours: one number, or one for each axis."),
                                optional("jitter", number("m").at_least(0), "0",
                                         "Each place is moved by up to this, at random, along each axis."),
                                orientations_field("aligned"), seed_field(), placed_body(scene)})};
}

Alternative pile_alternative(const Type& scene) {
  const Type kind = group({optional("weight", number().at_least(0), "1", "How often it is drawn, relative to others."),
                           required("body", body_template(scene, {"position", "orientation"}), "The body.")});
  Type kinds = section("kind", kind);
  kinds.is_template = true;
  return {
      "pile",
      "Bodies in layers over a footprint, from where they fall. Each is somewhere in a cube of its own, so that they "
      "do not overlap. The origin of the layout is the middle of the footprint.",
      layout_fields(scene,
                    {count_field(),
                     required("spacing", number("m").above(0),
                              "Edge of the cubes: at least twice the distance from a body's origin to its farthest "
                              "point."),
                     required("footprint", list(number("m").above(0), 1, 2),
                              "Length and depth of the layers; in planar scenes the length only."),
                     optional("sizes", list(number().above(0), 2, 2), "[1, 1]",
                              "Smallest and largest value of the number `$size`, which is drawn for each body."),
                     orientations_field("random"), seed_field(), placed_body(scene),
                     optional_without_default("kinds", std::move(kinds), "one kind: the body",
                                              "Instead of `body`: several, of which one is drawn each time; a map from "
                                              "names to `{weight, body}`.")})};
}

Alternative wall_alternative(const Type& scene) {
  return {
      "wall",
      "Layers of blocks. The origin of the layout is the middle of the foot, x runs along the wall, and z is up (y in "
      "planar scenes).",
      layout_fields(
          scene,
          {required("layers", integer().between(0, 1e6), "How many layers."),
           required("blocks", integer().between(1, 1e6), "How many whole blocks in the lowest layer."),
           block_size_field(),
           optional(
               "bond", choice({"stack", "running", "closed", "alternating", "stepped"}), "running",
               "`stack`: blocks above each other. `running`: every second layer is shifted by half a block. "
               "`closed`: likewise, with half blocks that make the ends straight. `alternating`: every layer has "
               "one half block more, at its beginning and at its end in turn. `stepped`: every layer has one block "
               "less than the one below, and the ends are stairs."),
           optional("gap", number("m").at_least(0), "0", "Between neighbours in a layer."),
           optional("bed_gap", number("m").at_least(0), "0", "Between layers."),
           shaped_body(scene, "a block or half a block")})};
}

Alternative arch_alternative(const Type& scene) {
  return {
      "arch",
      "Voussoirs between radial joints that touch exactly, from the side of positive x over the crown. The origin of "
      "the layout is the centre of the circle, and z is up (y in planar scenes).",
      layout_fields(scene, {count_field(2), required("inner_radius", number("m").above(0), "Of the intrados."),
                            required("thickness", number("m").above(0), "From intrados to extrados."),
                            optional("depth", number("m").above(0), "1", "Across the arch."),
                            optional("springing", number("rad").between(0, 1.5), "0",
                                     "Angle of the lowest joints above the horizontal: 0 makes half a circle."),
                            shaped_body(scene, "a voussoir")})};
}

Alternative tower_alternative(const Type& scene) {
  return {"tower",
          "Blocks on each other. The origin of the layout is the middle of the foot, and z is up (y in planar scenes).",
          layout_fields(scene, {count_field(), block_size_field(),
                                optional("gap", number("m").at_least(0), "0", "Between blocks."),
                                optional("turn", number("rad"), "0",
                                         "Angle of each block against the one below: `90*deg` lays them crosswise."),
                                shaped_body(scene, "a block")})};
}

}  // namespace

void add_generate_field(Type& scene) {
  const auto generator = std::make_shared<Type>(group({
      required("type", choice({"repeat", "grid", "pile", "wall", "arch", "tower"}), "Kind of generator."),
  }));
  std::vector<Field> templates = template_fields(scene);
  templates.push_back(nested_field(generator));
  generator->tag = "type";
  generator->alternatives = {
      {"repeat", "The elements below, once for each value of an index.",
       with_templates(
           {optional("index", text(), "i", "Name of the index: letters, digits and `_`, beginning with a letter."),
            optional("from", integer(), "1", "First value of the index; it then goes up by one."),
            required("count", integer().between(0, 1e6), "How many values it takes.")},
           templates)},
      grid_alternative(scene),
      pile_alternative(scene),
      wall_alternative(scene),
      arch_alternative(scene),
      tower_alternative(scene),
  };
  Type type = section("generator", {});
  type.element = generator;
  const auto before_output =
      std::find_if(scene.fields.begin(), scene.fields.end(), [](const Field& field) { return field.key == "probes"; });
  scene.fields.insert(before_output, optional("generate", std::move(type), "{}",
                                              "Elements that repeat: they are added to the sections of the scene."));
}

}  // namespace ricochet::io
