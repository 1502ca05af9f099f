#include "ricochet/model/systems/slider_crank.hpp"

#include <cmath>

namespace ricochet::model {

namespace {

// Where a corner is on the slider, in halves of its length and width.
struct Corner {
  double along;
  double up;
};
Corner corner_of(int contact) { return {contact % 2 == 0 ? -1.0 : 1.0, contact < 2 ? 1.0 : -1.0}; }

}  // namespace

void SliderCrank::mass(double /*time*/, std::span<const double> q, std::span<double> mass) const {
  const SliderCrankData& d = data_;
  const double l1 = d.crank_length, l2 = d.rod_length;
  mass[0] = d.crank_inertia + (0.25 * d.crank_mass + d.rod_mass + d.slider_mass) * l1 * l1;
  mass[1] = mass[3] = rod_weight() * l1 * l2 * std::cos(q[1] - q[0]);
  mass[4] = d.rod_inertia + (0.25 * d.rod_mass + d.slider_mass) * l2 * l2;
  mass[8] = d.slider_inertia;
}

void SliderCrank::force(double /*time*/, std::span<const double> q, std::span<const double> v,
                        std::span<double> force) const {
  const double l1 = data_.crank_length, l2 = data_.rod_length;
  const double turning = rod_weight() * l1 * l2 * std::sin(q[1] - q[0]);
  const Vector2& g = data_.gravity;
  force[0] = turning * v[1] * v[1] + crank_weight() * l1 * (g.y() * std::cos(q[0]) - g.x() * std::sin(q[0]));
  force[1] = -turning * v[0] * v[0] + rod_weight() * l2 * (g.y() * std::cos(q[1]) - g.x() * std::sin(q[1]));
  force[2] = 0;
}

void SliderCrank::tangents(double /*time*/, std::span<const double> q, std::span<const double> v,
                           std::span<double> stiffness, std::span<double> damping) const {
  const double l1 = data_.crank_length, l2 = data_.rod_length;
  const double turning = rod_weight() * l1 * l2 * std::sin(q[1] - q[0]);
  const double changing = rod_weight() * l1 * l2 * std::cos(q[1] - q[0]);
  const Vector2& g = data_.gravity;
  stiffness[0] = changing * v[1] * v[1] + crank_weight() * l1 * (g.y() * std::sin(q[0]) + g.x() * std::cos(q[0]));
  stiffness[1] = -changing * v[1] * v[1];
  stiffness[3] = -changing * v[0] * v[0];
  stiffness[4] = changing * v[0] * v[0] + rod_weight() * l2 * (g.y() * std::sin(q[1]) + g.x() * std::cos(q[1]));
  damping[1] = -2 * turning * v[1];
  damping[3] = 2 * turning * v[0];
}

double SliderCrank::potential(double /*time*/, std::span<const double> q) const {
  const Vector2& g = data_.gravity;
  return -crank_weight() * data_.crank_length * (g.x() * std::cos(q[0]) + g.y() * std::sin(q[0])) -
         rod_weight() * data_.rod_length * (g.x() * std::cos(q[1]) + g.y() * std::sin(q[1]));
}

std::vector<LagrangianSystem::ContactName> SliderCrank::contacts() const {
  return {{"corner1", "upper"}, {"corner2", "upper"}, {"corner3", "lower"}, {"corner4", "lower"}};
}

LagrangianSystem::Place SliderCrank::place(int contact, double /*time*/, std::span<const double> q) const {
  const Corner corner = corner_of(contact);
  const double along = corner.along * 0.5 * data_.slider_length, up = corner.up * 0.5 * data_.slider_width;
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  const double x = data_.crank_length * std::cos(q[0]) + data_.rod_length * std::cos(q[1]);
  const double y = data_.crank_length * std::sin(q[0]) + data_.rod_length * std::sin(q[1]);
  return {{x + along * c - up * s, y + along * s + up * c, 0}, {0, -corner.up, 0}};
}

// Eqs 98-105, with the tangent of this house.
void SliderCrank::displacements(int contact, double time, std::span<const double> q,
                                std::span<double> displacements) const {
  const Corner corner = corner_of(contact);
  const Vector3 point = place(contact, time, q).point;
  displacements[0] = 0.5 * data_.slider_width + data_.clearance - corner.up * point.y();
  displacements[1] = corner.up * point.x();
}

void SliderCrank::gradients(int contact, double /*time*/, std::span<const double> q,
                            std::span<double> gradients) const {
  const Corner corner = corner_of(contact);
  const double along = corner.along * 0.5 * data_.slider_length, up = corner.up * 0.5 * data_.slider_width;
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  gradients[0] = -corner.up * data_.crank_length * std::cos(q[0]);
  gradients[1] = -corner.up * data_.rod_length * std::cos(q[1]);
  gradients[2] = -corner.up * (along * c - up * s);
  gradients[3] = -corner.up * data_.crank_length * std::sin(q[0]);
  gradients[4] = -corner.up * data_.rod_length * std::sin(q[1]);
  gradients[5] = -corner.up * (along * s + up * c);
}

}  // namespace ricochet::model
