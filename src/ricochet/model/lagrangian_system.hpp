// Systems that a user writes down in minimal coordinates: mass matrix, generalised forces, gaps and tangential
// displacements with their gradients, as functions of time, coordinates and rates. Everything is on plain spans, so
// that a system needs no header but this one.
//
//   M(t, q) dv = f(t, q, v) dt + sum over contacts of (w_N dP_N + w_T dP_T),     dq/dt = v,
//   gap g_N(t, q) >= 0 with gradient w_N = dg_N/dq, displacement g_T(t, q) with w_T = dg_T/dq,
//   relative velocities gamma = w^T v + dg/dt                     (Flores, Leine & Glocker 2010, eqs 22-27)
//
// Coordinates may be lengths, angles, or what the user likes; a contact has gaps in m and impulses in N s. All
// functions must be functions of their arguments alone, because a scheme asks for them several times in a step. They
// may throw: then the step fails with the sentence of the exception.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ricochet/math/types.hpp"
#include "ricochet/model/ids.hpp"

namespace ricochet::model {

class LagrangianSystem {
 public:
  // What touches, and what it touches: "corner1" and "guide".
  struct ContactName {
    std::string first;
    std::string second;
  };

  LagrangianSystem() = default;
  LagrangianSystem(const LagrangianSystem&) = delete;
  LagrangianSystem& operator=(const LagrangianSystem&) = delete;
  virtual ~LagrangianSystem() = default;

  // The names of the coordinates q; n is their number. The rate of `crank` is the velocity v of the same place.
  virtual std::vector<std::string> coordinates() const = 0;

  // The length (m) next to which a gap is nothing: rounding errors follow it.
  virtual double size() const { return 1; }

  // M, n x n, row after row; symmetric and positive definite. It comes as zeros.
  virtual void mass(double time, std::span<const double> q, std::span<double> mass) const = 0;

  // f, n entries, everything but contacts: loads, weight, and the terms of inertia that are quadratic in v. It comes as
  // zeros.
  virtual void force(double time, std::span<const double> q, std::span<const double> v,
                     std::span<double> force) const = 0;

  // Of the part of f that has one, J. What is not in it counts as work of loads.
  virtual double potential(double /*time*/, std::span<const double> /*q*/) const { return 0; }

  // stiffness = -df/dq, damping = -df/dv, n x n, row after row. Both come as zeros, and stay so for a system that does
  // not tell: the solution does not depend on it, but forces that change much within a step are not solved without.
  virtual void tangents(double /*time*/, std::span<const double> /*q*/, std::span<const double> /*v*/,
                        std::span<double> /*stiffness*/, std::span<double> /*damping*/) const {}

  virtual std::vector<ContactName> contacts() const { return {}; }
  // Directions along the surface: 1 for the contacts of a planar scene, 2 in space.
  virtual int slip_directions() const { return 1; }

  // g_N, then g_T of each direction, m.
  virtual void displacements(int /*contact*/, double /*time*/, std::span<const double> /*q*/,
                             std::span<double> /*displacements*/) const {}
  // Their gradients: w_N, then w_T, each n entries. They come as zeros.
  virtual void gradients(int /*contact*/, double /*time*/, std::span<const double> /*q*/,
                         std::span<double> /*gradients*/) const {}
  // Their derivatives with respect to time alone, m/s. They come as zeros.
  virtual void rates(int /*contact*/, double /*time*/, std::span<const double> /*q*/,
                     std::span<double> /*rates*/) const {}

  // Where a contact is and which way its normal points (unit vector; m, world): for pictures and result files.
  struct Place {
    Vector3 point = Vector3::Zero();
    Vector3 normal = Vector3::UnitY();
  };
  virtual Place place(int /*contact*/, double /*time*/, std::span<const double> /*q*/) const { return {}; }
};

// A system in a machine: its coordinates are those of one node. Its contacts belong to the contact rule that names it.
struct System {
  std::string name;
  NodeId node;
  std::shared_ptr<const LagrangianSystem> equations;
};

// Compares gradients and explicit time terms with central differences of the displacements, and looks whether the mass
// matrix is symmetric and positive definite, at the place and a little beside it. Throws std::invalid_argument with a
// sentence that names the wrong entry, what it is and what it should be.
void check_system(const System& system, double time, std::span<const double> q, std::span<const double> v);

}  // namespace ricochet::model
