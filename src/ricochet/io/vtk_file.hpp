// Files of VTK in XML, which ParaView opens: surfaces and points with values on them (.vtp, PolyData), and lists of
// such files over time (.pvd). Arrays are written inline as base64, each after its length in bytes as a 64-bit number.
//
//   VtkPolyData data;
//   data.points = {...};                                  // x y z after each other
//   data.triangles = {...};                               // or, if there are none, each point is a vertex of its own
//   data.point_data.push_back({"velocity", 3, {...}});
//   write_text_file(path, vtk_text(data));
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ricochet::io {

// Values on points or cells, `components` each.
struct VtkArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
  bool whole = false;  // whole numbers
};

struct VtkPolyData {
  std::vector<double> points;           // m
  std::vector<std::int32_t> triangles;  // three numbers of points each
  std::vector<VtkArray> point_data;
  std::vector<VtkArray> cell_data;
  std::vector<std::string> names;  // kept with the data as the list `names`, if there are any
};

std::string vtk_text(const VtkPolyData& data);

// A .pvd: which file shows which time (s).
struct VtkEntry {
  double time = 0;
  std::string file;  // relative to the .pvd
};
std::string vtk_collection_text(std::span<const VtkEntry> entries);

}  // namespace ricochet::io
