// What contacts must know of the shapes of bodies. Bodies of the same parts share one form, so that a heap of 1e5 equal
// stones holds one.
//
// Against planes a body touches with its features (features.hpp). Against other bodies each part of its own is a
// collider (form_part.hpp). Solids have more features than planes can touch: edges,
// faces, sides. Those that both know have one number, and so one name; the others are counted after all of the former.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ricochet/contact/features.hpp"
#include "ricochet/contact/form_part.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

struct Form {
  model::Body shape;  // its parts only
  std::vector<FormPart> parts;
  std::vector<Feature> features;           // those that touch planes, over all parts
  std::vector<int> first_feature;          // of each part among them
  std::vector<int> first_further_feature;  // of each part: where the others of its solid are counted on
  double radius = 0;                       // m, around the node: holds all parts but those without limits

  // With which a part touches planes, and what holds balls (faces, hollows) of other bodies.
  std::span<const Feature> features_of(int part) const {
    const int end =
        part + 1 < static_cast<int>(parts.size()) ? first_feature[part + 1] : static_cast<int>(features.size());
    return std::span(features).subspan(first_feature[part], end - first_feature[part]);
  }

  // The number within the body of a feature of a part's solid.
  int feature(int part, int of_solid) const {
    const int further = of_solid - parts[part].plane_features;
    return further < 0 ? first_feature[part] + of_solid : first_further_feature[part] + further;
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
