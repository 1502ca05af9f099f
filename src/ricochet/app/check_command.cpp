#include <fmt/format.h>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/app/scene_choice.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/io/json_schema.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/scene_reference.hpp"
#include "ricochet/mechanics/joints/joint_set.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::app {

namespace {

// What joints take of the degrees of freedom of the bodies, if none of their equations says what others say already.
std::string joint_rows(const model::Model& model, const mechanics::DofMap& map) {
  const int rows = mechanics::JointSet(model, map, 0).rows();
  return rows == 0 ? "" : fmt::format(" of the bodies with {} equations of joints", rows);
}

std::string description(const study::Case& scene) {
  const model::Model& model = scene.model;
  const mechanics::DofMap map(model);
  int freedoms = 0;
  for (const char free : map.free_components()) freedoms += free != 0 ? 1 : 0;
  const contact::ContactSet contacts(model, map);  // refuses pairs that it does not know
  return fmt::format(
      "{}: no errors\n  {} bodies, {} surfaces, {} springs, {} joints, {} loads, {} drivers, {} contact rules\n"
      "  {} degrees of freedom{}, {} steps of {:g} s\n  {} probes, {} facts\n",
      scene.id, model.bodies.size(), model.surfaces.size(), model.springs.size() + model.torsion_springs.size(),
      model.joints.size(), model.loads.size(), model.drivers.size(), model.contacts.size(), freedoms,
      joint_rows(model, map), simulation::step_count(scene.settings), scene.settings.step, scene.probes.size(),
      scene.facts.size());
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
  const SceneChoice choice = choose_scene(options.scene, options.variant);
  const io::Scene scene = io::read_scene(choice.path, options.overrides, choice.variant);
  // A variant can be wrong while the scene is right.
  const std::vector<std::string> variants = io::variant_names(choice.path);
  for (const std::string& variant : variants) io::read_scene(choice.path, options.overrides, variant);
  for (const std::string& notice : notices_of(scene)) say(fmt::format("notice: {}\n", notice));
  say(description(scene.run_case));
  if (!variants.empty()) say(fmt::format("  {} variants\n", variants.size()));
  return exit_done;
}

}  // namespace ricochet::app
