#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/fact_table.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/io/summary.hpp"
#include "ricochet/study/validation.hpp"

namespace ricochet::app {

namespace {

std::vector<study::ValidationJob> make_jobs(const ValidateOptions& options) {
  std::vector<study::ValidationJob> jobs;
  for (const std::string& id : io::matching_scenes(options.patterns)) {
    const std::string scene = id.substr(0, id.find('/'));
    const std::string variant = scene.size() < id.size() ? id.substr(scene.size() + 1) : "";
    jobs.push_back({id, [path = io::shipped_scene_path(scene), overrides = options.overrides, variant] {
                      return io::read_scene(path, overrides, variant).run_case;
                    }});
  }
  return jobs;
}

std::string entry_text(const study::ValidationEntry& entry, bool all_facts) {
  const auto count = [&](study::FactResult::Status status) {
    return std::count_if(entry.facts.begin(), entry.facts.end(),
                         [status](const study::FactResult& fact) { return fact.status == status; });
  };
  const auto judged =
      static_cast<long>(entry.facts.size()) - count(study::FactResult::Status::not_applicable);  // the others
  std::string text =
      fmt::format("{:<6} {:<46} {:>3} of {:>2} facts hold  {:>7.2f} s\n", study::status_name(entry.status), entry.id,
                  count(study::FactResult::Status::holds), judged, entry.wall_seconds);
  if (!entry.message.empty()) text += fmt::format("       {}\n", entry.message);
  const bool wrong = entry.status != study::ValidationEntry::Status::holds;
  if (all_facts || wrong) text += fact_table(entry.facts);
  return text;
}

}  // namespace

int validate_command(const ValidateOptions& options) {
  const std::vector<study::ValidationJob> jobs = make_jobs(options);
  study::ValidationOptions how;
  how.threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  how.keep_going = [] { return !interrupted(); };
  const bool counting = !options.quiet && isatty(STDERR_FILENO) == 1;
  how.progress = [&](const study::ValidationEntry& entry, int finished, int total) {
    if (counting) std::fputs(fmt::format("\r\x1b[K[{}/{}] {}", finished, total, entry.id).c_str(), stderr);
  };
  const std::vector<study::ValidationEntry> entries = study::validate_cases(jobs, how);
  if (counting) std::fputs("\r\x1b[K", stderr);

  std::size_t good = 0;
  for (const study::ValidationEntry& entry : entries) {
    const bool holds = entry.status == study::ValidationEntry::Status::holds;
    good += holds ? 1 : 0;
    if (interrupted() && entry.message == "interrupted") continue;  // nothing is known of it
    if (!holds || !options.quiet) say(entry_text(entry, options.facts));
  }
  say(fmt::format("{} of {} scenes and variants hold\n", good, entries.size()));
  if (!options.json.empty()) io::write_validation(options.json, entries);
  if (interrupted()) return exit_interrupted;
  return study::all_hold(entries) ? exit_done : exit_expectation_failed;
}

}  // namespace ricochet::app
