// JSON for the report, written in the order of the calls. It may stand in a script element of a page: `<` is escaped
// wherever it can occur, so that nothing in it can end the element.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ricochet::io {

class ReportJson {
 public:
  // Inside an object every value follows its key; the caller ends what it begins.
  ReportJson& begin_object() { return begin('{'); }
  ReportJson& end_object() { return end('}'); }
  ReportJson& begin_array() { return begin('['); }
  ReportJson& end_array() { return end(']'); }

  ReportJson& key(std::string_view name) {
    text(name);
    text_ += ':';
    first_ = true;
    return *this;
  }
  // The shortest digits that give the same number back; null for NaN and infinity.
  ReportJson& number(double value) {
    separate();
    if (std::isfinite(value)) {
      fmt::format_to(std::back_inserter(text_), "{}", value);
    } else {
      text_ += "null";
    }
    return *this;
  }
  ReportJson& null() { return raw("null"); }
  ReportJson& boolean(bool value) { return raw(value ? "true" : "false"); }
  ReportJson& numbers(std::span<const double> values) {
    begin_array();
    for (const double value : values) number(value);
    return end_array();
  }
  ReportJson& texts(std::span<const std::string> values) {
    begin_array();
    for (const std::string& value : values) text(value);
    return end_array();
  }
  // Bytes that are not UTF-8 are replaced by U+FFFD.
  ReportJson& text(std::string_view value) {
    separate();
    text_ += '"';
    for (std::size_t i = 0; i < value.size();) {
      const std::size_t length = utf8_length(value.substr(i));
      if (length == 1) {
        append_ascii(value[i]);
      } else {
        text_ += length == 0 ? std::string_view("\xef\xbf\xbd") : value.substr(i, length);
      }
      i += length == 0 ? 1 : length;
    }
    text_ += '"';
    return *this;
  }
  // JSON from elsewhere.
  ReportJson& raw(std::string_view json) {
    separate();
    for (const char c : json) {
      if (c == '<') {
        text_ += "\\u003c";  // outside texts JSON has no `<`
      } else {
        text_ += c;
      }
    }
    return *this;
  }

  std::size_t size() const { return text_.size(); }  // so far
  std::string take() { return std::move(text_); }

 private:
  ReportJson& begin(char bracket) {
    separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  ReportJson& end(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }
  void append_ascii(char c) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (c < 0x20 || c == '<' || c == 0x7f) {
      fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<int>(c));
    } else {
      text_ += c;
    }
  }

  // Bytes of the character at the start of a text; 0 if it is none (RFC 3629: no overlong forms, no surrogates, nothing
  // beyond U+10FFFF).
  static std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    const unsigned lead = byte(0), next = byte(1);
    if (lead < 0x80) return 1;
    if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
    if (lead >= 0xe0 && lead <= 0xef) {
      const bool allowed = (lead != 0xe0 || next >= 0xa0) && (lead != 0xed || next < 0xa0);
      return allowed && follows(1) && follows(2) ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
      const bool allowed = (lead != 0xf0 || next >= 0x90) && (lead != 0xf4 || next < 0x90);
      return allowed && follows(1) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
  }

  std::string text_;
  bool first_ = true;  // nothing before the next value that a comma would separate it from
};

}  // namespace ricochet::io
