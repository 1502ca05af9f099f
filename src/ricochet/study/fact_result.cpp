#include "ricochet/study/fact_result.hpp"

#include <algorithm>

namespace ricochet::study {

std::string_view status_name(FactResult::Status status) {
  switch (status) {
    case FactResult::Status::holds:
      return "holds";
    case FactResult::Status::fails:
      return "fails";
    case FactResult::Status::not_applicable:
      return "not applicable";
    case FactResult::Status::not_reached:
      return "not reached";
  }
  return "";
}

bool fails(const FactResult& result) {
  return result.status == FactResult::Status::fails || result.status == FactResult::Status::not_reached;
}

bool fails(std::span<const FactResult> results) {
  return std::any_of(results.begin(), results.end(), [](const FactResult& result) { return fails(result); });
}

}  // namespace ricochet::study
