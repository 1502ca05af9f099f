#include "ricochet/io/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/io/result_geometry.hpp"
#include "ricochet/io/version.hpp"
#include "ricochet/mechanics/material_point.hpp"

namespace ricochet::io {
namespace {

std::int64_t size_of_list(const auto& list) { return static_cast<std::int64_t>(list.size()); }

std::span<const double> components(const Vector3& vector) { return {vector.data(), 3}; }

void write_model(Hdf5File& file, const model::Model& model) {
  std::vector<std::string> names, kinds;
  std::vector<std::int64_t> nodes;
  std::vector<double> masses, sizes;
  for (const model::Body& body : model.bodies) {
    names.push_back(body.name);
    kinds.emplace_back(model::shape_name(body));
    nodes.push_back(body.node.index);
    masses.push_back(body.mass);
    const Vector3 size = body.parts.size() == 1 ? shape_size(body.parts.front().shape) : Vector3(Vector3::Zero());
    for (const double component : size) sizes.push_back(component);
  }
  file.write("/bodies/names", names);
  file.write("/bodies/shape", kinds);
  file.write("/bodies/node", nodes);
  file.write("/bodies/mass", masses);
  file.write("/bodies/size", sizes, {size_of_list(model.bodies), 3});

  names.clear();
  kinds.clear();
  for (const model::Node& node : model.nodes) {
    names.push_back(node.name);
    kinds.emplace_back(node.kind == model::NodeKind::frame         ? "frame"
                       : node.kind == model::NodeKind::generalised ? "generalised"
                                                                   : "point");
  }
  file.write("/nodes/names", names);
  file.write("/nodes/kinds", kinds);

  names.clear();
  std::vector<double> points, normals;
  for (const model::Surface& surface : model.surfaces) {
    names.push_back(surface.name);
    for (const double component : surface.point) points.push_back(component);
    for (const double component : surface.normal) normals.push_back(component);
  }
  file.write("/surfaces/names", names);
  file.write("/surfaces/point", points, {size_of_list(model.surfaces), 3});
  file.write("/surfaces/normal", normals, {size_of_list(model.surfaces), 3});
}

void write_portraits(Hdf5File& file, const study::Case& run_case) {
  if (run_case.portraits.empty()) return;
  std::vector<std::string> names, x, y;
  for (const study::Portrait& portrait : run_case.portraits) {
    names.push_back(portrait.name);
    x.push_back(run_case.probes.name(portrait.x));
    y.push_back(run_case.probes.name(portrait.y));
  }
  file.write("/portraits/names", names);
  file.write("/portraits/x", x);
  file.write("/portraits/y", y);
}

// Bytes of the longest `rule:bodyA.featureA|bodyB.featureB` that this model can have.
std::size_t longest_identity(const model::Model& model) {
  std::size_t feature = 40;  // "corner" and a number, with room for features to come
  std::size_t rule = 0, participant = 0;
  for (const model::ContactRule& one : model.contacts) rule = std::max(rule, one.name.size());
  for (const model::Body& body : model.bodies) {
    participant = std::max(participant, body.name.size());
    for (const model::ShapePart& part : body.parts) feature = std::max(feature, 40 + part.name.size());
  }
  for (const model::Surface& surface : model.surfaces) participant = std::max(participant, surface.name.size());
  return rule + 2 * (1 + participant + 1 + feature);
}

}  // namespace

ResultFile::ResultFile(const std::filesystem::path& path, const study::Case& run_case,
                       std::span<const std::string> probe_names)
    : file_(Hdf5File::create(path)), surface_motion_(run_case.model) {
  file_.write_number("/format", file_format);
  file_.write_attribute("/", "program", program_name);
  file_.write_attribute("/", "version", version());
  file_.write_attribute("/", "scene", run_case.id);
  file_.write_text("/scene", run_case.source_text);
  file_.write("/overrides", run_case.overrides);
  write_model(file_, run_case.model);
  write_geometry(file_, geometry_of(run_case.model));

  time_ = file_.make_series<double>("/time");
  const std::int64_t bodies = size_of_list(run_case.model.bodies);
  position_ = file_.make_series<double>("/bodies/position", {bodies, 3});
  quaternion_ = file_.make_series<double>("/bodies/quaternion", {bodies, 4});
  velocity_ = file_.make_series<double>("/bodies/velocity", {bodies, 6});

  std::vector<std::int64_t> driven;
  for (int surface = 0; surface < static_cast<int>(run_case.model.surfaces.size()); ++surface) {
    if (surface_motion_.moves(surface)) driven.push_back(surface);
  }
  driven_surfaces_.assign(driven.begin(), driven.end());
  file_.write("/surfaces/driven", driven);
  driven_point_ = file_.make_series<double>("/surfaces/driven_point", {size_of_list(driven), 3});
  driven_normal_ = file_.make_series<double>("/surfaces/driven_normal", {size_of_list(driven), 3});

  identities_ = file_.make_text_series("/contacts/names", longest_identity(run_case.model));
  row_start_ = file_.make_series<std::int64_t>("/contacts/row_start");
  identity_ = file_.make_series<std::int64_t>("/contacts/identity");
  body_a_ = file_.make_series<std::int64_t>("/contacts/body_a");
  body_b_ = file_.make_series<std::int64_t>("/contacts/body_b");
  status_ = file_.make_series<std::int64_t>("/contacts/status");
  file_.write_attribute("/contacts/status", "meaning", "0 open, 1 stick, 2 slip");
  point_ = file_.make_series<double>("/contacts/point", {3});
  normal_ = file_.make_series<double>("/contacts/normal", {3});
  tangent1_ = file_.make_series<double>("/contacts/tangent1", {3});
  gap_ = file_.make_series<double>("/contacts/gap");
  contact_velocity_ = file_.make_series<double>("/contacts/velocity", {3});
  impulse_ = file_.make_series<double>("/contacts/impulse", {3});
  work_ = file_.make_series<double>("/contacts/work", {3});
  moment_ = file_.make_series<double>("/contacts/moment", {3});
  row_start_.append(0);

  for (std::size_t i = 0; i < simulation::ledger_entries.size(); ++i) {
    energy_[i] = file_.make_series<double>(fmt::format("/energy/{}", simulation::ledger_entries[i]));
  }
  iterations_ = file_.make_series<std::int64_t>("/solver/iterations");
  residual_ = file_.make_series<double>("/solver/residual");
  file_.write("/probes/names", probe_names);
  write_portraits(file_, run_case);
  probes_ = file_.make_series<double>("/probes/values", {size_of_list(probe_names)});
}

void ResultFile::write_bodies(const simulation::Frame& frame) {
  const mechanics::DofMap& map = frame.equations.map();
  const std::vector<model::Body>& bodies = frame.model.bodies;
  row_.clear();
  for (const model::Body& body : bodies) {
    const mechanics::MaterialPoint origin(model::point_of(body, Vector3::Zero()));
    for (const double component : origin.position(map, frame.state)) row_.push_back(component);
  }
  position_.append(row_);
  row_.clear();
  for (const model::Body& body : bodies) {
    const math::Quaternion rotation = mechanics::orientation(map, frame.state, body.node.index);
    row_.insert(row_.end(), {rotation.w, rotation.x, rotation.y, rotation.z});
  }
  quaternion_.append(row_);
  row_.clear();
  for (const model::Body& body : bodies) {
    const mechanics::MaterialPoint origin(model::point_of(body, Vector3::Zero()));
    for (const double component : origin.velocity(map, frame.state)) row_.push_back(component);
    const int turn = map.v_start(body.node.index) + 3;
    for (int i = 0; i < 3; ++i) row_.push_back(map.is_frame(body.node.index) ? frame.state.v[turn + i] : 0.0);
  }
  velocity_.append(row_);
}

void ResultFile::write_driven_surfaces(double time) {
  row_.clear();
  for (const int surface : driven_surfaces_) {
    for (const double component : surface_motion_.plane(surface, time).point) row_.push_back(component);
  }
  driven_point_.append(row_);
  row_.clear();
  for (const int surface : driven_surfaces_) {
    for (const double component : surface_motion_.plane(surface, time).normal) row_.push_back(component);
  }
  driven_normal_.append(row_);
}

void ResultFile::write_contact(const RowContact& contact) {
  const integrate::ContactRecord& record = *contact.record;
  identity_.append(contact.identity);
  body_a_.append(record.key.participant_a);
  body_b_.append(record.key.participant_b);
  status_.append(static_cast<std::int64_t>(record.status));
  point_.append(components(record.point));
  normal_.append(components(record.axes.normal));
  tangent1_.append(components(record.axes.tangent1));
  gap_.append(record.gap);
  contact_velocity_.append(components(record.velocity));
  impulse_.append(components(record.impulse));
  work_.append(std::array{record.work_normal, record.work_tangential, record.work_resistance});
  moment_.append(components(record.moment));
}

void ResultFile::write_row(const simulation::Frame& frame, std::span<const RowContact> contacts,
                           std::span<const double> probes) {
  time_.append(frame.state.time);
  write_bodies(frame);
  write_driven_surfaces(frame.state.time);
  for (const RowContact& contact : contacts) write_contact(contact);
  row_start_.append(identity_.rows());
  const auto energies = simulation::ledger_values(frame.ledger);
  for (std::size_t i = 0; i < energies.size(); ++i) energy_[i].append(energies[i]);
  iterations_.append(frame.report.solver.iterations);
  residual_.append(frame.report.solver.residual);
  probes_.append(probes);
}

}  // namespace ricochet::io
