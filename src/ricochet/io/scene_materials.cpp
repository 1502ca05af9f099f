#include "ricochet/io/scene_materials.hpp"

#include <fmt/format.h>

namespace ricochet::io {

namespace {

model::MaterialId material_named(const std::string& name, const model::Model& model) {
  for (std::size_t i = 0; i < model.materials.size(); ++i) {
    if (model.materials[i].name == name) return {static_cast<int>(i)};
  }
  return {};  // the schema knows only names that exist
}

}  // namespace

void read_materials(const Entry& scene, model::Model& model) {
  for (const Entry& entry : scene["materials"].entries()) {
    const Entry density = entry["density"];
    model.materials.push_back({entry.name(), density.exists() ? density.number() : 0.0});
  }
}

model::MaterialId read_material(const Entry& owner, const model::Model& model) {
  const Entry material = owner["material"];
  return material.exists() ? material_named(material.text(), model) : model::MaterialId{};
}

double density_of(const model::Model& model, model::MaterialId material) {
  return material.valid() ? model.materials[material.index].density : 0;
}

model::ContactLaw read_sliding_law(const Entry& entry, const model::ContactLaw& otherwise) {
  model::ContactLaw law = otherwise;
  if (const Entry friction = entry["friction"]; friction.is_written()) law.friction = friction.coefficient();
  if (const Entry restitution = entry["restitution"]; restitution.is_written()) {
    law.restitution = restitution.coefficient();
  }
  if (const Entry tangential = entry["tangential_restitution"]; tangential.is_written()) {
    law.tangential_restitution = tangential.number();
  }
  return law;
}

model::ContactLaw read_law(const Entry& entry, const model::ContactLaw& otherwise) {
  model::ContactLaw law = read_sliding_law(entry, otherwise);
  if (const Entry rolling = entry["rolling"]; rolling.is_written()) law.rolling = rolling.number();
  if (const Entry spinning = entry["spinning"]; spinning.is_written()) law.spinning = spinning.number();
  if (const Entry coupling = entry["spinning_law"]; coupling.is_written()) {
    law.spinning_law = coupling.text() == "contensou" ? model::SpinningLaw::contensou : model::SpinningLaw::independent;
  }
  return law;
}

MaterialPairs::MaterialPairs(const Entry& scene, const model::Model& model) {
  for (const Entry& entry : scene["material_pairs"].entries()) {
    const std::vector<Entry> between = entry["between"].entries();
    const model::MaterialId first = material_named(between[0].text(), model);
    const model::MaterialId second = material_named(between[1].text(), model);
    if (find(first, second) != nullptr) {
      entry.refuse(fmt::format("'{}' gives a second law for '{}' with '{}'; delete one of them", entry.path(),
                               between[0].text(), between[1].text()));
    }
    laws_.push_back({first, second, read_law(entry, {})});
  }
}

const model::ContactLaw* MaterialPairs::find(model::MaterialId a, model::MaterialId b) const {
  for (const model::MaterialLaw& each : laws_) {
    if ((each.first == a && each.second == b) || (each.first == b && each.second == a)) return &each.law;
  }
  return nullptr;
}

}  // namespace ricochet::io
