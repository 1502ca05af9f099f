// A model, its equations and contacts, and a scheme that walks from instant to instant.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

#include "model/test_models.hpp"
#include "ricochet/integrate/moreau_jean.hpp"
#include "ricochet/integrate/moreau_midpoint.hpp"
#include "ricochet/integrate/nonsmooth_generalized_alpha.hpp"

namespace ricochet::integrate::test {

using namespace ricochet::test;

struct RunnerOptions {
  double h = 1e-3;
  MoreauJeanOptions scheme = {};
  cone::SolveOptions solver = {.tolerance = 1e-14, .max_iterations = 10'000};
};

class Walker {
 public:
  Walker(const model::Model& source, std::unique_ptr<Scheme> with, double step)
      : model(source),
        equations(model),
        contacts(model, equations.map()),
        owner(std::move(with)),
        scheme(*owner),
        h(step) {
    model::validate(model);
    now.state = equations.initial_state();
  }

  virtual ~Walker() = default;  // tests keep runners of several kinds as walkers

  StepStatus try_step() {
    scheme.step({equations, contacts}, now, h, next, report);
    return report.status;
  }

  // A step that must succeed; returns its report.
  const StepReport& step() {
    const double before = energy();
    EXPECT_EQ(try_step(), StepStatus::done);
    std::swap(now, next);
    const StepWorks& w = report.works;
    closing_error = energy() - before -
                    (w.loads + w.drivers - w.damping + w.contact_normal + w.contact_tangential + w.contact_resistance +
                     w.joints + w.numerical + w.projection);
    energy_scale = std::abs(before) + std::abs(energy()) + std::abs(w.loads) + std::abs(w.drivers) + w.damping +
                   std::abs(w.contact_normal) + std::abs(w.contact_tangential) + std::abs(w.contact_resistance) +
                   std::abs(w.joints) + std::abs(w.numerical) + std::abs(w.projection);
    return report;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }

  double energy() const { return equations.kinetic_energy(now.state) + equations.potential_energy(now.state); }
  Vector3 position(int node) const { return mechanics::position(equations.map(), now.state, node); }
  Vector3 velocity(int node) const { return now.state.v.segment<3>(equations.map().v_start(node)); }
  Vector3 angular_velocity(int node) const { return now.state.v.segment<3>(equations.map().v_start(node) + 3); }
  Vector3 momentum() const {
    Vector3 sum = Vector3::Zero();
    for (const model::Body& each : model.bodies) sum += each.mass * velocity(each.node.index);
    return sum;
  }

  const model::Model model;
  const mechanics::Equations equations;
  const contact::ContactSet contacts;
  const std::unique_ptr<Scheme> owner;
  Scheme& scheme;
  double h;
  Instant now, next;
  StepReport report;
  double closing_error = 0, energy_scale = 0;  // J, of the last step
};

class Runner : public Walker {
 public:
  explicit Runner(const model::Model& source, const RunnerOptions& options = {})
      : Walker(source, std::make_unique<MoreauJean>(options.scheme, options.solver), options.h),
        theta(options.scheme.theta) {}
  double theta;
};

class MidpointRunner : public Walker {
 public:
  explicit MidpointRunner(const model::Model& source, double step, const MoreauMidpointOptions& options = {},
                          const cone::SolveOptions& solver = {.tolerance = 1e-14, .max_iterations = 10'000})
      : Walker(source, std::make_unique<MoreauMidpoint>(options, solver), step) {}
};

class AlphaRunner : public Walker {
 public:
  explicit AlphaRunner(const model::Model& source, double step, const NonsmoothGeneralizedAlphaOptions& options = {})
      : Walker(source, std::make_unique<NonsmoothGeneralizedAlpha>(options), step) {}

  const SubproblemReport& level(SubproblemLevel which) const {
    return report.subproblems[static_cast<std::size_t>(which)];
  }
};

// A body on the plane y = 0 (or through the origin with the given normal).
inline void put_on_ground(model::Model& model, const model::ContactLaw& law, const Vector3& normal = Vector3::UnitY()) {
  const int ground = add_surface(model, Vector3::Zero(), normal);
  std::vector<model::Participant> all;
  for (int i = 0; i < static_cast<int>(model.bodies.size()); ++i) all.push_back(body(i));
  add_contact(model, all, {surface(ground)}, law);
}

}  // namespace ricochet::integrate::test
