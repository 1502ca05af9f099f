#include "ricochet/io/json_schema.hpp"

#include <nlohmann/json.hpp>

#include "ricochet/io/scene_schema.hpp"

namespace ricochet::io {

namespace {

using Json = nlohmann::ordered_json;

Json type_schema(const Type& type);

// Bounds apply to numbers only, so an expression, which is a string, passes.
void add_range(const Range& range, Json& schema) {
  if (range.lower) schema[range.lower_excluded ? "exclusiveMinimum" : "minimum"] = *range.lower;
  if (range.upper) schema["maximum"] = *range.upper;
}

Json scalar_of_default(const Value& value) {
  if (value.quoted) return value.text;
  return Json::parse(value.text, nullptr, false).is_discarded() ? Json(value.text) : Json::parse(value.text);
}

// What `generate` repeats is written as in the section of the same name of the scene, but for `$i` in names.
Json template_schema(const Field& field) {
  const std::string section = "#/properties/" + field.key;
  if (field.type.kind != TypeKind::section) return {{"$ref", section}};
  return {{"type", "object"},
          {"propertyNames", {{"pattern", R"(^([A-Za-z]|\$)([A-Za-z0-9_$-]|\(.*\))*$)"}}},
          {"additionalProperties", {{"$ref", section + "/additionalProperties"}}}};
}

void add_fields(const std::vector<Field>& fields, Json& schema) {
  for (const Field& field : fields) {
    Json property = field.type.is_template ? template_schema(field) : type_schema(field.type);
    property["description"] =
        field.type.unit.empty() ? field.meaning : field.meaning + " Unit: " + field.type.unit + ".";
    if (field.default_value && field.default_value->is_scalar()) {
      property["default"] = scalar_of_default(*field.default_value);
    }
    schema["properties"][field.key] = std::move(property);
    if (field.required) schema["required"].push_back(field.key);
  }
}

Json group_schema(const Type& type) {
  Json schema = {{"type", "object"}};
  add_fields(type.fields, schema);
  if (type.alternatives.empty()) {
    schema["additionalProperties"] = false;
    return schema;
  }
  for (const Alternative& alternative : type.alternatives) {
    Json condition = {{"properties", {{type.tag, {{"const", alternative.name}}}}}};
    const bool is_default = active_alternative(type, nullptr) == &alternative;
    if (!is_default) condition["required"] = {type.tag};
    Json consequence = Json::object();
    add_fields(alternative.fields, consequence);
    schema["allOf"].push_back({{"if", std::move(condition)}, {"then", std::move(consequence)}});
  }
  schema["unevaluatedProperties"] = false;
  return schema;
}

Json type_schema(const Type& type) {
  switch (type.kind) {
    case TypeKind::number: {
      Json schema = {{"type", {"number", "string"}}};
      add_range(type.range, schema);
      return schema;
    }
    case TypeKind::integer: {
      Json schema = {{"type", {"integer", "string"}}};
      add_range(type.range, schema);
      return schema;
    }
    case TypeKind::boolean:
      return {{"type", "boolean"}};
    case TypeKind::text:
      return {{"type", {"string", "number", "boolean"}}};
    case TypeKind::probe:
      return {{"type", {"string", "number"}}};
    case TypeKind::reference:
      return {{"type", "string"}};
    case TypeKind::choice:
      return {{"enum", type.choices}};
    case TypeKind::list: {
      Json schema = {{"type", "array"}, {"items", type_schema(*type.element)}};
      if (type.least > 0) schema["minItems"] = type.least;
      if (type.most < std::numeric_limits<int>::max()) schema["maxItems"] = type.most;
      return schema;
    }
    case TypeKind::section:
      return {{"type", "object"},
              {"propertyNames", {{"pattern", "^[A-Za-z][A-Za-z0-9_-]*$"}}},
              {"additionalProperties", type_schema(*type.element)}};
    case TypeKind::settings:
      return {{"type", "object"}, {"additionalProperties", {{"type", {"string", "number", "boolean"}}}}};
    case TypeKind::group:
      if (type.shorthand.empty()) return group_schema(type);
      return {{"anyOf", {{{"type", "string"}}, group_schema(type)}}};
    case TypeKind::any_of: {
      Json forms = Json::array();
      for (const Type& form : type.forms) forms.push_back(type_schema(form));
      return {{"anyOf", std::move(forms)}};
    }
  }
  return {};
}

}  // namespace

std::string json_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "A Ricochet scene"}};
  schema.update(type_schema(scene_schema()));
  schema["properties"]["ricochet"] = {{"const", kSceneFormat}, {"description", "Version of the scene format."}};
  return schema.dump(2) + "\n";
}

}  // namespace ricochet::io
