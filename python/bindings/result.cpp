// Result files as arrays. ricochet/results.py makes a Result of them.
#include "bindings/contacts.hpp"
#include "bindings/files.hpp"
#include "ricochet/io/result_reader.hpp"
#include "ricochet/simulation/ledger.hpp"

namespace ricochet::python {

std::recursive_mutex& files_in_use() {
  static std::recursive_mutex mutex;
  return mutex;
}

namespace {

// All of a file, read without the interpreter lock.
struct ResultData {
  std::string scene_id, scene_text;
  std::vector<double> time;
  std::vector<io::ResultColumn> probes, energies;
  std::vector<std::string> bodies, surfaces, contact_names;
  io::BodyRows body_rows;
  std::vector<ContactRow> contacts;
};

std::vector<ContactRow> read_contacts(const io::ResultReader& reader) {
  const io::ContactRows from = reader.contact_rows(0, reader.rows());
  const io::ContactMotion motion = reader.contact_motion(0, reader.rows());
  std::vector<ContactRow> rows(from.identity.size());
  std::size_t row = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    while (static_cast<std::int64_t>(i) >= from.row_start[row + 1]) ++row;
    ContactRow& to = rows[i];
    to.time = reader.time()[row];
    to.identity = from.identity[i];
    to.body_a = from.body_a[i];
    to.body_b = from.body_b[i];
    to.gap = from.gap[i];
    to.status = from.status[i];
    for (std::size_t k = 0; k < 3; ++k) {
      to.point[k] = from.point[3 * i + k];
      to.normal[k] = from.normal[3 * i + k];
      to.tangent1[k] = from.tangent1[3 * i + k];
      to.velocity[k] = motion.velocity[3 * i + k];
      to.impulse[k] = from.impulse[3 * i + k];
      to.moment[k] = motion.moment[3 * i + k];
      to.work[k] = motion.work[3 * i + k];
    }
  }
  return rows;
}

ResultData read_all(const std::string& path) {
  const io::ResultReader reader(path);
  ResultData data;
  data.scene_id = reader.scene_id();
  data.scene_text = reader.scene_text();
  data.time = reader.time();
  data.probes = reader.probes();
  for (const std::string_view name : simulation::ledger_entries) {
    data.energies.push_back(reader.column("energy", std::string(name)));
  }
  data.bodies = reader.body_names();
  data.surfaces = reader.surface_names();
  data.body_rows = reader.body_rows(data.bodies.size(), 0, reader.rows());
  data.contact_names = reader.contacts().names;
  data.contacts = read_contacts(reader);
  return data;
}

// Columns side by side: [row, column].
py::array_t<double> table(const std::vector<io::ResultColumn>& columns, std::size_t rows) {
  py::array_t<double> result({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns.size())});
  auto to = result.mutable_unchecked<2>();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      to(static_cast<py::ssize_t>(i), static_cast<py::ssize_t>(j)) = columns[j].values[i];
    }
  }
  return result;
}

py::list column_names(const std::vector<io::ResultColumn>& columns) {
  py::list names;
  for (const io::ResultColumn& column : columns) names.append(column.name);
  return names;
}

py::dict read_result_file(const py::object& file) {
  const auto path = py::module_::import("os").attr("fspath")(file).cast<std::string>();
  ResultData data;
  {
    const py::gil_scoped_release release;
    const std::lock_guard lock(files_in_use());
    data = read_all(path);
  }
  const auto rows = static_cast<py::ssize_t>(data.time.size()), bodies = static_cast<py::ssize_t>(data.bodies.size());
  py::dict columns;
  columns["scene_id"] = data.scene_id;
  columns["scene"] = data.scene_text;
  columns["time"] = new_array(data.time, {rows});
  columns["probe_names"] = column_names(data.probes);
  columns["probe_values"] = table(data.probes, data.time.size());
  columns["energy_names"] = column_names(data.energies);
  columns["energy_values"] = table(data.energies, data.time.size());
  columns["bodies"] = data.bodies;
  columns["surfaces"] = data.surfaces;
  columns["positions"] = new_array(data.body_rows.position, {rows, bodies, 3});
  columns["quaternions"] = new_array(data.body_rows.quaternion, {rows, bodies, 4});
  columns["velocities"] = new_array(data.body_rows.velocity, {rows, bodies, 6});
  columns["contacts"] = contact_array(data.contacts);
  columns["contact_names"] = data.contact_names;
  return columns;
}

}  // namespace

void bind_result(py::module_& module) {
  module.def("read_result_file", &read_result_file, py::arg("path"), "The columns of a result.h5, by name.");
}

}  // namespace ricochet::python
