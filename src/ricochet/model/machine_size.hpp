// A length that belongs to a machine, for judging whether another length is small.
#pragma once

#include "ricochet/model/model.hpp"

namespace ricochet::model {

// Where a point of a node, or of the world, is as the model places it.
Vector3 placed(const Model& model, const Attachment& attachment);  // m

// The diagonal of the box, along the world axes, around all nodes and joint points as the model places them, in m. If
// they all coincide: how far the largest shape reaches, or 1 if there is none.
double machine_size(const Model& model);

}  // namespace ricochet::model
