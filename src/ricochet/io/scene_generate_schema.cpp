#include "ricochet/io/scene_generate_schema.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ricochet::io {

namespace {

// The sections of a scene that can be generated. Parameters cannot: generators are evaluated with them.
constexpr std::array<std::string_view, 11> kGenerated = {"materials", "material_pairs", "bodies", "surfaces",
                                                         "springs",   "joints",         "loads",  "drivers",
                                                         "contacts",  "probes",         "expect"};

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

}  // namespace

void add_generate_field(Type& scene) {
  const auto generator = std::make_shared<Type>(group({
      required("type", choice({"repeat"}), "Kind of generator."),
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
  };
  Type type = section("generator", {});
  type.element = generator;
  const auto before_output =
      std::find_if(scene.fields.begin(), scene.fields.end(), [](const Field& field) { return field.key == "probes"; });
  scene.fields.insert(before_output, optional("generate", std::move(type), "{}",
                                              "Elements that repeat: they are added to the sections of the scene."));
}

}  // namespace ricochet::io
