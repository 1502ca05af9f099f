// A scene file as a tree of values that remember where they were written. YAML 1.2, of which JSON is a part, read
// strictly: what could be read in two ways, or grow without bound, is refused with a sentence and a place.
//
//   refused                         why
//   duplicate keys                  one of the two would silently lose
//   anchors, aliases, merge keys    they can loop, and a few lines can expand to gigabytes
//   tags, keys that are not text    they have no meaning in a scene
//   a second document               it would be ignored
//   over 16 MB, over 64 levels      no scene is like that, but a broken file may be
//
// The tree knows nothing of scenes: what keys mean is in schema.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/input_error.hpp"

namespace ricochet::io {

struct Key {
  std::string text;
  Place place;
};

struct Value {
  enum class Kind {
    nothing,  // a key without a value, or null
    scalar,
    list,
    map,
  };

  Kind kind = Kind::nothing;
  bool quoted = false;    // of a scalar: in quotes or a block, so it is text even if it looks like something else
  int text_column = 0;    // of a scalar: the column of its first character, 0 if the text was folded or escaped
  int revision = 0;       // 0 as written in the file, n if the n-th override put it here: the larger one wins
  std::string text = {};  // of a scalar
  std::vector<Value> items = {};  // of a list; of a map: the value of keys[i] is items[i]
  std::vector<Key> keys = {};     // of a map, in the order of the file
  Place place = {};

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }

  // The value of a key of a map, or null.
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  // Adds a key that is not there yet.
  Value& add(std::string_view key, const Place& key_place, Value value);
};

constexpr std::size_t kLargestDocument = 16'000'000;  // bytes
constexpr int kDeepestDocument = 64;                  // levels of lists and maps

// The text of a file, not larger than a document may be. Throws InputError if it cannot be read.
std::string read_document_text(const std::string& path);

// The tree of a text; `origin` names it in messages. Throws InputError and nothing else.
Value parse_document(std::string_view text, const std::string& origin);

}  // namespace ricochet::io
