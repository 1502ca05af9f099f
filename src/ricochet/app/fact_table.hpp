// Facts as a table for people.
#pragma once

#include <span>
#include <string>

#include "ricochet/study/fact_result.hpp"

namespace ricochet::app {

// One line per fact: verdict, name, expected, found, tolerance; a second line with the reason where a fact does not
// hold.
std::string fact_table(std::span<const study::FactResult> facts);

}  // namespace ricochet::app
