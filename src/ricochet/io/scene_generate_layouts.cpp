#include "ricochet/io/scene_generate_layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ricochet/io/scene_values.hpp"

namespace ricochet::io {

namespace {

const double kHalfTurn = 2 * std::acos(0.0);

bool says_planar(const Value& scene) {
  const Value* planar = scene.find("planar");
  return planar != nullptr && planar->text == "true";
}

// The size of a block: along, across, up; in planar scenes along and up.
Vector3 read_block_size(const Entry& settings, bool planar) {
  const Entry size = settings["size"];
  const std::vector<Entry> edges = size.entries();
  if (edges.size() != (planar ? 2U : 3U)) {
    size.refuse(fmt::format("'{}' must be {}", size.path(),
                            planar ? "[length, height] in a planar scene" : "[length, depth, height]"));
  }
  return planar ? Vector3(edges[0].number(), 1, edges[1].number())
                : Vector3(edges[0].number(), edges[1].number(), edges[2].number());
}

// One layer of a wall: how many blocks, and where half blocks stand.
struct Course {
  int blocks = 0;
  bool half_first = false;
  bool half_last = false;
  double offset = 0;  // of its middle along the wall, in blocks with their gap
};

Course course_of(const std::string& bond, int blocks, int layer) {
  const bool odd = layer % 2 == 1;
  if (bond == "running") return {.blocks = blocks, .offset = odd ? 0.5 : 0.0};
  if (bond == "closed") return {.blocks = odd ? blocks - 1 : blocks, .half_first = odd, .half_last = odd};
  if (bond == "alternating") return {.blocks = blocks, .half_first = !odd, .half_last = odd};
  if (bond == "stepped") return {.blocks = blocks - layer};
  return {.blocks = blocks};  // stack
}

}  // namespace

Value number_value(double number) { return {.kind = Value::Kind::scalar, .text = placeholder_text(number, false)}; }

Value list_value(const std::vector<double>& numbers) {
  Value list{.kind = Value::Kind::list};
  for (const double number : numbers) list.items.push_back(number_value(number));
  return list;
}

Value box_value(const Layout& layout, const Vector3& size) {
  Value box{.kind = Value::Kind::map};
  box.add("type", {}, {.kind = Value::Kind::scalar, .text = "box"});
  box.add("size", {},
          layout.is_planar() ? list_value({size.x(), size.z()}) : list_value({size.x(), size.y(), size.z()}));
  return box;
}

math::Quaternion random_orientation(math::Random& random, bool planar) {
  math::Quaternion turn{random.normal(), 0, 0, random.normal()};
  if (!planar) {
    turn.x = random.normal();
    turn.y = random.normal();
  }
  return turn.norm() > 0 ? turn.normalized() : math::Quaternion::identity();
}

Layout::Layout(const Entry& settings, Generation& generation)
    : generation_(generation),
      body_(settings["body"]),
      planar_(says_planar(generation.scene())),
      name_(settings["name"].exists() ? settings["name"].text() : generation.name()),
      index_(generation.index_name(settings["index"])),
      position_(read_in_plane(settings["position"], planar_)),
      orientation_(read_orientation(settings["orientation"], planar_)) {}

Vector3 Layout::axes(const Vector3& vector) const {
  return planar_ ? Vector3(vector.x(), vector.z(), -vector.y()) : vector;
}

Value Layout::make() {
  if (const Value* written = generation_.generator().find("body")) return make(*written, body_.path(), {});
  return make({.kind = Value::Kind::map, .place = body_.place()}, body_.path(), {});
}

Value Layout::make(const Value& body, const std::string& path, const std::vector<GeneratorIndex>& further) {
  std::vector<GeneratorIndex> indices = {{index_, static_cast<double>(count_ + 1)}};
  indices.insert(indices.end(), further.begin(), further.end());
  return generation_.made_body(body, body_type(), path, indices);
}

void Layout::add(Value body, const Vector3& position, const math::Quaternion& turn) {
  const Place place = body.place;
  const Vector3 in_world = position_ + orientation_.rotate(position);
  body.add("position", place, list_value({in_world.x(), in_world.y(), in_world.z()}));
  const math::Quaternion q = orientation_ * turn;
  if (q.x != 0 || q.y != 0 || q.z != 0) {
    Value orientation{.kind = Value::Kind::map, .place = place};
    orientation.add("quaternion", place, list_value({q.w, q.x, q.y, q.z}));
    body.add("orientation", place, std::move(orientation));
  }
  const std::string name = next_name();
  ++count_;
  generation_.add_body(name, std::move(body));
}

void Layout::add_shape(Value shape, const Vector3& position, const math::Quaternion& turn) {
  Value body = make();
  shape.place = body.place;
  body.add("shape", body.place, std::move(shape));
  add(std::move(body), position, turn);
}

void grid(const Entry& settings, Generation& generation) {
  Layout layout(settings, generation);
  const Entry given = settings["spacing"];
  const Vector3 spacing = given.type().element ? given.vector() : Vector3::Constant(given.number());
  const std::vector<Entry> count = settings["count"].entries();
  if (layout.is_planar() && count[2].integer() > 1) {
    count[2].refuse(fmt::format("in a planar scene '{}' must be 1", count[2].path()));
  }
  const double jitter = settings["jitter"].number();
  const bool turned = settings["orientations"].text() == "random";
  math::Random random(static_cast<std::uint64_t>(settings["seed"].integer()));
  for (int k = 0; k < count[2].integer(); ++k) {
    for (int j = 0; j < count[1].integer(); ++j) {
      for (int i = 0; i < count[0].integer(); ++i) {
        Vector3 position(i * spacing.x(), j * spacing.y(), k * spacing.z());
        for (int axis = 0; axis < (layout.is_planar() ? 2 : 3); ++axis) {
          if (jitter > 0) position[axis] += random.uniform(-jitter, jitter);
        }
        const math::Quaternion turn =
            turned ? random_orientation(random, layout.is_planar()) : math::Quaternion::identity();
        layout.add(layout.make(), position, turn);
      }
    }
  }
}

void tower(const Entry& settings, Generation& generation) {
  Layout layout(settings, generation);
  const Vector3 size = read_block_size(settings, layout.is_planar());
  const double angle = settings["turn"].number();
  if (layout.is_planar() && angle != 0) {
    settings["turn"].refuse(fmt::format("in a planar scene '{}' must be 0", settings["turn"].path()));
  }
  for (int i = 0; i < settings["count"].integer(); ++i) {
    const double height = (i + 0.5) * size.z() + i * settings["gap"].number();
    // Whole turns are left out, so that a tower of quarter turns is no less exact at its top.
    const double turn = std::remainder(i * angle, 2 * kHalfTurn);
    layout.add_shape(
        box_value(layout, size), layout.axes({0, 0, height}),
        angle == 0 ? math::Quaternion::identity() : math::Quaternion::from_axis_angle(Vector3::UnitZ(), turn));
  }
}

void wall(const Entry& settings, Generation& generation) {
  Layout layout(settings, generation);
  const Vector3 size = read_block_size(settings, layout.is_planar());
  const std::string& bond = settings["bond"].text();
  const int layers = settings["layers"].integer();
  const int blocks = settings["blocks"].integer();
  const double gap = settings["gap"].number();
  const double half = 0.5 * (size.x() - gap);
  if (bond == "stepped" && layers > blocks) {
    settings["layers"].refuse(
        fmt::format("'{}' must not be more than 'blocks' ({}): with the bond 'stepped' every layer has one block less "
                    "than the one below",
                    settings["layers"].path(), blocks));
  }
  if (!(half > 0) && (bond == "closed" || bond == "alternating")) {
    settings["gap"].refuse(fmt::format("'{}' leaves no room for half blocks: it must be less than their length, {} m",
                                       settings["gap"].path(), size.x()));
  }
  for (int layer = 0; layer < layers; ++layer) {
    const Course course = course_of(bond, blocks, layer);
    std::vector<double> lengths(static_cast<std::size_t>(course.blocks), size.x());
    if (course.half_first) lengths.insert(lengths.begin(), half);
    if (course.half_last) lengths.push_back(half);
    double whole = gap * (static_cast<double>(lengths.size()) - 1);
    for (const double length : lengths) whole += length;
    double begin = course.offset * (size.x() + gap) - 0.5 * whole;
    const double height = (layer + 0.5) * size.z() + layer * settings["bed_gap"].number();
    for (const double length : lengths) {
      layout.add_shape(box_value(layout, {length, size.y(), size.z()}), layout.axes({begin + 0.5 * length, 0, height}),
                       math::Quaternion::identity());
      begin += length + gap;
    }
  }
}

void arch(const Entry& settings, Generation& generation) {
  Layout layout(settings, generation);
  const int count = settings["count"].integer();
  const double inner = settings["inner_radius"].number();
  const double outer = inner + settings["thickness"].number();
  const double middle = 0.5 * (inner + outer);
  const double springing = settings["springing"].number();
  const double depth = settings["depth"].number();
  const double angle = (kHalfTurn - 2 * springing) / count;

  Value vertices{.kind = Value::Kind::list};
  for (const double across : {-0.5 * depth, 0.5 * depth}) {
    for (const double radius : {inner, outer}) {
      for (const double side : {-0.5 * angle, 0.5 * angle}) {
        const Vector3 corner = layout.axes({radius * std::sin(side), across, radius * std::cos(side) - middle});
        vertices.items.push_back(list_value({corner.x(), corner.y(), corner.z()}));
      }
    }
  }
  Value voussoir{.kind = Value::Kind::map};
  voussoir.add("type", {}, {.kind = Value::Kind::scalar, .text = "polyhedron"});
  voussoir.add("vertices", {}, std::move(vertices));
  for (int i = 0; i < count; ++i) {
    const double at = springing + (i + 0.5) * angle;
    const Vector3 position = layout.axes({middle * std::cos(at), 0, middle * std::sin(at)});
    layout.add_shape(voussoir, position, math::exponential(layout.axes({0, -(at - 0.5 * kHalfTurn), 0})));
  }
}

}  // namespace ricochet::io
