#include "ricochet/model/mass_properties.hpp"

#include <numbers>

namespace ricochet::model {

namespace {

// d.d 1 - d d^T for the second moment S = d d^T, or an integral of it.
Matrix3 inertia_of_second_moment(const Matrix3& second) { return second.trace() * Matrix3::Identity() - second; }

// Integrals over a polyhedron of 1, x and x x^T, where x is measured from `reference`.
struct PolyhedronIntegrals {
  Vector3 reference = Vector3::Zero();
  double volume = 0;                 // m^3
  Vector3 first = Vector3::Zero();   // m^4
  Matrix3 second = Matrix3::Zero();  // m^5

  explicit PolyhedronIntegrals(const PolyhedronShape& polyhedron) {
    if (polyhedron.vertices.empty()) return;
    const Vector3& origin = polyhedron.vertices.front();
    for (const Vector3& vertex : polyhedron.vertices) reference += vertex - origin;
    reference = origin + reference / static_cast<double>(polyhedron.vertices.size());
    for (const std::vector<int>& face : polyhedron.faces) {
      // The triangles of the fan have signs too, so that the face need not be convex.
      for (std::size_t i = 2; i < face.size(); ++i) {
        add_tetrahedron(polyhedron.vertices[face[0]] - reference, polyhedron.vertices[face[i - 1]] - reference,
                        polyhedron.vertices[face[i]] - reference);
      }
    }
  }

  void add_tetrahedron(const Vector3& a, const Vector3& b, const Vector3& c) {
    const double part = a.dot(math::cross(b, c)) / 6;
    const Vector3 sum = a + b + c;
    volume += part;
    first += part / 4 * sum;
    second += part / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()).eval();
  }
};

struct ShapeVolume {
  static constexpr double kPi = std::numbers::pi;

  double operator()(const PointShape&) const { return 0; }
  double operator()(const SphereShape& sphere) const {
    return 4 * kPi / 3 * sphere.radius * sphere.radius * sphere.radius;
  }
  double operator()(const BoxShape& box) const { return 8 * box.half_extents.prod(); }
  double operator()(const CylinderShape& cylinder) const {
    return 2 * kPi * cylinder.radius * cylinder.radius * cylinder.half_length;
  }
  double operator()(const CapsuleShape& capsule) const {
    return 2 * kPi * capsule.radius * capsule.radius * (capsule.half_length + 2 * capsule.radius / 3);
  }
  double operator()(const ConeShape& cone) const { return kPi / 3 * cone.radius * cone.radius * cone.height; }
  double operator()(const PolyhedronShape& polyhedron) const { return PolyhedronIntegrals(polyhedron).volume; }
  double operator()(const FaceShape&) const { return 0; }
  double operator()(const HollowSphereShape&) const { return 0; }
  double operator()(const HollowCylinderShape&) const { return 0; }
};

struct ShapeWithMass {
  double mass;

  MassProperties centred(double moment_x, double moment_y, double moment_z) const {
    return {mass, Vector3::Zero(), Vector3(moment_x, moment_y, moment_z).asDiagonal()};
  }

  MassProperties operator()(const PointShape&) const { return centred(0, 0, 0); }
  MassProperties operator()(const SphereShape& sphere) const {
    const double moment = 0.4 * mass * sphere.radius * sphere.radius;
    return centred(moment, moment, moment);
  }
  MassProperties operator()(const BoxShape& box) const {
    const Vector3 squared = box.half_extents.cwiseAbs2();  // (edge / 2)^2, hence m/3 where edges would give m/12
    return centred((squared.y() + squared.z()) * (mass / 3), (squared.x() + squared.z()) * (mass / 3),
                   (squared.x() + squared.y()) * (mass / 3));
  }
  MassProperties operator()(const CylinderShape& cylinder) const {
    const double r = cylinder.radius, h = cylinder.half_length;
    const double across = mass * (r * r / 4 + h * h / 3);
    return centred(across, across, mass * r * r / 2);
  }
  MassProperties operator()(const CapsuleShape& capsule) const {
    const double r = capsule.radius, h = capsule.half_length;
    const double straight = mass * (3 * h / (3 * h + 2 * r)), round = mass * (2 * r / (3 * h + 2 * r));
    const double across = straight * (r * r / 4 + h * h / 3) + round * (0.4 * r * r + 0.75 * h * r + h * h);
    return centred(across, across, straight * r * r / 2 + 0.4 * round * r * r);
  }
  MassProperties operator()(const ConeShape& cone) const {
    const double r = cone.radius, height = cone.height;
    const double across = 3 * mass / 80 * (4 * r * r + height * height);
    MassProperties properties = centred(across, across, 0.3 * mass * r * r);
    properties.center.z() = -height / 4;
    return properties;
  }
  MassProperties operator()(const PolyhedronShape& polyhedron) const {
    const PolyhedronIntegrals integrals(polyhedron);
    const Vector3 offset = integrals.first / integrals.volume;
    const Matrix3 second = integrals.second / integrals.volume - offset * offset.transpose();
    return {mass, integrals.reference + offset, mass * inertia_of_second_moment(second)};
  }
  MassProperties operator()(const FaceShape&) const { return centred(0, 0, 0); }
  MassProperties operator()(const HollowSphereShape&) const { return centred(0, 0, 0); }
  MassProperties operator()(const HollowCylinderShape&) const { return centred(0, 0, 0); }
};

}  // namespace

double volume(const Shape& shape) { return std::visit(ShapeVolume{}, shape); }

MassProperties with_mass(const Shape& shape, double mass) { return std::visit(ShapeWithMass{mass}, shape); }

MassProperties solid(const Shape& shape, double density) { return with_mass(shape, density * volume(shape)); }

MassProperties placed(const MassProperties& properties, const Vector3& position, const math::Quaternion& orientation) {
  const Matrix3 rotation = orientation.matrix();
  const Matrix3 turned = rotation * properties.inertia * rotation.transpose();
  // Symmetric to the last bit, as the product in exact arithmetic is.
  return {properties.mass, position + orientation.rotate(properties.center), (turned + turned.transpose()) / 2};
}

MassProperties combined(std::span<const MassProperties> parts) {
  if (parts.empty()) return {};
  MassProperties sum;
  Vector3 moment = Vector3::Zero();  // about the first centre: far from the origin no digits are lost
  for (const MassProperties& part : parts) {
    sum.mass += part.mass;
    moment += part.mass * (part.center - parts.front().center);
  }
  sum.center = parts.front().center;
  if (sum.mass != 0) sum.center += moment / sum.mass;
  for (const MassProperties& part : parts) sum.inertia += about_point(part, sum.center);
  return sum;
}

Matrix3 about_point(const MassProperties& properties, const Vector3& point) {
  const Vector3 d = properties.center - point;
  return properties.inertia + properties.mass * inertia_of_second_moment(d * d.transpose());
}

}  // namespace ricochet::model
