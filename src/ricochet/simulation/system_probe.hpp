// Sources of probes that are about systems of the user, see probe.hpp: system.NAME.…
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/model/model.hpp"
#include "ricochet/simulation/probe.hpp"

namespace ricochet::simulation {

// Reads what follows `system.`. Nothing if it is not a source; `why` receives a sentence that says what is wrong.
std::optional<ProbeSource> parse_system_source(const model::Model& model, std::span<const std::string_view> rest,
                                               std::string& why);

// All sources of a system, complete as they are written.
std::vector<std::string> system_suggestions(const model::System& system);

double system_value(const ProbeSource& source, const Frame& frame);

}  // namespace ricochet::simulation
