#include "ricochet/io/scene_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ricochet::io {

namespace {

// An expression over sources and parameters, with the parameters bound. In a fact, a misspelt probe may be meant.
math::Expression source_expression(const Entry& entry, const FactContext& context, bool is_of_fact) {
  const NamedValues& parameters = context.names.parameters;
  KnownNames known;
  known.is_known = [&](std::string_view name) {
    return parameters.find(name).has_value() || simulation::parse_probe_source(context.model, name).has_value();
  };
  known.candidates = [&] {
    std::vector<std::string> names = parameters.names();
    names.emplace_back("time");
    for (int i = 0; i < context.probes.size(); ++i) {
      if (is_of_fact && !context.probes.hidden(i)) names.push_back(context.probes.name(i));
    }
    for (const model::Body& body : context.model.bodies) names.push_back(body.name + ".position.x");
    return names;
  };
  known.explain = [&](const std::string& name) {
    const int probe = context.probes.find(name);
    if (is_of_fact && probe >= 0 && !context.probes.hidden(probe)) {
      return fmt::format("{} is a probe: a fact takes it alone; inside an expression write its sources",
                         in_quotes(name));
    }
    std::string why;
    const bool is_body = std::any_of(context.model.bodies.begin(), context.model.bodies.end(),
                                     [&](const model::Body& body) { return body.name == name; });
    const bool is_meant_as_source = is_body || name.find_first_of(".@") != std::string::npos;
    if (is_meant_as_source) simulation::parse_probe_source(context.model, name, &why);
    return why;
  };
  const math::Expression expression = parse_expression(entry.value(), entry.path(), known);
  return expression.bind([&](std::string_view name) { return parameters.find(name); });
}

int fact_probe(const Entry& entry, const FactContext& context) {
  const int known = context.probes.find(entry.text());  // a probe by its name, or the same expression as before
  if (known >= 0) return known;
  return context.probes.add(context.model, entry.text(), source_expression(entry, context, true), true);
}

study::Take take_of(std::string_view word) {
  using study::Take;
  constexpr std::array<std::pair<std::string_view, Take>, 7> kWords = {{{"first", Take::first},
                                                                        {"last", Take::last},
                                                                        {"min", Take::min},
                                                                        {"max", Take::max},
                                                                        {"mean", Take::mean},
                                                                        {"range", Take::range},
                                                                        {"integral", Take::integral}}};
  for (const auto& [name, take] : kWords) {
    if (name == word) return take;
  }
  return Take::last;
}

class FactReader {
 public:
  FactReader(const Entry& entry, const FactContext& context) : entry_(entry), context_(context) {}

  study::Fact read(const std::string& physics_changed) {
    study::Fact fact;
    fact.name = entry_["fact"].text();
    fact.source = entry_["source"].text();
    if (count_of({"value", "bound"}) != 1) refuse("needs either 'value' or 'bound'");
    fact.is_bound = entry_["bound"].exists();
    if (fact.is_bound) {
      refuse_keys({"take", "at", "event", "tolerance"}, "a bound holds at every step");
    } else {
      if (count_of({"take", "at", "event"}) > 1) refuse("must have only one of 'take', 'at' and 'event'");
      if (!entry_["tolerance"].exists()) refuse("has a value but no tolerance");
    }
    if (entry_["order"].exists()) {
      refuse_keys({"probe", "take", "at", "event", "over", "bound"}, "an order is read from several runs");
    }
    if (entry_["at"].exists()) refuse_keys({"over"}, "'at' is a single time");
    if (entry_["event"].exists()) refuse_keys({"probe"}, "the event has its own");
    const Entry owner = entry_["event"].exists()   ? entry_["event"]
                        : entry_["order"].exists() ? entry_["order"]
                                                   : entry_;
    if (!owner["probe"].exists()) refuse("needs a 'probe'");
    require_limits();

    fact.probe = fact_probe(owner["probe"], context_);
    const bool literal = is_literal();
    fact.not_applicable = literal && !physics_changed.empty() ? physics_changed : why_not_now();
    // The numbers of a fact that does not apply need not exist: its formula may divide by zero there.
    if (fact.not_applicable.empty() || literal) read_numbers(fact);
    return fact;
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    entry_.refuse(fmt::format("the fact {} {}", in_quotes(entry_["fact"].text()), sentence));
  }

  int count_of(const std::vector<std::string>& keys) const {
    int count = 0;
    for (const std::string& key : keys) count += entry_[key].exists() ? 1 : 0;
    return count;
  }

  void refuse_keys(const std::vector<std::string>& keys, const std::string& reason) const {
    for (const std::string& key : keys) {
      if (entry_[key].exists()) refuse(fmt::format("must not have '{}': {}", key, reason));
    }
  }

  void require_limits() const {
    const Entry bound = entry_["bound"];
    if (bound.exists() && !bound["above"].exists() && !bound["below"].exists()) {
      bound.refuse(fmt::format("'{}' needs 'above' or 'below' or both", bound.path()));
    }
    const Entry tolerance = entry_["tolerance"];
    if (tolerance.exists() && !tolerance["absolute"].exists() && !tolerance["relative"].exists()) {
      tolerance.refuse(fmt::format("'{}' needs 'absolute' or 'relative' or both", tolerance.path()));
    }
  }

  // A literal fact states numbers that were found for the scene as it is written; one with parameters follows them.
  // A condition on parameters says for which of them it holds; one on the step or theta says nothing about them.
  bool is_literal() const {
    const Entry when = entry_["when"];
    if (when.exists() && (when.type().kind == TypeKind::boolean || uses_parameter(when))) return false;
    std::vector<Entry> numbers = {entry_["value"]};
    for (const auto& [group, key] : {std::pair("bound", "above"), std::pair("bound", "below"),
                                     std::pair("tolerance", "absolute"), std::pair("tolerance", "relative")}) {
      if (entry_[group].exists()) numbers.push_back(entry_[group][key]);
    }
    return std::none_of(numbers.begin(), numbers.end(),
                        [&](const Entry& number) { return number.exists() && uses_parameter(number); });
  }

  bool uses_parameter(const Entry& number) const {
    const math::Expression expression = parse_expression(number.value(), number.path(), names_of(context_.names.run));
    return std::any_of(expression.names().begin(), expression.names().end(),
                       [&](const std::string& name) { return context_.names.parameters.find(name).has_value(); });
  }

  // A sentence if the condition `when` does not hold.
  std::string why_not_now() const {
    const Entry when = entry_["when"];
    if (!when.exists()) return "";
    const bool holds = when.type().kind == TypeKind::boolean ? when.boolean() : when.number() != 0;
    return holds ? "" : fmt::format("does not apply: {} is false", when.text());
  }

  void read_numbers(study::Fact& fact) const {
    if (entry_["take"].exists()) fact.take = take_of(entry_["take"].text());
    if (entry_["at"].exists()) {
      fact.take = study::Take::at;
      fact.at = entry_["at"].number();
      if (fact.at < 0)
        skip_or_refuse(fact, {entry_["at"]}, fmt::format("the time {:g} s is before the start", fact.at));
    }
    if (entry_["event"].exists()) fact.event = read_event(entry_["event"]);
    if (entry_["order"].exists()) fact.order = read_order(entry_["order"]);
    if (entry_["over"].exists()) read_window(entry_["over"].entries(), fact);
    if (fact.is_bound) {
      const Entry bound = entry_["bound"];
      if (bound["above"].exists()) fact.above = bound["above"].number();
      if (bound["below"].exists()) fact.below = bound["below"].number();
      return;
    }
    fact.expected = entry_["value"].number();
    const Entry tolerance = entry_["tolerance"];
    if (tolerance["absolute"].exists()) fact.tolerance = tolerance["absolute"].number();
    if (tolerance["relative"].exists()) {
      fact.tolerance = std::max(fact.tolerance, tolerance["relative"].number() * std::abs(fact.expected));
    }
  }

  static study::OrderSteps read_order(const Entry& entry) {
    const std::vector<Entry> steps = entry["steps"].entries();
    const double first = steps[0].number(), second = steps[1].number();
    if (first == second) entry["steps"].refuse(fmt::format("'{}' needs two different steps", entry["steps"].path()));
    return {std::max(first, second), std::min(first, second), entry["count"].integer()};
  }

  static study::Event read_event(const Entry& entry) {
    study::Event event;
    event.level = entry["crosses"].number();
    const std::string& direction = entry["direction"].text();
    if (direction == "rising") event.direction = study::Direction::rising;
    if (direction == "falling") event.direction = study::Direction::falling;
    event.nth = entry["nth"].integer();
    return event;
  }

  static void read_window(const std::vector<Entry>& ends, study::Fact& fact) {
    const double from = ends[0].number();
    const double to = ends[1].number();
    fact.over = {from, to};
    if (from <= to && to >= 0) return;
    skip_or_refuse(fact, ends, fmt::format("the window from {:g} s to {:g} s is empty", from, to));
  }

  // Times that follow parameters or the end of the run may become impossible when those change: that is no mistake.
  static void skip_or_refuse(study::Fact& fact, const std::vector<Entry>& times, const std::string& reason) {
    const bool is_formula = std::any_of(times.begin(), times.end(), [](const Entry& time) { return !time.is_plain(); });
    if (!is_formula) times.front().refuse(fmt::format("in the fact {} {}", in_quotes(fact.name), reason));
    fact.not_applicable = "does not apply: " + reason;
  }

  const Entry& entry_;
  const FactContext& context_;
};

}  // namespace

void read_probes(const Entry& section, const FactContext& context) {
  for (const Entry& entry : section.entries()) {
    context.probes.add(context.model, entry.name(), source_expression(entry, context, false));
  }
}

void read_facts(const Entry& list, const FactContext& context, const std::string& physics_changed,
                std::vector<study::Fact>& facts) {
  std::unordered_map<std::string, std::size_t> earlier;
  for (std::size_t i = 0; i < facts.size(); ++i) earlier.emplace(facts[i].name, i);
  std::unordered_set<std::string> names;
  for (const Entry& entry : list.entries()) {
    study::Fact fact = FactReader(entry, context).read(physics_changed);
    if (!names.insert(fact.name).second) {
      entry.refuse(fmt::format("there are two facts {}; give one of them another name", in_quotes(fact.name)));
    }
    if (const auto found = earlier.find(fact.name); found != earlier.end()) {
      facts[found->second] = std::move(fact);
    } else {
      facts.push_back(std::move(fact));
    }
  }
}

}  // namespace ricochet::io
