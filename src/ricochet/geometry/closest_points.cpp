#include "ricochet/geometry/closest_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet::geometry {

namespace {

constexpr int kMaxSteps = 100;
constexpr double kConverged = 1e-11;  // of the size: below, only rounding keeps the bounds apart
constexpr int kMaxRestarts = 3;

struct SimplexPoint {
  Vector3 difference = Vector3::Zero();  // on_a - on_b
  Vector3 on_a = Vector3::Zero();
  Vector3 on_b = Vector3::Zero();
};

// Points with weights (at least 0, sum 1): their weighted mean is the point of the simplex closest to the origin.
struct Simplex {
  std::array<SimplexPoint, 4> points;
  std::array<double, 4> weights{};
  int count = 0;

  Vector3 nearest() const {
    Vector3 sum = Vector3::Zero();
    for (int i = 0; i < count; ++i) sum += weights[i] * points[i].difference;
    return sum;
  }
};

Simplex part(const Simplex& simplex, std::initializer_list<int> kept) {
  Simplex result;
  for (const int i : kept) result.points[result.count++] = simplex.points[i];
  return result;
}

Simplex nearest_on_segment(const Simplex& simplex, int i, int j) {
  const Vector3& a = simplex.points[i].difference;
  const Vector3& b = simplex.points[j].difference;
  const Vector3 along = b - a;
  const double reached = -a.dot(along);
  const double whole = along.squaredNorm();
  if (!(reached > 0)) {
    Simplex result = part(simplex, {i});
    result.weights[0] = 1;
    return result;
  }
  if (reached >= whole) {
    Simplex result = part(simplex, {j});
    result.weights[0] = 1;
    return result;
  }
  Simplex result = part(simplex, {i, j});
  result.weights[1] = reached / whole;
  result.weights[0] = 1 - result.weights[1];
  return result;
}

Simplex nearest_on_triangle(const Simplex& simplex, int i, int j, int k) {
  const Vector3& a = simplex.points[i].difference;
  const Vector3& b = simplex.points[j].difference;
  const Vector3& c = simplex.points[k].difference;
  Simplex best;
  double least = std::numeric_limits<double>::infinity();
  const auto try_side = [&](int from, int to) {
    const Simplex side = nearest_on_segment(simplex, from, to);
    const double square = side.nearest().squaredNorm();
    if (square < least) {
      least = square;
      best = side;
    }
  };
  // The point a + beta u + gamma w next to the origin, with w square to u: each coefficient by itself, then what
  // rounding left once and twice more. In the narrow triangles on curved sides one pass would leave too much.
  const Vector3 u = b - a;
  const double u_square = u.squaredNorm();
  const double along = u.dot(c - a) / u_square;
  const Vector3 w = (c - a) - along * u;
  const double w_square = w.squaredNorm();
  const bool flat = !(u_square > 0 && w_square > 0);
  double at_b = 0, at_c = 0;
  if (!flat) {
    double beta = 0;
    Vector3 point = a;
    for (int pass = 0; pass < 3; ++pass) {
      beta -= u.dot(point) / u_square;
      at_c -= w.dot(point) / w_square;
      point = a + beta * u + at_c * w;
    }
    at_b = beta - at_c * along;
  }
  const double at_a = 1 - at_b - at_c;
  if (!flat && at_a > 0 && at_b > 0 && at_c > 0) {
    best = part(simplex, {i, j, k});
    best.weights = {at_a, at_b, at_c, 0};
    return best;
  }
  // The projection is outside: on one of the sides that it is outside of, or at their ends.
  if (flat || !(at_c > 0)) try_side(i, j);
  if (flat || !(at_a > 0)) try_side(j, k);
  if (flat || !(at_b > 0)) try_side(k, i);
  return best;
}

// Returns all four points, with the origin inside, if it is; not if it is known to be outside, which a flat tetrahedron
// does not tell.
Simplex nearest_on_tetrahedron(const Simplex& simplex, bool is_outside) {
  constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};  // three corners, the other
  Simplex best = simplex;
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (const auto& face : faces) {
    const Vector3& a = simplex.points[face[0]].difference;
    const Vector3 normal = math::cross(simplex.points[face[1]].difference - a, simplex.points[face[2]].difference - a);
    const double of_origin = -normal.dot(a);
    const double of_other = normal.dot(simplex.points[face[3]].difference - a);
    if (of_origin * of_other > 0 && !is_outside) continue;
    inside = false;
    const Simplex on_face = nearest_on_triangle(simplex, face[0], face[1], face[2]);
    const double square = on_face.nearest().squaredNorm();
    if (square < least) {
      least = square;
      best = on_face;
    }
  }
  if (inside) best.weights = {0.25, 0.25, 0.25, 0.25};
  return best;
}

Simplex reduced(const Simplex& simplex, bool is_outside) {
  if (simplex.count == 2) return nearest_on_segment(simplex, 0, 1);
  if (simplex.count == 3) return nearest_on_triangle(simplex, 0, 1, 2);
  return nearest_on_tetrahedron(simplex, is_outside);
}

}  // namespace

ClosestPoints find_closest_points(const ConvexSolid& a, const ConvexSolid& b, const Placement& place,
                                  const Vector3& guess, double kept) {
  // Support points carry the rounding of numbers of this size.
  const double size = place.position.norm() + a.bounding_radius() + b.bounding_radius();
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * size;
  const auto support = [&](const Vector3& against) {
    SimplexPoint point;
    point.on_a = place.apply(kept * a.core_support(place.turn_back(-against)));
    point.on_b = kept * b.core_support(against);
    point.difference = point.on_a - point.on_b;
    return point;
  };

  Simplex simplex;
  simplex.points[0] = support(guess);
  simplex.weights[0] = 1;
  simplex.count = 1;
  Vector3 nearest = simplex.points[0].difference;
  // Simplices that shrink towards a point of a curved side end in rounding. So the best one is kept, that with the
  // closest bounds (of touching cores, the last); and where they get no smaller too early, the search begins again from
  // there.
  Simplex best = simplex;
  double least_excess = std::numeric_limits<double>::infinity();
  int restarts = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double square = nearest.squaredNorm();
    if (!(square > rounding * rounding)) {
      best = simplex;
      break;
    }
    const SimplexPoint next = support(nearest);
    const double excess = (square - nearest.dot(next.difference)) / std::sqrt(square);
    if (excess < least_excess || square < 0.25 * best.nearest().squaredNorm()) {
      least_excess = excess;
      best = simplex;
    }
    if (excess <= rounding) break;
    const bool is_known = std::any_of(simplex.points.begin(), simplex.points.begin() + simplex.count,
                                      [&](const SimplexPoint& point) { return point.difference == next.difference; });
    Simplex larger = simplex;
    Vector3 candidate = nearest;
    if (!is_known) {
      larger.points[larger.count++] = next;
      larger = reduced(larger, nearest.dot(next.difference) > 0);
      if (larger.count == 4) return {};  // the origin is inside
      candidate = larger.nearest();
    }
    if (!(candidate.squaredNorm() < square)) {
      if (least_excess < kConverged * size || restarts == kMaxRestarts || simplex.count == 1) break;
      ++restarts;
      larger.points[0] = next;
      larger.weights[0] = 1;
      larger.count = 1;
      candidate = next.difference;
    }
    simplex = larger;
    nearest = candidate;
  }

  ClosestPoints result;
  for (int i = 0; i < best.count; ++i) {
    result.on_a += best.weights[i] * best.points[i].on_a;
    result.on_b += best.weights[i] * best.points[i].on_b;
  }
  nearest = best.nearest();
  const double distance = nearest.norm();
  if (distance > rounding) {
    result.distance = distance;
    result.normal = nearest / distance;
  }
  return result;
}

}  // namespace ricochet::geometry
