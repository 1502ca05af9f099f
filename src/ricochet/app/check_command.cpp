#include <fmt/format.h>

#include <algorithm>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/io/json_schema.hpp"
#include "ricochet/io/scene_choice.hpp"
#include "ricochet/io/scene_notices.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/scene_reference.hpp"
#include "ricochet/linalg/row_rank.hpp"
#include "ricochet/mechanics/equations.hpp"
#include "ricochet/mechanics/joints/mobility.hpp"

namespace ricochet::app {

namespace {

constexpr double kNearlySingular = 1e8;  // conditioning beyond which hardly any digits of reactions are left
constexpr std::size_t kMostNames = 10;

std::string counted(int number, const char* singular, const char* plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

// "2 of 'hinge', 5 of 'door'"
std::string dependent_joints(const mechanics::Mobility& mobility) {
  std::string names;
  for (std::size_t i = 0; i < std::min(mobility.dependent.size(), kMostNames); ++i) {
    names += fmt::format("{}{} of '{}'", i == 0 ? "" : ", ", mobility.dependent[i].rows, mobility.dependent[i].name);
  }
  return mobility.dependent.size() > kMostNames ? names + ", ..." : names;
}

// What joints and velocity conditions leave of the degrees of freedom of the bodies, in sentences; nothing if there are
// none.
std::string joint_sentences(const model::Model& model, const mechanics::Mobility& mobility) {
  if (mobility.rows == 0) return "";
  const char* holders = model.velocity_rows.empty() ? "joints and drives"
                        : model.joints.empty()      ? "velocity conditions"
                                                    : "joints, drives and velocity conditions";
  if (!mobility.counted) {
    return fmt::format("  {} of {}; what they leave is not computed for more than {}\n",
                       counted(mobility.rows, "equation", "equations"), holders, linalg::most_sparse_rows);
  }
  const auto freedoms = [](int number) { return counted(number, "degree of freedom", "degrees of freedom"); };
  std::string text = fmt::format("  {} of {} {} the machine {} (contacts not counted)\n",
                                 counted(mobility.rows, "equation", "equations"), holders,
                                 mobility.rows == 1 ? "leaves" : "leave", freedoms(mobility.degrees_of_freedom()));
  if (mobility.redundant_rows() > 0) {
    text += fmt::format(
        "  {} others, in the order of the scene: {}. The motion is right, but the reactions of joints that share a "
        "load "
        "so are not unique\n",
        counted(mobility.redundant_rows(), "of them follows from", "of them follow from"), dependent_joints(mobility));
  }
  if (mobility.is_singular()) {
    text += fmt::format(
        "  warning: the machine starts in a singular position, with {} there and {} elsewhere: where it goes from "
        "there "
        "is left to rounding. Start it a little beside\n",
        freedoms(mobility.components - mobility.rank), mobility.degrees_of_freedom());
  } else if (!mobility.conditioning) {
    text +=
        fmt::format("  conditioning of the joints: not computed for more than {} equations\n", linalg::most_dense_rows);
  } else {
    text += fmt::format("  conditioning of the joints: {:.3g}\n", *mobility.conditioning);
    if (*mobility.conditioning > kNearlySingular) {
      text +=
          "  warning: the machine starts near a singular position, where hardly any digits of the reactions of its "
          "joints "
          "are right. Start it farther away\n";
    }
  }
  return text;
}

std::string description(const study::Case& scene) {
  const model::Model& model = scene.model;
  const mechanics::Equations equations(model);
  const mechanics::Mobility mobility = mechanics::mobility(model, equations);
  const contact::ContactSet contacts(model, equations.map());  // refuses pairs that it does not know
  const auto rows = static_cast<int>(model.velocity_rows.size());
  const std::string conditions = rows == 0 ? "" : ", " + counted(rows, "velocity condition", "velocity conditions");
  // The world is a body only where it carries parts of clearances.
  const auto bodies = std::count_if(model.bodies.begin(), model.bodies.end(),
                                    [](const model::Body& body) { return body.mass > 0 || body.name != "world"; });
  std::string more;
  if (!model.clearances.empty()) {
    more += ", " + counted(static_cast<int>(model.clearances.size()), "clearance", "clearances");
  }
  if (!model.systems.empty()) more += ", " + counted(static_cast<int>(model.systems.size()), "system", "systems");
  return fmt::format(
      "{}: no errors\n  {} bodies, {} surfaces, {} springs, {} joints{}, {} loads, {} drivers, {} contact rules{}\n"
      "  {} degrees of freedom{}, {} steps of {:g} s\n{}  {} probes, {} facts\n",
      scene.id, bodies, model.surfaces.size(),
      model.springs.size() + model.torsion_springs.size() + model.joint_springs.size(), model.joints.size(), conditions,
      model.loads.size(), model.drivers.size(), model.contacts.size() - model.clearances.size() - model.systems.size(),
      more, mobility.components, mobility.rows == 0 ? "" : " of the bodies", simulation::step_count(scene.settings),
      scene.settings.step, joint_sentences(model, mobility), scene.probes.size(), scene.facts.size());
}

}  // namespace

int check_command(const CheckOptions& options) {
  if (options.schema) {
    say(io::json_schema());
    return exit_done;
  }
  if (options.reference) {
    say(io::scene_reference());
    return exit_done;
  }
  const io::SceneChoice choice = io::choose_scene(options.scene, options.variant);
  const io::Scene scene = io::read_scene(choice.path, options.overrides, choice.variant);
  // A variant can be wrong while the scene is right.
  const std::vector<std::string> variants = io::variant_names(choice.path);
  for (const std::string& variant : variants) io::read_scene(choice.path, options.overrides, variant);
  for (const std::string& notice : io::notices_of(scene)) say(fmt::format("notice: {}\n", notice));
  say(description(scene.run_case));
  if (!variants.empty()) say(fmt::format("  {} variants\n", variants.size()));
  return exit_done;
}

}  // namespace ricochet::app
