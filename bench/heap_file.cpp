#include "bench/heap_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "ricochet/model/mass_properties.hpp"

namespace ricochet::bench {

namespace {

std::istream& operator>>(std::istream& in, Vector3& vector) { return in >> vector[0] >> vector[1] >> vector[2]; }

std::istream& operator>>(std::istream& in, math::Quaternion& rotation) {
  return in >> rotation.w >> rotation.x >> rotation.y >> rotation.z;
}

std::string text(const Vector3& vector) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", vector[0], vector[1], vector[2]);
}

std::string text(const math::Quaternion& rotation) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", rotation.w, rotation.x, rotation.y, rotation.z);
}

// False if the line is not as the header says.
bool read_line(std::istringstream& line, Heap& heap) {
  std::string word;
  line >> word;
  if (word == "step") {
    line >> heap.step;
  } else if (word == "gravity") {
    line >> heap.gravity;
  } else if (word == "friction") {
    line >> heap.friction;
  } else if (word == "plane") {
    HeapPlane& plane = heap.planes.emplace_back();
    line >> plane.point >> plane.normal;
  } else if (word == "box" || word == "ball") {
    HeapBody& body = heap.bodies.emplace_back();
    body.is_ball = word == "ball";
    line >> body.mass >> body.size >> body.position >> body.orientation >> body.velocity >> body.angular_velocity;
  } else {
    return false;
  }
  return !line.fail() && (line >> std::ws).eof();
}

HeapBody heap_body(const model::Body& body) {
  const auto cannot = [&](const char* reason) {
    return std::invalid_argument(fmt::format("body '{}' cannot be in a heap: {}", body.name, reason));
  };
  if (body.parts.size() != 1) throw cannot("it is not one box or ball");
  const model::ShapePart& part = body.parts.front();
  if (!part.position.isZero(0) || part.orientation.w != 1) throw cannot("its shape is not in its axes");
  HeapBody result;
  result.mass = body.mass;
  if (const auto* ball = std::get_if<model::SphereShape>(&part.shape)) {
    result.is_ball = true;
    result.size = {ball->radius, 0, 0};
  } else if (const auto* box = std::get_if<model::BoxShape>(&part.shape)) {
    result.size = box->half_extents;
  } else {
    throw cannot("it is not one box or ball");
  }
  return result;
}

}  // namespace

Heap read_heap(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument(fmt::format("{}: cannot be read", path));
  Heap heap;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    std::istringstream line(text);
    if (!read_line(line, heap)) throw std::invalid_argument(fmt::format("{}:{}: not a line of a heap", path, number));
  }
  if (!(heap.step > 0)) throw std::invalid_argument(fmt::format("{}: the step must be greater than 0", path));
  return heap;
}

Heap heap_of(const model::Model& model, const mechanics::State& state, double step) {
  if (model.contacts.empty()) throw std::invalid_argument("nothing touches anything: this is not a heap");
  Heap heap;
  heap.step = step;
  heap.gravity = model.gravity;
  heap.friction = model.contacts.front().law.friction.at(0);
  for (const model::ContactRule& rule : model.contacts) {
    if (!rule.law.friction.is_constant() || rule.law.friction.at(0) != heap.friction ||
        model::may_act(rule.law.restitution)) {
      throw std::invalid_argument("all contacts of a heap have the same friction, and no restitution");
    }
  }
  for (const model::Surface& surface : model.surfaces) {
    if (surface.mesh) throw std::invalid_argument("the surfaces of a heap are planes");
    heap.planes.push_back({surface.point, surface.normal});
  }
  const mechanics::DofMap map(model);
  for (const model::Body& body : model.bodies) {
    HeapBody& result = heap.bodies.emplace_back(heap_body(body));
    const int node = body.node.index;
    result.position = mechanics::position(map, state, node);
    result.orientation = mechanics::orientation(map, state, node);
    result.velocity = state.v.segment<3>(map.v_start(node));
    if (map.is_frame(node)) result.angular_velocity = state.v.segment<3>(map.v_start(node) + 3);
  }
  return heap;
}

void write_heap(const Heap& heap, const std::string& path) {
  std::ofstream file(path);
  file << fmt::format("step {:.17g}\ngravity {}\nfriction {:.17g}\n", heap.step, text(heap.gravity), heap.friction);
  for (const HeapPlane& plane : heap.planes)
    file << fmt::format("plane {} {}\n", text(plane.point), text(plane.normal));
  for (const HeapBody& body : heap.bodies) {
    file << fmt::format("{} {:.17g} {} {} {} {} {}\n", body.is_ball ? "ball" : "box", body.mass, text(body.size),
                        text(body.position), text(body.orientation), text(body.velocity), text(body.angular_velocity));
  }
  if (!file.flush()) throw std::runtime_error(fmt::format("{}: cannot be written", path));
}

model::Model model_of(const Heap& heap) {
  model::Model model;
  model.gravity = heap.gravity;
  model::ContactRule bodies;
  bodies.name = "bodies";
  bodies.law.friction = heap.friction;
  model::ContactRule planes = bodies;
  planes.name = "planes";
  for (const HeapPlane& plane : heap.planes) {
    planes.second.push_back({{}, {static_cast<int>(model.surfaces.size())}});
    model::Surface& surface = model.surfaces.emplace_back();
    surface.name = fmt::format("plane-{}", model.surfaces.size());
    surface.point = plane.point;
    surface.normal = plane.normal;
  }
  for (const HeapBody& source : heap.bodies) {
    const int index = static_cast<int>(model.bodies.size());
    model::Node& node = model.nodes.emplace_back();
    node.name = fmt::format("body-{}", index + 1);
    node.kind = model::NodeKind::frame;
    node.position = source.position;
    node.orientation = source.orientation;
    node.velocity = source.velocity;
    node.angular_velocity = source.angular_velocity;
    model::Body& body = model.bodies.emplace_back();
    body.name = node.name;
    body.node = {index};
    body.mass = source.mass;
    const model::Shape shape =
        source.is_ball ? model::Shape(model::SphereShape{source.size[0]}) : model::Shape(model::BoxShape{source.size});
    body.parts = {{shape}};
    body.inertia = model::solid_inertia(shape, source.mass);
    bodies.first.push_back({{index}, {}});
  }
  bodies.second = planes.first = bodies.first;
  model.contacts = {bodies, planes};
  return model;
}

}  // namespace ricochet::bench
