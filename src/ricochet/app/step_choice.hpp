// What `ricochet converge` is asked for: steps, probes and references as they are written on the command line.
#pragma once

#include <string>
#include <vector>

#include "ricochet/app/commands.hpp"
#include "ricochet/study/convergence.hpp"

namespace ricochet::app {

struct ChosenStudy {
  study::ConvergenceTask task;     // but for threads and keep_going
  std::vector<std::string> truth;  // the text of each probe's reference; empty if there is none
};

// Throws io::InputError: an unknown probe, steps that are none, fewer than two of them.
ChosenStudy choose_study(const ConvergeOptions& options, const study::Case& run_case);

}  // namespace ricochet::app
