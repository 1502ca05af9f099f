// From the sections of a checked scene that describe the machine (bodies, surfaces, drivers, joints, velocity
// conditions, springs, loads, contacts, clearances) to a model::Model. What the schema cannot say is checked here:
// conditions between several keys, and what this version of the program can simulate.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/checked.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

// Throws InputError, and std::invalid_argument as model::validate does. Notices are added: sentences for the user.
model::Model read_model(const Entry& scene, std::vector<std::string>& notices);

// One element of `bodies`: adds a node and the body on it.
void read_body(const Entry& entry, model::Model& model);

// The section `drivers`, for a model whose bodies and surfaces are complete.
void read_drivers(const Entry& scene, const BodyIndex& bodies, model::Model& model);

// The section `joints`, for a model whose bodies stand where the scene places them.
void read_joints(const Entry& scene, const BodyIndex& bodies, model::Model& model);

// The section `assembly`, for a model whose joints are complete: bodies go where their joints are closed and get
// velocities that fit.
void read_assembly(const Entry& scene, model::Model& model, std::vector<std::string>& notices);

// What acts along the coordinates of joints (`spring`, `limits`, `friction`, `motor`), for a model whose joints are
// assembled.
void read_joint_actions(const Entry& scene, model::Model& model);

// The section `contacts`, for a model whose bodies and surfaces are complete.
void read_contacts(const Entry& scene, model::Model& model);

// The section `clearances`, for a model whose bodies stand where the run begins and whose contact rules are complete:
// it adds parts and rules that these do not mean.
void read_clearances(const Entry& scene, const BodyIndex& bodies, model::Model& model);

}  // namespace ricochet::io
