#include "ricochet/study/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>

#include "ricochet/study/convergence.hpp"
#include "ricochet/study/run_case.hpp"
#include "ricochet/study/run_jobs.hpp"

namespace ricochet::study {

namespace {

void judge(const CaseResult& result, ValidationEntry& entry) {
  entry.facts = result.facts;
  if (result.run.outcome != simulation::Outcome::completed) {
    const bool interrupted = result.run.outcome == simulation::Outcome::interrupted;
    entry.message = interrupted ? "interrupted" : result.run.reason;
    return;
  }
  std::vector<std::string_view> failed;
  int applicable = 0;
  for (const FactResult& fact : entry.facts) {
    if (fact.status != FactResult::Status::not_applicable) ++applicable;
    if (fails(fact)) failed.push_back(fact.fact);
  }
  entry.status = failed.empty() ? ValidationEntry::Status::holds : ValidationEntry::Status::fails;
  if (!failed.empty()) {
    entry.message = fmt::format("{} of {} facts {} not hold: {}", failed.size(), applicable,
                                failed.size() == 1 ? "does" : "do", fmt::join(failed, ", "));
  } else if (applicable == 0) {
    entry.message =
        entry.facts.empty() ? "it carries no fact: nothing was checked" : "no fact applies: nothing was checked";
  }
}

ValidationEntry run_job(const ValidationJob& job, const std::function<bool()>& keep_going) {
  ValidationEntry entry;
  entry.id = job.id;
  if (keep_going && !keep_going()) {
    entry.message = "interrupted";
    return entry;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    const Case study_case = job.make_case();
    std::function<bool(const simulation::Frame&)> go_on;
    if (keep_going) go_on = [&](const simulation::Frame&) { return keep_going(); };
    CaseResult result = run_case(study_case, {}, go_on);
    if (result.run.outcome == simulation::Outcome::completed) judge_orders(study_case, result.facts, keep_going);
    judge(result, entry);
  } catch (const std::exception& error) {
    entry.message = error.what();
  } catch (...) {
    entry.message = "an error without a description";
  }
  entry.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return entry;
}

}  // namespace

std::string_view status_name(ValidationEntry::Status status) {
  switch (status) {
    case ValidationEntry::Status::holds:
      return "holds";
    case ValidationEntry::Status::fails:
      return "fails";
    case ValidationEntry::Status::error:
      return "error";
  }
  return "";
}

std::vector<ValidationEntry> validate_cases(std::span<const ValidationJob> jobs, const ValidationOptions& options) {
  std::vector<ValidationEntry> entries(jobs.size());
  const int count = static_cast<int>(jobs.size());
  std::mutex mutex;  // of finished and the calls of progress
  int finished = 0;
  bool failed = false;  // progress has thrown: it is not called again
  run_jobs(count, options.threads, [&](int i) {
    entries[i] = run_job(jobs[i], options.keep_going);
    const std::lock_guard lock(mutex);
    ++finished;
    if (!options.progress || failed) return;
    failed = true;
    options.progress(entries[i], finished, count);
    failed = false;
  });
  return entries;
}

bool all_hold(std::span<const ValidationEntry> entries) {
  return std::all_of(entries.begin(), entries.end(),
                     [](const ValidationEntry& entry) { return entry.status == ValidationEntry::Status::holds; });
}

}  // namespace ricochet::study
