#include "ricochet/io/scene_reference.hpp"

#include <fmt/format.h>

#include <utility>

#include "ricochet/io/scene_schema.hpp"

namespace ricochet::io {

namespace {

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string without_article(const std::string& text) {
  return text.starts_with("a ") ? text.substr(2) : text.starts_with("an ") ? text.substr(3) : text;
}

// What stands in the column "value": the kind of thing, its range and its unit.
std::string value_column(const Type& type) {
  std::string result;
  switch (type.kind) {
    case TypeKind::choice:
      for (const std::string& word : type.choices) result += (result.empty() ? "" : ", ") + code(word);
      return result;
    case TypeKind::boolean:
      return "`true` or `false`";
    case TypeKind::group:
      return type.shorthand.empty() ? "map" : "name or map";
    case TypeKind::section:
      if (type.element->kind == TypeKind::group) return "map from names to maps";
      result = without_article(type.element->description());
      if (type.element->kind == TypeKind::list) return "map from names to lists" + result.substr(4);
      return fmt::format("map from names to {}s", result);
    case TypeKind::settings:
      return "map from paths to values";
    case TypeKind::any_of:
      for (const Type& form : type.forms) result += (result.empty() ? "" : " or ") + value_column(form);
      return result;
    case TypeKind::list:
      if (type.element->kind == TypeKind::group) return "list of maps";
      if (type.element->kind == TypeKind::choice) return "list of " + value_column(*type.element);
      if (type.element->kind == TypeKind::any_of) return fmt::format("list of {}", type.least);
      result = type.description().substr(2);
      break;
    default:
      result = without_article(type.description());
  }
  const Type& scalar = type.kind == TypeKind::list && type.element ? *type.element : type;
  if (const std::string range = scalar.range.text(); !range.empty()) result += ", " + range;
  if (!type.unit.empty()) result += fmt::format(" ({})", type.unit);
  return result;
}

std::string default_column(const Field& field) {
  if (field.required) return "**required**";
  if (!field.default_value) return field.default_text;
  return field.default_text == "''" ? "empty" : code(field.default_text);
}

class ReferenceWriter {
 public:
  std::string write(const Type& scene) {
    add_group("", "The keys of a scene", scene, "");
    return std::move(text_);
  }

 private:
  void add_table(const std::vector<Field>& fields) {
    text_ += "| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const Field& field : fields) {
      text_ += fmt::format("| `{}` | {} | {} | {} |\n", field.key, value_column(field.type), default_column(field),
                           field.meaning);
    }
    text_ += "\n";
  }

  void add_group(const std::string& path, const std::string& title, const Type& type, const std::string& meaning) {
    text_ += fmt::format("### {}\n\n", title);
    if (!meaning.empty()) text_ += meaning + "\n\n";
    add_table(type.fields);
    for (const Alternative& alternative : type.alternatives) {
      text_ += fmt::format("With `{}: {}`: {}\n\n", type.tag, alternative.name, alternative.meaning);
      if (!alternative.fields.empty()) add_table(alternative.fields);
    }
    for (const Field& field : type.fields) add_nested(path.empty() ? field.key : path + "." + field.key, field);
    for (const Alternative& alternative : type.alternatives) {
      for (const Field& field : alternative.fields) add_nested(path + "." + field.key, field);
    }
  }

  // Tables for what is inside of a field, if there is something. The same group (an end of a spring, a fact) has one
  // table only, at its first appearance.
  void add_nested(const std::string& path, const Field& field) {
    if (field.type.is_template) return;  // written as in the section of the same name
    const Type* type = &field.type;
    std::string inner = path;
    for (;;) {
      if (type->kind == TypeKind::any_of) {
        type = &type->forms.front();
      } else if (type->kind == TypeKind::section || type->kind == TypeKind::list) {
        if (type->kind == TypeKind::section) inner += ".NAME";
        type = type->element.get();
      } else {
        break;
      }
    }
    if (type->kind != TypeKind::group) return;
    std::vector<std::string> keys;
    for (const Field& inside : type->fields) keys.push_back(inside.key);
    for (const auto& [known, where] : tables_) {
      if (known != keys || keys.size() < 2) continue;
      if (where == inner) return;  // a key that several alternatives have
      text_ += fmt::format("### `{}`\n\n{} The keys are those of `{}`.\n\n", inner, field.meaning, where);
      return;
    }
    tables_.emplace_back(keys, inner);
    add_group(inner, code(inner), *type, field.meaning);
  }

  std::string text_;
  std::vector<std::pair<std::vector<std::string>, std::string>> tables_;
};

}  // namespace

std::string scene_reference() { return ReferenceWriter().write(scene_schema()); }

}  // namespace ricochet::io
