// Sources of probes that are about the motion in a clearance joint, see probe.hpp: clearance.NAME.…
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/model/model.hpp"
#include "ricochet/simulation/probe.hpp"

namespace ricochet::simulation {

// Reads what follows `clearance.NAME.`, where that is not a quantity of contacts. Nothing if it is not a source; `why`
// receives a sentence that says what is wrong.
std::optional<ProbeSource> parse_clearance_source(const model::Model& model, model::ClearanceId clearance,
                                                  std::span<const std::string_view> rest, std::string& why);

// Is this word a quantity of the clearance itself, rather than of its contacts?
bool is_clearance_quantity(std::string_view word);

// All sources of a clearance but those of its contacts, as they are written behind `clearance.NAME.`.
std::vector<std::string> clearance_suggestions(const model::Model& model, model::ClearanceId clearance);

double clearance_value(const ProbeSource& source, const Frame& frame);

}  // namespace ricochet::simulation
