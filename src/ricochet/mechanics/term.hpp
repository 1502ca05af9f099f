// A term of the equations of motion: all springs, all loads, gravity. One object per kind, flat arrays inside, so that
// a step makes one virtual call per kind and not per element.
#pragma once

#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::mechanics {

// Power of the forces of a term at one state, in W, by kind: the energy ledger needs them apart.
struct Powers {
  double conservative = 0;  // of forces with a potential
  double loads = 0;         // of prescribed forces
  double damping = 0;       // taken by dampers, >= 0
};

// How the forces of a term depend on the state. A scheme needs Newton iterations only for `nonlinear` ones, and factors
// its matrix once if there are none.
enum class Dependence { none, linear, nonlinear };

class Term {
 public:
  Term() = default;
  Term(const Term&) = delete;
  Term& operator=(const Term&) = delete;
  virtual ~Term() = default;

  virtual Dependence dependence() const = 0;
  // True if a tangent couples different nodes, so that the effective mass is not block-diagonal.
  virtual bool couples_nodes() const = 0;

  // f += generalised force (N, N m) at the state's time, coordinates and velocities.
  virtual void add_force(const State& state, VectorX& force) const = 0;

  // matrix += damping_factor * C + stiffness_factor * K with C = -df/dv and K = -df/dq (rotations: body increments).
  virtual void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                            linalg::EffectiveMass& matrix) const = 0;

  virtual double potential(const State& state) const = 0;      // J
  virtual double strain_energy(const State& state) const = 0;  // J, the elastic part of the potential
  // The energy that the parts of the potential would have if they did not cancel, such as k (l^2 + l_0^2)/2 of a spring
  // at rest, in J: the rounding error of the force follows it.
  virtual double energy_size(const State& state) const { return strain_energy(state); }
  virtual void add_powers(const State& state, Powers& powers) const = 0;

  // What the model itself puts into the potential by changing it, such as the rest position of a spring that moves with
  // time: the integral of dV/dt at constant coordinates, in J. The ledger counts it as work of loads.
  virtual double prescribed_work(const State& /*begin*/, const State& /*end*/) const { return 0; }

  // The energy that a theta scheme itself adds through the potential when it takes the force at the stage
  // q_theta = (1 - theta) q_begin + theta q_end:  V(end) - V(begin) + f(stage).(q_end - q_begin) - prescribed work, in
  // J. The step h (s) is given because the difference of two large times is not it. For a quadratic potential this is
  // (1/2 - theta) |q_end - q_begin|^2_K (Acary & Collins-Craft 2024, eq 65).
  virtual double stage_excess(const State& begin, const State& stage, const State& end, double theta,
                              double h) const = 0;

  // Replaces the entries of state.angles that belong to this term by the angles at the state, which is h (s) later than
  // the entries. Throws std::runtime_error with a sentence if an angle changes so fast that h is half a turn or more:
  // the turns cannot be counted then.
  virtual void update_angles(State& /*state*/, double /*h*/) const {}
};

}  // namespace ricochet::mechanics
