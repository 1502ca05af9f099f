#include "ricochet/io/checked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ricochet/io/placeholders.hpp"
#include "ricochet/math/expression.hpp"

namespace ricochet::io {

namespace {

std::string value_description(const Value& value) {
  switch (value.kind) {
    case Value::Kind::nothing:
      return "nothing is written";
    case Value::Kind::scalar:
      return "it is " + in_quotes(value.text);
    case Value::Kind::list:
      return fmt::format("it is a list of {} entr{}", value.items.size(), value.items.size() == 1 ? "y" : "ies");
    case Value::Kind::map:
      return "it is a map";
  }
  return "";
}

std::string joined(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

// The scene itself has no path.
std::string where(const std::string& path) { return path.empty() ? "" : fmt::format(" in '{}'", path); }

// An expression of the parameters and of one name that stays free.
math::Expression function_expression(const Value& value, const std::string& path, const NamedValues& parameters,
                                     std::string_view variable) {
  KnownNames known = names_of(parameters);
  known.is_known = [&](std::string_view name) { return name == variable || parameters.find(name).has_value(); };
  known.candidates = [&] {
    std::vector<std::string> candidates = parameters.names();
    candidates.emplace_back(variable);
    return candidates;
  };
  const math::Expression expression = parse_expression(value, path, known);
  const bool uses =
      std::find(expression.names().begin(), expression.names().end(), variable) != expression.names().end();
  if (uses && parameters.find(variable)) {
    throw InputError(value.place, fmt::format("'{0}' in '{1}' is the speed of the contact, but the scene also has a "
                                              "parameter '{0}'; give the parameter another name",
                                              variable, path));
  }
  return expression.bind([&](std::string_view name) { return parameters.find(name); });
}

math::Expression time_expression(const Value& value, const std::string& path, const NamedValues& parameters) {
  return function_expression(value, path, parameters, "t");
}

math::Expression speed_expression(const Value& value, const std::string& path, const NamedValues& parameters) {
  return function_expression(value, path, parameters, "speed");
}

bool may_be_name(const Type& type) {
  return type.kind == TypeKind::reference ||
         (type.kind == TypeKind::any_of && std::any_of(type.forms.begin(), type.forms.end(), may_be_name));
}

// For messages: what an element of a section is called.
std::string noun_of(const std::string& section) {
  if (section == "bodies") return "body";
  return section.substr(0, section.size() - 1);  // joints, surfaces, materials, probes
}

class Checker {
 public:
  Checker(const Value& root, const SceneNames& names) : root_(root), names_(names) {}

  void check_value(const Value& value, const Type& type, const std::string& path) {
    if (!type.resembles(value)) refuse_form(value, type, path);
    const Type& form = type.form_of(value);
    if (form.is_template && !in_template_) return check_template(value, form, path);
    if (in_template_ && awaits_placeholders(value, form)) return;
    switch (form.kind) {
      case TypeKind::number:
        return check_number(value, form, path);
      case TypeKind::integer:
        return check_integer(value, form, path);
      case TypeKind::boolean:
      case TypeKind::text:
      case TypeKind::probe:
        return;
      case TypeKind::choice:
        return check_choice(value, form, path);
      case TypeKind::reference:
        return check_reference(value, form, path);
      case TypeKind::list:
        return check_list(value, form, path);
      case TypeKind::section:
        return check_section(value, form, path);
      case TypeKind::group:
        return check_group(value, form, path);
      case TypeKind::settings:
        return check_settings(value, path);
      case TypeKind::any_of:
        return;
    }
  }

 private:
  [[noreturn]] static void refuse_form(const Value& value, const Type& type, const std::string& path) {
    if (path.empty()) throw InputError(value.place, "a scene is a map of keys and begins with 'ricochet: 1'");
    if (value.is_list() && type.kind == TypeKind::list && !value.items.empty()) {
      const auto size = static_cast<int>(value.items.size());
      // The list is as it should be, but not what is in it.
      const bool is_entry = size >= type.least && size <= type.most && !type.element->resembles(value.items.front());
      if (is_entry) refuse_form(value.items.front(), *type.element, joined(path, "0"));
    }
    if (value.is_map() && may_be_name(type) && value.keys.size() == 1 && value.items.front().is_scalar()) {
      throw InputError(value.place,
                       fmt::format("'{}' must be {}, but it is a map; with a colon it needs quotes: \"{}:{}\"", path,
                                   type.description(), value.keys.front().text, value.items.front().text));
    }
    throw InputError(value.place,
                     fmt::format("'{}' must be {}, but {}", path, type.description(), value_description(value)));
  }

  // Of a template everything is checked that does not depend on what will take the place of `$i`.
  void check_template(const Value& value, const Type& type, const std::string& path) {
    in_template_ = true;
    check_value(value, type, path);
    in_template_ = false;
  }

  // Names of elements are known only when all are generated.
  static bool awaits_placeholders(const Value& value, const Type& type) {
    return value.is_scalar() && (type.kind == TypeKind::reference || has_placeholder(value.text));
  }

  static void check_range(double number, const Value& value, const Type& type, const std::string& path) {
    if (type.range.contains(number)) return;
    throw InputError(value.place,
                     fmt::format("'{}' must be {}, but {}", path, type.range.text(), value_in_words(value, number)));
  }

  void check_number(const Value& value, const Type& type, const std::string& path) const {
    switch (type.scope) {
      case Scope::parameters:
        return check_range(evaluate_number(value, path, names_.parameters), value, type, path);
      case Scope::time: {
        const math::Expression expression = time_expression(value, path, names_.parameters);
        if (!expression.is_constant()) return;
        return check_range(evaluate_expression(expression, value, path, names_.parameters), value, type, path);
      }
      case Scope::speed: {
        const math::Expression expression = speed_expression(value, path, names_.parameters);
        if (!expression.is_constant()) return;
        return check_range(evaluate_expression(expression, value, path, names_.parameters), value, type, path);
      }
      case Scope::run: {
        KnownNames known = names_of(names_.parameters);
        known.is_known = [&](std::string_view name) {
          return name == "step" || name == "end" || name == "theta" || name == "spectral_radius" ||
                 names_.parameters.find(name).has_value();
        };
        known.candidates = [&] {
          std::vector<std::string> candidates = names_.parameters.names();
          candidates.insert(candidates.end(), {"step", "end", "theta"});
          return candidates;
        };
        parse_expression(value, path, known);
        return;
      }
    }
  }

  void check_integer(const Value& value, const Type& type, const std::string& path) const {
    const double number = evaluate_number(value, path, names_.parameters);
    if (number != std::floor(number) || std::abs(number) > 2e9) {
      throw InputError(value.place, fmt::format("'{}' must be a whole number{}, but {}", path,
                                                std::abs(number) > 2e9 ? " of at most 2000000000" : "",
                                                value_in_words(value, number)));
    }
    check_range(number, value, type, path);
  }

  static void check_choice(const Value& value, const Type& type, const std::string& path) {
    if (std::find(type.choices.begin(), type.choices.end(), value.text) != type.choices.end()) return;
    throw InputError(value.place, fmt::format("'{}' must be {}, but it is {}{}", path, type.description(),
                                              in_quotes(value.text), suggestion(value.text, type.choices, "")));
  }

  std::vector<std::string> names_in(const std::vector<std::string>& sections) const {
    std::vector<std::string> names;
    for (const std::string& name : sections) {
      const Value* found = root_.find(name);
      if (found == nullptr || !found->is_map()) continue;
      for (const Key& key : found->keys) names.push_back(key.text);
    }
    return names;
  }

  // Collected once for each choice of sections, for there may be many references.
  const std::unordered_set<std::string>& referable(const std::vector<std::string>& sections) {
    const auto [found, is_new] = referable_.try_emplace(sections);
    if (is_new) {
      for (std::string& name : names_in(sections)) found->second.insert(std::move(name));
    }
    return found->second;
  }

  void check_reference(const Value& value, const Type& type, const std::string& path) {
    const std::string& name = value.text;
    if (std::find(type.choices.begin(), type.choices.end(), name) != type.choices.end()) return;
    const std::unordered_set<std::string>& known = referable(type.sections);
    if (known.contains(name)) return;
    std::string nouns;
    for (const std::string& section : type.sections) nouns += (nouns.empty() ? "" : " or ") + noun_of(section);
    if (type.is_pattern && name.starts_with(group_prefix)) return check_group_name(value, type, path, nouns);
    if (type.is_pattern && is_pattern(name)) {
      for (const std::string& candidate : known) {
        if (matches_pattern(name, candidate)) return;
      }
      throw InputError(value.place, fmt::format("the pattern {} in '{}' matches no {}{}", in_quotes(name), path, nouns,
                                                suggestion(name, names_in(type.sections), "the names are")));
    }
    std::vector<std::string> candidates = names_in(type.sections);
    candidates.insert(candidates.end(), type.choices.begin(), type.choices.end());
    throw InputError(value.place, fmt::format("there is no {} {}, which '{}' names{}", nouns, in_quotes(name), path,
                                              suggestion(name, candidates, "there are")));
  }

  void check_group_name(const Value& value, const Type& type, const std::string& path, const std::string& nouns) const {
    const std::string name = value.text.substr(group_prefix.size());
    std::vector<std::string> groups;
    for (const std::string& section : type.sections) {
      const Value* elements = root_.find(section);
      if (elements == nullptr || !elements->is_map()) continue;
      for (const Value& element : elements->items) {
        const Value* group = element.is_map() ? element.find("group") : nullptr;
        if (group == nullptr || !group->is_scalar()) continue;
        if (group->text == name) return;
        if (std::find(groups.begin(), groups.end(), group->text) == groups.end()) groups.push_back(group->text);
      }
    }
    throw InputError(value.place, fmt::format("no {} is in the group {}, which '{}' names{}", nouns, in_quotes(name),
                                              path, suggestion(name, groups, "the groups are")));
  }

  void check_list(const Value& value, const Type& type, const std::string& path) {
    const int size = static_cast<int>(value.items.size());
    if (size < type.least || size > type.most) refuse_form(value, type, path);
    for (int i = 0; i < size; ++i) check_value(value.items[i], *type.element, joined(path, std::to_string(i)));
  }

  void check_section(const Value& value, const Type& type, const std::string& path) {
    for (std::size_t i = 0; i < value.keys.size(); ++i) {
      const Key& key = value.keys[i];
      const bool is_open = in_template_ && has_placeholder(key.text);
      if (!is_open && !is_valid_name(key.text)) {
        throw InputError(key.place,
                         fmt::format("{} cannot be the name of a {}: names consist of letters, digits, '-' and "
                                     "'_' and begin with a letter",
                                     in_quotes(key.text), type.noun));
      }
      const bool is_reserved = std::find(type.reserved.begin(), type.reserved.end(), key.text) != type.reserved.end();
      if (is_reserved || (type.reserves_words && math::is_reserved_word(key.text))) {
        throw InputError(key.place,
                         fmt::format("'{}' cannot be the name of a {}: the word has a meaning of its own; choose "
                                     "another name",
                                     key.text, type.noun));
      }
      check_value(value.items[i], *type.element, joined(path, key.text));
    }
  }

  void check_group(const Value& value, const Type& type, const std::string& path) {
    if (value.is_scalar()) return check_value(value, find_field(type, nullptr, type.shorthand)->type, path);
    if (!type.tag.empty()) {  // first, for the other keys depend on it
      const Field& tag = *find_field(type, nullptr, type.tag);
      require_key(value, tag, path);
      if (const Value* kind = value.find(type.tag)) check_value(*kind, tag.type, joined(path, type.tag));
    }
    for (std::size_t i = 0; i < value.keys.size(); ++i) {
      const Field* field = find_field(type, &value, value.keys[i].text);
      if (field == nullptr) {
        throw InputError(value.keys[i].place, unknown_key_sentence(type, &value, value.keys[i].text, path));
      }
      check_value(value.items[i], field->type, joined(path, field->key));
    }
    for (const Field* field : active_fields(type, &value)) require_key(value, *field, path);
  }

  static void require_key(const Value& value, const Field& field, const std::string& path) {
    if (!field.required || value.find(field.key) != nullptr) return;
    const std::string unit = field.type.unit.empty() ? "" : fmt::format(", in {}", field.type.unit);
    throw InputError(value.place, fmt::format("the key '{}' is missing{}; it must be {}{}", field.key, where(path),
                                              field.type.description(), unit));
  }

  // The paths are walked when the settings are applied.
  static void check_settings(const Value& value, const std::string& path) {
    for (std::size_t i = 0; i < value.keys.size(); ++i) {
      if (value.items[i].is_scalar()) continue;
      throw InputError(value.items[i].place, fmt::format("'{}' in '{}' must be a single value, but {}",
                                                         value.keys[i].text, path, value_description(value.items[i])));
    }
  }

  const Value& root_;
  const SceneNames& names_;
  std::map<std::vector<std::string>, std::unordered_set<std::string>> referable_;
  bool in_template_ = false;
};

}  // namespace

void check(const Value& value, const Type& type, const std::string& path, const Value& root, const SceneNames& names) {
  Checker(root, names).check_value(value, type, path);
}

Entry Entry::operator[](std::string_view key) const {
  const Field* field = find_field(*type_, value_, key);
  Entry entry;
  entry.path_ = joined(path_, key);
  entry.names_ = names_;
  entry.place_ = place_;
  const Value* written = nullptr;
  if (value_->is_scalar()) {
    if (key == type_->shorthand) written = value_;
  } else {
    written = value_->find(key);
  }
  entry.is_written_ = written != nullptr && is_written_;
  if (written != nullptr) {
    entry.value_ = written;
    if (is_written_) entry.place_ = written->place;
  } else if (field->default_value) {
    entry.value_ = &*field->default_value;
  }
  entry.type_ = entry.value_ != nullptr ? &field->type.form_of(*entry.value_) : &field->type;
  return entry;
}

bool Entry::is_plain() const { return plain_number(value_->text).has_value(); }

std::vector<Entry> Entry::entries() const {
  std::vector<Entry> result;
  for (std::size_t i = 0; i < value_->items.size(); ++i) {
    const std::string step = value_->is_map() ? value_->keys[i].text : std::to_string(i);
    Entry entry(value_->items[i], *type_->element, joined(path_, step), *names_);
    entry.is_written_ = is_written_;
    if (!is_written_) entry.place_ = place_;
    result.push_back(std::move(entry));
  }
  return result;
}

std::string Entry::name() const { return path_.substr(path_.rfind('.') + 1); }

double Entry::number() const {
  const double number = evaluate_number(*value_, path_, type_->scope == Scope::run ? names_->run : names_->parameters);
  if (!type_->range.contains(number)) {
    refuse(fmt::format("'{}' must be {}, but {}", path_, type_->range.text(), value_in_words(*value_, number)));
  }
  return number;
}

int Entry::integer() const { return static_cast<int>(evaluate_number(*value_, path_, names_->parameters)); }

bool Entry::boolean() const { return value_->text == "true"; }

const std::string& Entry::text() const { return value_->text; }

int Entry::choice() const {
  return static_cast<int>(std::find(type_->choices.begin(), type_->choices.end(), text()) - type_->choices.begin());
}

Vector3 Entry::vector() const {
  Vector3 result = Vector3::Zero();
  const std::vector<Entry> components = entries();
  for (int i = 0; i < 3 && i < static_cast<int>(components.size()); ++i) result[i] = components[i].number();
  return result;
}

math::TimeFunction Entry::time_function() const {
  return math::TimeFunction(time_expression(*value_, path_, names_->parameters));
}

model::Coefficient Entry::coefficient() const {
  return model::Coefficient(speed_expression(*value_, path_, names_->parameters));
}

bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last star seen, to which a mismatch returns
  std::size_t star_text = 0;                  // and where the text goes on after it
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace ricochet::io
