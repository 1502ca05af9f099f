#include "bench/contact_generators.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/rigid_assembly.hpp"
#include "bench/sphere_deposit.hpp"

namespace ricochet::bench {

namespace {

void require_bodies(int count) {
  if (count < 1) throw std::invalid_argument("a generated contact problem needs at least one body");
}

Vector3 impact_velocity(const StepOptions& options) { return options.impact_speed * Vector3(0.6, 0, -0.8); }

model::MassProperties box_at(const Vector3& center, const Vector3& half_extents, double mass) {
  return model::placed(model::with_mass(model::BoxShape{half_extents}, mass), center, {});
}

model::MassProperties sphere_at(const Vector3& center, double radius, double mass) {
  return model::placed(model::with_mass(model::SphereShape{radius}, mass), center, {});
}

// Four contacts with a normal along z at the corners of a rectangle.
void add_level_face(RigidAssembly& assembly, int upper, int lower, const Vector3& center, double half_x, double half_y,
                    double friction) {
  for (const double x : {-half_x, half_x}) {
    for (const double y : {-half_y, half_y}) {
      assembly.add_contact(upper, lower, center + Vector3(x, y, 0), Vector3::UnitZ(), friction);
    }
  }
}

}  // namespace

cone::GlobalContactProblem box_stack(int boxes, double mass_ratio, const StepOptions& options) {
  require_bodies(boxes);
  constexpr double half = 0.1;
  RigidAssembly assembly;
  for (int i = 0; i < boxes; ++i) {
    const double mass = boxes == 1 ? mass_ratio : std::pow(mass_ratio, i / (boxes - 1.0));
    assembly.add_body(box_at({0, 0, (2 * i + 1) * half}, Vector3::Constant(half), mass));
    add_level_face(assembly, i, i == 0 ? RigidAssembly::ground : i - 1, {0, 0, 2 * i * half}, half, half,
                   options.friction);
  }
  assembly.set_velocity(boxes - 1, impact_velocity(options));
  return assembly.problem(options.step);
}

cone::GlobalContactProblem arch(int voussoirs, const StepOptions& options) {
  require_bodies(voussoirs);
  constexpr double inner = 1.0, outer = 1.3, half_depth = 0.2, density = 2400;
  // In the plane x, z: joint j is at the angle pi j/n from the axis x, `outwards` from the centre, `along` to the next.
  const auto angle = [&](int joint) { return std::numbers::pi * joint / voussoirs; };
  const auto outwards = [&](int joint) { return Vector3(std::cos(angle(joint)), 0, std::sin(angle(joint))); };
  const auto along = [&](int joint) { return Vector3(-std::sin(angle(joint)), 0, std::cos(angle(joint))); };
  const Vector3 depth(0, half_depth, 0);

  RigidAssembly assembly;
  for (int i = 0; i < voussoirs; ++i) {
    // The trapezoid of two joints, counter-clockwise seen from the front (from -y), in front and then behind.
    const Vector3 corners[] = {inner * outwards(i), outer * outwards(i), outer * outwards(i + 1),
                               inner * outwards(i + 1)};
    model::PolyhedronShape stone;
    for (const Vector3& corner : corners) stone.vertices.emplace_back(corner - depth);
    for (const Vector3& corner : corners) stone.vertices.emplace_back(corner + depth);
    stone.faces = {{0, 1, 2, 3}, {7, 6, 5, 4}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
    assembly.add_body(model::solid(stone, density));
  }
  for (int joint = 0; joint <= voussoirs; ++joint) {
    const bool last = joint == voussoirs;  // there B, the ground, comes after A
    const int a = last ? joint - 1 : joint;
    const int b = joint == 0 || last ? RigidAssembly::ground : joint - 1;
    for (const double radius : {inner, outer}) {
      for (const double side : {-1.0, 1.0}) {
        assembly.add_contact(a, b, radius * outwards(joint) + side * depth, last ? -along(joint) : along(joint),
                             options.friction);
      }
    }
  }
  assembly.set_velocity(voussoirs / 2, impact_velocity(options));
  return assembly.problem(options.step);
}

cone::GlobalContactProblem plank_tower(int layers, int planks_per_layer, const StepOptions& options) {
  require_bodies(layers);
  require_bodies(planks_per_layer);
  constexpr double half_height = 0.004, half_width = 0.012, spacing = 0.048, density = 700;
  const double half_length = half_width + 0.5 * spacing * (planks_per_layer - 1);
  const double mass = 8 * density * half_length * half_width * half_height;
  const auto offset = [&](int plank) { return spacing * (plank - 0.5 * (planks_per_layer - 1)); };

  RigidAssembly assembly;
  for (int layer = 0; layer < layers; ++layer) {
    const bool lies_along_x = layer % 2 == 0;
    const double bottom = 2 * half_height * layer;
    for (int i = 0; i < planks_per_layer; ++i) {
      const Vector3 center(lies_along_x ? 0.0 : offset(i), lies_along_x ? offset(i) : 0.0, bottom + half_height);
      const Vector3 extents(lies_along_x ? half_length : half_width, lies_along_x ? half_width : half_length,
                            half_height);
      const int plank = assembly.add_body(box_at(center, extents, mass));
      if (layer == layers - 1) assembly.set_velocity(plank, impact_velocity(options));
      if (layer == 0) {
        add_level_face(assembly, plank, RigidAssembly::ground, {center.x(), center.y(), 0}, half_length, half_width,
                       options.friction);
        continue;
      }
      for (int j = 0; j < planks_per_layer; ++j) {
        const Vector3 crossing(lies_along_x ? offset(j) : offset(i), lies_along_x ? offset(i) : offset(j), bottom);
        add_level_face(assembly, plank, planks_per_layer * (layer - 1) + j, crossing, half_width, half_width,
                       options.friction);
      }
    }
  }
  return assembly.problem(options.step);
}

cone::GlobalContactProblem sphere_heap(int spheres, std::uint64_t seed, const StepOptions& options) {
  require_bodies(spheres);
  constexpr double density = 2600;
  const SphereDeposit deposit = deposit_spheres(spheres, seed);
  RigidAssembly assembly;
  for (const DepositedSphere& sphere : deposit.spheres) {
    const double volume = 4.0 / 3.0 * std::numbers::pi * sphere.radius * sphere.radius * sphere.radius;
    const int body = assembly.add_body(sphere_at(sphere.center, sphere.radius, density * volume));
    if (body >= spheres - (spheres + 9) / 10) assembly.set_velocity(body, impact_velocity(options));
  }
  for (const SphereTouch& touch : deposit.touches) {
    const DepositedSphere& a = deposit.spheres[touch.sphere];
    assembly.add_contact(touch.sphere, touch.support, a.center - a.radius * touch.normal, touch.normal,
                         options.friction);
  }
  return assembly.problem(options.step);
}

cone::GlobalContactProblem pressed_row(int spheres, const StepOptions& options) {
  require_bodies(spheres);
  constexpr double radius = 0.1, mass = 1, press = 98.1;  // N
  RigidAssembly assembly;
  for (int i = 0; i < spheres; ++i) {
    const Vector3 center((2 * i + 1) * radius, 0, radius);
    assembly.add_body(sphere_at(center, radius, mass));
    assembly.add_contact(i, RigidAssembly::ground, {center.x(), 0, 0}, Vector3::UnitZ(), options.friction);
    assembly.add_contact(i, i == 0 ? RigidAssembly::ground : i - 1, center - radius * Vector3::UnitX(),
                         Vector3::UnitX(), options.friction);
  }
  assembly.add_force(spheres - 1, {-press, 0, 0});
  const Vector3 velocity = impact_velocity(options);
  assembly.set_velocity(spheres - 1, {-velocity.x(), 0, velocity.z()});
  return assembly.problem(options.step);
}

cone::GlobalContactProblem hanging_chain(int links, const StepOptions& options) {
  require_bodies(links);
  constexpr double half_length = 0.1, half_width = 0.01, mass = 1;
  RigidAssembly assembly;
  for (int i = 0; i < links; ++i) {
    const Vector3 top(0, 0, -2 * half_length * i);
    assembly.add_body(box_at(top - Vector3(0, 0, half_length), {half_width, half_width, half_length}, mass));
    assembly.add_contact(i, i - 1, top, Vector3::UnitZ(), options.friction);  // the ceiling is ground = -1
  }
  assembly.set_velocity(links - 1, impact_velocity(options));
  return assembly.problem(options.step);
}

std::vector<GeneratedProblem> generated_problems() {
  const StepOptions rest, firm = {.friction = 0.7}, impact = {.impact_speed = 1};
  const StepOptions firm_impact = {.friction = 0.7, .impact_speed = 1};
  return {
      {"box stack 1", [=] { return box_stack(1, 1, rest); }},
      {"box stack 10", [=] { return box_stack(10, 1, rest); }},
      {"box stack 10, impact", [=] { return box_stack(10, 1, impact); }},
      {"box stack 50", [=] { return box_stack(50, 1, rest); }},
      {"box stack 5, masses 1 to 1e3", [=] { return box_stack(5, 1e3, rest); }},
      {"box stack 5, masses 1 to 1e6", [=] { return box_stack(5, 1e6, rest); }},
      {"box stack 20, masses 1 to 1e6", [=] { return box_stack(20, 1e6, rest); }},
      {"arch 7", [=] { return arch(7, firm); }},
      {"arch 25", [=] { return arch(25, firm); }},
      {"arch 25, impact", [=] { return arch(25, firm_impact); }},
      {"arch 101", [=] { return arch(101, firm); }},
      {"plank tower 10", [=] { return plank_tower(10, 2, rest); }},
      {"plank tower 60", [=] { return plank_tower(60, 2, rest); }},
      {"plank tower 30 of 4, impact", [=] { return plank_tower(30, 4, impact); }},
      {"sphere heap 20", [=] { return sphere_heap(20, 1, rest); }},
      {"sphere heap 200", [=] { return sphere_heap(200, 2, rest); }},
      {"sphere heap 200, impact", [=] { return sphere_heap(200, 2, impact); }},
      {"sphere heap 1500", [=] { return sphere_heap(1500, 3, rest); }},
      {"sphere heap 7000", [=] { return sphere_heap(7000, 4, rest); }},
      {"pressed row 10", [=] { return pressed_row(10, rest); }},
      {"pressed row 100", [=] { return pressed_row(100, rest); }},
      {"hanging chain 1", [=] { return hanging_chain(1, rest); }},
      {"hanging chain 100", [=] { return hanging_chain(100, rest); }},
      {"hanging chain 100, impact", [=] { return hanging_chain(100, impact); }},
  };
}

}  // namespace ricochet::bench
