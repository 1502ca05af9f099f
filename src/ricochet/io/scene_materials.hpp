// The sections `materials` and `material_pairs`: what things are made of, and how two materials touch.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/checked.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::io {

// The section `materials`, first of all: bodies take their density from it. Throws InputError, as everything here.
void read_materials(const Entry& scene, model::Model& model);

// The material that the key `material` of a body, part or surface names; not valid if the key is not written.
model::MaterialId read_material(const Entry& owner, const model::Model& model);

// Its density in kg/m^3, 0 if there is none.
double density_of(const model::Model& model, model::MaterialId material);

// The keys `friction`, `restitution` and `tangential_restitution` of an entry; where one is not written, that of
// `otherwise`.
model::ContactLaw read_law(const Entry& entry, const model::ContactLaw& otherwise);
// Of elements whose contacts only slide: friction and both restitutions.
model::ContactLaw read_sliding_law(const Entry& entry, const model::ContactLaw& otherwise);

// The section `material_pairs`, a table of laws.
class MaterialPairs {
 public:
  MaterialPairs(const Entry& scene, const model::Model& model);

  bool empty() const { return laws_.empty(); }
  const model::ContactLaw* find(model::MaterialId a, model::MaterialId b) const;  // null: not in the table

 private:
  std::vector<model::MaterialLaw> laws_;
};

}  // namespace ricochet::io
