// Rigid bodies and the points where they touch, made into a contact problem in global form: one time step of h.
//
//   M v = f + H^T r,      f = M v0 + h (m g, 0),      u = H v,      w = 0
//
// A body has 6 components: the velocity of its centre of mass, then its angular velocity, both in world axes (within
// one problem the convention does not matter: another one only changes M, H and f together). M is block diagonal with
// the blocks diag(m 1, J), J about the centre of mass in world axes. Gyroscopic torques are left out: no body spins. A
// contact is between A and B (or the ground), its normal n points from B to A, u = (n, t1, t2) . (velocity of A's point
// - velocity of B's point); with the lever l from the centre of mass, d . (v + omega x l) = d . v + (l x d) . omega.
#pragma once

#include <vector>

#include "ricochet/cone/global_problem.hpp"
#include "ricochet/model/mass_properties.hpp"

namespace ricochet::bench {

class RigidAssembly {
 public:
  static constexpr int ground = -1;

  // Returns its number, from 0. `properties` in world axes. It starts at rest.
  int add_body(const model::MassProperties& properties);
  int bodies() const { return static_cast<int>(bodies_.size()); }

  void add_contact(int a, int b, const Vector3& point, const Vector3& normal, double friction);
  int contacts() const { return static_cast<int>(contacts_.size()); }

  void set_velocity(int body, const Vector3& velocity) { bodies_[body].velocity = velocity; }  // v0, m/s
  void add_force(int body, const Vector3& force) { bodies_[body].force += force; }             // at the centre, N

  // The problem of a step of h seconds under gravity (0, 0, -9.81 m/s^2) and the forces.
  cone::GlobalContactProblem problem(double step) const;

 private:
  struct Body {
    model::MassProperties properties;
    Vector3 velocity = Vector3::Zero();
    Vector3 force = Vector3::Zero();
  };
  struct Contact {
    int a = 0, b = 0;
    Vector3 point, normal;
    double friction = 0;
  };

  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
};

}  // namespace ricochet::bench
