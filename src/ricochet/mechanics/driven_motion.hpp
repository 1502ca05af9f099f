// Motion of nodes that drivers prescribe. A driven velocity component is eliminated like a fixed one, but it moves:
//
//   end of the step   v_1 = velocity of the function at t_1
//   over the step     v_mean = (x(t_1) - x(t_0))/h for a prescribed position or angle: the node arrives exactly,
//                     v_mean = (v(t_0) + 4 v(t_1/2) + v(t_1))/6 for a prescribed velocity (Simpson's rule)
//
// Schemes move the node by h v_mean and let forces work along v_mean, so that the energy ledger closes. What keeps the
// node on its way is the reaction of the driver, R = M (v_1 - v_0) - h f - H^T p, an impulse on the driven components.
#pragma once

#include <span>
#include <vector>

#include "ricochet/mechanics/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

class DrivenMotion {
 public:
  explicit DrivenMotion(const model::Model& model, const DofMap& map);

  int drivers() const { return drivers_; }  // of the model, those of surfaces too

  // Writes the driven components of v and leaves the others.
  void set_velocity(double time, VectorX& v) const;
  void set_mean_velocity(const State& begin, double h, VectorX& v) const;

  // The initial place and velocity of driven components. A prescribed position moves the node there.
  void set_start(State& state) const;

  // One driven component of a velocity vector: v[index] = factor * velocity of the function.
  struct Component {
    int driver = 0;  // in the model
    int index = 0;   // in the velocities
    double factor = 1;
    model::DriverLevel level = model::DriverLevel::velocity;
    math::TimeFunction function;
    int node = 0;
    int coordinate = -1;  // in q, of a prescribed position
  };
  std::span<const Component> components() const { return components_; }

 private:
  int drivers_ = 0;
  std::vector<Component> components_;
};

}  // namespace ricochet::mechanics
