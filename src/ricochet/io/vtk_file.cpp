#include "ricochet/io/vtk_file.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <iterator>
#include <numeric>

#include "ricochet/io/base64.hpp"

namespace ricochet::io {
namespace {

template <class Value>
constexpr const char* vtk_type_name = nullptr;
template <>
constexpr const char* vtk_type_name<float> = "Float32";
template <>
constexpr const char* vtk_type_name<double> = "Float64";
template <>
constexpr const char* vtk_type_name<std::int32_t> = "Int32";

template <class Value>
void put_array(std::string& text, const std::string& name, int components, std::span<const Value> values) {
  const std::size_t bytes = values.size_bytes();
  const std::uint64_t length = bytes;
  std::vector<std::byte> block(sizeof(length) + bytes);
  std::memcpy(block.data(), &length, sizeof(length));
  if (bytes > 0) std::memcpy(block.data() + sizeof(length), values.data(), bytes);
  fmt::format_to(std::back_inserter(text), R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="binary">)",
                 vtk_type_name<Value>, name, components);
  append_base64(text, block);
  text += "</DataArray>\n";
}

void put_data(std::string& text, const char* kind, std::span<const VtkArray> arrays) {
  fmt::format_to(std::back_inserter(text), "<{}>\n", kind);
  for (const VtkArray& array : arrays) {
    if (array.whole) {
      const std::vector<std::int32_t> values(array.values.begin(), array.values.end());
      put_array<std::int32_t>(text, array.name, array.components, values);
    } else {
      const std::vector<float> values(array.values.begin(), array.values.end());
      put_array<float>(text, array.name, array.components, values);
    }
  }
  fmt::format_to(std::back_inserter(text), "</{}>\n", kind);
}

// A list of cells with the same number of points each.
void put_cells(std::string& text, const char* kind, std::span<const std::int32_t> points, int size) {
  std::vector<std::int32_t> ends(points.size() / static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = size * static_cast<std::int32_t>(i + 1);
  fmt::format_to(std::back_inserter(text), "<{}>\n", kind);
  put_array<std::int32_t>(text, "connectivity", 1, points);
  put_array<std::int32_t>(text, "offsets", 1, ends);
  fmt::format_to(std::back_inserter(text), "</{}>\n", kind);
}

// Texts are lists of the codes of their bytes, each ended by a zero.
void put_names(std::string& text, std::span<const std::string> names) {
  fmt::format_to(std::back_inserter(text),
                 "<FieldData>\n<Array type=\"String\" Name=\"names\" NumberOfTuples=\"{}\" format=\"ascii\">\n",
                 names.size());
  for (const std::string& name : names) {
    for (const char c : name)
      fmt::format_to(std::back_inserter(text), "{} ", static_cast<int>(static_cast<unsigned char>(c)));
    text += "0\n";
  }
  text += "</Array>\n</FieldData>\n";
}

constexpr const char* vtk_head =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";

}  // namespace

std::string vtk_text(const VtkPolyData& data) {
  const std::size_t points = data.points.size() / 3;
  const std::size_t triangles = data.triangles.size() / 3;
  const bool as_points = data.triangles.empty();
  std::string text = fmt::format(vtk_head, "PolyData");
  text += "<PolyData>\n";
  if (!data.names.empty()) put_names(text, data.names);
  fmt::format_to(std::back_inserter(text),
                 "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                 "NumberOfPolys=\"{}\">\n",
                 points, as_points ? points : 0, triangles);
  text += "<Points>\n";
  put_array<double>(text, "Points", 3, data.points);
  text += "</Points>\n";
  std::vector<std::int32_t> vertices(as_points ? points : 0);
  std::iota(vertices.begin(), vertices.end(), 0);
  put_cells(text, "Verts", vertices, 1);
  put_cells(text, "Polys", data.triangles, 3);
  put_data(text, "PointData", data.point_data);
  put_data(text, "CellData", data.cell_data);
  text += "</Piece>\n</PolyData>\n</VTKFile>\n";
  return text;
}

std::string vtk_collection_text(std::span<const VtkEntry> entries) {
  std::string text = fmt::format(vtk_head, "Collection");
  text += "<Collection>\n";
  for (const VtkEntry& entry : entries) {
    fmt::format_to(std::back_inserter(text), "<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                   entry.file);
  }
  text += "</Collection>\n</VTKFile>\n";
  return text;
}

}  // namespace ricochet::io
