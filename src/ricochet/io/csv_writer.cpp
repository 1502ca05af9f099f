#include "ricochet/io/csv_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace ricochet::io {
namespace {

const std::array<std::string, 26> contacts_csv_columns = {
    "time", "contact", "body_a", "body_b", "x",  "y",   "z",   "nx",    "ny",    "nz",   "t1x",    "t1y",    "t1z",
    "gap",  "un",      "ut1",    "ut2",    "pn", "pt1", "pt2", "roll1", "roll2", "spin", "status", "work_n", "work_t"};

}  // namespace

CsvWriter::CsvWriter(std::filesystem::path path, std::span<const std::string> columns)
    : output_(std::move(path)), columns_(columns.size()) {
  for (const std::string& column : columns) cell(column);
  end_row();
}

void CsvWriter::separate() {
  if (cells_++ > 0) output_.buffer().push_back(',');
}

CsvWriter& CsvWriter::cell(double value) {
  separate();
  fmt::format_to(std::back_inserter(output_.buffer()), "{}", value);
  return *this;
}

CsvWriter& CsvWriter::cell(std::string_view text) {
  separate();
  std::string& buffer = output_.buffer();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    buffer.append(text);
    return *this;
  }
  buffer.push_back('"');
  for (const char character : text) {
    if (character == '"') buffer.push_back('"');
    buffer.push_back(character);
  }
  buffer.push_back('"');
  return *this;
}

void CsvWriter::end_row() {
  if (cells_ != columns_) {
    throw std::logic_error(fmt::format("a row of {} cells in a table of {} columns", cells_, columns_));
  }
  cells_ = 0;
  output_.buffer().push_back('\n');
  output_.drain();
}

ContactsCsv::ContactsCsv(std::filesystem::path path) : table_(std::move(path), contacts_csv_columns) {}

void ContactsCsv::write(double time, std::string_view identity, const contact::ContactSet& contacts,
                        const integrate::ContactRecord& record) {
  table_.cell(time).cell(identity);
  table_.cell(contacts.participant(record.key.participant_a)).cell(contacts.participant(record.key.participant_b));
  for (const Vector3* vector : {&record.point, &record.axes.normal, &record.axes.tangent1}) {
    for (const double component : *vector) table_.cell(component);
  }
  table_.cell(record.gap);
  for (const Vector3* vector : {&record.velocity, &record.impulse}) {
    for (const double component : *vector) table_.cell(component);
  }
  table_.cell(record.moment[1]).cell(record.moment[2]).cell(record.moment[0]);
  table_.cell(contact_status_name(record.status)).cell(record.work_normal);
  table_.cell(record.work_tangential + record.work_resistance);
  table_.end_row();
}

std::string_view contact_status_name(cone::ContactStatus status) {
  switch (status) {
    case cone::ContactStatus::open:
      return "open";
    case cone::ContactStatus::stick:
      return "stick";
    case cone::ContactStatus::slip:
      return "slip";
  }
  return "";
}

}  // namespace ricochet::io
