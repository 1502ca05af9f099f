#include "ricochet/math/projection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ricochet::math {

namespace {

// The sum of squares is exact enough in the normal range; outside of it the vector is divided by its largest entry.
double projection_norm(std::span<const double> vector) {
  if (vector.size() == 1) return std::abs(vector[0]);
  double square = 0.0;
  for (const double x : vector) square += x * x;
  if (square > 1e-250 && square < 1e250) return std::sqrt(square);
  double largest = 0.0;
  for (const double x : vector) {
    if (std::isnan(x)) return x;
    largest = std::max(largest, std::abs(x));
  }
  if (largest == 0.0 || std::isinf(largest)) return largest;
  // A power of two, so that the division does not round and results scale bit for bit.
  const int exponent = std::ilogb(largest);
  square = 0.0;
  for (const double x : vector) square += std::scalbn(x, -exponent) * std::scalbn(x, -exponent);
  return std::scalbn(std::sqrt(square), exponent);
}

// Onto { a |x_T| <= b x_N } with max(a, b) = 1.
void project_onto_wedge(double a, double b, std::span<double> vector) {
  double& normal = vector[0];
  const std::span<double> tangent = vector.subspan(1);
  const double t = projection_norm(tangent);
  if (normal >= 0.0 && a * t <= b * normal) return;  // the sign matters where b = 0 or a product underflows
  if (a * normal <= -b * t) {
    std::fill(vector.begin(), vector.end(), 0.0);
    return;
  }
  const double s = (a * normal + b * t) / (a * a + b * b);
  normal = a * s;
  const double ratio = b * s / t;
  for (double& x : tangent) x *= ratio;
}

}  // namespace

void project_onto_cone(double friction, std::span<double> vector) {
  if (vector.empty()) return;
  if (vector.size() == 1) {
    vector[0] = project_onto_half_line(vector[0]);
  } else if (friction <= 1.0) {
    project_onto_wedge(1.0, friction, vector);
  } else {
    project_onto_wedge(1.0 / friction, 1.0, vector);
  }
}

void project_onto_dual_cone(double friction, std::span<double> vector) {
  if (vector.empty()) return;
  if (vector.size() == 1) {
    vector[0] = project_onto_half_line(vector[0]);
  } else if (friction <= 1.0) {
    project_onto_wedge(friction, 1.0, vector);
  } else {
    project_onto_wedge(1.0, 1.0 / friction, vector);
  }
}

Vector3 project_onto_cone(double friction, const Vector3& vector) {
  Vector3 result = vector;
  project_onto_cone(friction, std::span<double>(result.data(), 3));
  return result;
}

Vector3 project_onto_dual_cone(double friction, const Vector3& vector) {
  Vector3 result = vector;
  project_onto_dual_cone(friction, std::span<double>(result.data(), 3));
  return result;
}

void project_onto_group_cone(std::span<const ConeGroup> cone, std::span<double> vector) {
  struct Group {
    std::span<double> part;
    double coefficient, norm, leaves;  // leaves its bound where the normal component is below `leaves`
  };
  std::array<Group, 3> groups = {};
  const int count = static_cast<int>(cone.size());
  if (cone.size() > groups.size()) throw std::invalid_argument("project_onto_group_cone: at most three groups");
  for (int g = 0; g < count; ++g) {
    if (cone[g].start < 1 || static_cast<std::size_t>(cone[g].start + cone[g].size) > vector.size()) {
      throw std::invalid_argument("project_onto_group_cone: a group lies outside the vector");
    }
    groups[g] = {vector.subspan(cone[g].start, cone[g].size), cone[g].coefficient, 0, 0};
  }
  double& normal = vector[0];
  double largest = 1;  // of 1 and the coefficients: divided by it, their squares cannot overflow
  for (int g = 0; g < count; ++g) {
    Group& group = groups[g];
    group.norm = projection_norm(group.part);
    group.leaves = group.norm == 0 ? 0 : group.norm / group.coefficient;
    largest = std::max(largest, group.coefficient);
    for (int k = g; k > 0 && groups[k].leaves > groups[k - 1].leaves; --k) std::swap(groups[k], groups[k - 1]);
  }
  double numerator = normal / largest / largest, denominator = 1 / largest / largest;
  double height = normal;
  for (int g = 0; g < count && !(height >= groups[g].leaves); ++g) {
    const double coefficient = groups[g].coefficient / largest;
    numerator += coefficient * (groups[g].norm / largest);
    denominator += coefficient * coefficient;
    height = numerator / denominator;
  }
  normal = height < 0 ? 0.0 : height;
  for (int g = 0; g < count; ++g) project_onto_disc(groups[g].coefficient * normal, groups[g].part);
}

void project_onto_disc(double radius, std::span<double> vector) {
  if (vector.empty()) return;
  const double length = projection_norm(vector);
  if (length <= radius) return;
  const double ratio = radius < 0.0 ? 0.0 : radius / length;
  for (double& x : vector) x *= ratio;
}

Vector2 project_onto_disc(double radius, const Vector2& vector) {
  Vector2 result = vector;
  project_onto_disc(radius, std::span<double>(result.data(), 2));
  return result;
}

}  // namespace ricochet::math
