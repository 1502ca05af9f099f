// Tables as comma-separated text (RFC 4180): one header line, full precision, quotes only where a text needs them.
//
// A number is written with the fewest digits that read back as the same double.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/integrate/step_report.hpp"
#include "ricochet/io/text_output.hpp"

namespace ricochet::io {

class CsvWriter {
 public:
  CsvWriter(std::filesystem::path path, std::span<const std::string> columns);

  CsvWriter& cell(double value);
  CsvWriter& cell(std::string_view text);
  void end_row();  // std::logic_error if the row has not one cell per column

  void flush() { output_.flush(); }
  void close() { output_.close(); }  // the only proof that everything was written

 private:
  void separate();

  TextOutput output_;
  std::size_t columns_ = 0;
  std::size_t cells_ = 0;  // of the row being written
};

// contacts.csv: one row per contact and output step. Components are (normal, t1, t2); `ut1` is a velocity in m/s, `pt1`
// an impulse in N s. No contact resists rolling or spinning yet: these columns are zero.
class ContactsCsv {
 public:
  explicit ContactsCsv(std::filesystem::path path);

  void write(double time, std::string_view identity, const contact::ContactSet& contacts,
             const integrate::ContactRecord& record);
  void flush() { table_.flush(); }
  void close() { table_.close(); }

 private:
  CsvWriter table_;
};

std::string_view contact_status_name(cone::ContactStatus status);  // "open", "stick", "slip"

}  // namespace ricochet::io
