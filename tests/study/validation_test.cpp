#include "ricochet/study/validation.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>

#include "study/sliding_case.hpp"

namespace ricochet::study {
namespace {

using Outcome = ValidationEntry::Status;

Case wrong_case() {
  Case result = sliding_case_with_facts();
  result.facts[1].expected += 1;
  return result;
}

// One job of each kind.
std::vector<ValidationJob> mixed_jobs() {
  return {
      {"good", sliding_case_with_facts},
      {"wrong", wrong_case},
      {"unreadable", []() -> Case { throw std::runtime_error("scene.yaml:3:1: unknown key 'bodys'"); }},
      {"strange", []() -> Case { throw 7; }},
      {"bare", sliding_case},
      {"not-applicable",
       [] {
         Case result = wrong_case();
         for (Fact& fact : result.facts) fact.not_applicable = "friction was changed";
         return result;
       }},
      {"stuck",
       [] {
         Case result = sliding_case_with_facts();
         result.settings.solver.tolerance = -1;  // nobody reaches it
         result.settings.solver.max_iterations = 3;
         return result;
       }},
      {"no function", {}},
  };
}

void expect_mixed_results(const std::vector<ValidationEntry>& entries) {
  const std::vector<ValidationJob> jobs = mixed_jobs();
  ASSERT_EQ(entries.size(), jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_EQ(entries[i].id, jobs[i].id);
  EXPECT_EQ(entries[0].status, Outcome::holds);
  EXPECT_EQ(entries[0].message, "");
  EXPECT_EQ(entries[0].facts.size(), 3u);
  EXPECT_GT(entries[0].wall_seconds, 0);
  EXPECT_EQ(entries[1].status, Outcome::fails);
  EXPECT_EQ(entries[1].message, "1 of 3 facts does not hold: distance");
  EXPECT_EQ(entries[2].status, Outcome::error);
  EXPECT_EQ(entries[2].message, "scene.yaml:3:1: unknown key 'bodys'");
  EXPECT_TRUE(entries[2].facts.empty());
  EXPECT_EQ(entries[3].status, Outcome::error);
  EXPECT_NE(entries[3].message, "");
  EXPECT_EQ(entries[4].status, Outcome::holds);
  EXPECT_EQ(entries[4].message, "it carries no fact: nothing was checked");
  EXPECT_EQ(entries[5].status, Outcome::holds);
  EXPECT_EQ(entries[5].message, "no fact applies: nothing was checked");
  EXPECT_EQ(entries[6].status, Outcome::error);
  EXPECT_NE(entries[6].message.find("did not reach the contact tolerance"), std::string::npos) << entries[6].message;
  EXPECT_EQ(entries[7].status, Outcome::error);
  EXPECT_FALSE(all_hold(entries));
}

TEST(Validation, OneEntryPerJobInOrder) { expect_mixed_results(validate_cases(mixed_jobs())); }

TEST(Validation, OnSeveralThreads) {
  for (const int threads : {2, 3, 100}) expect_mixed_results(validate_cases(mixed_jobs(), {threads, {}, {}}));
}

TEST(Validation, ThreadsDoNotChangeResults) {
  const std::vector<ValidationJob> jobs(6, ValidationJob{"good", sliding_case_with_facts});
  const std::vector<ValidationEntry> serial = validate_cases(jobs);
  const std::vector<ValidationEntry> parallel = validate_cases(jobs, {3, {}, {}});
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (std::size_t k = 0; k < serial[i].facts.size(); ++k) {
      EXPECT_EQ(serial[i].facts[k].found, parallel[i].facts[k].found);
    }
  }
  EXPECT_TRUE(all_hold(serial));
}

TEST(Validation, TellsItsProgress) {
  for (const int threads : {1, 3}) {
    std::set<std::string> seen;
    int last = 0;
    ValidationOptions options;
    options.threads = threads;
    options.progress = [&](const ValidationEntry& entry, int finished, int total) {
      EXPECT_EQ(finished, ++last);
      EXPECT_EQ(total, 8);
      seen.insert(entry.id);
    };
    validate_cases(mixed_jobs(), options);
    EXPECT_EQ(last, 8);
    EXPECT_EQ(seen.size(), 8u);
  }
}

TEST(Validation, ProgressMayThrow) {
  for (const int threads : {1, 2}) {
    std::atomic<int> made = 0;
    int told = 0;
    const auto make = [&] {
      ++made;
      return sliding_case();
    };
    const std::vector<ValidationJob> jobs(50, ValidationJob{"good", make});
    ValidationOptions options;
    options.threads = threads;
    options.progress = [&](const ValidationEntry&, int, int) {
      ++told;
      throw std::runtime_error("the terminal is gone");
    };
    EXPECT_THROW(validate_cases(jobs, options), std::runtime_error);
    EXPECT_EQ(told, 1);
    EXPECT_LT(made, 50);  // no work for nobody
  }
}

TEST(Validation, Interrupted) {
  std::atomic<int> asked = 0;
  ValidationOptions options;
  options.keep_going = [&] { return ++asked < 100; };
  const std::vector<ValidationJob> jobs(3, ValidationJob{"good", sliding_case_with_facts});
  for (const ValidationEntry& entry : validate_cases(jobs, options)) {
    EXPECT_EQ(entry.status, Outcome::error);
    EXPECT_EQ(entry.message, "interrupted");
  }
}

TEST(Validation, Nothing) {
  EXPECT_TRUE(validate_cases({}).empty());
  EXPECT_TRUE(all_hold({}));
}

TEST(Validation, Names) {
  EXPECT_EQ(status_name(Outcome::holds), "holds");
  EXPECT_EQ(status_name(Outcome::fails), "fails");
  EXPECT_EQ(status_name(Outcome::error), "error");
}

}  // namespace
}  // namespace ricochet::study
