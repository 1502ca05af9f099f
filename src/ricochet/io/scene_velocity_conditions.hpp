// The section `velocity_conditions`: equations between velocities alone, about or along axes that stand still in the
// world. See model::VelocityRow for what they say and mechanics/joints/velocity_row.hpp for their equations.
#pragma once

#include "ricochet/io/checked.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/io/schema.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

Type velocity_condition_type();

// For a model whose bodies are complete. Throws InputError.
void read_velocity_conditions(const Entry& scene, const BodyIndex& bodies, model::Model& model);

}  // namespace ricochet::io
