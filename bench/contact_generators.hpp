// Contact problems of every kind and size, made by geometry: to measure solvers on what structures and heaps ask of
// them, from one contact to tens of thousands. Each is one time step of rigid bodies (bench/rigid_assembly) that rest
// under gravity, v0 = 0, or that are struck: with an impact speed, the bodies named below arrive with that speed, three
// fifths of it sideways (along x) and four fifths downwards, while all others rest. Masses, inertias, contact points
// and frames are those of homogeneous solids of the stated shapes; SI units. Same arguments, same bits.
//
//   box_stack      cubes of 0.2 m on each other, four contacts at the corners of each face: 4n. The masses grow as a
//                  geometric sequence from 1 kg at the bottom to mass_ratio at the top (heavy on light). Struck: the
//                  highest.
//   arch           a semicircle of n voussoirs, four contacts at the corners of each joint, both ends on the ground:
//                  4(n + 1). Inner radius 1 m, outer 1.3 m (thick enough to stand: the thrust line of a semicircle
//                  needs 10.8 % of the mean radius), depth 0.4 m, 2,400 kg/m^3. Struck: the keystone.
//   plank_tower    layers of parallel planks, each layer across the one below, as from Kapla: planks of 8 mm height
//                  and 24 mm width, as long as the layer below is wide; at each crossing four contacts at the corners
//                  of the common square. With p planks per layer, 4p on the ground and 4p^2 per layer above. 700
//                  kg/m^3. Struck: the highest layer.
//   sphere_heap    spheres poured into a box (bench/sphere_deposit says how): about three contacts per sphere, between
//                  spheres, with the floor and with the walls. Struck: the last tenth that was poured.
//   pressed_row    n spheres of 0.1 m radius on the floor in a row that begins at a wall, the last pressed towards it
//                  with ten times its weight: 2n. Every sphere is held by the friction of its neighbours. Struck: the
//                  last one, towards the others.
//   hanging_chain  links of 0.2 m and 1 kg that hang in each other, the highest from the ceiling: n contacts, the k-th
//                  from below carries k links, whatever the friction. Struck: the lowest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ricochet/cone/global_problem.hpp"

namespace ricochet::bench {

struct StepOptions {
  double step = 1e-3;       // h, s
  double friction = 0.5;    // of all contacts
  double impact_speed = 0;  // m/s
};

// All throw std::invalid_argument if there is no body to be made.
cone::GlobalContactProblem box_stack(int boxes, double mass_ratio = 1, const StepOptions& options = {});
cone::GlobalContactProblem arch(int voussoirs, const StepOptions& options = {});
cone::GlobalContactProblem plank_tower(int layers, int planks_per_layer = 2, const StepOptions& options = {});
cone::GlobalContactProblem sphere_heap(int spheres, std::uint64_t seed = 1, const StepOptions& options = {});
cone::GlobalContactProblem pressed_row(int spheres, const StepOptions& options = {});
cone::GlobalContactProblem hanging_chain(int links, const StepOptions& options = {});

struct GeneratedProblem {
  std::string name;
  std::function<cone::GlobalContactProblem()> make;
};

// The fixed list that stands in the table of docs/solvers.md, from 1 contact to about 20,000.
std::vector<GeneratedProblem> generated_problems();

}  // namespace ricochet::bench
