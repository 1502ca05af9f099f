#include "bench/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/random.hpp"

namespace ricochet::bench {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& x, const Vector& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

Vector cross(const Vector& x, const Vector& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

Vector scaled(const Vector& x, double s) { return {s * x[0], s * x[1], s * x[2]}; }

void add(Vector& x, const Vector& y, double s) {
  x[0] += s * y[0];
  x[1] += s * y[1];
  x[2] += s * y[2];
}

/// Some unit vector across the unit vector n.
Vector across(const Vector& n) {
  const Vector t = std::abs(n[0]) < 0.6 ? Vector{0, n[2], -n[1]} : Vector{-n[2], 0, n[0]};
  return scaled(t, 1 / std::sqrt(dot(t, t)));
}

}  // namespace

CalibrationKernel::CalibrationKernel() {
  constexpr double radius = 0.01;  // m
  Random random(9450);
  first_bodies_.resize(body_count);
  for (Body& body : first_bodies_) {
    const double mass = random.between(0.005, 0.02);
    body.velocity = scaled(random.direction(), random.between(0, 1));
    body.angular_velocity = scaled(random.direction(), random.between(0, 10));
    body.inverse_mass = 1 / mass;
    body.inverse_inertia = 1 / (0.4 * mass * radius * radius);
  }
  contacts_.resize(contact_count);
  for (Contact& contact : contacts_) {
    contact.a = random.below(body_count);
    contact.b = (contact.a + 1 + random.below(body_count - 1)) % body_count;  // never a itself
    contact.friction = random.between(0.1, 0.8);
    const Body& a = first_bodies_[contact.a];
    const Body& b = first_bodies_[contact.b];
    const Vector normal = random.direction();
    const Vector tangent = across(normal);
    const Vector directions[] = {normal, tangent, cross(normal, tangent)};
    for (std::size_t k = 0; k < 3; ++k) {
      Row& row = contact.rows[k];
      row.direction = directions[k];
      row.arm_a = cross(scaled(normal, -radius), row.direction);  // the normal points from b towards a
      row.arm_b = cross(scaled(normal, radius), row.direction);
      row.inverse_delassus = 1 / (a.inverse_mass + b.inverse_mass + a.inverse_inertia * dot(row.arm_a, row.arm_a) +
                                  b.inverse_inertia * dot(row.arm_b, row.arm_b));
    }
  }
  reset();
}

void CalibrationKernel::reset() {
  bodies_ = first_bodies_;
  for (Contact& contact : contacts_) contact.impulse = {0, 0, 0};
}

double CalibrationKernel::relative_velocity(const Row& row, const Body& a, const Body& b) {
  return dot(row.direction, a.velocity) - dot(row.direction, b.velocity) + dot(row.arm_a, a.angular_velocity) -
         dot(row.arm_b, b.angular_velocity);
}

void CalibrationKernel::apply(const Row& row, double impulse, Body& a, Body& b) {
  add(a.velocity, row.direction, impulse * a.inverse_mass);
  add(a.angular_velocity, row.arm_a, impulse * a.inverse_inertia);
  add(b.velocity, row.direction, -impulse * b.inverse_mass);
  add(b.angular_velocity, row.arm_b, -impulse * b.inverse_inertia);
}

void CalibrationKernel::sweep() {
  for (Contact& contact : contacts_) {
    Body& a = bodies_[contact.a];
    Body& b = bodies_[contact.b];
    Vector& r = contact.impulse;
    const auto& [normal, tangent1, tangent2] = contact.rows;

    const double rn = std::max(0.0, r[0] - normal.inverse_delassus * relative_velocity(normal, a, b));
    apply(normal, rn - r[0], a, b);

    double r1 = r[1] - tangent1.inverse_delassus * relative_velocity(tangent1, a, b);
    double r2 = r[2] - tangent2.inverse_delassus * relative_velocity(tangent2, a, b);
    const double limit = contact.friction * rn;
    const double length = std::sqrt(r1 * r1 + r2 * r2);
    const double shrink = length > limit ? limit / length : 1;
    r1 *= shrink;
    r2 *= shrink;
    apply(tangent1, r1 - r[1], a, b);
    apply(tangent2, r2 - r[2], a, b);
    r = {rn, r1, r2};
  }
}

double CalibrationKernel::total_normal_impulse() const {
  double sum = 0;
  for (const Contact& contact : contacts_) sum += contact.impulse[0];
  return sum;
}

double calibration_seconds_per_contact() {
  constexpr int sweeps = 4;
  static CalibrationKernel kernel;
  [[maybe_unused]] static volatile double looked_at = 0;
  std::array<double, 7> seconds{};
  for (double& batch : seconds) {
    kernel.reset();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < sweeps; ++i) kernel.sweep();
    batch = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    looked_at = kernel.total_normal_impulse();
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2] / (sweeps * static_cast<double>(CalibrationKernel::contact_count));
}

}  // namespace ricochet::bench
