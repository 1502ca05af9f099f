#include "ricochet/app/step_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ricochet/app/text_split.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/math/expression.hpp"
#include "ricochet/math/text_distance.hpp"

namespace ricochet::app {

namespace {

constexpr double decades_below = 100;  // the default: from the step of the scene to a hundredth of it
constexpr int default_count = study::credible_steps;
constexpr double finer_reference = 10;

[[noreturn]] void refuse(const std::string& sentence) { throw io::InputError({}, sentence); }

// An expression of the parameters of the scene, of its `step` and `end`, and of `t` where that is meant.
math::Expression read_expression(const std::string& option, const std::string& text, const study::Case& run_case,
                                 bool with_time) {
  std::vector<std::pair<std::string, double>> known = run_case.parameters;
  known.emplace_back("step", run_case.settings.step);
  known.emplace_back("end", run_case.settings.end);
  const auto find = [&](std::string_view name) -> std::optional<double> {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == name; });
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  try {
    const auto is_name = [&](std::string_view name) { return find(name).has_value() || (with_time && name == "t"); };
    return math::Expression::parse(text, is_name).bind(find);
  } catch (const math::ExpressionError& error) {
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const auto& [name, value] : known) names.push_back(name);
    const std::string near = error.unknown_name().empty() ? "" : math::nearest(error.unknown_name(), names);
    refuse(fmt::format("{} {}: {}{}", option, io::in_quotes(text), error.what(),
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }
}

double read_step(const std::string& option, const std::string& text, const study::Case& run_case) {
  const double value = read_expression(option, text, run_case, false).value();
  if (!(value > 0) || !std::isfinite(value)) {
    refuse(fmt::format("{}: a step must be greater than 0, but {} is {:g}", option, io::in_quotes(text), value));
  }
  if (value > run_case.settings.end * (1 + 1e-9)) {
    refuse(fmt::format("{}: the step {:g} s is longer than the run, which ends at {:g} s", option, value,
                       run_case.settings.end));
  }
  return value;
}

struct Steps {
  std::vector<double> list;  // empty: a range
  double largest = 0, smallest = 0;
  int count = default_count;
};

Steps read_steps(const std::string& text, const study::Case& run_case) {
  const std::string option = "--steps";
  Steps steps;
  if (text.empty()) {
    steps.largest = run_case.settings.step;
    steps.smallest = steps.largest / decades_below;
    return steps;
  }
  const std::vector<std::string> range = split_outside(text, ':');
  if (range.size() == 1) {
    for (const std::string& each : split_outside(text, ',')) {
      steps.list.push_back(read_step(option, each, run_case));
    }
    std::sort(steps.list.rbegin(), steps.list.rend());
    steps.list.erase(std::unique(steps.list.begin(), steps.list.end()), steps.list.end());
    if (steps.list.size() < 2) refuse("--steps: an order needs at least two different steps");
    return steps;
  }
  if (range.size() != 3) {
    refuse(fmt::format("--steps {}: expected a list H1,H2,... or LARGEST:SMALLEST:COUNT", io::in_quotes(text)));
  }
  const double first = read_step(option, range[0], run_case), second = read_step(option, range[1], run_case);
  const double count = read_expression(option, range[2], run_case, false).value();
  if (!(count >= 2 && count <= 10000) || count != std::floor(count)) {
    refuse(fmt::format("--steps: the count must be a whole number from 2 to 10000, but is {:g}", count));
  }
  if (first == second) refuse("--steps: an order needs at least two different steps");
  steps.largest = std::max(first, second);
  steps.smallest = std::min(first, second);
  steps.count = static_cast<int>(count);
  return steps;
}

std::vector<int> choose_probes(const std::vector<std::string>& names, const study::Case& run_case) {
  std::vector<int> visible;
  std::vector<std::string> visible_names;
  for (int i = 0; i < run_case.probes.size(); ++i) {
    if (run_case.probes.hidden(i)) continue;
    visible.push_back(i);
    visible_names.push_back(run_case.probes.name(i));
  }
  if (visible.empty()) refuse("the scene has no probes: there is nothing to converge");
  if (names.empty()) return visible;
  std::vector<int> chosen;
  for (const std::string& name : names) {
    const auto found = std::find(visible_names.begin(), visible_names.end(), name);
    if (found == visible_names.end()) {
      const std::string near = math::nearest(name, visible_names);
      refuse(fmt::format("--probe: there is no probe {}{}; the probes are {}", io::in_quotes(name),
                         near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                         fmt::join(visible_names, ", ")));
    }
    const int probe = visible[found - visible_names.begin()];
    if (std::find(chosen.begin(), chosen.end(), probe) == chosen.end()) chosen.push_back(probe);
  }
  return chosen;
}

// "height=exp(-t)" or, with one probe, "exp(-t)". A comparison has two equality signs.
void choose_truth(const std::string& text, const study::Case& run_case, ChosenStudy& study) {
  const std::vector<int>& probes = study.task.probes;
  const std::size_t sign = text.find('=');
  const bool named = sign != std::string::npos && sign > 0 && text.compare(sign, 2, "==") != 0 &&
                     std::string_view("<>!").find(text[sign - 1]) == std::string_view::npos;
  std::size_t column = 0;
  if (named) {
    const std::string name = text.substr(0, sign);
    const auto found =
        std::find_if(probes.begin(), probes.end(), [&](int probe) { return run_case.probes.name(probe) == name; });
    if (found == probes.end()) {
      std::vector<std::string> names;
      names.reserve(probes.size());
      for (const int probe : probes) names.push_back(run_case.probes.name(probe));
      refuse(fmt::format("--reference: there is no probe {} in this study; its probes are {}", io::in_quotes(name),
                         fmt::join(names, ", ")));
    }
    column = static_cast<std::size_t>(found - probes.begin());
  } else if (probes.size() > 1) {
    refuse(
        fmt::format("--reference {}: whose? Write NAME=EXPR, or choose one probe with --probe", io::in_quotes(text)));
  }
  const std::string formula = named ? text.substr(sign + 1) : text;
  const math::Expression expression = read_expression("--reference", formula, run_case, true);
  study.truth[column] = formula;
  study.task.truth[column] = [expression](double time) {
    return expression.is_constant() ? expression.value() : expression.evaluate(std::vector{time});
  };
  for (const double time : {0.0, run_case.settings.end}) {
    if (std::isfinite(study.task.truth[column](time))) continue;
    refuse(fmt::format("--reference {}: is not finite at t = {:g}", io::in_quotes(formula), time));
  }
}

}  // namespace

ChosenStudy choose_study(const ConvergeOptions& options, const study::Case& run_case) {
  ChosenStudy study;
  study::ConvergenceTask& task = study.task;
  task.probes = choose_probes(options.probes, run_case);
  task.truth.resize(task.probes.size());
  study.truth.resize(task.probes.size());
  for (const std::string& text : options.references) choose_truth(text, run_case, study);
  const bool all_known = std::all_of(task.truth.begin(), task.truth.end(), [](const auto& each) { return !!each; });

  const Steps steps = read_steps(options.steps, run_case);
  const double end = run_case.settings.end;
  task.steps = steps.list;
  const double smallest = steps.list.empty() ? steps.smallest : steps.list.back();
  task.reference_step = end / std::round(finer_reference * end / smallest);
  if (!options.reference_step.empty()) {
    if (all_known) refuse("--reference-step: all probes have a --reference, so there is no reference run");
    task.reference_step = read_step("--reference-step", options.reference_step, run_case);
    if (task.reference_step >= smallest) {
      refuse(fmt::format("--reference-step: the step of the reference, {:g} s, must be below the smallest step, {:g} s",
                         task.reference_step, smallest));
    }
  }
  if (steps.list.empty()) {
    task.steps = all_known
                     ? study::logarithmic_steps(steps.largest, steps.smallest, steps.count)
                     : study::whole_multiples(study::logarithmic_steps(steps.largest, steps.smallest, steps.count),
                                              task.reference_step);
  }
  if (task.steps.size() < 2) refuse("--steps: an order needs at least two different steps");
  return study;
}

}  // namespace ricochet::app
