// Counts every allocation of this program, so that a benchmark can show that a time step makes none.
#pragma once

namespace ricochet::bench {

// Requests for memory since the program started.
long allocation_count();

}  // namespace ricochet::bench
