// How the time of a step grows with the number of spheres, on heaps of equal height and growing footprint that have
// come to rest.
//
// n spheres (bench/sphere_deposit: radius 10 to 14 mm, density 2500 kg/m^3) lie in a box of a floor and four walls
// whose area is proportional to n. All heaps are about as high as 1,000 spheres in a box as wide as high, some ten
// layers: then all have the same loads, and a larger one is more of the same, not a harder problem. They are numbered
// by place, as those of a grid are. Friction 0.3, restitution 0, as in scenes/sphere-container; Moreau-Jean, theta =
// 1/2, tolerance 1e-4, one thread.
//
// Heaps of one size differ by the seed of their deposit. A few spheres that hardly hold may take hundreds of iterations
// in one step of ten, or there may be none, so growth is told by several heaps of each size.
//
// (Mean heights of deposits of 1,000 to 16,000 agree to 5 %. Smaller ones are lower, 500 spheres by a tenth.)
//
// The step of 1e-3 s is that of the scene, too: what lies falls g h^2 = 10 micrometres in it, a thousandth of a radius.
//
// A deposit is loose: it falls together by a third of its height. It is brought to rest with little effort, at most 30
// sweeps in each step, for the same time whatever its size, so that all heaps have come equally far. This has to go on
// long after nothing moves any more: spheres that struck within a step lie as deep in each other as they came, and are
// lifted very slowly (integrate/position_correction). A second simulation then goes on from the
// snapshot of the first, impulses and contact memory included, with the normal settings: some steps that do not count,
// then the window.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/heap_file.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::bench {

// The heap as it is deposited. The same for the same numbers; `which`, from 1, tells heaps of one size apart.
Heap heap_of_equal_height(int spheres, int which = 1);

// How far a heap has come to rest.
struct Rest {
  int steps = 0;       // made so far
  int missed = 0;      // of these, that had too few sweeps
  double kinetic = 0;  // energy over weight times mean radius
  bool lies() const;   // that is at most 1e-5: spheres in the gaps may spin on
};

// What a window of steps took. Means are over its steps.
struct GrowthRow {
  int spheres = 0;
  int which = 1;            // of the heaps of its size
  bool lies = false;        // it had come to rest before
  double contacts = 0;      // mean
  double seconds = 0;       // of the processor, mean
  double iterations = 0;    // mean
  int most_iterations = 0;  // in one step
  int missed = 0;           // steps that missed the tolerance
  double kinetic = 0;       // at the end, as Rest::kinetic
  // Which part of the time went where, from 0 to 1.
  double detecting = 0, building = 0, solving = 0, correcting = 0;
};

class GrowingHeap {
 public:
  explicit GrowingHeap(int spheres, int which = 1);

  // Brings the heap to rest in so many steps. `tell` is called after each. Throws std::runtime_error with a sentence if
  // a step has no result.
  Rest settle(int steps, const std::function<void(const Rest&)>& tell = {});

  // Runs the window once more from where the heap has settled. Steps are the same each time, bit for bit, so of each
  // step the shortest time counts: the others were disturbed.
  void measure(int cold_steps, int steps);
  GrowthRow row() const;

 private:
  simulation::Settings settings() const;
  double kinetic(const simulation::Simulation& run) const;

  Heap heap_;
  model::Model model_;
  double rest_energy_ = 0;  // J: weight times mean radius
  simulation::Simulation run_;
  simulation::Snapshot settled_;
  GrowthRow row_;
  std::vector<double> seconds_;  // of each step of the window, the shortest so far
};

bool are_of_several_sizes(std::span<const GrowthRow> rows);

// The exponent p of t = c n^p, by least squares in the logarithms. Needs two different numbers at least, and takes
// several heaps of one size.
double growth_exponent(std::span<const GrowthRow> rows);

// A sentence for each thing that is not as it should be: an exponent above the limit (between sizes that differ sixteen
// times or more; chance is larger than that between smaller ones), missed steps, heaps that do not lie. Empty if all is
// well.
std::vector<std::string> growth_complaints(std::span<const GrowthRow> rows, double largest_exponent);

}  // namespace ricochet::bench
