// A scene that has been checked against its schema, and how to read it.
//
// `check` refuses everything that the schema does not allow: unknown and missing keys, wrong types, numbers out of
// range, names of things that do not exist. Readers therefore ask an Entry for what they need without checking again:
//
//   const double mass = scene["bodies"].element("block")["mass"].number();
//
// A key that is not written is read from its default in the schema, so that defaults are stated once.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ricochet/io/document.hpp"
#include "ricochet/io/scene_numbers.hpp"
#include "ricochet/io/schema.hpp"
#include "ricochet/math/time_function.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/coefficient.hpp"

namespace ricochet::io {

// What the numbers of a scene may use.
struct SceneNames {
  NamedValues parameters;
  NamedValues run;  // parameters, step, end and theta; complete only after the settings of the run are read
};

// Throws InputError at the first thing that is wrong. `path` names the place of the value, empty for the whole scene.
// `root` is the whole scene, in which references are looked up.
void check(const Value& value, const Type& type, const std::string& path, const Value& root, const SceneNames& names);

// A place of a checked scene.
class Entry {
 public:
  Entry(const Value& value, const Type& type, std::string path, const SceneNames& names)
      : value_(&value), type_(&type.form_of(value)), path_(std::move(path)), names_(&names), place_(value.place) {}

  const std::string& path() const { return path_; }
  const Place& place() const { return place_; }  // of the value, or of the group that it is missing in
  // There is something to read: it is written or has a default.
  bool exists() const { return value_ != nullptr; }
  // It stands in the scene (or was put there by an override).
  bool is_written() const { return is_written_; }
  const Value& value() const { return *value_; }
  const Type& type() const { return *type_; }

  bool is_plain() const;  // a number as such, not an expression

  Entry operator[](std::string_view key) const;  // of a group
  // Entries of a list, or elements of a section in the order of the file.
  std::vector<Entry> entries() const;
  std::string name() const;  // of an element of a section

  double number() const;
  int integer() const;
  bool boolean() const;
  const std::string& text() const;  // of everything that is a scalar
  int choice() const;               // the place of the text among the choices of the schema
  Vector3 vector() const;
  math::TimeFunction time_function() const;
  model::Coefficient coefficient() const;

  [[noreturn]] void refuse(const std::string& sentence) const { throw InputError(place_, sentence); }

 private:
  Entry() = default;

  const Value* value_ = nullptr;
  const Type* type_ = nullptr;
  std::string path_;
  const SceneNames* names_ = nullptr;
  Place place_;
  bool is_written_ = true;
};

// Shell patterns: * stands for any characters, ? for one.
bool matches_pattern(std::string_view pattern, std::string_view text);
bool is_pattern(std::string_view text);
// What stands before the name of a group in place of a name.
inline constexpr std::string_view group_prefix = "group:";

}  // namespace ricochet::io
