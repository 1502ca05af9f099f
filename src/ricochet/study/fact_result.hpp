// What became of a fact: the number that was expected, the number that was found, and the verdict.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ricochet::study {

struct FactResult {
  enum class Status {
    holds,  // |found - expected| <= tolerance, or the probe stayed within its bound. NaN never holds.
    fails,
    not_applicable,  // the fact does not describe this run: `found` is told if there is one, but not judged
    not_reached,     // the run has no such number: it ended too early, or the event did not happen
  };

  // What `expected` is to `found`: equal up to the tolerance, or a bound.
  enum class Relation { equal, at_least, at_most };

  std::string fact;    // its name
  std::string source;  // where the expected value comes from
  Status status = Status::not_reached;
  Relation relation = Relation::equal;
  double expected = 0;                           // for a bound: the bound that was violated or came nearest to it
  std::optional<double> lower = {}, upper = {};  // of a bound, all that there are
  double found = 0;                              // for a bound: the worst value; NaN if there is none
  double tolerance = 0;                          // 0 for a bound
  std::string detail;                            // a sentence for humans

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("fact", self.fact);
    visitor("source", self.source);
    visitor("status", self.status);
    visitor("relation", self.relation);
    visitor("expected", self.expected);
    visitor("lower", self.lower);
    visitor("upper", self.upper);
    visitor("found", self.found);
    visitor("tolerance", self.tolerance);
    visitor("detail", self.detail);
  }
};

std::string_view status_name(FactResult::Status status);  // "holds", "fails", "not applicable", "not reached"

// True if the fact was judged or should have been, and did not hold. In a complete run `not_reached` is a failure: a
// fact that describes the run has no number to show. (A run that ended early has failed for its own reason already.)
bool fails(const FactResult& result);
bool fails(std::span<const FactResult> results);  // any of them

}  // namespace ricochet::study
