// Reports of what came one after the other, as one: of a step that was taken in parts, and of the steps of an output
// row.
#pragma once

#include <span>
#include <vector>

#include "ricochet/integrate/step_report.hpp"

namespace ricochet::integrate {

// The contacts of two spans of time that follow each other, both sorted by key: impulses, shifts and works of a contact
// that is in both are sums, what was before is of the first, all else is of the later.
void merge_contacts(std::span<const ContactRecord> before, std::span<const ContactRecord> later,
                    std::vector<ContactRecord>& merged);

// Adds the report of the part that came after, of `duration` (s), to that of the part before, of `duration_before`.
// Impulses, works and iterations are sums, reactions are means over the time, all else is that of the later part.
void merge_later(const StepReport& later, double duration, double duration_before, StepReport& report);

}  // namespace ricochet::integrate
