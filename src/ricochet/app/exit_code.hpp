// The exit codes of the program: a contract with scripts.
#pragma once

namespace ricochet::app {

enum ExitCode : int {
  exit_done = 0,
  exit_not_reached = 1,         // the simulation could not reach its tolerance or go on
  exit_wrong_input = 2,         // the input or the usage is wrong
  exit_unreadable_file = 3,     // a result or problem file is unreadable
  exit_expectation_failed = 4,  // an expectation does not hold
  exit_interrupted = 130,       // Ctrl-C; what was computed is kept
};

}  // namespace ricochet::app
