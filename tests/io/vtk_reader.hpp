// Reads the files that io/vtk_file writes, as a stranger would: by the format's rules, not by the writer's code.
#pragma once

#include <cstdint>
#include <cstring>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "io/output_test_support.hpp"

namespace ricochet::test {

inline std::string bytes_of_base64(const std::string& text) {
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string_view::npos) break;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255u);
  }
  return bytes;
}

class ReadVtk {
 public:
  explicit ReadVtk(const std::filesystem::path& path) : text_(file_text(path)) {
    if (text_.find("header_type=\"UInt64\"") == std::string::npos) throw std::runtime_error("lengths of unknown size");
  }

  std::size_t points() const { return attribute("NumberOfPoints"); }
  std::size_t triangles() const { return attribute("NumberOfPolys"); }

  // The first array of this name; checked against the length that it tells.
  std::vector<double> array(const std::string& name) const {
    const std::size_t at = text_.find("Name=\"" + name + "\"");
    if (at == std::string::npos) throw std::runtime_error("there is no array " + name);
    const std::size_t tag = text_.rfind("type=\"", at), open = text_.find('>', at), close = text_.find('<', open);
    const std::string type = text_.substr(tag + 6, text_.find('"', tag + 6) - tag - 6);
    const std::string bytes = bytes_of_base64(text_.substr(open + 1, close - open - 1));
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof(length));
    if (bytes.size() != sizeof(length) + length) throw std::runtime_error("the array " + name + " has a wrong length");
    const char* begin = bytes.data() + sizeof(length);
    if (type == "Float64") return numbers<double>(begin, length);
    if (type == "Float32") return numbers<float>(begin, length);
    if (type == "Int32") return numbers<std::int32_t>(begin, length);
    throw std::runtime_error("the array " + name + " is of the type " + type);
  }

  std::vector<std::string> names() const {
    const std::size_t open = text_.find('>', text_.find("Name=\"names\"")) + 1;
    std::istringstream codes(text_.substr(open, text_.find('<', open) - open));
    std::vector<std::string> result(1);
    for (int code = 0; codes >> code;) {
      if (code == 0) {
        result.emplace_back();
      } else {
        result.back() += static_cast<char>(code);
      }
    }
    result.pop_back();
    return result;
  }

 private:
  std::size_t attribute(const std::string& name) const {
    return std::stoul(text_.substr(text_.find(name + "=\"") + name.size() + 2));
  }
  template <class Value>
  static std::vector<double> numbers(const char* begin, std::uint64_t length) {
    std::vector<Value> values(length / sizeof(Value));
    if (!values.empty()) std::memcpy(values.data(), begin, length);
    return {values.begin(), values.end()};
  }

  std::string text_;
};

// Times and files of a series.
inline std::vector<std::pair<double, std::string>> read_pvd(const std::filesystem::path& path) {
  const std::string text = file_text(path);
  const std::regex entry("timestep=\"([^\"]*)\" part=\"0\" file=\"([^\"]*)\"");
  std::vector<std::pair<double, std::string>> result;
  for (std::sregex_iterator match(text.begin(), text.end(), entry), end; match != end; ++match) {
    result.emplace_back(std::stod((*match)[1]), (*match)[2]);
  }
  return result;
}

}  // namespace ricochet::test
