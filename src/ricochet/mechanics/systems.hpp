// Systems that users write down (model/lagrangian_system.hpp) in the equations of motion: their forces are a term like
// any other, their mass depends on the state.
//
// The ledger needs to know what a system's forces do. With the energies T = v.M v/2 and V,
//
//   dT/dt + dV/dt = v.f + v.(dM/dt) v/2 + dV/dt =: P    (without contacts),
//
// because M dv/dt = f. P is the power of what is neither in V nor inertia: it counts as loads, and is zero for a system
// that conserves energy. dM/dt and dV/dt along the motion are taken by central differences over a small part of the
// step. What the scheme itself does to the energy is then known without the solution of the step:
//
//   T_1 - T_0 + V_1 - V_0 - v_s.M_s (v_1 - v_0) + h v_s.f_s - h P        at the stage s.
#pragma once

#include <vector>

#include "ricochet/mechanics/term.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

class Systems final : public Term {
 public:
  // Checks every system at its start (model::check_system).
  Systems(const model::Model& model, const DofMap& map);

  // M of all systems at a state: into the matrix, times a vector (only the entries of systems are written), as a
  // quadratic form, and its diagonal.
  void add_mass(const State& state, linalg::EffectiveMass& matrix) const;
  void multiply_mass(const State& state, const VectorX& v, VectorX& momentum) const;
  double mass_norm_squared(const State& state, const VectorX& dv) const;
  void mass_diagonal(const State& state, VectorX& diagonal) const;

  Dependence dependence() const override { return Dependence::nonlinear; }
  bool couples_nodes() const override { return has_large_; }
  void add_force(const State& state, VectorX& force) const override;
  void add_tangents(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const override;
  double potential(const State& state) const override;
  double strain_energy(const State& /*state*/) const override { return 0; }
  double energy_size(const State& state) const override;
  void add_powers(const State& /*state*/, Powers& /*powers*/) const override {}  // all of it is prescribed work
  double prescribed_work(const State& begin, const State& end) const override;
  double stage_excess(const State& begin, const State& stage, const State& end, double theta, double h) const override;

 private:
  struct Moment {  // of one system: a part of a state
    double time = 0;
    VectorX q, v;
  };
  // Each system has its own, so that nothing is allocated in a step. One simulation is asked by one thread at a time.
  struct Workspace {
    MatrixX mass, stiffness, damping;
    VectorX force;
    Moment middle, moved;
  };
  struct Entry {
    const model::LagrangianSystem* equations = nullptr;
    int node = 0;
    int q_start = 0, v_start = 0, size = 0;
    mutable Workspace work = {};
  };

  static const MatrixX& mass(const Entry& entry, double time, const double* q);
  static double power(const Entry& entry, const Moment& at, double h);  // P, W
  static double kinetic(const Entry& entry, const State& state);
  static void set_middle(const Entry& entry, const State& begin, const State& end);

  std::vector<Entry> entries_;
  bool has_large_ = false;  // a system with more coordinates than a body
};

}  // namespace ricochet::mechanics
