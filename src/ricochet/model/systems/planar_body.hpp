// A rigid body in the plane above the ground y = 0, in coordinates of its own: x and y of the centre of mass and the
// angle. It touches with given points. A stick with its lower tip and a block with its lower corners are what Acary &
// Collins-Craft 2024, secs 5.1 and 5.2, compute; here they show how a system is written.
//
//   point (p, r) of the body:  gap = y + p sin(angle) + r cos(angle),  slip along -x
#pragma once

#include <utility>

#include "ricochet/model/lagrangian_system.hpp"

namespace ricochet::model {

class PlanarBody final : public LagrangianSystem {
 public:
  struct Point {
    std::string name;
    Vector2 place = Vector2::Zero();  // m, from the centre of mass in the axes of the body
  };
  struct Data {
    double mass = 0;                    // kg
    double inertia = 0;                 // kg m^2
    Vector2 gravity = Vector2::Zero();  // m/s^2
    std::vector<Point> points;
  };

  explicit PlanarBody(Data data) : data_(std::move(data)) {}

  std::vector<std::string> coordinates() const override { return {"x", "y", "angle"}; }
  double size() const override;
  void mass(double time, std::span<const double> q, std::span<double> mass) const override;
  void force(double time, std::span<const double> q, std::span<const double> v, std::span<double> force) const override;
  double potential(double time, std::span<const double> q) const override;
  std::vector<ContactName> contacts() const override;
  void displacements(int contact, double time, std::span<const double> q,
                     std::span<double> displacements) const override;
  void gradients(int contact, double time, std::span<const double> q, std::span<double> gradients) const override;
  Place place(int contact, double time, std::span<const double> q) const override;

 private:
  Data data_;
};

// A bar of this length (m) that touches with its lower tip; upright at the angle 0.
std::shared_ptr<const LagrangianSystem> make_impacting_stick(double length, double mass, double inertia,
                                                             const Vector2& gravity);
// A rectangle that touches with its two lower corners: left, then right.
std::shared_ptr<const LagrangianSystem> make_rocking_block(double width, double height, double mass, double inertia,
                                                           const Vector2& gravity);

}  // namespace ricochet::model
