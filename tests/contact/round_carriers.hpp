// A ball at something that another body carries, in all ways that are exact; and the distance to be compared with,
// found by searching the surface.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "model/test_models.hpp"

namespace ricochet::contact::test {

struct RoundCarrier {
  std::string name;
  model::Shape shape;
  Vector3 touching = Vector3::Zero();  // m, in the axes of the shape: the centre of a ball that just touches
  std::string feature;                 // of the carrier
  double radius = 0.5;                 // m, of the ball
};

inline std::vector<RoundCarrier> round_carriers() {
  const double far = 0.5 / std::sqrt(2), further = 0.5 / std::sqrt(3);
  return {
      {"in a sphere", model::HollowSphereShape{2}, Vector3(0.9, -1.2, 0), "inside"},
      {"in a bore", model::HollowCylinderShape{2}, Vector3(0.9, -1.2, 7), "inside"},
      {"in a bore with ends", model::HollowCylinderShape{2, 1.5}, Vector3(-1.2, 0.9, 1.25), "inside"},
      {"at the side of a cylinder", model::CylinderShape{1, 2}, Vector3(0.9, 1.2, 0.5), "side"},
      {"at the end of a cylinder", model::CylinderShape{1, 2}, Vector3(0.5, -0.25, 2.5), "end1"},
      {"at the other end", model::CylinderShape{1, 2}, Vector3(0.5, -0.25, -2.5), "end0"},
      {"at the rim of a cylinder", model::CylinderShape{1, 2}, Vector3(0, -1 - far, 2 + far), "rim1.low"},
      {"at the other rim", model::CylinderShape{1, 2}, Vector3(1 + far, 0, -2 - far), "rim0.low"},
      {"at the side of a capsule", model::CapsuleShape{1, 2}, Vector3(-0.9, 1.2, -1), "side"},
      {"at the end of a capsule", model::CapsuleShape{1, 2}, Vector3(0.9, 0, 3.2), "end1"},
      {"at the face of a box", model::BoxShape{Vector3(1, 2, 3)}, Vector3(-1.5, 0.5, 1), "face0"},
      {"at the edge of a box", model::BoxShape{Vector3(1, 2, 3)}, Vector3(1 + far, 0.5, 3 + far), "edge"},
      {"at another edge", model::BoxShape{Vector3(1, 2, 3)}, Vector3(-1 - far, -2 - far, 1), "edge"},
      {"at a corner of a box", model::BoxShape{Vector3(1, 2, 3)}, Vector3(1 + further, 2 + further, -3 - further),
       "corner3"},
  };
}

// Both bodies anywhere and turned, the shape anywhere in its body; the ball first or second. The gap is `gap`.
inline model::Model random_pair(const RoundCarrier& carrier, math::Random& random, bool ball_first, double gap = 0) {
  using namespace ricochet::test;
  model::Model model;
  const auto add_carrier = [&] {
    add_random_frame(model, random, carrier.shape);
    model.bodies.back().parts[0].position = random_vector3(random, 0.3);
    model.bodies.back().parts[0].orientation = random_rotation(random);
  };
  const auto add_round = [&] {
    add_random_frame(model, random, model::SphereShape{carrier.radius - gap});
    model.bodies.back().parts[0].position = random_vector3(random, 0.2);
  };
  if (ball_first) add_round();
  add_carrier();
  if (!ball_first) add_round();
  const int ball = ball_first ? 0 : 1, other = 1 - ball;
  const model::ShapePart& part = model.bodies[other].parts[0];
  const Vector3 center =
      model.nodes[other].position +
      model.nodes[other].orientation.rotate(Vector3(part.position + part.orientation.rotate(carrier.touching)));
  model.nodes[ball].position = center - model.nodes[ball].orientation.rotate(model.bodies[ball].parts[0].position);
  add_contact(model, {body(0)}, {body(1)});
  return model;
}

// --- the surface, piece by piece, each over the unit square ---

using SurfacePiece = std::function<Vector3(double, double)>;

inline std::vector<SurfacePiece> surface_of(const model::Shape& shape) {
  std::vector<SurfacePiece> pieces;
  const auto add_side = [&](double radius, double half_length) {
    pieces.push_back([=](double u, double v) {
      const double angle = 2 * std::numbers::pi * u;
      return Vector3(radius * std::cos(angle), radius * std::sin(angle), (2 * v - 1) * half_length);
    });
  };
  const auto add_sphere = [&](double radius, double z) {
    pieces.push_back([=](double u, double v) {
      const double angle = 2 * std::numbers::pi * u, height = std::numbers::pi * v;
      return Vector3(radius * std::sin(height) * std::cos(angle), radius * std::sin(height) * std::sin(angle),
                     z + radius * std::cos(height));
    });
  };
  if (const auto* box = std::get_if<model::BoxShape>(&shape)) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        pieces.push_back([half = box->half_extents, axis, side](double u, double v) {
          Vector3 point;
          point[axis] = side * half[axis];
          point[(axis + 1) % 3] = (2 * u - 1) * half[(axis + 1) % 3];
          point[(axis + 2) % 3] = (2 * v - 1) * half[(axis + 2) % 3];
          return point;
        });
      }
    }
  } else if (const auto* cylinder = std::get_if<model::CylinderShape>(&shape)) {
    add_side(cylinder->radius, cylinder->half_length);
    for (const double z : {-cylinder->half_length, cylinder->half_length}) {
      pieces.push_back([radius = cylinder->radius, z](double u, double v) {
        const double angle = 2 * std::numbers::pi * u;
        return Vector3(v * radius * std::cos(angle), v * radius * std::sin(angle), z);
      });
    }
  } else if (const auto* capsule = std::get_if<model::CapsuleShape>(&shape)) {
    add_side(capsule->radius, capsule->half_length);
    for (const double z : {-capsule->half_length, capsule->half_length}) add_sphere(capsule->radius, z);
  } else if (const auto* hollow = std::get_if<model::HollowSphereShape>(&shape)) {
    add_sphere(hollow->radius, 0);
  } else if (const auto* bore = std::get_if<model::HollowCylinderShape>(&shape)) {
    add_side(bore->radius, std::min(bore->half_length, 10.0));
  }
  return pieces;
}

// The distance of a place from a surface by trying points of it, ever closer to the best: to about 1e-12. (Squares of
// distances near their minimum are flat, so the place of the minimum is not that exact.)
inline double searched_distance(const model::Shape& shape, const Vector3& place) {
  double least = std::numeric_limits<double>::infinity();
  for (const SurfacePiece& piece : surface_of(shape)) {
    Vector2 best(0.5, 0.5);
    double distance = (piece(0.5, 0.5) - place).norm();
    const auto look_around = [&](double width, int cells) {
      const Vector2 middle = best;
      for (int i = -cells; i <= cells; ++i) {
        for (int j = -cells; j <= cells; ++j) {
          const Vector2 at(middle.x() + width * i / cells, std::clamp(middle.y() + width * j / cells, 0.0, 1.0));
          const Vector2 inside(std::holds_alternative<model::BoxShape>(shape) ? std::clamp(at.x(), 0.0, 1.0) : at.x(),
                               at.y());
          const double tried = (piece(inside.x(), inside.y()) - place).norm();
          if (tried < distance) {
            distance = tried;
            best = inside;
          }
        }
      }
    };
    look_around(0.5, 30);
    for (double width = 0.05; width > 1e-9; width *= 0.6) look_around(width, 3);
    least = std::min(least, distance);
  }
  return least;
}

}  // namespace ricochet::contact::test
