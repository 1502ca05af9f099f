#include "ricochet/io/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "ricochet/io/scene_schema.hpp"

namespace ricochet::io {

namespace {

std::vector<std::string> path_steps(const std::string& path) {
  std::vector<std::string> steps;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = path.find('.', begin);
    steps.push_back(path.substr(begin, dot - begin));
    if (dot == std::string::npos) return steps;
    begin = dot + 1;
  }
}

std::optional<std::size_t> list_index(const std::string& step) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error != std::errc() || end != step.data() + step.size()) return std::nullopt;
  return index;
}

// Walks one path from the root of the scene and puts the value at its end.
class PathWalker {
 public:
  PathWalker(const Override& what, int revision, OverrideEffects& effects)
      : what_(what), steps_(path_steps(what.path)), revision_(revision), effects_(effects) {}

  void walk(Value& scene, const Type& schema) {
    if (what_.path.empty()) refuse("the path is empty; write PATH=VALUE, as in time.step=1e-3");
    for (const std::string& step : steps_) {
      if (step.empty()) refuse(fmt::format("the path {} has an empty part", in_quotes(what_.path)));
    }
    descend(scene, schema, 0);
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const { throw InputError(what_.path_place, sentence); }

  // The first `count` steps.
  std::string path_to(std::size_t count) const {
    std::string path;
    for (std::size_t i = 0; i < count; ++i) path += (i == 0 ? "" : ".") + steps_[i];
    return path;
  }

  void descend(Value& value, const Type& type, std::size_t depth) {
    if (depth == steps_.size()) return put(value, type);
    const Type& form = type.form_of(value);
    switch (form.kind) {
      case TypeKind::group:
        return descend_group(value, form, depth);
      case TypeKind::section:
        return descend_section(value, form, depth);
      case TypeKind::list:
        return descend_list(value, form, depth);
      case TypeKind::settings:
        refuse(fmt::format("'{}' cannot be overridden; override what it sets instead", path_to(depth)));
      default:
        refuse(fmt::format("'{}' is {} and has no part '{}'", path_to(depth), form.description(), steps_[depth]));
    }
  }

  void put(Value& value, const Type& type) {
    if (!type.accepts_scalar()) {
      const std::string example = type.kind == TypeKind::list ? "its entries, e.g. " + what_.path + ".0"
                                  : type.kind == TypeKind::group
                                      ? "its keys, e.g. " + what_.path + "." + first_key(type)
                                      : "its elements";
      refuse(fmt::format("'{}' is {}; override one of {}", what_.path, type.description(), example));
    }
    const bool is_same = value.is_scalar() && value.text == what_.value.text;
    if (!is_same && is_physical_path(steps_)) effects_.changes_physics = true;
    value = what_.value;
    value.revision = revision_;
  }

  // For the example of a path.
  static std::string first_key(const Type& group) {
    for (const Field& field : group.fields) {
      if (field.type.accepts_scalar()) return field.key;
    }
    return group.fields.front().key;
  }

  Value created(const Field& field, std::size_t depth) const {
    Value value;
    const bool is_last = depth + 1 == steps_.size();
    if (!is_last && field.default_value) {
      value = *field.default_value;
      relocate(value);
    } else if (!is_last && (field.type.kind == TypeKind::group || field.type.kind == TypeKind::section)) {
      value.kind = Value::Kind::map;
    } else if (!is_last) {
      refuse(fmt::format("'{}' is not written in the scene and has no default, so a part of it cannot be set alone",
                         path_to(depth + 1)));
    }
    value.place = what_.value.place;
    return value;
  }

  void relocate(Value& value) const {
    value.place = what_.value.place;
    value.text_column = 0;
    for (Key& key : value.keys) key.place = what_.value.place;
    for (Value& item : value.items) relocate(item);
  }

  void descend_group(Value& value, const Type& type, std::size_t depth) {
    const std::string& key = steps_[depth];
    if (value.is_scalar() && !type.shorthand.empty()) {  // `start: block` becomes `start: {body: block}`
      Value map{.kind = Value::Kind::map, .place = value.place};
      map.add(type.shorthand, value.place, value);
      value = std::move(map);
    }
    if (!value.is_map()) refuse(fmt::format("'{}' is not a map in the scene", path_to(depth)));
    const Field* field = find_field(type, &value, key);
    if (field == nullptr) refuse(unknown_key_sentence(type, &value, key, path_to(depth)));
    if (key == type.tag && depth + 1 == steps_.size()) drop_keys_of_other_kind(value, type, depth);
    Value* next = value.find(key);
    if (next == nullptr) next = &value.add(key, what_.value.place, created(*field, depth));
    descend(*next, field->type, depth + 1);
  }

  // When a sphere becomes a box its radius has no meaning any more.
  void drop_keys_of_other_kind(Value& group, const Type& type, std::size_t depth) {
    const Alternative* before = active_alternative(type, &group);
    const std::string& chosen = what_.value.text;
    const auto after = std::find_if(type.alternatives.begin(), type.alternatives.end(),
                                    [&](const Alternative& alternative) { return alternative.name == chosen; });
    if (before == nullptr || after == type.alternatives.end() || before == &*after) return;
    const auto has_field = [](const std::vector<Field>& fields, const std::string& key) {
      return std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
    };
    for (std::size_t i = group.keys.size(); i-- > 0;) {
      const std::string key = group.keys[i].text;
      // Of two schemes with an option of one name each has its own: what one scene chose for one is not for the other.
      const bool may_stay = has_field(after->fields, key) && type.tag != "scheme";
      if (!has_field(before->fields, key) || may_stay) continue;
      effects_.notices.push_back(
          fmt::format("'{}.{}' is dropped: it belongs to {} '{}', which has been replaced by '{}'", path_to(depth), key,
                      type.tag, before->name, chosen));
      group.keys.erase(group.keys.begin() + static_cast<std::ptrdiff_t>(i));
      group.items.erase(group.items.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void descend_section(Value& value, const Type& type, std::size_t depth) {
    const std::string& name = steps_[depth];
    if (Value* element = value.find(name)) return descend(*element, *type.element, depth + 1);
    std::vector<std::string> names;
    for (const Key& key : value.keys) names.push_back(key.text);
    refuse(fmt::format("there is no {} {}{}", type.noun, in_quotes(name), suggestion(name, names, "there are")));
  }

  void descend_list(Value& value, const Type& type, std::size_t depth) {
    const std::string& step = steps_[depth];
    const std::string list = path_to(depth);
    const std::optional<std::size_t> index = list_index(step);
    if (!index) refuse(fmt::format("'{}' is a list: its parts are 0, 1, ..., not {}", list, in_quotes(step)));
    if (!value.is_list()) refuse(fmt::format("'{}' is not a list in the scene", list));
    const std::size_t size = value.items.size();
    const bool is_open = type.least != type.most && type.element->accepts_scalar();
    if (*index == size && is_open && static_cast<int>(size) < type.most) {  // one more
      value.items.push_back(Value{.place = what_.value.place});
    } else if (*index >= size) {
      refuse(fmt::format("'{}' has {} entr{}, counted from 0, so there is no {}", list, size, size == 1 ? "y" : "ies",
                         step));
    }
    descend(value.items[*index], *type.element, depth + 1);
  }

  const Override& what_;
  std::vector<std::string> steps_;
  int revision_;
  OverrideEffects& effects_;
};

// A value is read like a scalar of a scene, where quotes make text.
Value override_scalar(std::string_view text, const Place& place) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t") + 1;
  text = begin < end ? text.substr(begin, end - begin) : std::string_view();
  Value value{.kind = Value::Kind::scalar, .place = place};
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front()) {
    value.quoted = true;
    text = text.substr(1, text.size() - 2);
  }
  value.text = text;
  return value;
}

}  // namespace

Override parse_override(const std::string& text) {
  const Place place{std::make_shared<const std::string>("--set " + text)};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw InputError(place, "write PATH=VALUE, as in time.step=1e-3");
  Override result{text.substr(0, equals), place, override_scalar(std::string_view(text).substr(equals + 1), place)};
  if (result.value.text.empty() && !result.value.quoted) throw InputError(place, "there is no value after '='");
  return result;
}

std::vector<Override> overrides_of(const Value& set) {
  std::vector<Override> result;
  for (std::size_t i = 0; i < set.keys.size(); ++i) {
    Value value = set.items[i];
    if (!value.is_scalar()) {
      throw InputError(value.place, fmt::format("'{}' must be set to a single value", set.keys[i].text));
    }
    result.push_back({set.keys[i].text, set.keys[i].place, std::move(value)});
  }
  return result;
}

void apply_overrides(const std::vector<Override>& overrides, const Type& schema, Value& scene, OverrideEffects& effects,
                     int first_revision) {
  int revision = first_revision;
  for (const Override& what : overrides) PathWalker(what, revision++, effects).walk(scene, schema);
}

}  // namespace ricochet::io
