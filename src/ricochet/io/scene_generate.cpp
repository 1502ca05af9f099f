#include "ricochet/io/scene_generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "ricochet/io/scene_generate_layouts.hpp"
#include "ricochet/io/scene_schema.hpp"
#include "ricochet/math/expression.hpp"

namespace ricochet::io {

namespace {

struct NamedGeneratorType {
  std::string_view name;
  GeneratorType function;
};
constexpr std::array<NamedGeneratorType, 6> kGeneratorTypes = {
    {{"repeat", repeat}, {"grid", grid}, {"pile", pile}, {"wall", wall}, {"arch", arch}, {"tower", tower}}};

const Type& generators_type() { return find_field(scene_schema(), nullptr, "generate")->type; }

const Field& field_of(const Value& generator, const Key& key) {
  return *find_field(*generators_type().element, &generator, key.text);
}

// What expressions are written in: a negative number needs parentheses there.
bool is_expression(const Type& type) {
  return type.kind == TypeKind::number || type.kind == TypeKind::integer || type.kind == TypeKind::probe;
}

}  // namespace

class GeneratedElements {
 public:
  explicit GeneratedElements(Value& tree) : tree_(tree) {}

  const Value& tree() const { return tree_; }

  // Puts an element into a section; a name that is there already is an error.
  void add(const Field& field, Key name, Value element) {
    Value& section = section_of(field, name.place);
    if (!section.is_map()) return;  // a mistake of the scene, which is found when it is checked
    Places& places = places_of(field.key, section);
    const auto [earlier, is_new] = places.emplace(name.text, name.place);
    if (!is_new) {
      const Place& place = earlier->second;
      throw InputError(
          name.place,
          fmt::format("there is a {} {} already, {}; names must differ", field.type.noun, in_quotes(name.text),
                      place.making ? fmt::format("made in {}", *place.making) : fmt::format("in line {}", place.line)));
    }
    count_element(name.place);
    section.keys.push_back(std::move(name));
    section.items.push_back(std::move(element));
  }

  // The same for a section that is a list.
  void add(const Field& field, Value element) {
    Value& section = section_of(field, element.place);
    if (!section.is_list()) return;
    count_element(element.place);
    section.items.push_back(std::move(element));
  }

  void count_turn(const Place& place) {
    if (++turns_ > kMostGeneratorTurns) refuse_excess(place, "takes", kMostGeneratorTurns, "turns");
  }
  void count_value(const Value& value) {
    values_ += 1 + value.text.size() / 100;
    if (values_ > kMostGeneratedValues) refuse_excess(value.place, "makes", kMostGeneratedValues, "values");
  }

 private:
  using Places = std::unordered_map<std::string, Place>;

  Value& section_of(const Field& field, const Place& place) {
    if (Value* section = tree_.find(field.key)) return *section;
    const bool is_list = field.type.kind == TypeKind::list;
    return tree_.add(field.key, place, {.kind = is_list ? Value::Kind::list : Value::Kind::map, .place = place});
  }

  Places& places_of(const std::string& key, const Value& section) {
    const auto [found, is_new] = places_.try_emplace(key);
    if (is_new) {
      for (const Key& name : section.keys) found->second.emplace(name.text, name.place);
    }
    return found->second;
  }

  void count_element(const Place& place) {
    if (++elements_ > kMostGeneratedElements) refuse_excess(place, "makes", kMostGeneratedElements, "elements");
  }

  [[noreturn]] static void refuse_excess(const Place& place, const char* verb, std::size_t most, const char* what) {
    throw InputError(place, fmt::format("'generate' {} more than {} {}; check its counts", verb, most, what));
  }

  Value& tree_;
  std::unordered_map<std::string, Places> places_;  // of the names in each section that something was put into
  std::size_t turns_ = 0;
  std::size_t elements_ = 0;
  std::size_t values_ = 0;
};

Generation::Generation(const Value& generator, Value settings, std::string path, std::vector<GeneratorIndex> outer,
                       const SceneNames& names, GeneratedElements& elements)
    : generator_(generator),
      settings_(std::move(settings)),
      path_(std::move(path)),
      outer_(std::move(outer)),
      names_(names),
      elements_(elements),
      values_(names.parameters) {
  for (const GeneratorIndex& index : outer_) values_.set(index.name, index.value);
}

void Generation::run() {
  const Type& type = *generators_type().element;
  check(settings_, type, path_, elements_.tree(), names_);
  const Entry settings(settings_, type, path_, names_);
  for (const auto& [name, function] : kGeneratorTypes) {
    if (name == settings["type"].text()) function(settings, *this);
  }
}

const std::string& Generation::index_name(const Entry& entry) const {
  const std::string& name = entry.text();
  if (!is_index_name(name) || math::is_reserved_word(name)) {
    entry.refuse(
        fmt::format("{} cannot be the name of an index: it consists of letters, digits and '_', begins with a letter, "
                    "and is not a function or constant",
                    in_quotes(name)));
  }
  if (names_.parameters.find(name)) {
    entry.refuse(
        fmt::format("the index '{0}' of '{1}' has the name of a parameter; choose another with 'index'", name, path_));
  }
  for (const GeneratorIndex& index : outer_) {
    if (index.name != name) continue;
    entry.refuse(
        fmt::format("the index '{0}' of '{1}' is also that of a generator around it; choose another with "
                    "'index'",
                    name, path_));
  }
  return name;
}

void Generation::begin_turn(const std::vector<GeneratorIndex>& indices) {
  indices_ = outer_;
  indices_.insert(indices_.end(), indices.begin(), indices.end());
  std::string with;
  for (const GeneratorIndex& index : indices_) {
    values_.set(index.name, index.value);
    with += fmt::format("{} {} = {}", with.empty() ? " with" : ",", index.name, placeholder_text(index.value, false));
  }
  making_ = std::make_shared<const std::string>(path_ + with);
  elements_.count_turn(settings_.place);
}

void Generation::turn(const std::vector<GeneratorIndex>& indices) {
  begin_turn(indices);
  for (std::size_t i = 0; i < generator_.keys.size(); ++i) {
    const Key& key = generator_.keys[i];
    const Field& field = field_of(generator_, key);
    if (!field.type.is_template) continue;
    key.text == "generate" ? run_nested(generator_.items[i]) : insert(field, generator_.items[i]);
  }
}

const Value& Generation::scene() const { return elements_.tree(); }

Value Generation::made_body(const Value& body, const Type& type, const std::string& path,
                            const std::vector<GeneratorIndex>& indices) {
  begin_turn(indices);
  return made(body, type, path);
}

void Generation::add_body(const std::string& name, Value body) {
  const Place place = body.place;
  elements_.add(*find_field(scene_schema(), nullptr, "bodies"), {name, place}, std::move(body));
}

void Generation::insert(const Field& section, const Value& templates) {
  const std::string path = path_ + "." + section.key;
  for (std::size_t i = 0; i < templates.items.size(); ++i) {
    if (templates.is_list()) {
      elements_.add(section, made(templates.items[i], *section.type.element, path + "." + std::to_string(i)));
      continue;
    }
    const std::string element_path = path + "." + templates.keys[i].text;
    Key name = made_name(templates.keys[i], element_path);
    elements_.add(section, std::move(name), made(templates.items[i], *section.type.element, element_path));
  }
}

// The settings of an inner generator are those that this turn gives it; its own turns fill its templates.
void Generation::run_nested(const Value& generators) {
  for (std::size_t i = 0; i < generators.items.size(); ++i) {
    const Value& generator = generators.items[i];
    const std::string path = path_ + ".generate." + generators.keys[i].text;
    Value settings{.kind = Value::Kind::map, .place = generator.place};
    settings.place.making = making_;
    for (std::size_t k = 0; k < generator.keys.size(); ++k) {
      const Key& key = generator.keys[k];
      const Field& field = field_of(generator, key);
      if (field.type.is_template) continue;
      settings.add(key.text, key.place, made(generator.items[k], field.type, path + "." + key.text));
    }
    Generation(generator, std::move(settings), path, indices_, names_, elements_).run();
  }
}

Key Generation::made_name(const Key& key, const std::string& path) {
  Value scalar{.kind = Value::Kind::scalar, .text = key.text, .place = key.place};
  scalar.place.making = making_;
  return {placeholders_.replaced(scalar, path, false), scalar.place};
}

// Follows the type beside the value, which has its form: the scene was checked.
Value Generation::made(const Value& value, const Type& type, const std::string& path) {
  const Type& form = type.form_of(value);
  Value result{.kind = value.kind, .quoted = value.quoted, .text_column = value.text_column, .place = value.place};
  result.place.making = making_;
  if (value.is_scalar()) {
    result.text = value.text;
    if (has_placeholder(value.text)) {
      const bool is_short = form.kind == TypeKind::group;
      const Type& scalar = is_short ? find_field(form, nullptr, form.shorthand)->type : form;
      result.text = placeholders_.replaced(result, path, is_expression(scalar));
      result.text_column = 0;
    }
  }
  elements_.count_value(result);
  result.items.reserve(value.items.size());
  result.keys.reserve(value.keys.size());
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::string item_path = path + "." + (value.is_map() ? value.keys[i].text : std::to_string(i));
    if (form.kind == TypeKind::group) {
      result.keys.push_back({value.keys[i].text, value.keys[i].place});
      result.keys.back().place.making = making_;
      result.items.push_back(made(value.items[i], find_field(form, &value, value.keys[i].text)->type, item_path));
    } else {
      if (value.is_map()) result.keys.push_back(made_name(value.keys[i], item_path));
      result.items.push_back(made(value.items[i], *form.element, item_path));
    }
  }
  return result;
}

void repeat(const Entry& settings, Generation& generation) {
  const std::string& index = generation.index_name(settings["index"]);
  const int from = settings["from"].integer();
  const int count = settings["count"].integer();
  for (int i = 0; i < count; ++i) generation.turn({{index, static_cast<double>(from) + i}});
}

void expand_generators(Value& scene, const SceneNames& names) {
  const auto key = std::find_if(scene.keys.begin(), scene.keys.end(),
                                [](const Key& candidate) { return candidate.text == "generate"; });
  if (key == scene.keys.end()) return;
  const auto item = scene.items.begin() + (key - scene.keys.begin());
  check(*item, generators_type(), "generate", scene, names);
  const Value generators = std::move(*item);
  scene.items.erase(item);
  scene.keys.erase(key);

  GeneratedElements elements(scene);
  for (std::size_t i = 0; i < generators.items.size(); ++i) {
    const Value& generator = generators.items[i];
    Value settings{.kind = Value::Kind::map, .place = generator.place};
    for (std::size_t k = 0; k < generator.keys.size(); ++k) {
      if (field_of(generator, generator.keys[k]).type.is_template) continue;
      settings.add(generator.keys[k].text, generator.keys[k].place, generator.items[k]);
    }
    Generation(generator, std::move(settings), "generate." + generators.keys[i].text, {}, names, elements).run();
  }
}

bool is_generated_section(std::string_view key) {
  for (const Alternative& alternative : generators_type().element->alternatives) {
    for (const Field& field : alternative.fields) {
      if (field.key == key) return field.type.is_template && field.type.kind == TypeKind::section && key != "generate";
    }
  }
  return false;
}

}  // namespace ricochet::io
