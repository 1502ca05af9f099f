#include "ricochet/io/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace ricochet::io {

namespace {

bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string too_deep_sentence() {
  return fmt::format("lists and maps are nested more than {} levels deep", kDeepestDocument);
}

// The length of the UTF-8 character that begins at the text's first byte, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation_byte(text[i])) return 0;
  }
  // Too long a form, a surrogate, or beyond the last character of Unicode.
  const auto second = static_cast<unsigned char>(text[1]);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0)) return 0;
  if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return 0;
  return length;
}

// The YAML library takes some control characters for the end of the file, so they must not get that far.
void refuse_what_is_not_text(std::string_view text, const Place& file) {
  Place place = file;
  place.line = 1;
  place.column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0) throw InputError(file, "this is a binary file; a scene is a text file");
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) throw InputError(place, "this is not UTF-8 text; save the scene in UTF-8");
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f) {
      throw InputError(place, fmt::format("there is a control character (0x{:02x}) in the text; delete it", byte));
    }
    if (byte == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      ++place.column;
    }
    i += length;
  }
}

// The YAML library keeps all of a line in memory that might turn out to be a key, at a hundred bytes per character.
// These two counts are upper bounds that quotes and comments only make larger, so real scenes are far from the limits.
void refuse_what_is_too_much(std::string_view text, const Place& file) {
  constexpr int kDeepestBrackets = 1000;
  constexpr int kMostValues = 2'000'000;
  int depth = 0;
  int values = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == '[' || c == '{' || c == ',' || c == '\n') ++values;
    if (depth > kDeepestBrackets) throw InputError(file, too_deep_sentence());
    if (values > kMostValues) throw InputError(file, "the file has more than two million lines and values");
  }
}

// A quoted text that the file ends in is accepted by the YAML library.
bool is_closed_quote(std::string_view text) {
  const char quote = text[0];
  if (quote != '\'' && quote != '"') return true;  // a block
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!doubled) return true;
      ++i;
    }
  }
  return false;
}

// What the messages of the YAML library mean for the author of a scene.
std::string yaml_error_sentence(const std::string& message) {
  using namespace YAML::ErrorMsg;
  struct Translation {
    const char* message;
    const char* sentence;
  };
  static const std::array translations = {
      Translation{END_OF_MAP, "a line of the form 'key: value' is expected here; check the indentation"},
      Translation{END_OF_MAP_FLOW, "a '{' is not closed by '}', or a ',' is missing"},
      Translation{END_OF_SEQ, "an entry of the form '- value' is expected here; check the indentation"},
      Translation{END_OF_SEQ_FLOW, "a '[' is not closed by ']', or a ',' is missing"},
      Translation{MULTIPLE_TAGS, "tags (words that begin with '!') are not allowed in a scene"},
      Translation{CHAR_IN_TAG_HANDLE, "tags (words that begin with '!') are not allowed in a scene"},
      Translation{TAG_WITH_NO_SUFFIX, "tags (words that begin with '!') are not allowed in a scene"},
      Translation{END_OF_VERBATIM_TAG, "tags (words that begin with '!') are not allowed in a scene"},
      Translation{UNKNOWN_ANCHOR, "aliases (words that begin with '*') are not allowed; put the text in quotes"},
      Translation{ALIAS_CONTENT, "aliases (words that begin with '*') are not allowed; put the text in quotes"},
      Translation{ALIAS_NOT_FOUND, "aliases (words that begin with '*') are not allowed; put the text in quotes"},
      Translation{CHAR_IN_ALIAS, "aliases (words that begin with '*') are not allowed; put the text in quotes"},
      Translation{ANCHOR_NOT_FOUND, "anchors (words that begin with '&') are not allowed; put the text in quotes"},
      Translation{CHAR_IN_ANCHOR, "anchors (words that begin with '&') are not allowed; put the text in quotes"},
      Translation{MULTIPLE_ANCHORS, "anchors (words that begin with '&') are not allowed; put the text in quotes"},
      Translation{UNKNOWN_TOKEN, "text cannot begin with this character; put it in quotes"},
      Translation{DOC_IN_SCALAR, "a quoted text is not closed"},
      Translation{EOF_IN_SCALAR, "a quoted text is not closed"},
      Translation{CHAR_IN_SCALAR, "a ':' or another character of YAML stands inside a text; put the text in quotes"},
      Translation{TAB_IN_INDENTATION, "there is a tab in the indentation; indent with spaces"},
      Translation{FLOW_END, "a ']' or '}' closes something that is not open"},
      Translation{BLOCK_ENTRY, "a list entry '- value' cannot stand here; check the indentation"},
      Translation{MAP_KEY, "a key cannot stand here; check the indentation"},
      Translation{MAP_VALUE, "a ': ' cannot stand here; check the indentation, or put the text in quotes"},
  };
  for (const Translation& translation : translations) {
    if (message == translation.message) return translation.sentence;
  }
  return "this is not YAML: " + message;
}

bool indents_with_tab(std::string_view text, const YAML::Mark& mark) {
  if (mark.is_null() || mark.pos < mark.column) return false;
  const std::string_view line = text.substr(std::min(static_cast<std::size_t>(mark.pos - mark.column), text.size()));
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && line[first] == '\t';
}

// Builds the tree from the parser's events. The event interface never expands aliases, and throwing from an event
// stops the parser, whose recursion therefore goes no deeper than the tree.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, std::shared_ptr<const std::string> origin)
      : text_(text), origin_(std::move(origin)) {}

  Value take_root() { return std::move(root_); }
  bool has_document() const { return documents_ > 0; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    const bool marked = text_.substr(std::min(static_cast<std::size_t>(mark.pos), text_.size())).starts_with("---");
    throw InputError(place_of(mark), marked ? "here begins a second document; a scene is one document in one file"
                                            : "this does not belong to what stands above; check the indentation");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_properties(mark, anchor, "");
    add(Value{.place = place_of(mark)});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw InputError(place_of(mark), "aliases (words that begin with '*') are not allowed; put the text in quotes");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_properties(mark, anchor, tag == "?" || tag == "!" ? "" : tag);
    Value value{.kind = Value::Kind::scalar, .quoted = tag == "!", .text = text, .place = place_of(mark)};
    auto position = static_cast<std::size_t>(mark.pos);
    if (value.quoted && position < text_.size() && !is_closed_quote(text_.substr(position))) {
      throw InputError(value.place, "a quoted text begins here and is not closed");
    }
    if (value.quoted) ++position;
    if (position <= text_.size() && text_.substr(position, text.size()) == text) {
      value.text_column = value.place.column + (value.quoted ? 1 : 0);
    }
    add(std::move(value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_properties(mark, anchor, tag == "?" ? "" : tag);
    open(Value{.kind = Value::Kind::list, .place = place_of(mark)});
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_properties(mark, anchor, tag == "?" ? "" : tag);
    open(Value{.kind = Value::Kind::map, .place = place_of(mark)});
  }
  void OnSequenceEnd() override { levels_.pop_back(); }
  void OnMapEnd() override { levels_.pop_back(); }

  // The library counts bytes from zero, people count characters from one.
  Place place_of(const YAML::Mark& mark) {
    if (mark.is_null()) return {origin_, 0, 0};
    const std::size_t end = std::min(static_cast<std::size_t>(mark.pos), text_.size());
    if (counted_.line != mark.line || counted_.end > end) {
      const std::size_t begin = end - std::min(end, static_cast<std::size_t>(mark.column));
      counted_ = {mark.line, begin, 0};
    }
    for (; counted_.end < end; ++counted_.end) counted_.inside += is_continuation_byte(text_[counted_.end]) ? 1 : 0;
    return {origin_, mark.line + 1, mark.column + 1 - counted_.inside};
  }

 private:
  // How far the bytes inside of characters are counted in a line: a file may be one line of megabytes.
  struct Counted {
    int line = -1;
    std::size_t end = 0;
    int inside = 0;
  };
  struct Level {
    Value* value;                                // stays where it is as long as it is open
    bool awaits_value = false;                   // of a map: the last key has no value yet
    std::unordered_map<std::string, int> lines;  // of a map: where each key was
  };

  void refuse_properties(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& tag) {
    if (anchor != 0) {
      throw InputError(place_of(mark),
                       "anchors (words that begin with '&') are not allowed; put the text in quotes or write it out");
    }
    const auto position = static_cast<std::size_t>(mark.pos);
    if (!tag.empty() || (position < text_.size() && text_[position] == '!')) {
      throw InputError(place_of(mark), "tags (words that begin with '!') are not allowed in a scene");
    }
  }

  static void add_key(Level& level, Value key) {
    if (!key.is_scalar()) {
      throw InputError(key.place,
                       "a key must be a word; if none is meant here, check that every '[' and '{' above is closed");
    }
    if (key.text == "<<" && !key.quoted) {
      throw InputError(key.place, "merge keys ('<<') are not allowed; write the keys out");
    }
    const auto [found, is_new] = level.lines.emplace(key.text, key.place.line);
    if (!is_new) {
      throw InputError(key.place,
                       fmt::format("the key {} appears twice in this map, first in line {}; delete one of them",
                                   in_quotes(key.text), found->second));
    }
    level.value->keys.push_back({std::move(key.text), std::move(key.place)});
    level.awaits_value = true;
  }

  Value* add(Value value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Level& level = levels_.back();
    if (level.value->is_map() && !level.awaits_value) {
      add_key(level, std::move(value));
      return nullptr;
    }
    level.awaits_value = false;
    // A value that is missing is found at the beginning of the next line; people look for it at its key.
    if (value.kind == Value::Kind::nothing && level.value->is_map()) value.place = level.value->keys.back().place;
    level.value->items.push_back(std::move(value));
    return &level.value->items.back();
  }

  void open(Value value) {
    if (levels_.size() >= kDeepestDocument) {
      throw InputError(value.place, too_deep_sentence());
    }
    levels_.push_back({add(std::move(value)), false, {}});
  }

  std::string_view text_;
  std::shared_ptr<const std::string> origin_;
  int documents_ = 0;
  Value root_;
  std::vector<Level> levels_;
  Counted counted_;
};

}  // namespace

const Value* Value::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

Value* Value::find(std::string_view key) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

Value& Value::add(std::string_view key, const Place& key_place, Value value) {
  keys.push_back({std::string(key), key_place});
  items.push_back(std::move(value));
  return items.back();
}

std::string read_document_text(const std::string& path) {
  namespace fs = std::filesystem;
  const Place place{std::make_shared<const std::string>(path)};
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(place, "there is no such file");
  if (fs::is_directory(status)) throw InputError(place, "this is a directory; give the file of a scene");
  const std::string too_large = fmt::format("the file is larger than {} MB", kLargestDocument / 1'000'000);
  if (fs::is_regular_file(status) && fs::file_size(path, error) > kLargestDocument) throw InputError(place, too_large);

  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(place, fmt::format("the file cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 65536> buffer{};
  while (file) {  // piecewise, for the size of a pipe is not known
    file.read(buffer.data(), buffer.size());
    text.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLargestDocument) throw InputError(place, too_large);
  }
  if (file.bad()) throw InputError(place, "the file cannot be read to its end");
  return text;
}

Value parse_document(std::string_view text, const std::string& origin) {
  const Place place{std::make_shared<const std::string>(origin)};
  if (text.size() > kLargestDocument) {
    throw InputError(place, fmt::format("the text is larger than {} MB", kLargestDocument / 1'000'000));
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the byte order mark that some editors write
  refuse_what_is_not_text(text, place);
  refuse_what_is_too_much(text, place);

  TreeBuilder builder(text, place.origin);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const Place where = builder.place_of(error.mark);
    const bool tab = indents_with_tab(text, error.mark);
    throw InputError(where, yaml_error_sentence(tab ? YAML::ErrorMsg::TAB_IN_INDENTATION : error.msg));
  }
  if (!builder.has_document()) throw InputError(place, "the file is empty; a scene begins with 'ricochet: 1'");
  return builder.take_root();
}

}  // namespace ricochet::io
