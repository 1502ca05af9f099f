#include "ricochet/mechanics/gyroscopic.hpp"

#include <vector>

namespace ricochet::mechanics {

namespace {

class Gyroscopic final : public Term {
 public:
  struct Rotor {
    int node = 0;
    int start = 0;  // of Omega in the velocities
    Matrix3 inertia = Matrix3::Zero();
  };

  explicit Gyroscopic(std::vector<Rotor> rotors) : rotors_(std::move(rotors)) {}

  Dependence dependence() const override { return Dependence::nonlinear; }
  bool couples_nodes() const override { return false; }

  void add_force(const State& state, VectorX& force) const override {
    for (const Rotor& rotor : rotors_) {
      const Vector3 omega = state.v.segment<3>(rotor.start);
      force.segment<3>(rotor.start) -= math::cross(omega, rotor.inertia * omega);
    }
  }

  // C = -df/dOmega = Omega~ J - (J Omega)~.
  void add_tangents(const State& state, double damping_factor, double /*stiffness_factor*/,
                    linalg::EffectiveMass& matrix) const override {
    for (const Rotor& rotor : rotors_) {
      const Vector3 omega = state.v.segment<3>(rotor.start);
      Matrix6 block = Matrix6::Zero();
      block.bottomRightCorner<3, 3>() =
          damping_factor * (math::skew(omega) * rotor.inertia - math::skew(rotor.inertia * omega));
      matrix.add(rotor.node, rotor.node, block);
    }
  }

  double potential(const State& /*state*/) const override { return 0; }
  double strain_energy(const State& /*state*/) const override { return 0; }
  void add_powers(const State& /*state*/, Powers& /*powers*/) const override {}
  double stage_excess(const State& /*begin*/, const State& /*stage*/, const State& /*end*/, double /*theta*/,
                      double /*h*/) const override {
    return 0;
  }

 private:
  std::vector<Rotor> rotors_;
};

// Omega x (J Omega) vanishes for all Omega exactly if J is a multiple of the identity.
bool is_isotropic(const Matrix3& inertia) { return inertia == inertia(0, 0) * Matrix3::Identity(); }

}  // namespace

std::unique_ptr<Term> make_gyroscopic(const DofMap& map, std::span<const Matrix3> inertia) {
  std::vector<Gyroscopic::Rotor> rotors;
  for (int node = 0; node < map.nodes(); ++node) {
    if (!map.is_frame(node) || is_isotropic(inertia[node])) continue;
    const int start = map.v_start(node) + 3;
    // About a single axis Omega x (J Omega) is normal to that axis: no free component feels it.
    int moving = 0;
    for (int i = 0; i < 3; ++i) moving += static_cast<int>(map.is_free(start + i) || map.is_driven(start + i));
    if (moving > 1) rotors.push_back({node, start, inertia[node]});
  }
  if (rotors.empty()) return nullptr;
  return std::make_unique<Gyroscopic>(std::move(rotors));
}

}  // namespace ricochet::mechanics
