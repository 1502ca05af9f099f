#include "ricochet/model/systems/planar_body.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::model {

double PlanarBody::size() const {
  double largest = 0;
  for (const Point& point : data_.points) largest = std::max(largest, 2 * point.place.norm());
  return largest > 0 ? largest : 1;
}

void PlanarBody::mass(double /*time*/, std::span<const double> /*q*/, std::span<double> mass) const {
  mass[0] = mass[4] = data_.mass;
  mass[8] = data_.inertia;
}

void PlanarBody::force(double /*time*/, std::span<const double> /*q*/, std::span<const double> /*v*/,
                       std::span<double> force) const {
  force[0] = data_.mass * data_.gravity.x();
  force[1] = data_.mass * data_.gravity.y();
}

double PlanarBody::potential(double /*time*/, std::span<const double> q) const {
  return -data_.mass * (data_.gravity.x() * q[0] + data_.gravity.y() * q[1]);
}

std::vector<LagrangianSystem::ContactName> PlanarBody::contacts() const {
  std::vector<ContactName> names;
  for (const Point& point : data_.points) names.push_back({point.name, "ground"});
  return names;
}

LagrangianSystem::Place PlanarBody::place(int contact, double /*time*/, std::span<const double> q) const {
  const Vector2& at = data_.points[contact].place;
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  return {{q[0] + c * at.x() - s * at.y(), q[1] + s * at.x() + c * at.y(), 0}, Vector3::UnitY()};
}

void PlanarBody::displacements(int contact, double time, std::span<const double> q,
                               std::span<double> displacements) const {
  const Vector3 point = place(contact, time, q).point;
  displacements[0] = point.y();
  displacements[1] = -point.x();
}

void PlanarBody::gradients(int contact, double /*time*/, std::span<const double> q, std::span<double> gradients) const {
  const Vector2& at = data_.points[contact].place;
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  gradients[1] = 1;
  gradients[2] = c * at.x() - s * at.y();
  gradients[3] = -1;
  gradients[5] = s * at.x() + c * at.y();
}

std::shared_ptr<const LagrangianSystem> make_impacting_stick(double length, double mass, double inertia,
                                                             const Vector2& gravity) {
  return std::make_shared<PlanarBody>(PlanarBody::Data{mass, inertia, gravity, {{"tip", {0, -0.5 * length}}}});
}

std::shared_ptr<const LagrangianSystem> make_rocking_block(double width, double height, double mass, double inertia,
                                                           const Vector2& gravity) {
  return std::make_shared<PlanarBody>(PlanarBody::Data{
      mass, inertia, gravity, {{"left", {-0.5 * width, -0.5 * height}}, {"right", {0.5 * width, -0.5 * height}}}});
}

}  // namespace ricochet::model
