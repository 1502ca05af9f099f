#include "ricochet/io/contact_tally.hpp"

#include <utility>

#include "ricochet/integrate/merged_report.hpp"

namespace ricochet::io {

void ContactTally::add(std::span<const integrate::ContactRecord> step) {
  if (records_.empty()) {
    records_.assign(step.begin(), step.end());
    return;
  }
  integrate::merge_contacts(records_, step, merged_);
  std::swap(records_, merged_);
}

}  // namespace ricochet::io
