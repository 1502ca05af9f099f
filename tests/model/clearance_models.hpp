// Clearance joints between two boxes that stand in the world as one likes, for tests.
#pragma once

#include "model/test_models.hpp"
#include "ricochet/model/assemblies/clearance_geometry.hpp"

namespace ricochet::test {

// Two boxes of 1 m at the origin; the second may be moved and turned.
inline model::Model two_boxes(bool planar) {
  model::Model model;
  model.planar = planar;
  for (int i = 0; i < 2; ++i) add_box(model, 1, Vector3::Constant(0.5), Vector3::Zero());
  return model;
}

inline model::Clearance between_boxes(model::ClearanceType type, double clearance) {
  model::Clearance joint;
  joint.name = "joint";
  joint.type = type;
  joint.first = {0};
  joint.second = {1};
  joint.first_frame.attachment.node = {0};
  joint.second_frame.attachment.node = {1};
  joint.clearance = clearance;
  if (type == model::ClearanceType::translational) {
    joint.half_size = {1, 0.5, 0.25};
  } else {
    joint.radius = 1;
    joint.half_length = 2;
  }
  return joint;
}

inline model::Model with_clearance(const model::Clearance& joint, bool planar) {
  model::Model model = two_boxes(planar);
  model::add_clearance(joint, model);
  return model;
}

}  // namespace ricochet::test
