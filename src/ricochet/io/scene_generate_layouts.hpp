// Generators that lay out bodies: grids, piles, walls, arches and towers.
//
//   generate:
//     stones: {type: wall, layers: 10, blocks: 20, size: [2, 1, 1], bond: running, body: {density: 2300}}
//
// makes bodies stones-1, stones-2 ... Each is the template `body`, in which placeholders ($i) may stand, with a
// position and, where it is turned, an orientation; walls, arches and towers also give it its shape.
//
// A layout has axes of its own: along, across and up. They are x, y, z; in planar scenes x, -z, y. The keys `position`
// and `orientation` of the generator place them in the world. Lengths in m, angles in rad.
//
//   grid    place (i, j, k) is at (i s_x, j s_y, k s_z); x runs first, then y, then z. In planar scenes these are the
//           axes of the world.
//   pile    cubes of the edge `spacing` fill a footprint, layer over layer; each holds one body, somewhere in it
//   tower   blocks on each other, each turned against the one below
//   wall    layers of blocks in a bond; half blocks leave room for a gap: two of them and a gap are one block
//   arch    voussoirs between radial joints. Number k of n spans the angles from springing + (k - 1) d to springing
//           + k d, d = (pi - 2 springing)/n; its corners are on the circles of the inner and the outer radius.
//
// Random numbers are our own (math::Random): a seed gives the same bodies on every machine.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/scene_generate.hpp"
#include "ricochet/math/random.hpp"
#include "ricochet/math/rotation.hpp"

namespace ricochet::io {

// Where a layout is and what its bodies are called; adds them one by one.
class Layout {
 public:
  Layout(const Entry& settings, Generation& generation);

  bool is_planar() const { return planar_; }
  // From (along, across, up) to the axes of the layout: a vector, or the vector of a rotation.
  Vector3 axes(const Vector3& vector) const;

  // The next body from the template `body` of the generator or another one, without a place; `further` are indices
  // beside its number.
  Value make();
  Value make(const Value& body, const std::string& path, const std::vector<GeneratorIndex>& further);
  // Puts it at a place in the axes of the layout, turned.
  void add(Value body, const Vector3& position, const math::Quaternion& turn);
  void add_shape(Value shape, const Vector3& position, const math::Quaternion& turn);  // of the body of the template

  std::string next_name() const { return name_ + "-" + std::to_string(count_ + 1); }
  const Type& body_type() const { return body_.type(); }

 private:
  Generation& generation_;
  Entry body_;
  bool planar_ = false;
  std::string name_;
  std::string index_;
  Vector3 position_;
  math::Quaternion orientation_;
  int count_ = 0;
};

// A number, a list of numbers and a box as a scene would write them.
Value number_value(double number);
Value list_value(const std::vector<double>& numbers);
Value box_value(const Layout& layout, const Vector3& size);  // along, across, up

// All orientations are equally likely: a direction in the space of quaternions, in the plane of those about z.
math::Quaternion random_orientation(math::Random& random, bool planar);

void grid(const Entry& settings, Generation& generation);
void pile(const Entry& settings, Generation& generation);  // scene_generate_pile.cpp
void wall(const Entry& settings, Generation& generation);
void arch(const Entry& settings, Generation& generation);
void tower(const Entry& settings, Generation& generation);

}  // namespace ricochet::io
