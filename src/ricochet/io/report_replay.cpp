#include "ricochet/io/report_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/io/base64.hpp"
#include "ricochet/io/replay_frames.hpp"

namespace ricochet::io {
namespace {

std::string whole_number(std::size_t value) {
  std::string text = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) text.insert(text.begin() + at, ',');
  return text;
}

Vector3 replay_triple(const std::vector<double>& list, std::size_t i) {
  return {list[3 * i], list[3 * i + 1], list[3 * i + 2]};
}

class ReplayWriter {
 public:
  ReplayWriter(ReportJson& json, const ReplayBox& box) : json_(json) {
    center_ = 0.5 * (box.low + box.high);
    const double half = 0.5 * (box.high - box.low).norm();
    unit_ = half > 0 && std::isfinite(half) ? half : 1.0;
  }
  double unit() const { return unit_; }

  void vector(const char* key, const Vector3& value) { json_.key(key).numbers({value.data(), 3}); }
  void length(const char* key, const Vector3& value) { vector(key, value / unit_); }
  void place(const char* key, const Vector3& value) { vector(key, (value - center_) / unit_); }
  void origin() {
    vector("center", center_);
    json_.key("unit").number(unit_);
  }
  void anchor(const char* key, const GeometryAnchor& anchor) {
    json_.key(key).begin_object().key("body").number(anchor.body);
    anchor.body < 0 ? place("point", anchor.point) : length("point", anchor.point);
    json_.end_object();
  }
  template <class Value>
  void binary(const char* key, const std::vector<Value>& values) {
    json_.key(key).raw('"' + base64(std::span<const Value>(values)) + '"');
  }
  // Triples of coordinates; the others are lengths.
  void add_place(std::vector<float>& list, const Vector3& value) const { add(list, (value - center_) / unit_); }
  void add_length(std::vector<float>& list, const Vector3& value) const { add(list, value / unit_); }
  static void add(std::vector<float>& list, const Vector3& value) {
    for (const double component : value) list.push_back(static_cast<float>(component));
  }

 private:
  ReportJson& json_;
  Vector3 center_;
  double unit_ = 1;
};

void write_parts(ReportJson& json, ReplayWriter& writer, const ResultGeometry& geometry) {
  std::vector<std::string> names;
  std::vector<std::uint8_t> shapes;
  std::vector<std::int32_t> bodies, meshes;
  std::vector<float> sizes, positions, quaternions;
  for (const GeometryPart& part : geometry.parts) {
    const auto known = std::find(names.begin(), names.end(), part.shape) - names.begin();
    if (known == static_cast<std::ptrdiff_t>(names.size())) names.push_back(part.shape);
    shapes.push_back(static_cast<std::uint8_t>(known));
    bodies.push_back(part.body);
    meshes.push_back(part.mesh);
    writer.add_length(sizes, part.size);
    writer.add_length(positions, part.position);
    const math::Quaternion& q = part.orientation;
    for (const double value : {q.w, q.x, q.y, q.z}) quaternions.push_back(static_cast<float>(value));
  }
  json.key("parts").begin_object().key("shapes").begin_array();
  for (const std::string& name : names) json.text(name);
  json.end_array();
  writer.binary("shape", shapes);
  writer.binary("body", bodies);
  writer.binary("mesh", meshes);
  writer.binary("size", sizes);
  writer.binary("position", positions);
  writer.binary("quaternion", quaternions);
  json.end_object();
}

// Meshes of parts in the axes of their bodies, those of surfaces in the world.
void write_meshes(ReportJson& json, ReplayWriter& writer, const ResultGeometry& geometry) {
  std::vector<bool> in_world(geometry.meshes.size(), false);
  for (const GeometrySurface& surface : geometry.surfaces) {
    if (surface.mesh >= 0) in_world[surface.mesh] = true;
  }
  json.key("meshes").begin_array();
  for (std::size_t k = 0; k < geometry.meshes.size(); ++k) {
    std::vector<float> vertices;
    std::vector<std::uint32_t> triangles;
    for (const Vector3& vertex : geometry.meshes[k].vertices) {
      in_world[k] ? writer.add_place(vertices, vertex) : writer.add_length(vertices, vertex);
    }
    for (const auto& triangle : geometry.meshes[k].triangles) {
      for (const int corner : triangle) triangles.push_back(static_cast<std::uint32_t>(corner));
    }
    json.begin_object();
    writer.binary("vertices", vertices);
    writer.binary("triangles", triangles);
    json.end_object();
  }
  json.end_array();
}

void write_connections(ReportJson& json, ReplayWriter& writer, const ResultGeometry& geometry,
                       const std::vector<int>& driven) {
  json.key("surfaces").begin_array();
  for (std::size_t i = 0; i < geometry.surfaces.size(); ++i) {
    const GeometrySurface& surface = geometry.surfaces[i];
    const auto found = std::find(driven.begin(), driven.end(), static_cast<int>(i));
    json.begin_object().key("name").text(surface.name);
    writer.place("point", surface.point);
    writer.vector("normal", surface.normal);
    json.key("mesh").number(surface.mesh);
    json.key("driven").number(found == driven.end() ? -1.0 : static_cast<double>(found - driven.begin()));
    json.end_object();
  }
  json.end_array().key("springs").begin_array();
  for (const GeometrySpring& spring : geometry.springs) {
    json.begin_object().key("name").text(spring.name);
    writer.anchor("start", spring.start);
    writer.anchor("end", spring.end);
    json.end_object();
  }
  json.end_array().key("joints").begin_array();
  for (const GeometryJoint& joint : geometry.joints) {
    json.begin_object().key("name").text(joint.name).key("type").text(joint.type);
    writer.anchor("first", joint.first);
    writer.anchor("second", joint.second);
    const math::Quaternion& q = joint.first_axes;
    json.key("axes").numbers(std::array{q.w, q.x, q.y, q.z}).end_object();
  }
  json.end_array();
}

void write_contacts(ReportJson& json, ReplayWriter& writer, std::vector<std::vector<ReplayContact>>& frames,
                    std::size_t limit) {
  std::vector<std::uint32_t> start = {0};
  std::vector<float> points, impulses;
  std::vector<std::int8_t> directions;
  double largest = 0;
  for (std::vector<ReplayContact>& list : frames) {
    std::stable_sort(list.begin(), list.end(), [](const ReplayContact& a, const ReplayContact& b) {
      return a.impulse.squaredNorm() > b.impulse.squaredNorm();
    });
    list.resize(std::min(list.size(), limit));
    for (const ReplayContact& contact : list) {
      writer.add_place(points, contact.point);
      ReplayWriter::add(impulses, contact.impulse);
      for (const double component : contact.normal) {
        directions.push_back(static_cast<std::int8_t>(std::lround(127 * std::clamp(component, -1.0, 1.0))));
      }
      directions.push_back(static_cast<std::int8_t>(contact.status));
      largest = std::max(largest, contact.impulse.norm());
    }
    start.push_back(static_cast<std::uint32_t>(directions.size() / 4));
  }
  json.key("contacts").begin_object();
  writer.binary("start", start);
  writer.binary("point", points);
  writer.binary("impulse", impulses);
  writer.binary("direction", directions);
  json.key("largest").number(largest).end_object();
}

// About how many bytes the text has that does not depend on frames, rather more than less.
std::size_t geometry_text(const ResultGeometry& geometry) {
  constexpr std::size_t numbers = 150;  // of a point and its names in JSON
  std::size_t bytes = 2000 + 70 * geometry.parts.size();
  for (const GeometryBody& body : geometry.bodies) bytes += body.name.size() + 50;
  for (const model::TriangleMesh& mesh : geometry.meshes) {
    bytes += 16 * (mesh.vertices.size() + mesh.triangles.size()) + 50;
  }
  for (const GeometrySurface& surface : geometry.surfaces) bytes += surface.name.size() + 2 * numbers;
  for (const GeometrySpring& spring : geometry.springs) bytes += spring.name.size() + 2 * numbers;
  for (const GeometryJoint& joint : geometry.joints) bytes += joint.name.size() + 3 * numbers;
  return bytes;
}

}  // namespace

void report_replay(ReportJson& json, const ResultReader& result, std::size_t limit) {
  if (!result.has_geometry()) {
    json.null();
    return;
  }
  const ResultGeometry geometry = result.geometry();
  const std::vector<int> driven = result.driven_surfaces(geometry.surfaces.size());
  const std::size_t bodies = geometry.bodies.size();

  // Three bytes are four letters. Places and contacts share the room, but places come first.
  const std::size_t text = geometry_text(geometry);
  const std::size_t room = (limit - std::min(limit, text)) / 4 * 3, per_frame = 20 * bodies + 24 * driven.size() + 20,
                    per_contact = 28;
  const std::size_t frame_limit = std::clamp<std::size_t>(room * 6 / 10 / per_frame, 2, replay_frames);
  const std::size_t count = std::min(result.rows(), frame_limit);
  const ReplayFrames frames = read_replay_frames(result, bodies, driven.size(), chosen_rows(result.rows(), count));
  const std::size_t contact_room = (room - std::min(room, count * per_frame)) / per_contact;
  auto contacts = read_replay_contacts(result, frames.rows, contact_room);
  const std::size_t most = contact_limit(contacts, contact_room);
  const bool contacts_thinned =
      std::any_of(contacts.begin(), contacts.end(), [&](const auto& list) { return list.size() > most; });

  const ReplayBox box = replay_box(geometry, frames);
  ReplayWriter writer(json, box);
  json.begin_object().key("planar").raw(geometry.planar ? "true" : "false");
  const bool falls = geometry.gravity.norm() > 0;
  const Vector3 rest = geometry.planar ? Vector3(0, 1, 0) : Vector3(0, 0, 1);
  writer.vector("up", falls ? Vector3(-geometry.gravity.normalized()) : rest);
  writer.origin();
  writer.place("low", box.low);
  writer.place("high", box.high);
  json.key("rows").number(static_cast<double>(result.rows())).key("time").begin_array();
  for (const std::size_t row : frames.rows) json.number(result.time()[row]);
  json.end_array().key("notices").begin_array();
  if (count < result.rows()) {
    json.text(
        fmt::format("The replay has {} frames of the {} rows of the result, so that this page stays small; "
                    "impulses are summed from frame to frame.",
                    whole_number(count), whole_number(result.rows())));
  }
  if (contacts_thinned) {
    json.text(fmt::format("Of each frame the {} contacts with the largest impulses are drawn.", whole_number(most)));
  }
  json.end_array().key("bodies").begin_object().key("names").begin_array();
  for (const GeometryBody& body : geometry.bodies) json.text(body.name);
  json.end_array().key("appears").begin_array();
  for (const GeometryBody& body : geometry.bodies) json.number(body.appears);
  json.end_array().key("disappears").begin_array();
  for (const GeometryBody& body : geometry.bodies) json.number(body.disappears);  // null: never
  json.end_array().end_object();
  write_parts(json, writer, geometry);
  write_meshes(json, writer, geometry);
  write_connections(json, writer, geometry, driven);

  std::vector<float> positions, planes;
  for (std::size_t i = 0; i < frames.position.size() / 3; ++i)
    writer.add_place(positions, replay_triple(frames.position, i));
  for (std::size_t i = 0; i < frames.driven.size() / 6; ++i) {
    writer.add_place(planes, replay_triple(frames.driven, 2 * i));
    ReplayWriter::add(planes, replay_triple(frames.driven, 2 * i + 1));
  }
  writer.binary("position", positions);
  writer.binary("quaternion", frames.quaternion);
  writer.binary("driven", planes);
  write_contacts(json, writer, contacts, most);
  json.end_object();
}

}  // namespace ricochet::io
