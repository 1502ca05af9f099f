// What a machine looks like, as result.h5 keeps it: everything that is needed to draw a row of the result, without the
// scene it came from. Written once per run, read by the report, the export and the gallery.
//
//   /geometry/planar             1 for a planar scene
//            /gravity[3]         m/s^2
//            /parts/body[p] /name[p] /shape[p] /size[p,3] /position[p,3] /quaternion[p,4] /mesh[p]
//            /meshes/vertex_start[k+1] /vertices[v,3] /triangle_start[k+1] /triangles[t,3]
//            /springs/names[f] /start_body[f] /start_point[f,3] /end_body[f] /end_point[f,3]
//            /joints/names[j] /types[j] /first_body[j] /first_point[j,3] /first_axes[j,4] /second_...
//   /surfaces/mesh[s]
//   /bodies/appears[b] /disappears[b]   s; the body is there from the first on and not from the second on
//
// A part is a shape in the axes of its body, measured from the origin whose path is /bodies/position. `shape` and
// `size` are as in /bodies; a polyhedron, a face as a thin plate, and what is hollow as its inner wall, has its
// triangles in a mesh, whose indices count from its own first vertex; bodies of the same form share one. A mesh of -1
// is none, a body of -1 the world. The z axis of the axes of a joint is its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/math/rotation.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

// A point that a body carries (measured from its origin, in its axes) or, with body -1, a point of the world.
struct GeometryAnchor {
  int body = -1;
  Vector3 point = Vector3::Zero();
};

struct GeometryPart {
  int body = 0;
  std::string name;
  std::string shape;               // a name of model/shape.hpp
  Vector3 size = Vector3::Zero();  // m: radius and half length (of a cone its height), or half extents
  Vector3 position = Vector3::Zero();
  math::Quaternion orientation;
  int mesh = -1;
};

struct GeometryBody {
  std::string name;
  double appears = 0;     // s
  double disappears = 0;  // s
};

struct GeometrySurface {
  std::string name;
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::UnitY();
  int mesh = -1;  // -1: a plane
};

struct GeometrySpring {
  std::string name;
  GeometryAnchor start;
  GeometryAnchor end;
};

struct GeometryJoint {
  std::string name;
  std::string type;
  GeometryAnchor first;
  GeometryAnchor second;
  math::Quaternion first_axes;
  math::Quaternion second_axes;
};

struct ResultGeometry {
  bool planar = false;
  Vector3 gravity = Vector3::Zero();
  std::vector<GeometryBody> bodies;
  std::vector<GeometryPart> parts;
  std::vector<GeometrySurface> surfaces;
  std::vector<GeometrySpring> springs;
  std::vector<GeometryJoint> joints;
  std::vector<model::TriangleMesh> meshes;
};

// Springs and joints whose nodes carry no body stay where the model puts them.
ResultGeometry geometry_of(const model::Model& model);

// The size of a shape as the result has it; zero for points and for what has a mesh.
Vector3 shape_size(const model::Shape& shape);

// The surface of a part in the axes of its body; empty for a point.
model::TriangleMesh part_surface(const ResultGeometry& geometry, const GeometryPart& part,
                                 int segments = 0);  // 0: as model/tessellation.hpp likes it

// Names of bodies and places of surfaces are written elsewhere (result_file.hpp) and read here.
void write_geometry(Hdf5File& file, const ResultGeometry& geometry);
// Throws FileError if something is missing, of a wrong size, or points to what does not exist.
ResultGeometry read_geometry(const Hdf5File& file);

}  // namespace ricochet::io
