// A heap: boxes and balls between planes, moving freely otherwise, and the motion of each at one instant. As a text, so
// that other simulators (bench/peers) can start from exactly where Ricochet starts:
//
//   step H                                       s
//   gravity X Y Z                                m/s^2
//   friction MU                                  of all contacts; restitution is 0
//   plane PX PY PZ NX NY NZ                      m; any number of them, bodies are on the side of the normal
//   box MASS HX HY HZ  X Y Z  W QX QY QZ  VX VY VZ  OX OY OZ      any number of them
//   ball MASS R 0 0    (the same)
//
// A body has its mass (kg), half extents or radius (m), the position of its centre (m), the quaternion that takes body
// to world, velocity (m/s, world) and angular velocity (rad/s, body axes). Inertia is that of the homogeneous solid.
// Numbers have 17 digits: what is read is what was written.
#pragma once

#include <string>
#include <vector>

#include "ricochet/mechanics/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::bench {

struct HeapBody {
  bool is_ball = false;
  double mass = 0;
  Vector3 size = Vector3::Zero();
  Vector3 position = Vector3::Zero();
  math::Quaternion orientation;
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();
};

struct HeapPlane {
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();
};

struct Heap {
  double step = 0;
  Vector3 gravity = Vector3::Zero();
  double friction = 0;
  std::vector<HeapPlane> planes;
  std::vector<HeapBody> bodies;
};

// Both throw std::invalid_argument with a sentence that names file and line, or that says what cannot be in a heap.
Heap read_heap(const std::string& path);
Heap heap_of(const model::Model& model, const mechanics::State& state, double step);

void write_heap(const Heap& heap, const std::string& path);

// All bodies may touch each other and all planes.
model::Model model_of(const Heap& heap);

}  // namespace ricochet::bench
