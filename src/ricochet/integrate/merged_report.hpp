// The report of a step that was taken in two parts: what each did, as one.
#pragma once

#include "ricochet/integrate/step_report.hpp"

namespace ricochet::integrate {

// Adds the report of the part that came after, of `duration` (s), to that of the part before, of `duration_before`.
// Impulses, works and iterations are sums, reactions are means over the time, all else is that of the later part.
void merge_later(const StepReport& later, double duration, double duration_before, StepReport& report);

}  // namespace ricochet::integrate
