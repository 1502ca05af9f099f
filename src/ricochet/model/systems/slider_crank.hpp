// A slider-crank whose slider has a clearance in its guide, in minimal coordinates (Flores, Leine & Glocker 2010, sec.
// 6, eqs 86-114): angles of the crank, of the connecting rod and of the slider, each against the x axis. The joints
// between them are ideal. The guide runs along x through the axis of the crank.
//
//   corner 1  upper left   (-a, +b) of the slider against the upper side of the guide
//   corner 2  upper right  (+a, +b)
//   corner 3  lower left   (-a, -b) against the lower side
//   corner 4  lower right  (+a, -b)
//
// The sides of the guide are 2 (b + c) apart. Tangents are those of this house, z x n: +x above, where the normal is
// -y, and -x below, so the friction of corners 3 and 4 has the other sign than in the paper.
#pragma once

#include "ricochet/model/lagrangian_system.hpp"

namespace ricochet::model {

struct SliderCrankData {
  double crank_length = 0;            // m, l1
  double rod_length = 0;              // m, l2
  double slider_length = 0;           // m, 2a
  double slider_width = 0;            // m, 2b
  double clearance = 0;               // m, c: to either side of a slider in the middle
  double crank_mass = 0;              // kg, m1; centres of mass are in the middle of each link
  double rod_mass = 0;                // kg, m2
  double slider_mass = 0;             // kg, m3
  double crank_inertia = 0;           // kg m^2, J1, each about its centre of mass
  double rod_inertia = 0;             // kg m^2, J2
  double slider_inertia = 0;          // kg m^2, J3
  Vector2 gravity = Vector2::Zero();  // m/s^2
};

class SliderCrank final : public LagrangianSystem {
 public:
  explicit SliderCrank(const SliderCrankData& data) : data_(data) {}

  std::vector<std::string> coordinates() const override { return {"crank", "rod", "slider"}; }
  double size() const override { return data_.crank_length + data_.rod_length + data_.slider_length; }
  void mass(double time, std::span<const double> q, std::span<double> mass) const override;
  void force(double time, std::span<const double> q, std::span<const double> v, std::span<double> force) const override;
  void tangents(double time, std::span<const double> q, std::span<const double> v, std::span<double> stiffness,
                std::span<double> damping) const override;
  double potential(double time, std::span<const double> q) const override;
  std::vector<ContactName> contacts() const override;
  void displacements(int contact, double time, std::span<const double> q,
                     std::span<double> displacements) const override;
  void gradients(int contact, double time, std::span<const double> q, std::span<double> gradients) const override;
  Place place(int contact, double time, std::span<const double> q) const override;

 private:
  // Masses that the end of the crank and that of the rod carry, seen by gravity.
  double crank_weight() const { return 0.5 * data_.crank_mass + data_.rod_mass + data_.slider_mass; }
  double rod_weight() const { return 0.5 * data_.rod_mass + data_.slider_mass; }

  SliderCrankData data_;
};

}  // namespace ricochet::model
