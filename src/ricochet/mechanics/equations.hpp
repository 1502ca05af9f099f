// The equations of motion of a Model: M dv = f(t, q, v) dt + H^T dp, with energies. Contact is not known here.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/mechanics/driven_motion.hpp"
#include "ricochet/mechanics/joints/joint_actions.hpp"
#include "ricochet/mechanics/joints/joint_set.hpp"
#include "ricochet/mechanics/presence.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/mechanics/systems.hpp"
#include "ricochet/mechanics/term.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

class Equations {
 public:
  explicit Equations(const model::Model& model);

  const DofMap& map() const { return map_; }
  const DrivenMotion& driven_motion() const { return driven_motion_; }
  State initial_state() const { return initial_state_; }
  double size() const { return size_; }  // m, see model::machine_size

  // The strongest dependence among the terms.
  Dependence dependence() const { return dependence_; }

  // The matrix that fits the couplings of this model, with nothing assembled yet.
  std::unique_ptr<linalg::EffectiveMass> make_effective_mass() const;

  const JointSet& joints() const { return *joints_; }
  const JointActions& joint_actions() const { return joint_actions_; }
  const Presence& presence() const { return presence_; }

  // matrix = M + damping_factor C + stiffness_factor K at the state, with the rows of joints (JointSet::gradients at
  // whatever state the scheme takes them), factorised. Multipliers of joints that turn with the bodies have a stiffness
  // of their own: with them, matrix -= multiplier_factor d(G^T lambda)/dq.
  void assemble(const State& state, double damping_factor, double stiffness_factor,
                const linalg::BlockSparseMatrix& joint_rows, linalg::EffectiveMass& matrix) const;
  void assemble(const State& state, double damping_factor, double stiffness_factor,
                const linalg::BlockSparseMatrix& joint_rows, const VectorX& multipliers, double multiplier_factor,
                linalg::EffectiveMass& matrix) const;

  // The same in parts, for a scheme that has more to add: clears the matrix and adds M + damping_factor C +
  // stiffness_factor K; rows and factorisation are left to the caller.
  void begin_matrix(const State& state, double damping_factor, double stiffness_factor,
                    linalg::EffectiveMass& matrix) const;
  double total_mass() const;                                                     // kg
  double node_mass(int node) const { return masses_[node].mass; }                // kg
  const Matrix3& node_inertia(int node) const { return masses_[node].inertia; }  // kg m^2, about the node

  // f, also on eliminated components, where supports and drivers must carry it.
  void force(const State& state, VectorX& force) const;

  // M v, dv^T M dv and v^T M v/2 (J) with the mass at a state: that of bodies is constant, that of systems is not.
  void multiply_mass(const State& state, const VectorX& v, VectorX& momentum) const;
  double mass_norm_squared(const State& state, const VectorX& dv) const;
  double kinetic_energy(const State& state) const { return 0.5 * mass_norm_squared(state, state.v); }
  bool mass_changes() const { return systems_ != nullptr; }

  // Of M at the start: sizes of masses where no more is needed. kg, kg m^2, or what coordinates of systems have.
  const VectorX& mass_diagonal() const { return mass_diagonal_; }
  // What an impulse of 1 N s along the last row of a block row would change of its velocity if nodes were free and
  // their axes principal, 1/kg: the size of its response, never less than the true one by much.
  double free_response(const linalg::BlockSparseMatrix& rows, int row) const;
  double weight() const { return weight_; }                            // sum of m |g|, N, of what may move freely
  double weight_norm_squared() const { return weight_norm_squared_; }  // sum of m |g|^2 of that, kg m^2/s^4
  double potential_energy(const State& state) const;                   // J, gravity and springs
  double strain_energy(const State& state) const;                      // J, springs only
  double energy_size(const State& state) const;                        // J, see Term
  Powers powers(const State& state) const;
  double prescribed_work(const State& begin, const State& end) const;  // J, see Term
  double stage_excess(const State& begin, const State& stage, const State& end, double theta, double h) const;

  // At the end of a step of h (s), in a state that still has the angles of its beginning. See Term::update_angles.
  void update_angles(State& state, double h) const;

 private:
  void set_mass_diagonal();

  struct NodeMass {
    double mass = 0;                    // kg
    Matrix3 inertia = Matrix3::Zero();  // kg m^2, about the node
  };

  DofMap map_;
  DrivenMotion driven_motion_;
  std::unique_ptr<const JointSet> joints_;  // others know where it is
  JointActions joint_actions_;
  Presence presence_;
  State initial_state_;
  std::vector<NodeMass> masses_;  // per node
  std::vector<std::unique_ptr<Term>> terms_;
  const Systems* systems_ = nullptr;  // one of them
  VectorX mass_diagonal_;
  Dependence dependence_ = Dependence::none;
  bool couples_nodes_ = false;
  double weight_ = 0;
  double weight_norm_squared_ = 0;
  double size_ = 1;
};

}  // namespace ricochet::mechanics
