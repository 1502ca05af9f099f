// From the sections of a checked scene that describe the machine (bodies, surfaces, springs, loads, drivers, contacts)
// to a model::Model. What the schema cannot say is checked here: conditions between several keys, and what this version
// of the program can simulate.
#pragma once

#include "ricochet/io/checked.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

// Throws InputError.
model::Model read_model(const Entry& scene);

// One element of `bodies`: adds a node and the body on it.
void read_body(const Entry& entry, model::Model& model);

// The section `drivers`, for a model whose bodies and surfaces are complete.
void read_drivers(const Entry& scene, const BodyIndex& bodies, model::Model& model);

// The section `joints`, for a model whose bodies stand where they start.
void read_joints(const Entry& scene, const BodyIndex& bodies, model::Model& model);

// What acts along the coordinates of joints (their key `spring`), for a model whose joints are complete.
void read_joint_actions(const Entry& scene, model::Model& model);

// The section `contacts`, for a model whose bodies and surfaces are complete.
void read_contacts(const Entry& scene, model::Model& model);

}  // namespace ricochet::io
