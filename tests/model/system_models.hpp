// Systems in minimal coordinates for the tests.
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "model/test_models.hpp"
#include "ricochet/model/systems/planar_body.hpp"
#include "ricochet/model/systems/slider_crank.hpp"

namespace ricochet::test {

// Adds the node, the system and, if it has contacts, their rule, all of one name.
inline int add_system(model::Model& model, std::shared_ptr<const model::LagrangianSystem> equations, const VectorX& q,
                      const VectorX& v, const model::ContactLaw& law = {}, const std::string& name = "mechanism") {
  const int index = static_cast<int>(model.systems.size());
  model::Node node;
  node.name = name;
  node.kind = model::NodeKind::generalised;
  node.coordinates = q;
  node.rates = v;
  if (!equations->contacts().empty()) {
    model::ContactRule rule;
    rule.name = name;
    rule.law = law;
    rule.system = {index};
    model.contacts.push_back(rule);
  }
  model.systems.push_back({name, {static_cast<int>(model.nodes.size())}, std::move(equations)});
  model.nodes.push_back(node);
  return index;
}

// Table 1 of Flores, Leine & Glocker 2010.
inline model::SliderCrankData flores_data(double clearance = 0.001) {
  return {0.153, 0.306, 0.1, 0.05, clearance, 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4, 2.7e-6, {0, -9.81}};
}

// A mass on a spring with a damper, between walls of which the left one moves: x >= wall(t) = amplitude sin(rate t),
// and a belt along the wall. Everything that a system may have: dissipation, a potential, terms explicit in time.
class DrivenMass : public model::LagrangianSystem {
 public:
  double mass_of = 2, stiffness_of = 30, damping_of = 0.5, amplitude = 0.1, rate = 7, belt = 0.3;

  std::vector<std::string> coordinates() const override { return {"x", "y"}; }
  void mass(double /*time*/, std::span<const double> /*q*/, std::span<double> mass) const override {
    mass[0] = mass[3] = mass_of;
  }
  void force(double time, std::span<const double> q, std::span<const double> v,
             std::span<double> force) const override {
    force[0] = -stiffness_of * q[0] - damping_of * v[0] + std::cos(time);
    force[1] = -damping_of * v[1];
  }
  double potential(double /*time*/, std::span<const double> q) const override {
    return 0.5 * stiffness_of * q[0] * q[0];
  }
  std::vector<ContactName> contacts() const override { return {{"left", "wall"}}; }
  void displacements(int /*contact*/, double time, std::span<const double> q,
                     std::span<double> displacements) const override {
    displacements[0] = q[0] - amplitude * std::sin(rate * time);
    displacements[1] = q[1] - belt * time;
  }
  void gradients(int /*contact*/, double /*time*/, std::span<const double> /*q*/,
                 std::span<double> gradients) const override {
    gradients[0] = gradients[3] = 1;
  }
  void rates(int /*contact*/, double time, std::span<const double> /*q*/, std::span<double> rates) const override {
    rates[0] = -amplitude * rate * std::cos(rate * time);
    rates[1] = -belt;
  }
};

}  // namespace ricochet::test
