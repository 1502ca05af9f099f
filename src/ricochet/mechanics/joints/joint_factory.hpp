// From a joint as data to its equations.
#pragma once

#include <span>

#include "ricochet/mechanics/joints/joint.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/model/joint.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

// The equations of joints[index]. The other joints are needed because gears, couplers and drives name them. The nodes
// of the model give the relation that a joint without a target keeps.
//
// Throws std::invalid_argument with a sentence when the data cannot be a joint: nodes or joints that do not exist, both
// sides on one node or both in the world, axes on a node that does not turn, numbers that are not finite, a distance of
// zero, a target or ratio that the type does not have, or nodes placed so far from the joint (90 degrees) that a solver
// would find the wrong branch of it (axes that point in opposite directions, for instance).
//
// In a planar model the rows that no motion in the plane changes are left out (planar_rows.hpp); nodes that stand so
// that such a row does not hold are an error.
Joint make_joint(const model::Model& model, std::span<const model::Joint> joints, model::JointId index,
                 const DofMap& map);

// The one equation  s - target(t) = 0  of a coordinate s of a joint of the model: springs act along its gradient, and
// so do limits and motors. Its only coordinate is s, so the angles that value() wants have s first.
//
// Throws std::invalid_argument with a sentence if there is no such coordinate, or if no motion in the plane of a planar
// model changes it.
Joint make_coordinate_row(const model::Model& model, const model::JointCoordinate& coordinate,
                          const math::TimeFunction& target, const DofMap& map);

// The number of coordinates that a joint of this type has.
int coordinate_count(model::JointType type);

}  // namespace ricochet::mechanics
