// A random dense packing of spheres in a box with a floor and four walls, by deposition: spheres come one after the
// other and never move again.
//
// A new sphere has a random radius (10 to 14 mm, uniform) and a random point of the floor below it. Vertically above
// that point it would first touch something at some height; around there it comes to rest at the lowest place that is
// within one largest diameter of the vertical and not more than one below that height, overlaps nothing, and is
// carried, which means: with n_i the unit normals from its supports to its centre, gravity is balanced without
// friction,
//
//   sum lambda_i n_i = e_z    with all  lambda_i >= 0.
//
// The supports are the floor alone, or three of the spheres and walls. The place need not be reachable from above. If
// there is none, the sphere tries the next random point. Every touch is exact to round-off: the place is where the
// conditions |c - c_i| = r + r_i (or n_i . c = d_i + r) hold. So each sphere adds its one or three supports, and
// whatever else it touches to within 1e-9 of its radius, to the contacts.
//
// The sphere is in equilibrium under its own weight. What later spheres load on it may ask for friction, or be too much
// for it: most of the heap rests, and some spheres may move.
#pragma once

#include <cstdint>
#include <vector>

#include "ricochet/math/types.hpp"

namespace ricochet::bench {

struct DepositedSphere {
  Vector3 center;
  double radius;
};

struct SphereTouch {
  int sphere;      // which touches
  int support;     // an earlier sphere, or -1 for floor and walls
  Vector3 normal;  // from the support to the sphere
};

struct SphereDeposit {
  std::vector<DepositedSphere> spheres;
  std::vector<SphereTouch> touches;
  double width = 0;  // of the box: 0 <= x, y <= width
};

// The width (m) of a box in which the heap of so many spheres is about as high as the box is wide.
double cubic_width(int count);

// In a box of that width,
SphereDeposit deposit_spheres(int count, std::uint64_t seed);
// or of another: at least two of the largest diameters. Throws std::invalid_argument if it is less.
SphereDeposit deposit_spheres(int count, std::uint64_t seed, double width);

}  // namespace ricochet::bench
