// A convex polytope with its topology: what separating axes and patches are searched on. A single point (the core of a
// sphere), a segment (of a capsule) and a triangle are polytopes too, with few or no edges and faces.
//
// Vertices are kept relative to the middle of the polytope, so that nothing is lost when it lies far from the origin of
// its axes. The normals of an edge are those of its two faces: on the unit sphere of directions (the Gauss map) they
// end the arc of all directions in which the edge is the outermost feature. An edge of a bare segment has no normals:
// its arc is the whole circle across it.
//
// A triangle of a mesh has one face, seen from one side, and its edges have the arc from its own normal to that of its
// neighbour, of no length where the surface is flat or hollow there. `barriers` bounds the directions that may be
// normals of contact: n . barrier <= 0 for all of them. Closed polytopes have none. `shadows` are of its hollow edges:
// what has sunk in there may lie outside both triangles, seen along the normal of each, and is below both all the same.
#pragma once

#include <span>
#include <vector>

#include "ricochet/math/types.hpp"

namespace ricochet::geometry {

// The most corners of one face. Patches are cut in arrays of this size: no memory is allocated for them.
inline constexpr int kMaxFaceCorners = 128;

struct Polytope {
  struct Edge {
    int tail = 0;
    int head = 0;
    bool has_arc = false;
    Vector3 left_normal = Vector3::Zero();   // of the face left of tail to head, seen from outside
    Vector3 right_normal = Vector3::Zero();  // of the other
  };
  struct Face {
    Vector3 normal = Vector3::Zero();  // unit, outwards
    double offset = 0;                 // m, largest normal . vertex: from the middle to the face
    int first = 0;                     // place of its first corner in corner_vertices and corner_edges
    int count = 0;
  };

  Vector3 middle = Vector3::Zero();  // m, in the axes of the solid; everything else is relative to it
  std::vector<Vector3> vertices;     // m
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<int> corner_vertices;  // of all faces, counter-clockwise seen from outside
  std::vector<int> corner_edges;     // from this corner to the next
  std::vector<Vector3> barriers;
  std::vector<Vector3> shadows;  // of each edge of a triangle: leaves the neighbour, in its plane; zero if not hollow
  double inner_radius = 0;       // m, of a ball about the middle that is inside
  double outer_radius = 0;       // m, of a ball about the middle that contains it

  // Faces and edges around each vertex: places first_..[v] to first_..[v + 1] of the lists.
  std::vector<int> first_face_of_vertex, faces_of_vertex;
  std::vector<int> first_edge_of_vertex, edges_of_vertex;

  // A vertex is the feature of its own number.
  int edge_feature(int edge) const { return static_cast<int>(vertices.size()) + edge; }
  int face_feature(int face) const { return static_cast<int>(vertices.size() + edges.size()) + face; }

  std::span<const int> faces_at(int vertex) const {
    return {faces_of_vertex.data() + first_face_of_vertex[vertex],
            faces_of_vertex.data() + first_face_of_vertex[vertex + 1]};
  }
  std::span<const int> edges_at(int vertex) const {
    return {edges_of_vertex.data() + first_edge_of_vertex[vertex],
            edges_of_vertex.data() + first_edge_of_vertex[vertex + 1]};
  }

  // The vertex furthest in a direction; of several the first.
  int support(const Vector3& direction) const;
  bool allows(const Vector3& normal) const;
};

Polytope point_polytope();
Polytope segment_polytope(const Vector3& tail, const Vector3& head);

// Throws std::invalid_argument with a sentence if the faces (corners counter-clockwise seen from outside) are not a
// closed convex surface: a vertex may be outside a face by 1e-8 of the extent, no more.
Polytope closed_polytope(std::span<const Vector3> vertices, std::span<const std::vector<int>> faces);

// One face, a b c counter-clockwise seen from its side. `neighbor_normals` of the edges ab, bc, ca: the unit normals of
// the triangles beyond; the own normal where the surface is flat or hollow (an inner edge: it gives no normal). At an
// open border give the direction in the plane that leaves the triangle. `shadows`: as in Polytope.
Polytope triangle_polytope(const Vector3& a, const Vector3& b, const Vector3& c,
                           std::span<const Vector3, 3> neighbor_normals, std::span<const Vector3, 3> shadows);

}  // namespace ricochet::geometry
