// What contacts must know of the shapes of bodies. Bodies of the same parts share one form, so that a heap of 1e5 equal
// stones holds one.
//
// Against planes a body touches with its features (features.hpp). Against other bodies each part of its own is a
// collider: convex, placed in the axes of the body.
#pragma once

#include <string>
#include <vector>

#include "ricochet/contact/features.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

struct FormPart {
  Vector3 center = Vector3::Zero();  // m, from the node in its axes: the origin of the shape
  math::Quaternion orientation = {};
  double radius = 0;      // m, of the sphere around the centre that holds all of it
  bool is_ball = false;   // a sphere: its radius is that one
  int first_feature = 0;  // of this part among those of the body
  model::MaterialId material = {};
};

struct Form {
  model::Body shape;  // its parts only
  std::vector<FormPart> parts;
  std::vector<Feature> features;
  double radius = 0;  // m, around the node: holds all parts
};

class Forms {
 public:
  explicit Forms(const model::Model& model);

  const Form& of_body(int body) const { return forms_[form_of_body_[body]]; }
  int count() const { return static_cast<int>(forms_.size()); }
  std::string feature_name(int body, int feature) const;

 private:
  bool planar_ = false;
  std::vector<Form> forms_;
  std::vector<int> form_of_body_;
};

}  // namespace ricochet::contact
