// Validation: many cases, each run to its end and judged by the facts it carries.
//
// A job is a name and a function that makes the case, so that this room knows no files and a scene that cannot be read
// is one entry that says `error`, not the end of the validation.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/study/case.hpp"
#include "ricochet/study/fact_result.hpp"

namespace ricochet::study {

struct ValidationJob {
  std::string id;
  std::function<Case()> make_case;  // may throw; called in the thread that runs the case
};

struct ValidationEntry {
  enum class Status {
    holds,  // the run completed and every applicable fact holds
    fails,  // the run completed and some applicable fact does not hold or was not reached
    error,  // the case could not be made, or its run did not complete
  };

  std::string id;
  Status status = Status::error;
  double wall_seconds = 0;
  std::vector<FactResult> facts;  // empty if the case could not be run
  std::string message;            // a sentence: what fails, or why there is nothing to judge; empty if all is well
};

std::string_view status_name(ValidationEntry::Status status);  // "holds", "fails", "error"

struct ValidationOptions {
  int threads = 1;  // cases at a time; results do not depend on it
  // Told after every case, in the order in which they finish, never by two threads at once.
  std::function<void(const ValidationEntry& entry, int finished, int total)> progress;
  // Asked after every step of every case, perhaps by several threads at once; after a no everything left is an error
  // with the message "interrupted".
  std::function<bool()> keep_going;
};

// One entry per job, in their order.
std::vector<ValidationEntry> validate_cases(std::span<const ValidationJob> jobs, const ValidationOptions& options = {});

bool all_hold(std::span<const ValidationEntry> entries);

}  // namespace ricochet::study
