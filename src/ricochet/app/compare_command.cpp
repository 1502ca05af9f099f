#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/app/progress_bar.hpp"
#include "ricochet/app/text_split.hpp"
#include "ricochet/io/comparison_output.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/result_directory.hpp"
#include "ricochet/io/result_reader.hpp"
#include "ricochet/io/result_recorder.hpp"
#include "ricochet/io/scene_choice.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/study_directory.hpp"
#include "ricochet/io/summary.hpp"

namespace ricochet::app {

namespace {

struct Entry {
  std::string text;
  std::string scheme;
  std::vector<std::string> overrides;
};

// "moreau-jean:theta=1" is integrator.scheme=moreau-jean, integrator.theta=1.
std::vector<Entry> read_entries(const std::string& list) {
  std::vector<Entry> entries;
  for (const std::string& text : split_outside(list, ',')) {
    const std::vector<std::string> parts = split_outside(text, ':');
    if (parts.front().empty()) {
      throw io::InputError({}, fmt::format("--integrator: {} names no scheme", io::in_quotes(text)));
    }
    Entry entry{text, parts.front(), {"integrator.scheme=" + parts.front()}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (const std::size_t sign = parts[i].find('='); sign == 0 || sign == std::string::npos) {
        throw io::InputError({}, fmt::format("--integrator: in {}, {} should be option=value", io::in_quotes(text),
                                             io::in_quotes(parts[i])));
      }
      entry.overrides.push_back("integrator." + parts[i]);
    }
    const bool again =
        std::any_of(entries.begin(), entries.end(), [&](const Entry& other) { return other.text == text; });
    if (again) throw io::InputError({}, fmt::format("--integrator: {} comes twice", io::in_quotes(text)));
    entries.push_back(std::move(entry));
  }
  if (entries.size() < 2) throw io::InputError({}, "--integrator: a comparison needs at least two entries A,B,...");
  return entries;
}

// The scheme first, so that what the user sets for all is judged as options of it.
io::Scene read_entry(const io::SceneChoice& choice, const std::vector<std::string>& common, const Entry& entry) {
  std::vector<std::string> overrides = {entry.overrides.front()};
  overrides.insert(overrides.end(), common.begin(), common.end());
  overrides.insert(overrides.end(), entry.overrides.begin() + 1, entry.overrides.end());
  try {
    return io::read_scene(choice.path, overrides, choice.variant);
  } catch (const io::InputError& error) {
    throw io::InputError({}, fmt::format("--integrator {}: {}", entry.text, error.what()));
  }
}

study::Trajectory read_history(const std::filesystem::path& result) {
  const io::ResultReader reader(result / "result.h5");
  study::Trajectory history;
  history.time = reader.time();
  for (io::ResultColumn& column : reader.probes()) history.values.push_back(std::move(column.values));
  return history;
}

// The run of one entry, with a result directory of its own below that of the comparison.
io::ComparedRun run_entry(const Entry& entry, const io::Scene& scene, const std::filesystem::path& place, bool quiet) {
  const study::Case& run_case = scene.run_case;
  io::ComparedRun done;
  done.entry = entry.text;
  done.overrides = entry.overrides;
  done.directory = place.filename().string();
  done.notices = scene.notices;
  io::ResultDirectory directory(place);
  {
    io::ResultRecorder recorder(directory.partial(), run_case);
    std::vector<simulation::Recorder*> recorders = {&recorder};
    ProgressBar progress(!quiet);
    done.result = study::run_case(run_case, recorders, [&](const simulation::Frame& frame) {
      progress.update(frame);
      return !interrupted();
    });
    progress.clear();
    const io::Summary summary{run_case,
                              done.result.run,
                              done.result.statistics,
                              done.result.ledger,
                              done.result.state_hash,
                              done.result.wall_seconds,
                              recorder.probe_summaries(),
                              done.result.facts};
    done.summary = io::summary_json(summary);
    io::write_summary(directory.file("summary.json"), summary);
  }
  io::write_report(directory.partial());
  directory.finish();
  done.history = read_history(directory.target());
  return done;
}

// Numbers in rows, entries in columns: there are more of those than of these.
std::string comparison_table(const io::Comparison& comparison) {
  std::size_t title = 20, width = 13;
  for (const std::string& name : comparison.probe_names) title = std::max(title, name.size() + 12);
  for (const io::ComparedRun& run : comparison.runs) width = std::max(width, run.entry.size());
  std::string text = fmt::format("  {:<{}}", "", title);
  for (const io::ComparedRun& run : comparison.runs) text += fmt::format("  {:>{}}", run.entry, width);
  text += '\n';
  const auto line = [&](const std::string& name, const auto& value_of) {
    text += fmt::format("  {:<{}}", name, title);
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) text += fmt::format("  {:>{}}", value_of(i), width);
    text += '\n';
  };
  std::vector<std::vector<std::pair<std::string, double>>> rows;
  std::vector<std::vector<double>> distances;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    rows.push_back(io::comparison_row(comparison.runs[i].result));
    distances.push_back(io::differences(comparison, i));
  }
  for (std::size_t row = 0; row < rows.front().size(); ++row) {
    const std::string& name = rows.front()[row].first;
    if (name == "facts_judged") continue;
    const bool facts = name == "facts_held";
    line(facts ? "facts held" : name, [&](std::size_t i) {
      return facts ? fmt::format("{} of {}", rows[i][row].second, rows[i][row + 1].second)
                   : fmt::format("{:.6g}", rows[i][row].second);
    });
  }
  for (std::size_t probe = 0; probe < comparison.probe_names.size(); ++probe) {
    line("last " + comparison.probe_names[probe], [&](std::size_t i) {
      const std::vector<double>& values = comparison.runs[i].history.values[probe];
      return fmt::format("{:.6g}", values.empty() ? 0.0 : values.back());
    });
    line("difference " + comparison.probe_names[probe],
         [&](std::size_t i) { return i == 0 ? std::string("first") : fmt::format("{:.3g}", distances[i][probe]); });
  }
  return text;
}

// What all runs were told is said once.
std::string notice_lines(const std::vector<io::ComparedRun>& runs) {
  std::vector<std::string> said;
  std::string text;
  for (const io::ComparedRun& run : runs) {
    for (const std::string& notice : run.notices) {
      if (std::find(said.begin(), said.end(), notice) != said.end()) continue;
      said.push_back(notice);
      std::vector<std::string_view> told;
      for (const io::ComparedRun& other : runs) {
        const auto& notices = other.notices;
        if (std::find(notices.begin(), notices.end(), notice) != notices.end()) told.push_back(other.entry);
      }
      const std::string who = told.size() == runs.size() ? "" : fmt::format("{}: ", fmt::join(told, ", "));
      text += fmt::format("  notice      {}{}\n", who, notice);
    }
  }
  return text;
}

// A few facts that do not hold are told, more are counted: the page has them all.
void complain_of_facts(const io::ComparedRun& run) {
  constexpr long told = 3;
  const std::vector<study::FactResult>& facts = run.result.facts;
  const auto count = std::count_if(facts.begin(), facts.end(), [](const auto& fact) { return study::fails(fact); });
  if (count > told) complain(fmt::format("{}: {} facts do not hold; report.html lists them.", run.entry, count));
  for (const study::FactResult& fact : facts) {
    if (count > told || !study::fails(fact)) continue;
    complain(fmt::format("{}: '{}' does not hold: {}.", run.entry, fact.fact, fact.detail));
  }
}

int exit_code(const io::Comparison& comparison) {
  int code = exit_done;
  for (const io::ComparedRun& run : comparison.runs) {
    if (run.result.run.outcome == simulation::Outcome::failed) return exit_not_reached;
    if (study::fails(run.result.facts)) code = exit_expectation_failed;
  }
  return code;
}

}  // namespace

int compare_command(const CompareOptions& options) {
  const std::vector<Entry> entries = read_entries(options.integrators);
  const io::SceneChoice choice = io::choose_scene(options.scene, options.variant);
  std::vector<io::Scene> scenes;  // all of them are read before the first is run
  for (const Entry& entry : entries) {
    scenes.push_back(read_entry(choice, options.overrides, entry));
    scenes.back().run_case.settings.threads = options.threads;
  }
  const io::Scene& common = scenes.front();
  const std::filesystem::path out =
      options.out.empty() ? fmt::format("out/{}-compare", common.run_case.id) : options.out;
  io::prepare_study_directory(out, "compare.json");

  io::Comparison comparison{common.run_case, {}, {}};
  for (int i = 0; i < common.run_case.probes.size(); ++i) {
    if (!common.run_case.probes.hidden(i)) comparison.probe_names.push_back(common.run_case.probes.name(i));
  }
  // One after the other: runs at the same time would take each other's time, which is compared too.
  for (std::size_t i = 0; i < entries.size() && !interrupted(); ++i) {
    const std::string name = fmt::format("{}-{}", i + 1, entries[i].scheme);
    comparison.runs.push_back(run_entry(entries[i], scenes[i], out / name, options.quiet));
  }
  if (comparison.runs.empty()) return exit_interrupted;
  io::write_comparison(out, comparison);

  if (!options.quiet) {
    say(fmt::format("{}: {} runs to t = {:g} s\n", common.run_case.id, comparison.runs.size(),
                    common.run_case.settings.end));
    say(comparison_table(comparison));
    say(notice_lines(comparison.runs));
    say(fmt::format("  results     {}\n", out.string()));
  }
  for (const io::ComparedRun& run : comparison.runs) {
    if (run.result.run.outcome == simulation::Outcome::failed) {
      complain(fmt::format("{}: {}.", run.entry, run.result.run.reason));
    }
    if (run.result.run.outcome != simulation::Outcome::completed) continue;
    complain_of_facts(run);
  }
  if (interrupted()) {
    complain("interrupted; what was computed until then is written.");
    return exit_interrupted;
  }
  return exit_code(comparison);
}

}  // namespace ricochet::app
