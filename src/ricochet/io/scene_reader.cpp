#include "ricochet/io/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "ricochet/cone/solver_table.hpp"
#include "ricochet/io/checked.hpp"
#include "ricochet/io/document.hpp"
#include "ricochet/io/overrides.hpp"
#include "ricochet/io/scene_facts.hpp"
#include "ricochet/io/scene_generate.hpp"
#include "ricochet/io/scene_model.hpp"
#include "ricochet/io/scene_schema.hpp"

namespace ricochet::io {

namespace {

// Before everything else: a scene of a later format may be different in any way.
void check_format(const Value& scene) {
  if (!scene.is_map()) throw InputError(scene.place, "a scene is a map of keys and begins with 'ricochet: 1'");
  const Value* format = scene.find("ricochet");
  if (format == nullptr) {
    throw InputError(scene.place,
                     "the key 'ricochet' is missing; a scene begins with the version of its format, 'ricochet: 1'");
  }
  if (!format->is_scalar()) throw InputError(format->place, "'ricochet' must be the version of the format: 1");
  const double number = evaluate_number(*format, "ricochet", {});
  if (number > kSceneFormat) {
    throw InputError(
        format->place,
        fmt::format("this scene has format {}, but this program reads format {} only; use a newer Ricochet",
                    format->text, kSceneFormat));
  }
  if (number != kSceneFormat) {
    throw InputError(format->place,
                     fmt::format("there is no format {}; write 'ricochet: {}'", format->text, kSceneFormat));
  }
}

const Value& find_variant(const Value& scene, const std::string& name) {
  const Value* variants = scene.find("variants");
  const Value* variant = variants != nullptr && variants->is_map() ? variants->find(name) : nullptr;
  if (variant != nullptr) return *variant;
  std::vector<std::string> names;
  if (variants != nullptr) {
    for (const Key& key : variants->keys) names.push_back(key.text);
  }
  throw InputError(scene.place,
                   fmt::format("the scene has no variant {}{}", in_quotes(name), suggestion(name, names, "it has")));
}

// Options of the scheme stand beside `scheme` or in the group of the scheme. In the scene only one of both may be
// written, but an override may use either form: the later one counts.
Entry scheme_option(const Entry& integrator, const std::string& key) {
  Entry flat = integrator[key];
  const std::string& scheme = integrator["scheme"].text();
  const Entry group = integrator[scheme];
  if (!group.exists() || !group[key].is_written()) return flat;
  Entry grouped = group[key];
  if (!flat.is_written()) return grouped;
  if (flat.value().revision == grouped.value().revision) {
    grouped.refuse(fmt::format("'{}' is also given as '{}'; delete one of them", grouped.path(), flat.path()));
  }
  return flat.value().revision > grouped.value().revision ? flat : grouped;
}

void read_scheme(const Entry& integrator, simulation::Settings& settings) {
  settings.scheme = static_cast<simulation::SchemeKind>(integrator["scheme"].choice());
  const auto option = [&](const char* key) { return scheme_option(integrator, key); };
  if (settings.scheme == simulation::SchemeKind::moreau_jean) {
    integrate::MoreauJeanOptions& options = settings.moreau_jean;
    options.theta = option("theta").number();
    options.impact = static_cast<integrate::ImpactLaw>(option("impact").choice());
    options.active_set = static_cast<integrate::ActiveSet>(option("active_set").choice());
    options.projection = static_cast<integrate::Projection>(option("projection").choice());
    options.motion_tolerance = option("motion_tolerance").number();
    options.impacts = static_cast<integrate::ImpactOrder>(option("impacts").choice());
    options.max_passes = option("max_passes").integer();
    if (options.impacts == integrate::ImpactOrder::sequence && options.impact != integrate::ImpactLaw::newton) {
      option("impacts").refuse(
          fmt::format("a sequence of impacts has Newton's law in every pass, but 'impact' is '{}'; write "
                      "'impact: newton', or 'impacts: simultaneous'",
                      option("impact").text()));
    }
    settings.halvings = option("halvings").integer();
    return;
  }
  if (settings.scheme == simulation::SchemeKind::moreau_midpoint) {
    settings.moreau_midpoint.projection = static_cast<integrate::Projection>(option("projection").choice());
    return;
  }
  integrate::NonsmoothGeneralizedAlphaOptions& options = settings.generalized_alpha;
  options.spectral_radius = option("spectral_radius").number();
  options.position_friction = option("position_friction").boolean();
  options.impacts = static_cast<integrate::ImpactOrder>(option("impacts").choice());
  options.max_passes = option("max_passes").integer();
  integrate::AugmentedNewtonOptions& newton = options.newton;
  newton.tolerance = option("tolerance").number();
  newton.test = static_cast<integrate::StoppingTest>(option("stopping_test").choice());
  newton.max_iterations = option("max_iterations").integer();
  newton.solver = static_cast<integrate::SubproblemSolver>(option("subproblem_solver").choice());
  newton.penalty.normal = option("penalty_normal").number();
  newton.penalty.tangential = option("penalty_tangential").number();
  newton.scaling = option("scaling").number();
  settings.halvings = option("halvings").integer();
}

simulation::Settings read_settings(const Entry& scene, std::vector<std::string>& notices) {
  simulation::Settings settings;
  const Entry time = scene["time"];
  settings.end = time["end"].number();
  const math::TimeFunction step = time["step"].time_function();
  settings.step = step.value(0);
  if (!step.is_constant()) settings.step_function = step;
  if (!(settings.step > 0) || !std::isfinite(settings.step)) {
    time["step"].refuse(
        fmt::format("'time.step' must be above 0 at all times, but is {:g} at the start", settings.step));
  }
  if (settings.step_function) {
    try {
      simulation::step_count(settings);
    } catch (const std::runtime_error& error) {
      time["step"].refuse(error.what());
    }
  }
  constexpr double kMostSteps = 1e12;
  const double steps = settings.end / settings.step;
  if (!(steps <= kMostSteps)) {
    time["step"].refuse(fmt::format("'time.step' is {}, so the run to 'time.end' = {} would have more than {:g} steps",
                                    settings.step, settings.end, kMostSteps));
  }
  if (simulation::end_is_rounded_up(settings)) {
    notices.push_back(fmt::format("time.end = {} is not a whole number of steps of {}: the run goes to {:.12g}",
                                  settings.end, settings.step,
                                  static_cast<double>(simulation::step_count(settings)) * settings.step));
  }
  read_scheme(scene["integrator"], settings);
  const Entry solver = scene["solver"];
  if (settings.scheme == simulation::SchemeKind::nonsmooth_generalized_alpha && solver.is_written()) {
    notices.emplace_back(
        "'solver' is for moreau-jean and moreau-midpoint and is not used: nonsmooth-generalized-alpha has "
        "'integrator.tolerance' and "
        "'integrator.subproblem_solver'");
  }
  settings.solver.kind = *cone::find_solver(solver["name"].text())->kind;  // one of step_solver_names
  settings.solver.tolerance = solver["tolerance"].number();
  settings.solver.max_iterations = solver["max_iterations"].integer();
  return settings;
}

// Whether energy may grow with this impact law: an error with Frémond's, whose purpose is that it does not; a notice
// with Newton's, which promises nothing.
void judge_impact_law(const Entry& scene, const study::Case& run_case, std::vector<std::string>& notices) {
  if (run_case.settings.scheme == simulation::SchemeKind::nonsmooth_generalized_alpha) return;
  // The midpoint rule has Newton's law.
  const bool is_midpoint = run_case.settings.scheme == simulation::SchemeKind::moreau_midpoint;
  const integrate::MoreauJeanOptions options =
      is_midpoint ? integrate::MoreauJeanOptions{} : run_case.settings.moreau_jean;
  const model::ContactRule* liveliest = nullptr;
  const model::Coefficient* restitution = nullptr;
  bool rubs = false, returns_slip = false;
  const auto judge = [&](const model::ContactRule& rule, const model::ContactLaw& law) {
    returns_slip = returns_slip || law.tangential_restitution != 0;
    rubs = rubs || (model::may_act(law.friction) && model::may_act(law.restitution));
    if (restitution != nullptr &&
        model::largest_restitution(law.restitution) <= model::largest_restitution(*restitution))
      return;
    liveliest = &rule;
    restitution = &law.restitution;
  };
  for (const model::ContactRule& rule : run_case.model.contacts) {
    judge(rule, rule.law);
    for (const model::MaterialLaw& each : rule.material_laws) judge(rule, each.law);
  }
  const Entry integrator = scene["integrator"];
  const auto refuse_growth = [&](double most, const std::string& text, const std::string& where) {
    const double largest = integrate::largest_dissipative_theta(most);
    if (options.impact != integrate::ImpactLaw::fremond || options.theta <= largest * (1 + 1e-12) ||
        scheme_option(integrator, "allow_energy_growth").boolean()) {
      return;
    }
    scheme_option(integrator, "theta")
        .refuse(fmt::format(
            "theta = {} with the impact law 'fremond' and the restitution {} of {} can create energy: theta "
            "may be at most 1/(1 + restitution) = {:.6g}. Lower it, or give 'allow_energy_growth: true' "
            "(--allow-energy-growth)",
            options.theta, text, where, largest));
  };
  for (const model::JointLimit& limit : run_case.model.joint_limits) {
    refuse_growth(limit.restitution, fmt::format("{}", limit.restitution),
                  fmt::format("the limits of joint '{}'", run_case.model.joints[limit.coordinate.joint.index].name));
  }
  if (liveliest == nullptr) return;
  refuse_growth(model::largest_restitution(*restitution), restitution->text(),
                fmt::format("contact '{}'{}", liveliest->name,
                            restitution->is_constant() ? "" : ", a function of speed that may reach 1,"));
  if (options.impact != integrate::ImpactLaw::newton && returns_slip) {
    notices.emplace_back("'tangential_restitution' belongs to the impact law 'newton' and is not used here");
  }
  if (options.impact == integrate::ImpactLaw::newton && rubs) {
    notices.emplace_back(
        "Newton's impact law with friction may create energy at any theta (energy.contact_created tells how much); "
        "'impact: fremond' of 'moreau-jean' does not");
  }
}

// Lemke's method and enumeration know planar contacts without resistance to rolling and spinning.
void judge_solver(const Entry& scene, const study::Case& run_case) {
  if (!simulation::looks_for_second_solutions(run_case.settings)) return;
  const Entry name = scene["solver"]["name"];
  if (!run_case.model.planar) {
    name.refuse(
        fmt::format("the solver '{}' takes planar contacts only, and this scene is spatial: use 'auto', or make "
                    "the scene planar ('planar: true')",
                    name.text()));
  }
  const auto judge = [&](const model::ContactRule& rule, const model::ContactLaw& law) {
    if (!(law.rolling > 0) && !(law.spinning > 0)) return;
    name.refuse(
        fmt::format("the solver '{}' knows no resistance to rolling and spinning, which contact '{}' has: use "
                    "'auto'",
                    name.text(), rule.name));
  };
  for (const model::ContactRule& rule : run_case.model.contacts) {
    judge(rule, rule.law);
    for (const model::MaterialLaw& each : rule.material_laws) judge(rule, each.law);
  }
}

// The overrides of one origin, the variant or the command line, and what they have done to the scene.
struct Revision {
  std::vector<Override> of_generated;  // those of elements that do not exist before they are generated
  OverrideEffects effects;
};

// The tree of a scene after its overrides.
struct RevisedTree {
  Value tree;
  Revision variant;
  Revision command;
};

bool is_of_generated(const Override& what, const Value& tree) {
  const std::size_t dot = what.path.find('.');
  const std::string section = what.path.substr(0, dot);
  if (dot == std::string::npos || tree.find("generate") == nullptr || !is_generated_section(section)) return false;
  const std::string name = what.path.substr(dot + 1, what.path.find('.', dot + 1) - dot - 1);
  const Value* elements = tree.find(section);
  return elements == nullptr || elements->find(name) == nullptr;
}

void revise(const std::vector<Override>& overrides, int first_revision, Value& tree, Revision& revision) {
  std::vector<Override> now;
  for (const Override& what : overrides) (is_of_generated(what, tree) ? revision.of_generated : now).push_back(what);
  apply_overrides(now, scene_schema(), tree, revision.effects, first_revision);
}

RevisedTree revised_tree(const std::string& text, const std::string& origin, const std::vector<std::string>& overrides,
                         const std::string& variant) {
  RevisedTree result;
  result.tree = parse_document(text, origin);
  check_format(result.tree);
  int revision = 1;
  if (!variant.empty()) {
    const Value& chosen = find_variant(result.tree, variant);
    const Value* set = chosen.is_map() ? chosen.find("set") : nullptr;
    const std::vector<Override> settings = set != nullptr ? overrides_of(*set) : std::vector<Override>();
    revise(settings, revision, result.tree, result.variant);
    revision += static_cast<int>(settings.size());
  }
  std::vector<Override> commands;
  commands.reserve(overrides.size());
  for (const std::string& text_of_override : overrides) commands.push_back(parse_override(text_of_override));
  revise(commands, revision, result.tree, result.command);
  check_format(result.tree);
  return result;
}

// Evaluates the parameters, generates what is to be generated, and checks everything.
SceneNames checked_names(RevisedTree& revised) {
  Value& tree = revised.tree;
  SceneNames names;
  if (const Value* parameters = tree.find("parameters")) {
    // Their form first, without looking at the expressions: their values are needed for everything else.
    Type form = find_field(scene_schema(), nullptr, "parameters")->type;
    form.element = std::make_shared<const Type>(probe());
    check(*parameters, form, "parameters", tree, names);
    names.parameters = evaluate_parameters(*parameters);
  }
  expand_generators(tree, names);
  for (Revision* revision : {&revised.variant, &revised.command}) {
    apply_overrides(revision->of_generated, scene_schema(), tree, revision->effects);
  }
  check(tree, scene_schema(), "", tree, names);
  return names;
}

// The place of the element that a sentence names in quotes; of the scene if it names none.
Place place_of_element(const Value& tree, const std::string& sentence) {
  for (const char* section :
       {"bodies", "surfaces", "systems", "springs", "loads", "joints", "velocity_conditions", "contacts"}) {
    const Value* elements = tree.find(section);
    if (elements == nullptr) continue;
    for (const Key& key : elements->keys) {
      if (sentence.find("'" + key.text + "'") != std::string::npos) return key.place;
    }
  }
  return tree.place;
}

std::string facts_off_sentence(bool by_variant, bool by_command) {
  if (!by_variant && !by_command) return "";
  return fmt::format("does not apply: its numbers are for the scene as it is written, and {} changes the physics",
                     by_command ? "--set" : "the variant");
}

Scene read_revised(const std::string& text, const std::string& origin, const std::vector<std::string>& overrides,
                   const std::string& variant) {
  RevisedTree revised = revised_tree(text, origin, overrides, variant);
  SceneNames names = checked_names(revised);
  const Entry entry(revised.tree, scene_schema(), "", names);

  Scene scene;
  for (const Revision* revision : {&revised.variant, &revised.command}) {
    const std::vector<std::string>& notices = revision->effects.notices;
    scene.notices.insert(scene.notices.end(), notices.begin(), notices.end());
  }
  study::Case& run_case = scene.run_case;
  run_case.id = std::filesystem::path(origin).stem().string() + (variant.empty() ? "" : "/" + variant);
  run_case.name = entry["name"].text();
  run_case.description = entry["description"].text();
  run_case.source_text = text;
  run_case.overrides = overrides;
  run_case.output_every = entry["output"]["every"].integer();
  if (const Entry every = entry["checkpoint"]["every"]; every.is_written()) run_case.checkpoint_every = every.number();
  run_case.end_is_chosen = std::any_of(overrides.begin(), overrides.end(),
                                       [](const std::string& text_of) { return text_of.starts_with("time.end="); });
  run_case.settings = read_settings(entry, scene.notices);

  names.run.set("step", run_case.settings.step);
  names.run.set("end", run_case.settings.end);
  // Of schemes that take forces elsewhere, facts that hold to the last digit at theta = 1/2 do not apply; tolerances
  // that grow with theta - 1/2 are what they are there.
  const bool is_moreau_jean = run_case.settings.scheme == simulation::SchemeKind::moreau_jean;
  names.run.set("theta", is_moreau_jean ? run_case.settings.moreau_jean.theta : std::nextafter(0.5, 1.0));
  const bool is_alpha = run_case.settings.scheme == simulation::SchemeKind::nonsmooth_generalized_alpha;
  names.run.set("spectral_radius", !is_alpha ? -1 : run_case.settings.generalized_alpha.spectral_radius);
  for (const std::string& name : names.parameters.names()) {
    run_case.parameters.emplace_back(name, *names.parameters.find(name));
    names.run.set(name, run_case.parameters.back().second);
  }

  try {
    run_case.model = read_model(entry, scene.notices);
    model::validate(run_case.model);
  } catch (const std::invalid_argument& error) {
    throw InputError(place_of_element(revised.tree, error.what()), error.what());
  }

  judge_impact_law(entry, run_case, scene.notices);
  judge_solver(entry, run_case);
  const FactContext context{run_case.model, names, run_case.probes};
  read_probes(entry["probes"], context);
  for (const Entry& portrait : entry["output"]["portraits"].entries()) {
    const std::vector<Entry> axes = portrait.entries();
    run_case.portraits.push_back(
        {portrait.name(), run_case.probes.find(axes[0].text()), run_case.probes.find(axes[1].text())});
  }
  const bool by_variant = revised.variant.effects.changes_physics;
  const bool by_command = revised.command.effects.changes_physics;
  read_facts(entry["expect"], context, facts_off_sentence(by_variant, by_command), run_case.facts);
  if (!variant.empty()) {
    const Entry chosen(find_variant(revised.tree, variant),
                       *find_field(scene_schema(), nullptr, "variants")->type.element, "variants." + variant, names);
    if (chosen["description"].is_written()) run_case.description = chosen["description"].text();
    read_facts(chosen["expect"], context, facts_off_sentence(false, by_command), run_case.facts);
  }
  return scene;
}

}  // namespace

Scene read_scene_text(const std::string& text, const std::string& origin, const std::vector<std::string>& overrides,
                      const std::string& variant) {
  try {
    return read_revised(text, origin, overrides, variant);
  } catch (const InputError& error) {
    // An override can make another place of the scene wrong: then it must be named too.
    if (overrides.empty() || !error.place().origin || *error.place().origin != origin) throw;
    throw InputError(error.place(),
                     fmt::format("{} (read with --set {})", error.sentence(), fmt::join(overrides, " --set ")));
  }
}

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides, const std::string& variant) {
  return read_scene_text(read_document_text(path), path, overrides, variant);
}

namespace {

template <class Predicate>
std::vector<std::string> variants_with(const std::string& path, const Predicate& is_meant) {
  const Value scene = parse_document(read_document_text(path), path);
  const Value* variants = scene.is_map() ? scene.find("variants") : nullptr;
  std::vector<std::string> names;
  if (variants == nullptr || !variants->is_map()) return names;
  for (std::size_t i = 0; i < variants->keys.size(); ++i) {
    if (is_meant(variants->items[i])) names.push_back(variants->keys[i].text);
  }
  return names;
}

}  // namespace

std::vector<std::string> variant_names(const std::string& path) {
  return variants_with(path, [](const Value&) { return true; });
}

std::vector<std::string> short_variant_names(const std::string& path) {
  return variants_with(path, [](const Value& variant) {
    const Value* is_long = variant.is_map() ? variant.find("long") : nullptr;
    return is_long == nullptr || is_long->text != "true";
  });
}

}  // namespace ricochet::io
