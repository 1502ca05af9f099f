// What may stand where in a scene, as data. One schema (scene_schema.hpp) serves everything that needs to know:
// checking and reading a scene, walking the path of a `--set`, the JSON Schema for editors, and the reference page.
// A key exists once it is a Field here, and in no other way.
//
// A Type says what a place may hold:
//
//   number       a number or an expression; Scope says of what
//   integer      a whole number, or an expression that gives one
//   boolean      true or false
//   text         anything
//   choice       one word of a few
//   reference    the name of an element of a section, or a pattern (`ball-*`) of such names, or `group:NAME` for all
//                elements that have this `group`
//   probe        an expression over the sources of probes
//   list         of `element`, with `least` to `most` entries; a vector is a list of 3 numbers
//   section      a map from names, chosen by the author, to `element`
//   group        a map with given keys
//   any_of       one of several forms, told apart by how they are written
//   settings     a map from paths to values, as --set takes them
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/document.hpp"

namespace ricochet::io {

enum class TypeKind {
  number,
  integer,
  boolean,
  text,
  choice,
  reference,
  probe,
  list,
  section,
  group,
  any_of,
  settings,
};

// What the expression of a number may use besides functions and constants.
enum class Scope {
  parameters,  // the scene's parameters
  time,        // parameters and t: a function of time
  run,         // parameters, step, end and theta: for facts, evaluated only where the fact applies
  speed,       // parameters and speed: a coefficient of a contact law
};

struct Range {
  std::optional<double> lower;
  std::optional<double> upper;
  bool lower_excluded = false;

  bool contains(double value) const;
  std::string text() const;  // "greater than 0", "between 0 and 1"; empty if there is no bound
};

struct Field;
struct Alternative;

struct Type {
  TypeKind kind = TypeKind::text;

  std::string unit;                     // of numbers, may be empty
  Range range;                          // of numbers and integers
  Scope scope = Scope::parameters;      // of numbers
  std::vector<std::string> choices;     // of a choice; of a reference: names that are allowed besides
  std::vector<std::string> sections;    // of a reference: where the name is looked up
  bool is_pattern = false;              // of a reference: * and ? stand for other characters, or it names a group
  std::shared_ptr<const Type> element;  // of lists and sections
  int least = 0;                        // entries of a list
  int most = std::numeric_limits<int>::max();
  std::string noun;                       // of a section: what an element is called, e.g. "body"
  std::vector<std::string> reserved;      // of a section: names that elements must not have
  bool reserves_words = false;            // of a section: nor names of functions and constants
  std::vector<Field> fields;              // of a group
  std::string tag;                        // of a group: the key whose value selects the alternative
  std::vector<Alternative> alternatives;  // of a group with a tag: the keys that come with each value of it
  std::string shorthand;                  // of a group: the key that a scalar in place of the group stands for
  std::vector<Type> forms;                // of any_of
  // `$i` in names and values stands for what `generate` will put there. Only inside of a template does the schema
  // contain itself: who walks through all of it stops here, for the elements are those of a section of the scene.
  bool is_template = false;

  // Reading aloud for the author: "a number", "a list of 3 numbers", "a map with the keys end, step".
  std::string description() const;
  bool accepts_scalar() const;
  // Could this value have been meant for this type? Looks at the form only: scalar, list, or map.
  bool resembles(const Value& value) const;
  // Of any_of: the form that a value has, the first if it has none; otherwise the type itself.
  const Type& form_of(const Value& value) const;

  Type at_least(double bound) const;
  Type above(double bound) const;
  Type between(double lower, double upper) const;
  Type with_scope(Scope new_scope) const;
};

// One key of a group.
struct Field {
  std::string key;
  Type type;
  bool required = false;
  std::optional<Value> default_value;  // absent for a required key, and where leaving the key out means something else
  std::string default_text;            // as a scene would say it, or how the default comes about
  std::string meaning;                 // for the reference page and for messages about a missing key
};

struct Alternative {
  std::string name;
  std::string meaning;
  std::vector<Field> fields;
};

// Shorthand for writing schemas.
Type number(std::string unit = "");
Type integer();
Type boolean();
Type text();
Type choice(std::vector<std::string> words);
Type reference(std::vector<std::string> sections, std::vector<std::string> also = {});
Type pattern(std::vector<std::string> sections);
Type probe();
Type settings();
Type list(Type element, int least = 0, int most = std::numeric_limits<int>::max());
Type vector(std::string unit = "");
Type section(std::string noun, Type element);
Type group(std::vector<Field> fields);
Type any_of(std::vector<Type> forms);

Field required(std::string key, Type type, std::string meaning);
// `default_text` is YAML. Without one, the key may be left out and `absence` says what that means.
Field optional(std::string key, Type type, const std::string& default_text, std::string meaning);
Field optional_without_default(std::string key, Type type, std::string absence, std::string meaning);

// The alternative of a group that holds for a value of it (null: nothing is written). Null if there is none or if the
// tag has a value that is none.
const Alternative* active_alternative(const Type& group, const Value* value);
// The field of a key in a group, given the value of the group; null if the key is unknown.
const Field* find_field(const Type& group, const Value* value, std::string_view key);
// All fields of a group for a given value, the common ones first.
std::vector<const Field*> active_fields(const Type& group, const Value* value);

// What is wrong with a key that a group does not have: "unknown key 'masss' in 'bodies.block'; did you mean 'mass'?"
std::string unknown_key_sentence(const Type& group, const Value* value, const std::string& key,
                                 const std::string& path);

// "; did you mean 'friction'?" if one of the words is near, otherwise "; <otherwise> a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates, std::string_view otherwise);
// "a, b, c"; at most `most` words, then "...".
std::string enumeration(const std::vector<std::string>& words, std::size_t most = 30);
// A letter, then letters, digits, hyphens, underscores.
bool is_valid_name(std::string_view name);

}  // namespace ricochet::io
