// The section `generate`: elements that repeat are written once and put into the ordinary sections of the scene, before
// these are checked and read. So whatever reads a scene knows nothing of it.
//
//   generate:
//     chain:
//       type: repeat
//       count: n
//       bodies:
//         link-$i: {mass: 1, position: [($i - 0.5)*length, 0, 0]}
//
// A generator has settings (type, count) and templates: sections of elements with placeholders (placeholders.hpp). Its
// type decides how often the templates are inserted, and with which values of which indices. A type is one function
// (GeneratorType), named in the table of scene_generate.cpp and described in scene_generate_schema.cpp. Types that lay
// out bodies (scene_generate_layouts.hpp) have one template, a body without a place, and add what they decide.
//
// Elements come after those that the scene writes itself, in the order of the generators, of their turns, and of the
// templates. Each remembers the turn that made it (Place::making), so that every later message can say it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/checked.hpp"
#include "ricochet/io/document.hpp"
#include "ricochet/io/placeholders.hpp"

namespace ricochet::io {

// Limits of what a scene may generate, so that a slip of the pen does not fill the memory.
constexpr std::size_t kMostGeneratedElements = 1'000'000;
constexpr std::size_t kMostGeneratedValues = 20'000'000;  // numbers, texts, lists, maps; 100 characters count as one
constexpr std::size_t kMostGeneratorTurns = 2'000'000;    // also of generators that contain others and nothing else

// Replaces the section `generate` of a scene, if it has one, by what it generates. Throws InputError.
void expand_generators(Value& scene, const SceneNames& names);

// Is this the name of a section into which generators put named elements?
bool is_generated_section(std::string_view key);

struct GeneratorIndex {
  std::string name;
  double value = 0;
};

class GeneratedElements;  // the scene that is being filled

// One generator at work.
class Generation {
 public:
  // `generator` holds the templates, `settings` everything else of it, without placeholders. `path` names it, as in
  // generate.rows.generate.columns; `outer` are the indices of the generators around it.
  Generation(const Value& generator, Value settings, std::string path, std::vector<GeneratorIndex> outer,
             const SceneNames& names, GeneratedElements& elements);
  Generation(const Generation&) = delete;
  Generation& operator=(const Generation&) = delete;
  ~Generation() = default;

  void run();

  // For the functions of types: the name of an index, if nothing else has it; and a turn, which inserts all templates
  // once. `indices` must have the same names in every turn.
  const std::string& index_name(const Entry& entry) const;
  void turn(const std::vector<GeneratorIndex>& indices);

  // For types that lay out bodies. The name of the generator, its templates, and the scene as far as it is there.
  std::string name() const { return path_.substr(path_.rfind('.') + 1); }
  const Value& generator() const { return generator_; }
  const Value& scene() const;
  const SceneNames& names() const { return names_; }
  // A body from a template of this type and path, in a turn of its own: first it is made, then it is added.
  Value made_body(const Value& body, const Type& type, const std::string& path,
                  const std::vector<GeneratorIndex>& indices);
  void add_body(const std::string& name, Value body);

 private:
  void begin_turn(const std::vector<GeneratorIndex>& indices);
  void insert(const Field& section, const Value& templates);
  void run_nested(const Value& generators);
  Value made(const Value& value, const Type& type, const std::string& path);
  Key made_name(const Key& key, const std::string& path);

  const Value& generator_;
  Value settings_;
  std::string path_;
  std::vector<GeneratorIndex> outer_;
  const SceneNames& names_;
  GeneratedElements& elements_;

  std::vector<GeneratorIndex> indices_;  // of this turn, with the outer ones
  std::shared_ptr<const std::string> making_;
  NamedValues values_;  // parameters and indices
  Placeholders placeholders_{values_};
};

// A type of generator: reads its settings and takes as many turns as it likes.
using GeneratorType = void (*)(const Entry& settings, Generation& generation);

void repeat(const Entry& settings, Generation& generation);

}  // namespace ricochet::io
