#include "bench/sphere_deposit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "bench/random.hpp"

namespace ricochet::bench {

namespace {

constexpr double smallest_radius = 0.010, largest_radius = 0.014;
constexpr double touching = 1e-9;  // gaps up to this part of the radius are contacts, overlaps up to it are round-off

// What can carry a sphere: a sphere, or a plane n . x >= d.
struct Support {
  int sphere = -1;  // its number; -1 for a plane
  Vector3 place;    // centre, or n
  double size = 0;  // radius, or d

  bool is_plane() const { return sphere < 0; }
  double gap(const Vector3& center, double radius) const {
    return is_plane() ? place.dot(center) - size - radius : (center - place).norm() - size - radius;
  }
  Vector3 normal(const Vector3& center) const { return is_plane() ? place : Vector3((center - place).normalized()); }
};

class Deposition {
 public:
  Deposition(int count, std::uint64_t seed, double width) : random_(seed) {
    if (!(width >= 4 * largest_radius)) {
      throw std::invalid_argument(fmt::format(
          "a box of {:g} m is too narrow: two spheres beside each other take {:g} m", width, 4 * largest_radius));
    }
    heap_.width = width;
    columns_ = std::max(1, static_cast<int>(heap_.width / (2 * largest_radius)));
    cells_.resize(static_cast<std::size_t>(columns_) * columns_);
    planes_ = {{{-1, Vector3::UnitZ(), 0},
                {-1, Vector3::UnitX(), 0},
                {-1, -Vector3::UnitX(), -heap_.width},
                {-1, Vector3::UnitY(), 0},
                {-1, -Vector3::UnitY(), -heap_.width}}};
    int failures = 0;
    while (static_cast<int>(heap_.spheres.size()) < count) {
      if (!add_sphere() && ++failures > 100 * count) throw std::logic_error("no sphere finds a place");
    }
  }

  SphereDeposit take() { return std::move(heap_); }

 private:
  int column_of(double x) const { return std::clamp(static_cast<int>(x / heap_.width * columns_), 0, columns_ - 1); }

  // Calls `look` with the number of every sphere whose centre is within `reach` of (x, y) along both axes (and others).
  template <class Look>
  void visit_columns(double x, double y, double reach, Look&& look) const {
    for (int i = column_of(x - reach); i <= column_of(x + reach); ++i) {
      for (int j = column_of(y - reach); j <= column_of(y + reach); ++j) {
        for (const int sphere : cells_[static_cast<std::size_t>(i) * columns_ + j]) look(sphere);
      }
    }
  }

  // The height of the centre at which a sphere that falls along the vertical (x, y) first touches something.
  double height_of_fall(double x, double y, double radius) const {
    double height = radius;
    visit_columns(x, y, 2 * largest_radius, [&](int number) {
      const DepositedSphere& sphere = heap_.spheres[number];
      const double reach = radius + sphere.radius;
      const double square = reach * reach - Vector2(x - sphere.center.x(), y - sphere.center.y()).squaredNorm();
      if (square > 0) height = std::max(height, sphere.center.z() + std::sqrt(square));
    });
    return height;
  }

  bool add_sphere() {
    const double radius = random_.between(smallest_radius, largest_radius);
    const double x = random_.between(radius, heap_.width - radius), y = random_.between(radius, heap_.width - radius);
    const double reach = 2 * largest_radius, top = height_of_fall(x, y, radius), bottom = top - reach;

    near_.assign(planes_.begin(), planes_.end());
    visit_columns(x, y, reach + 2 * largest_radius, [&](int number) {
      const DepositedSphere& sphere = heap_.spheres[number];
      const bool near = Vector2(x - sphere.center.x(), y - sphere.center.y()).norm() < reach + 2 * largest_radius &&
                        sphere.center.z() > bottom - 2 * largest_radius;
      if (near) near_.push_back({number, sphere.center, sphere.radius});
    });

    std::optional<Vector3> best;
    const auto offer = [&](const Vector3& center) {
      if (best && center.z() >= best->z()) return;
      if (center.z() < bottom || center.z() > top || Vector2(center.x() - x, center.y() - y).norm() > reach) return;
      for (const Support& support : near_) {
        if (support.gap(center, radius) < -touching * radius) return;
      }
      best = center;
    };
    if (top == radius) offer({x, y, radius});
    const int count = static_cast<int>(near_.size());
    for (int i = 1; i < count; ++i) {  // the floor, which is the first, carries alone
      for (int j = i + 1; j < count; ++j) {
        if (!can_touch_both(near_[i], near_[j], radius)) continue;
        for (int k = std::max(j + 1, static_cast<int>(planes_.size())); k < count; ++k) {
          if (!can_touch_both(near_[i], near_[k], radius) || !can_touch_both(near_[j], near_[k], radius)) continue;
          place_on({&near_[k], &near_[j], &near_[i]}, radius, offer);
        }
      }
    }
    if (!best) return false;
    settle({*best, radius});
    return true;
  }

  static bool can_touch_both(const Support& a, const Support& b, double radius) {
    if (a.is_plane() && b.is_plane()) return a.place.dot(b.place) > -0.5;  // not two opposite walls
    if (a.is_plane()) return a.place.dot(b.place) - a.size - b.size < 2 * radius;
    if (b.is_plane()) return can_touch_both(b, a, radius);
    return (a.place - b.place).norm() < a.size + b.size + 2 * radius;
  }

  // Offers the points that touch all three, of which the first is a sphere, and are carried by them. The differences of
  // the spheres' conditions and those of planes are linear: a line, c = point + s direction, which meets the first
  // sphere twice. All lengths from the centre of the first.
  template <class Offer>
  static void place_on(const std::array<const Support*, 3>& supports, double radius, Offer&& offer) {
    const Support& first = *supports[0];
    const double distance = first.size + radius;
    Vector3 rows[2];
    double sides[2] = {};
    for (int i = 0; i < 2; ++i) {
      const Support& other = *supports[i + 1];
      if (other.is_plane()) {
        rows[i] = other.place;
        sides[i] = other.size + radius - other.place.dot(first.place);
      } else {
        rows[i] = other.place - first.place;
        const double other_distance = other.size + radius;
        sides[i] = 0.5 * (rows[i].squaredNorm() + distance * distance - other_distance * other_distance);
        const double length = rows[i].norm();
        rows[i] /= length;
        sides[i] /= length;
      }
    }
    const Vector3 direction = rows[0].cross(rows[1]);
    const double square = direction.squaredNorm();
    if (square < 1e-12) return;
    const Vector3 point = (sides[0] * rows[1].cross(direction) + sides[1] * direction.cross(rows[0])) / square;
    const double half_chord_square = (distance * distance - point.squaredNorm()) / square;
    if (half_chord_square <= 0) return;
    for (const double sign : {-1.0, 1.0}) {
      const Vector3 center = first.place + point + sign * std::sqrt(half_chord_square) * direction;
      Matrix3 normals;
      for (int i = 0; i < 3; ++i) normals.col(i) = supports[i]->normal(center);
      // Nearly level supports make the system singular: the sphere would be wedged in, not carried.
      if (std::abs(normals.determinant()) < 1e-3) continue;
      const Vector3 loads = normals.inverse() * Vector3::UnitZ();
      if (loads.minCoeff() >= 0) offer(center);
    }
  }

  void settle(const DepositedSphere& sphere) {
    const int number = static_cast<int>(heap_.spheres.size());
    for (const Support& support : near_) {
      if (support.gap(sphere.center, sphere.radius) > touching * sphere.radius) continue;
      heap_.touches.push_back({number, support.sphere, support.normal(sphere.center)});
    }
    heap_.spheres.push_back(sphere);
    const std::size_t cell =
        static_cast<std::size_t>(column_of(sphere.center.x())) * columns_ + column_of(sphere.center.y());
    cells_[cell].push_back(number);
  }

  Random random_;
  SphereDeposit heap_;
  int columns_ = 1;
  std::vector<std::vector<int>> cells_;  // the spheres of each column of the box
  std::array<Support, 5> planes_;
  std::vector<Support> near_;
};

}  // namespace

double cubic_width(int count) {
  const double mean_volume = 4.19 * std::pow(0.5 * (smallest_radius + largest_radius), 3);
  return std::max(4 * largest_radius, std::cbrt(count * mean_volume / 0.55));  // which part of the box spheres fill
}

SphereDeposit deposit_spheres(int count, std::uint64_t seed) {
  return deposit_spheres(count, seed, cubic_width(count));
}

SphereDeposit deposit_spheres(int count, std::uint64_t seed, double width) {
  return Deposition(count, seed, width).take();
}

}  // namespace ricochet::bench
