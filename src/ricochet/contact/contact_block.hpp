// What of a contact a block of the velocity problem holds, and where: the layouts of cone/contact_law.
//
//   sliding alone                 n, t1 (planar) or n, t1, t2
//   rolling resistance            n, t1, t2, R1, R2         relative angular velocity about t1 and t2
//   and spinning resistance       n, t1, t2, R1, R2, S      and about n
//   coupled sliding and spinning  n, t1, t2, a S            with the arm a = spinning/friction (at rest)
//   and rolling                   n, t1, t2, a S, R1, R2
//
// Impulses have moments in the same places, that of the coupled component divided by its arm. In planar scenes contacts
// that resist rolling have the blocks of space: what cannot move there feels nothing.
#pragma once

#include "ricochet/math/types.hpp"
#include "ricochet/model/coefficient.hpp"

namespace ricochet::contact {

struct ContactBlock {
  int size = 3;
  int linear = 3;  // components of n, t1 and t2
  int roll = -1;   // where R1 and R2 are; -1: nowhere
  int spin = -1;   // where S is
  double arm = 1;  // of S: m if it is coupled, else 1

  static ContactBlock of_law(const model::ContactLaw& law, bool planar) {
    const bool rolls = law.rolling > 0, spins = law.spinning > 0;
    if (!rolls && !spins) return planar ? ContactBlock{2, 2} : ContactBlock{};
    if (law.is_coupled()) return {rolls ? 6 : 4, 3, rolls ? 4 : -1, 3, law.spinning / law.friction.at(0)};
    return {spins ? 6 : 5, 3, 3, spins ? 5 : -1};
  }

  bool resists() const { return size > 3; }  // rolling or spinning

  // From and to components (n, t1, t2) of velocity and angular velocity, or of impulse and moment.
  template <class Segment>
  void set_velocity(const Vector3& velocity, const Vector3& angular, Segment&& block) const {
    set(velocity, angular, arm, block);
  }
  template <class Segment>
  void set_impulse(const Vector3& impulse, const Vector3& moment, Segment&& block) const {
    set(impulse, moment, 1 / arm, block);
  }
  template <class Segment>
  Vector3 linear_part(const Segment& block) const {
    return {block[0], block[1], linear > 2 ? block[2] : 0.0};
  }
  template <class Segment>
  Vector3 angular_velocity(const Segment& block) const {
    return angular_part(block, arm);
  }
  template <class Segment>
  Vector3 moment(const Segment& block) const {
    return angular_part(block, 1 / arm);
  }

 private:
  template <class Segment>
  void set(const Vector3& linear_part, const Vector3& angular, double weight, Segment& block) const {
    for (int k = 0; k < linear; ++k) block[k] = linear_part[k];
    if (spin >= 0) block[spin] = weight * angular[0];
    for (int k = 0; k < 2 && roll >= 0; ++k) block[roll + k] = angular[1 + k];
  }
  template <class Segment>
  Vector3 angular_part(const Segment& block, double weight) const {
    return {spin >= 0 ? block[spin] / weight : 0.0, roll >= 0 ? block[roll] : 0.0, roll >= 0 ? block[roll + 1] : 0.0};
  }
};

}  // namespace ricochet::contact
