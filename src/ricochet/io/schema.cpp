#include "ricochet/io/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "ricochet/math/text_distance.hpp"

namespace ricochet::io {

bool Range::contains(double value) const {
  if (lower && (lower_excluded ? !(value > *lower) : !(value >= *lower))) return false;
  return !upper || value <= *upper;
}

std::string Range::text() const {
  if (lower && upper) return fmt::format("between {} and {}", *lower, *upper);
  if (lower) return fmt::format("{} {}", lower_excluded ? "greater than" : "at least", *lower);
  if (upper) return fmt::format("at most {}", *upper);
  return "";
}

std::string Type::description() const {
  switch (kind) {
    case TypeKind::number:
      return scope == Scope::time    ? "a function of time"
             : scope == Scope::speed ? "a number or function of speed"
                                     : "a number";
    case TypeKind::integer:
      return "a whole number";
    case TypeKind::boolean:
      return "true or false";
    case TypeKind::text:
      return "text";
    case TypeKind::choice:
      return choices.size() == 1 ? fmt::format("'{}'", choices.front()) : "one of " + enumeration(choices);
    case TypeKind::reference:
      return is_pattern ? "a name or a pattern of names" : "a name";
    case TypeKind::probe:
      return "an expression";
    case TypeKind::list: {
      std::string entries = element->kind == TypeKind::any_of ? "entries" : element->description();
      if (entries.starts_with("a ")) {  // "a function of time" -> "functions of time"
        const std::size_t first_word = std::min(entries.find(' ', 2), entries.size());
        const std::size_t head = entries.starts_with("a whole ") ? entries.size() : first_word;
        entries = entries.substr(2, head - 2) + "s" + entries.substr(head);
      }
      if (least == most) return fmt::format("a list of {} {}", least, entries);
      if (least > 0 && most == std::numeric_limits<int>::max())
        return fmt::format("a list of at least {} {}", least, entries);
      if (least > 0) return fmt::format("a list of {} to {} {}", least, most, entries);
      return "a list of " + entries;
    }
    case TypeKind::section:
      return "a map from names to elements";
    case TypeKind::settings:
      return "a map from paths to values";
    case TypeKind::group: {
      std::vector<std::string> keys;
      for (const Field* field : active_fields(*this, nullptr)) keys.push_back(field->key);
      return (shorthand.empty() ? "" : "a name or ") + std::string("a map with the keys ") + enumeration(keys);
    }
    case TypeKind::any_of: {
      std::string all;
      for (const Type& form : forms) all += (all.empty() ? "" : " or ") + form.description();
      return all;
    }
  }
  return "";
}

bool Type::accepts_scalar() const {
  switch (kind) {
    case TypeKind::list:
    case TypeKind::section:
    case TypeKind::settings:
      return false;
    case TypeKind::group:
      return !shorthand.empty();
    case TypeKind::any_of:
      return std::any_of(forms.begin(), forms.end(), [](const Type& form) { return form.accepts_scalar(); });
    default:
      return true;
  }
}

bool Type::resembles(const Value& value) const {
  switch (kind) {
    case TypeKind::boolean:
      return value.is_scalar() && !value.quoted && (value.text == "true" || value.text == "false");
    case TypeKind::list:
      return value.is_list() && (value.items.empty() || element->resembles(value.items.front()));
    case TypeKind::section:
    case TypeKind::settings:
      return value.is_map();
    case TypeKind::group:
      return value.is_map() || (value.is_scalar() && accepts_scalar());
    case TypeKind::any_of:
      return std::any_of(forms.begin(), forms.end(), [&](const Type& form) { return form.resembles(value); });
    default:
      return value.is_scalar();
  }
}

const Type& Type::form_of(const Value& value) const {
  if (kind != TypeKind::any_of) return *this;
  for (const Type& form : forms) {
    if (form.resembles(value)) return form;
  }
  return forms.front();
}

Type Type::at_least(double bound) const {
  Type result = *this;
  result.range.lower = bound;
  return result;
}

Type Type::above(double bound) const {
  Type result = at_least(bound);
  result.range.lower_excluded = true;
  return result;
}

Type Type::between(double lower, double upper) const {
  Type result = at_least(lower);
  result.range.upper = upper;
  return result;
}

Type Type::with_scope(Scope new_scope) const {
  Type result = *this;
  result.scope = new_scope;
  if (element) result.element = std::make_shared<const Type>(element->with_scope(new_scope));
  return result;
}

namespace {

Type type_of_kind(TypeKind kind) {
  Type type;
  type.kind = kind;
  return type;
}

}  // namespace

Type number(std::string unit) {
  Type type = type_of_kind(TypeKind::number);
  type.unit = std::move(unit);
  return type;
}

Type integer() { return type_of_kind(TypeKind::integer); }
Type boolean() { return type_of_kind(TypeKind::boolean); }
Type text() { return type_of_kind(TypeKind::text); }
Type probe() { return type_of_kind(TypeKind::probe); }
Type settings() { return type_of_kind(TypeKind::settings); }

Type choice(std::vector<std::string> words) {
  Type type = type_of_kind(TypeKind::choice);
  type.choices = std::move(words);
  return type;
}

Type reference(std::vector<std::string> sections, std::vector<std::string> also) {
  Type type = type_of_kind(TypeKind::reference);
  type.sections = std::move(sections);
  type.choices = std::move(also);
  return type;
}

Type pattern(std::vector<std::string> sections) {
  Type type = reference(std::move(sections));
  type.is_pattern = true;
  return type;
}

Type list(Type element, int least, int most) {
  Type type = type_of_kind(TypeKind::list);
  type.unit = element.unit;
  type.element = std::make_shared<const Type>(std::move(element));
  type.least = least;
  type.most = most;
  return type;
}

Type vector(std::string unit) { return list(number(std::move(unit)), 3, 3); }

Type section(std::string noun, Type element) {
  Type type = type_of_kind(TypeKind::section);
  type.noun = std::move(noun);
  type.element = std::make_shared<const Type>(std::move(element));
  return type;
}

Type group(std::vector<Field> fields) {
  Type type = type_of_kind(TypeKind::group);
  type.fields = std::move(fields);
  return type;
}

Type any_of(std::vector<Type> forms) {
  Type type = type_of_kind(TypeKind::any_of);
  type.unit = forms.front().unit;
  type.forms = std::move(forms);
  return type;
}

Field required(std::string key, Type type, std::string meaning) {
  return {std::move(key), std::move(type), true, std::nullopt, "", std::move(meaning)};
}

Field optional(std::string key, Type type, const std::string& default_text, std::string meaning) {
  Field field{std::move(key), std::move(type), false, std::nullopt, default_text, std::move(meaning)};
  field.default_value = parse_document(default_text, "the default of '" + field.key + "'");
  return field;
}

Field optional_without_default(std::string key, Type type, std::string absence, std::string meaning) {
  return {std::move(key), std::move(type), false, std::nullopt, std::move(absence), std::move(meaning)};
}

const Alternative* active_alternative(const Type& group, const Value* value) {
  if (group.tag.empty()) return nullptr;
  const Value* tag = value != nullptr && value->is_map() ? value->find(group.tag) : nullptr;
  if (tag == nullptr) {
    for (const Field& field : group.fields) {
      if (field.key == group.tag && field.default_value) tag = &*field.default_value;
    }
  }
  if (tag == nullptr) return nullptr;
  for (const Alternative& alternative : group.alternatives) {
    if (alternative.name == tag->text) return &alternative;
  }
  return nullptr;
}

std::vector<const Field*> active_fields(const Type& group, const Value* value) {
  std::vector<const Field*> result;
  for (const Field& field : group.fields) result.push_back(&field);
  if (const Alternative* alternative = active_alternative(group, value)) {
    for (const Field& field : alternative->fields) result.push_back(&field);
  }
  return result;
}

const Field* find_field(const Type& group, const Value* value, std::string_view key) {
  for (const Field& field : group.fields) {
    if (field.key == key) return &field;
  }
  if (const Alternative* alternative = active_alternative(group, value)) {
    for (const Field& field : alternative->fields) {
      if (field.key == key) return &field;
    }
  }
  return nullptr;
}

std::string unknown_key_sentence(const Type& group, const Value* value, const std::string& key,
                                 const std::string& path) {
  if (const Alternative* active = active_alternative(group, value)) {
    for (const Alternative& alternative : group.alternatives) {
      for (const Field& field : alternative.fields) {
        if (field.key != key) continue;
        return fmt::format("'{}' belongs to {} '{}', but '{}' has {} '{}'", key, group.tag, alternative.name, path,
                           group.tag, active->name);
      }
    }
  }
  std::vector<std::string> keys;
  for (const Field* field : active_fields(group, value)) keys.push_back(field->key);
  const std::string within = path.empty() ? "" : fmt::format(" in '{}'", path);
  return fmt::format("unknown key {}{}{}", in_quotes(key), within, suggestion(key, keys, "the keys here are"));
}

std::string enumeration(const std::vector<std::string>& words, std::size_t most) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += ", ";
    if (i == most) return result + "...";
    result += words[i];
  }
  return result;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates, std::string_view otherwise) {
  const std::string near = math::nearest(word, candidates);
  if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
  if (candidates.empty() || otherwise.empty()) return "";
  return fmt::format("; {} {}", otherwise, enumeration(candidates));
}

bool is_valid_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (name.empty() || !is_letter(name.front())) return false;
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_'; });
}

}  // namespace ricochet::io
