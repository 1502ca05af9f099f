#include "ricochet/app/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/fact_table.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/app/progress_bar.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/summary.hpp"

namespace ricochet::app {

namespace {

const char* reason_of_growth(integrate::ImpactLaw impact) {
  switch (impact) {
    case integrate::ImpactLaw::fremond:
      return "Fremond's impact law does that where theta is above 1/(1 + restitution), and elsewhere by what "
             "solver.tolerance leaves";
    case integrate::ImpactLaw::poisson:
      return "Poisson's impact law can do that with friction";
    case integrate::ImpactLaw::newton:
      break;
  }
  return "Newton's impact law can do that where contacts are coupled, and bodies at rest by what solver.tolerance "
         "leaves";
}

// Of counts: with as many digits as the largest has, rounding cannot lift the mean above it.
std::string mean_text(double mean, long largest) {
  const auto digits = static_cast<int>(std::to_string(largest).size());
  return fmt::format("{:.{}g}", mean, std::max(3, digits));
}

std::string run_text(const study::Case& scene, const study::CaseResult& result) {
  const simulation::Statistics& all = result.statistics;
  const simulation::Ledger& energy = result.ledger;
  const double steps = static_cast<double>(std::max(all.steps, 1L));
  std::string text =
      fmt::format("{}: {} steps to t = {:.6g} s in {} ({:.3g} steps per second)\n", scene.id, result.run.steps,
                  result.run.time, duration_text(result.wall_seconds), steps / result.wall_seconds);
  text += fmt::format("  contacts    {} on average, {} at most; deepest penetration {:.3g} m\n",
                      mean_text(all.contacts_sum / steps, all.contacts_max), all.contacts_max, all.max_penetration);
  text +=
      fmt::format("  solver      {} iterations on average, {} at most; worst residual {:.2g}",
                  mean_text(all.iterations_sum / steps, all.iterations_max), all.iterations_max, all.worst_residual);
  if (all.halved_steps > 0) text += fmt::format("; {} steps taken in {} parts", all.halved_steps, all.substeps);
  if (all.refined_steps > 0)
    text += fmt::format("; {} steps solved again, so that friction gives less", all.refined_steps);
  text += "\n";
  if (scene.settings.scheme == simulation::SchemeKind::nonsmooth_generalized_alpha) {
    text += "  newton     ";
    for (std::size_t i = 0; i < integrate::subproblem_names.size(); ++i) {
      text += fmt::format("{} {} {:.3g} on average, {:g} at most", i == 0 ? "" : ";", integrate::subproblem_names[i],
                          all.subproblem_iterations_sum[i] / steps, all.subproblem_iterations_max[i]);
    }
    text += "\n";
  }
  if (simulation::takes_impacts_in_sequence(scene.settings)) {
    text +=
        fmt::format("  impacts     in sequence, {} pass{} at most\n", all.passes_max, all.passes_max == 1 ? "" : "es");
  }
  if (all.second_solutions > 0) {
    text += fmt::format(
        "  notice      at t = {:.9g} s the contact problem has a second solution: {}; {} step{} of this kind. Rigid "
        "bodies with friction may move on in several ways there\n",
        all.first_second_time, all.first_second_solution, all.second_solutions,
        all.second_solutions == 1 ? " is" : "s are");
  }
  const double given = energy.work_loads + energy.work_drivers + energy.appeared;
  text += fmt::format(
      "  energy      {:.6g} J at the start, {:.6g} J at the end; loads and drivers{} gave {:.4g} J, contacts, "
      "dampers and the scheme took {:.4g} J; {:.1g} J unexplained\n",
      energy.initial, energy.total(), energy.appeared == 0 ? "" : " and bodies that came and went", given,
      energy.initial + given - energy.total(), energy.closing_error());
  if (energy.contact_created > 1e-6 * energy.scale) {
    text += fmt::format(
        "  notice      contacts created {:.3g} J: {}, and a surface that turns does it with an error of the order of "
        "the step\n",
        energy.contact_created,
        reason_of_growth(scene.settings.scheme == simulation::SchemeKind::moreau_jean
                             ? scene.settings.moreau_jean.impact
                             : integrate::ImpactLaw::newton));
  }
  if (energy.projection > 1e-3 * energy.scale) {
    text += fmt::format(
        "  notice      bringing joints and resting contacts back into place gave {:.3g} J (energy.projection): a "
        "smaller "
        "time.step gives less, nonsmooth-generalized-alpha none\n",
        energy.projection);
  }
  double least = std::numeric_limits<double>::infinity();
  for (const model::Clearance& clearance : scene.model.clearances) least = std::min(least, clearance.clearance);
  if (all.max_penetration > least) {
    text += fmt::format(
        "  notice      contacts sank {:.3g} m deep, {:.3g} times the smallest clearance: what moves there is not the "
        "joint. "
        "Use a smaller time.step, or nonsmooth-generalized-alpha, which keeps gaps\n",
        all.max_penetration, all.max_penetration / least);
  }
  return text;
}

// "problem-3.hdf5, problem-6.hdf5 and 98 more (ricochet solve DIR)"
std::string dump_text(const io::ProblemDump& dump, const std::string& directory) {
  const std::vector<std::string>& names = dump.written();
  if (names.empty()) return fmt::format("  problems    none: {} chosen steps had no contacts\n", dump.skipped());
  constexpr std::size_t listed = 3;
  std::string text = names.front();
  for (std::size_t i = 1; i < std::min(names.size(), listed); ++i) text += ", " + names[i];
  if (names.size() > listed) text += fmt::format(" and {} more", names.size() - listed);
  return fmt::format("  problems    {}; to solve them again: ricochet solve {}\n", text, directory);
}

// Steps that were accepted although they missed a tolerance are told to everybody, also to those who want it quiet.
std::string unconverged_sentence(const simulation::Statistics& all) {
  return fmt::format("warning: {} step{} did not reach the tolerance and {} accepted; the worst residual was {:.3g}.",
                     all.unconverged_steps, all.unconverged_steps == 1 ? "" : "s",
                     all.unconverged_steps == 1 ? "was" : "were", all.worst_residual);
}

int exit_code(const study::CaseResult& result) {
  switch (result.run.outcome) {
    case simulation::Outcome::failed:
      return exit_not_reached;
    case simulation::Outcome::interrupted:
      return exit_interrupted;
    case simulation::Outcome::completed:
      break;
  }
  return study::fails(result.facts) ? exit_expectation_failed : exit_done;
}

}  // namespace

namespace {

// The Newton iterations of a step: the residuals of all iterates of every sub-problem, of the smooth motion the
// changes.
std::string trace_text(const simulation::Frame& frame, bool failed) {
  std::string text = failed ? fmt::format("step {} failed, from t = {:.9g} s\n", frame.step_index + 1, frame.state.time)
                            : fmt::format("step {} to t = {:.9g} s\n", frame.step_index, frame.state.time);
  bool any = false;
  for (std::size_t i = 0; i < integrate::subproblem_names.size(); ++i) {
    const integrate::SubproblemReport& each = frame.report.subproblems[i];
    any = any || each.iterations > 0;
    if (each.iterations == 0) continue;
    text += fmt::format("  {:<9} {} iterations, {} halvings;", integrate::subproblem_names[i], each.iterations,
                        each.line_searches);
    for (const double residual : each.residuals) text += fmt::format(" {:.2e}", residual);
    text += "\n";
  }
  if (!any)
    text += fmt::format("  {} iterations of the contact solver, {} of the motion, residual {:.2e}\n",
                        frame.report.solver.iterations, frame.report.motion_iterations, frame.report.solver.residual);
  return text;
}

// Steps, and all files of the result.
study::CaseResult compute(const Execution& execution, ProgressBar& progress) {
  std::vector<simulation::Recorder*> recorders = {&execution.recorder, &execution.dump};
  const auto after_step = [&](const simulation::Frame& frame) {
    progress.update(frame);
    if (std::find(execution.trace_steps.begin(), execution.trace_steps.end(), frame.step_index) !=
        execution.trace_steps.end()) {
      progress.clear();
      say(trace_text(frame, false));
    }
    const bool stop = interrupted();
    // At the end too, so that a run which is over can be resumed for longer.
    const bool last = stop || frame.step_index == frame.step_count;
    if (execution.checkpoints && (last || execution.checkpoints->due())) {
      execution.checkpoints->write(execution.run, execution.recorder);
    }
    return !stop;
  };
  study::CaseResult result = execution.run.go(recorders, after_step);
  progress.clear();
  io::write_summary(execution.directory.file("summary.json"),
                    {execution.run_case, result.run, result.statistics, result.ledger, result.state_hash,
                     result.wall_seconds, execution.recorder.probe_summaries(), result.facts});
  if (execution.report) io::write_report(execution.directory.partial());
  return result;
}

// The disk is full, or the like. What is written may have cost hours: it stays, and the user is told where.
[[noreturn]] void keep_what_is_written(const Execution& execution, const std::string& why) {
  io::ResultDirectory& directory = execution.directory;
  directory.keep();
  std::string text = fmt::format("{} What was written until then is kept in {}", why, directory.partial().string());
  const std::string checkpoint = execution.checkpoints ? execution.checkpoints->last() : "";
  if (!checkpoint.empty()) {
    text += fmt::format("; to go on: ricochet resume {}", (directory.partial() / checkpoint).string());
  }
  throw io::WriteError(text + ".");
}

}  // namespace

int execute(const Execution& execution) {
  const study::Case& run_case = execution.run_case;
  io::ResultDirectory& directory = execution.directory;
  study::CaseResult result;
  try {
    ProgressBar progress(!execution.quiet);
    result = compute(execution, progress);
  } catch (const io::WriteError& error) {
    keep_what_is_written(execution, error.what());
  } catch (const io::OutputError& error) {  // a file that cannot even be opened
    keep_what_is_written(execution, error.what());
  }
  directory.finish();
  const simulation::Frame last = execution.run.simulation().frame();
  for (const long step : execution.trace_steps) {
    const bool is_failed = result.run.outcome == simulation::Outcome::failed && step == last.step_index + 1;
    if (is_failed) say(trace_text(last, true));
    if (!is_failed && step > last.step_index) say(fmt::format("notice: there is no step {} to trace\n", step));
  }
  if (result.run.outcome == simulation::Outcome::completed) {
    io::remove_superseded(directory.target(), execution.info);
  }

  if (!execution.quiet) {
    say(run_text(run_case, result));
    say(fact_table(result.facts));
    say(fmt::format("  results     {}\n", directory.target().string()));
    if (execution.dump.was_asked() || !execution.dump.written().empty()) {
      say(dump_text(execution.dump, directory.target().string()));
    }
    const std::string checkpoint = execution.checkpoints ? execution.checkpoints->last() : "";
    if (!checkpoint.empty() && result.run.outcome != simulation::Outcome::completed) {
      say(fmt::format("  to go on    ricochet resume {}\n", (directory.target() / checkpoint).string()));
    }
  }
  if (run_case.settings.accept_unconverged && result.statistics.unconverged_steps > 0) {
    complain(unconverged_sentence(result.statistics));
  }
  if (result.run.outcome != simulation::Outcome::completed) {
    complain(result.run.reason + ".");
  } else if (execution.quiet) {
    for (const study::FactResult& fact : result.facts) {
      if (study::fails(fact)) complain(fmt::format("the fact '{}' does not hold: {}.", fact.fact, fact.detail));
    }
  }
  return exit_code(result);
}

}  // namespace ricochet::app
