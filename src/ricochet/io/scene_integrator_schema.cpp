#include "ricochet/io/scene_integrator_schema.hpp"

#include "ricochet/cone/solver_table.hpp"
#include "ricochet/simulation/settings.hpp"

namespace ricochet::io {

namespace {

template <class Names>
std::vector<std::string> words(const Names& names) {
  return {names.begin(), names.end()};
}

}  // namespace

// Options stand beside `scheme`, or in a group with the name of the scheme so that one scene carries options for
// several.
Type integrator_type() {
  const Field halvings =
      optional("halvings", integer().at_least(0), "6",
               "How often a step that does not converge is halved before the run stops. Counted in the summary.");
  const Field impacts =
      optional("impacts", choice(words(integrate::impact_order_names)), "simultaneous",
               "Several impacts in one step: `simultaneous`, one problem for all closed contacts; `sequence`, those "
               "that approach, then those that approach because of them, and so on, as in Newton's cradle (in "
               "`moreau-jean` with the impact law `newton`).");
  const Field max_passes =
      optional("max_passes", integer().at_least(1), "1000", "Passes of a sequence of impacts in a step.");
  const std::vector<Field> moreau_jean = {
      optional(
          "theta", number().between(0.5, 1), "0.5",
          "Where in the step forces are taken: 0.5 conserves the energy of smooth linear motion, 1 dissipates most."),
      optional(
          "impact", choice(words(integrate::impact_law_names)), "newton",
          "Impact law. `newton`: the velocity after obeys Coulomb's law; with friction it may create energy at any "
          "θ. `fremond`: the mean velocity does; it never creates energy if θ ≤ 1/(1 + restitution). `poisson`: "
          "the impulse of decompression is `restitution` times that of compression."),
      optional("active_set", choice(words(integrate::active_set_names)), "closed",
               "Which contacts take part in a step: those `closed` at its start, or only those of them that are not "
               "opening already (`approaching`; contacts at rest may then flicker with rounding)."),
      optional("allow_energy_growth", boolean(), "false",
               "`true`: with `fremond` run also where θ > 1/(1 + restitution), where energy may grow."),
      optional("projection", choice(words(integrate::projection_names)), "position",
               "Joints and resting contacts at the end of a step: `position` closes joints again, with positions and "
               "velocities moved as little as possible, and holds bodies that have rested for twenty steps where they "
               "rest (what is deeper than it falls in one step is lifted slowly), with velocities left alone; `none` "
               "leaves both as the step did, and they drift."),
      impacts,
      max_passes,
      optional("motion_tolerance", number().between(1e-15, 1e-2), "1e-12",
               "Relative residual of the equations of motion when forces are nonlinear."),
      halvings,
  };
  const std::vector<Field> moreau_midpoint = {
      optional("projection", choice(words(integrate::projection_names)), "position", "As in `moreau-jean`."),
  };
  const std::vector<Field> generalized_alpha = {
      optional("spectral_radius", number().between(0, 1), "0.8",
               "ρ∞: what is left of infinitely fast vibrations after a step. 1 conserves, 0 takes them at once."),
      optional("position_friction", boolean(), "true",
               "`false`: friction at the velocity level alone. What sticks then creeps: for comparison."),
      impacts,
      max_passes,
      optional("tolerance", number().between(1e-15, 1), "1e-11",
               "At which residual the sub-problems are solved: see `stopping_test`. The smooth one also ends where its "
               "velocities change by less than 1e-12."),
      optional(
          "stopping_test", choice(words(integrate::stopping_test_names)), "relative",
          "`relative`: the residual against the sum of all contributions to it. `absolute`: the residual itself, in "
          "the kinetic norm (√J of velocities, √(kg m²) of positions)."),
      optional("max_iterations", integer().at_least(1), "60",
               "Newton iterations after which a sub-problem counts as failed."),
      optional(
          "subproblem_solver", choice(words(integrate::subproblem_solver_names)), "auto",
          "How contacts of a sub-problem are solved: `newton`, semismooth Newton on the augmented Lagrangian; `cone`, "
          "the contact solvers within each Newton step; `auto`, Newton for few contacts."),
      optional(
          "penalty_normal", number().above(0), "1",
          "Penalty factor of the augmented Lagrangian along normals, as a multiple of the mass that a contact feels. "
          "Results do not depend on it."),
      optional("penalty_tangential", number().above(0), "1", "The same along tangents."),
      optional("scaling", number().above(0), "1", "Scaling factor: the weight of constraints in the line search."),
      halvings,
  };
  Type type = group({
      optional(
          "scheme", choice(words(simulation::scheme_names)), "moreau-jean",
          "Time scheme: `moreau-jean`, the θ-scheme of Moreau and Jean; `moreau-midpoint`, Moreau's explicit midpoint "
          "rule; `nonsmooth-generalized-alpha`, second order between impacts, with contacts, friction and joints exact "
          "at positions and velocities."),
      optional_without_default(
          "moreau-jean", group(moreau_jean), "none",
          "The options of `moreau-jean`, as a group. An option may stand here or beside `scheme`, not in both places."),
      optional_without_default("moreau-midpoint", group(moreau_midpoint), "none",
                               "The options of `moreau-midpoint`, as a group."),
      optional_without_default("nonsmooth-generalized-alpha", group(generalized_alpha), "none",
                               "The options of `nonsmooth-generalized-alpha`, as a group."),
  });
  type.tag = "scheme";
  type.alternatives = {{"moreau-jean", "The θ-scheme of Moreau and Jean.", moreau_jean},
                       {"moreau-midpoint", "Moreau's midpoint rule.", moreau_midpoint},
                       {"nonsmooth-generalized-alpha", "The nonsmooth generalized-α scheme.", generalized_alpha}};
  return type;
}

Type solver_type() {
  return group({
      optional(
          "name", choice(cone::step_solver_names()), "auto",
          "Contact solver: `auto`, Gauss–Seidel with Newton steps where it creeps (small problems); `gauss-seidel`, "
          "nothing else; in planar scenes also `lemke`, pivoting on the linear complementarity problem, and "
          "`enumeration`, every combination of statuses of at most 6 contacts that feel each other: both say whether "
          "there is a second solution."),
      optional("tolerance", number().between(1e-15, 1), "1e-10",
               "Scaled natural-map residual of the contact problem at which a step is solved."),
      optional("max_iterations", integer().at_least(1), "10000",
               "Iterations of one contact problem, of which a step may have several, after which it counts as failed."),
  });
}

}  // namespace ricochet::io
