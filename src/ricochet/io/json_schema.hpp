// The schema of a scene as JSON Schema (draft 2020-12), from which editors complete and check scenes while they are
// written. It cannot express everything that the program checks: references, expressions, conditions between keys.
#pragma once

#include <string>

namespace ricochet::io {

std::string json_schema();

}  // namespace ricochet::io
