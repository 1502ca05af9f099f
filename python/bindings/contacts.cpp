#include "bindings/contacts.hpp"

namespace ricochet::python {

std::int64_t ContactNames::number(const contact::ContactSet& contacts, const contact::ContactKey& key) {
  const auto [place, is_new] = numbers_.try_emplace(key, static_cast<std::int64_t>(names_.size()));
  if (is_new) names_.push_back(contacts.name(key));
  return place->second;
}

void append_contacts(const contact::ContactSet& set, double time, std::span<const integrate::ContactRecord> records,
                     ContactNames& names, std::vector<ContactRow>& rows) {
  for (const integrate::ContactRecord& record : records) {
    ContactRow row = {};
    row.time = time;
    row.identity = names.number(set, record.key);
    row.body_a = record.key.participant_a;
    row.body_b = record.key.participant_b;
    for (int i = 0; i < 3; ++i) {
      row.point[i] = record.point[i];
      row.normal[i] = record.axes.normal[i];
      row.tangent1[i] = record.axes.tangent1[i];
      row.velocity[i] = record.velocity[i];
      row.impulse[i] = record.impulse[i];
      row.moment[i] = record.moment[i];
    }
    row.gap = record.gap;
    row.status = static_cast<std::int64_t>(record.status);
    row.work[0] = record.work_normal;
    row.work[1] = record.work_tangential;
    row.work[2] = record.work_resistance;
    rows.push_back(row);
  }
}

py::array contact_array(const std::vector<ContactRow>& rows) {
  return py::array_t<ContactRow>(static_cast<py::ssize_t>(rows.size()), rows.data());
}

void register_contact_layout() {
  PYBIND11_NUMPY_DTYPE(ContactRow, time, identity, body_a, body_b, point, normal, tangent1, gap, velocity, impulse,
                       moment, status, work);
}

}  // namespace ricochet::python
