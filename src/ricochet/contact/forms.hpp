// What contacts must know of the shapes of bodies. Bodies of the same parts share one form, so that a heap of 1e5 equal
// stones holds one.
//
// Against planes a body touches with its features (features.hpp). Against other bodies each part of its own is a
// collider: a convex solid, placed in the axes of the body. Solids have more features than planes can touch: edges,
// faces, sides. Those that both know have one number, and so one name; the others are counted after all of the former.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ricochet/contact/features.hpp"
#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

struct FormPart {
  Vector3 center = Vector3::Zero();  // m, from the node in its axes: the origin of the shape
  math::Quaternion orientation = {};
  Vector3 middle = Vector3::Zero();                    // m, likewise: of the sphere that holds all of it
  double radius = 0;                                   // m, of that sphere
  bool is_ball = false;                                // it is that sphere; of radius 0: a point
  std::shared_ptr<const geometry::ConvexSolid> solid;  // null: not convex
  int first_feature = 0;                               // of this part among those of the body
  int features = 0;
  int first_further_feature = 0;  // of those that touch no plane
  int further_features = 0;
  model::MaterialId material = {};
};

struct Form {
  model::Body shape;  // its parts only
  std::vector<FormPart> parts;
  std::vector<Feature> features;
  double radius = 0;  // m, around the node: holds all parts

  // The number within the body of a feature of a part's solid.
  int feature(int part, int of_solid) const {
    const FormPart& owner = parts[part];
    return of_solid < owner.features ? owner.first_feature + of_solid
                                     : owner.first_further_feature + (of_solid - owner.features);
  }
};

// Features of a mesh: of each triangle its vertices, edges and its face, one triangle after the other.
inline constexpr int kTriangleFeatures = 7;

class Forms {
 public:
  explicit Forms(const model::Model& model);

  const Form& of_body(int body) const { return forms_[form_of_body_[body]]; }
  int count() const { return static_cast<int>(forms_.size()); }
  // The triangles of a mesh, placed in the world; none of a plane.
  const std::vector<FormPart>& of_surface(int surface) const { return meshes_[surface]; }
  std::string feature_name(int body, int feature) const;
  std::string surface_feature_name(int surface, int feature) const;

 private:
  bool planar_ = false;
  std::vector<Form> forms_;
  std::vector<int> form_of_body_;
  std::vector<std::vector<FormPart>> meshes_;
};

}  // namespace ricochet::contact
