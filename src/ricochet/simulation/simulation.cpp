#include "ricochet/simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "ricochet/integrate/merged_report.hpp"
#include "ricochet/mechanics/joints/assembly.hpp"

namespace ricochet::simulation {

namespace {

// Before anything is built on it.
const model::Model& validated(const model::Model& model) {
  model::validate(model);
  return model;
}

constexpr double kNearly = 10;  // times its tolerance a step nearly converges

// Whether a shorter step may do what this one could not: not so if its solver knows why.
bool may_be_halved(const integrate::StepReport& report) {
  const integrate::StepStatus status = report.status;
  if (status == integrate::StepStatus::contact_unconverged) return report.solver.remark == cone::SolveRemark::none;
  return status == integrate::StepStatus::subproblem_unconverged ||
         status == integrate::StepStatus::motion_unconverged || status == integrate::StepStatus::not_finite;
}

// Whether it has an end, though it missed a tolerance.
bool has_result(integrate::StepStatus status) {
  return status == integrate::StepStatus::contact_unconverged || status == integrate::StepStatus::motion_unconverged ||
         status == integrate::StepStatus::joint_friction_unconverged;
}

// `now` has its values in the memory that was that of `before`: gives it its own again.
void keep_place(VectorX& now, VectorX& before) {
  now.swap(before);
  now = before;
}

}  // namespace

Simulation::Simulation(const model::Model& model, const Settings& settings)
    : model_(validated(model)),
      settings_(settings),
      threads_(settings.threads),
      equations_(model),
      contact_set_(model, equations_.map()),
      scheme_(make_scheme(settings)),
      initial_state_(equations_.initial_state()),
      step_count_(simulation::step_count(settings)) {
  contact_set_.use(threads_);
  scheme_->use(threads_);
  snapshot_.instant.state = initial_state_;
  snapshot_.ledger.begin(equations_.kinetic_energy(initial_state_), equations_.potential_energy(initial_state_),
                         equations_.strain_energy(initial_state_));
  next_ = snapshot_.instant;
}

void Simulation::check_fits(const Snapshot& snapshot) const {
  const mechanics::State& state = snapshot.instant.state;
  if (state.q.size() != initial_state_.q.size() || state.v.size() != initial_state_.v.size() ||
      state.a.size() != initial_state_.a.size() || state.angles.size() != initial_state_.angles.size() ||
      state.present.size() != initial_state_.present.size()) {
    throw std::invalid_argument(fmt::format("a snapshot with {} coordinates does not fit a model with {}",
                                            state.q.size(), initial_state_.q.size()));
  }
}

void Simulation::restore(const Snapshot& snapshot) {
  check_fits(snapshot);
  snapshot_ = snapshot;
  report_ = {};
  next_timed_step_ = 0;
}

void Simulation::set_end(double end) {
  Settings changed = settings_;
  changed.end = end;
  const long steps = simulation::step_count(changed);
  if (steps < snapshot_.step_index) {
    throw std::invalid_argument(fmt::format("the run is at t = {:.9g} s already and cannot end at {:.9g} s",
                                            snapshot_.instant.state.time, end));
  }
  settings_ = changed;
  step_count_ = steps;
}

Frame Simulation::frame() const {
  return {model_,  equations_,       contact_set_,         initial_state_, snapshot_.instant.state, snapshot_.ledger,
          report_, report_.contacts, snapshot_.step_index, step_count_,    scheme_->last_problem()};
}

void Simulation::attempt(const integrate::Instant& begin, double h, integrate::Instant& end,
                         integrate::StepReport& report) {
  try {
    scheme_->step({equations_, contact_set_}, begin, h, end, report);
  } catch (const std::exception& error) {  // such as a matrix without inverse
    const bool times_stages = report.times_stages;
    report = {};
    report.times_stages = times_stages;
    report.status = integrate::StepStatus::impossible;
    report.impossible = error.what();
  }
}

// Two halves, each of which may be halved again, of a step whose report is that of an attempt in vain. What does not
// converge in the smallest parts is told as it is there.
void Simulation::attempt_in_parts(const integrate::Instant& begin, double h, int halvings, integrate::Instant& end,
                                  integrate::StepReport& report) {
  count_seconds(report, 1);
  integrate::Instant middle = begin;
  const auto half = [&](const integrate::Instant& from, integrate::Instant& to, integrate::StepReport& of_half) {
    attempt(from, 0.5 * h, to, of_half);
    ++statistics_.substeps;
    const bool nearly = of_half.status == integrate::StepStatus::contact_unconverged &&
                        of_half.solver.residual <= kNearly * settings_.solver.tolerance;
    if (halvings == 1 && nearly) {
      scheme_->be_patient(true);
      attempt(from, 0.5 * h, to, of_half);
      scheme_->be_patient(false);
    }
    if (may_be_halved(of_half) && halvings > 1) attempt_in_parts(from, 0.5 * h, halvings - 1, to, of_half);
    return of_half.status == integrate::StepStatus::done;
  };
  if (!half(begin, middle, report)) return;
  integrate::StepReport later;
  later.times_stages = report.times_stages;
  if (half(middle, end, later)) {
    integrate::merge_later(later, 0.5 * h, 0.5 * h, report);
  } else {
    report = later;
  }
}

bool Simulation::step() {
  report_.times_stages = snapshot_.step_index >= next_timed_step_;
  double h = 0;
  bool in_parts = false;
  try {
    h = step_from(settings_, snapshot_.instant.state.time);
    attempt(snapshot_.instant, h, next_, report_);
    const bool accepted = settings_.accept_unconverged && has_result(report_.status);
    if (may_be_halved(report_) && scheme_->may_be_halved() && settings_.halvings > 0 && !accepted) {
      in_parts = true;
      ++statistics_.halved_steps;
      attempt_in_parts(snapshot_.instant, h, settings_.halvings, next_, report_);
    }
  } catch (const std::exception& error) {  // a step that is no step
    report_ = {};
    report_.status = integrate::StepStatus::impossible;
    report_.impossible = error.what();
  }
  if (report_.status != integrate::StepStatus::done) {
    ++statistics_.unconverged_steps;
    statistics_.worst_residual = std::max(statistics_.worst_residual, report_.solver.residual);
    // Parts that fail leave the step without an end.
    if (!settings_.accept_unconverged || in_parts || !has_result(report_.status)) return false;
  }
  // Time is n h, never summed.
  ++snapshot_.step_index;
  next_.state.time = settings_.step_function
                         ? (snapshot_.step_index == step_count_ ? settings_.end : snapshot_.instant.state.time + h)
                         : static_cast<double>(snapshot_.step_index) * settings_.step;
  std::swap(snapshot_.instant, next_);
  mechanics::State& state = snapshot_.instant.state;
  keep_place(state.q, next_.state.q);
  keep_place(state.v, next_.state.v);
  keep_place(state.a, next_.state.a);
  if (!equations_.presence().always()) {
    const double before = equations_.kinetic_energy(state) + equations_.potential_energy(state);
    if (equations_.presence().update(state)) {
      report_.works.appeared = equations_.kinetic_energy(state) + equations_.potential_energy(state) - before;
      snapshot_.instant.accelerations.clear();
    }
  }
  snapshot_.ledger.add(report_.works, equations_.kinetic_energy(state), equations_.potential_energy(state),
                       equations_.strain_energy(state));
  count();
  return true;
}

void Simulation::count() {
  Statistics& all = statistics_;
  ++all.steps;
  const int contacts = static_cast<int>(report_.contacts.size());
  all.contacts_sum += contacts;
  all.contacts_max = std::max(all.contacts_max, contacts);
  all.iterations_sum += report_.solver.iterations;
  all.iterations_max = std::max(all.iterations_max, report_.solver.iterations);
  all.worst_residual = std::max(all.worst_residual, report_.solver.residual);
  for (const integrate::ContactRecord& contact : report_.contacts) {
    all.max_penetration = std::max({all.max_penetration, -contact.gap_before, -contact.gap});
  }
  for (std::size_t i = 0; i < report_.subproblems.size(); ++i) {
    const double iterations = report_.subproblems[i].iterations, searches = report_.subproblems[i].line_searches;
    all.subproblem_iterations_sum[i] += iterations;
    all.subproblem_iterations_max[i] = std::max(all.subproblem_iterations_max[i], iterations);
    all.line_searches_sum[i] += searches;
    all.line_searches_max[i] = std::max(all.line_searches_max[i], searches);
  }
  all.refined_steps += report_.refined ? 1 : 0;
  all.passes_max = std::max(all.passes_max, integrate::passes(report_));
  all.max_joint_error = std::max(all.max_joint_error, report_.joint_error);
  if (report_.solver.solutions > 1) count_second_solution();
  if (report_.times_stages) count_stages();
}

void Simulation::count_second_solution() {
  if (++statistics_.second_solutions > 1) return;
  const cone::SecondSolution& second = report_.solver.second;
  statistics_.first_second_time = snapshot_.instant.state.time;
  statistics_.first_second_solution =
      fmt::format("{} ends the step with u = ({:.4g}, {:.4g}) m/s, and could do so with ({:.4g}, {:.4g}) m/s",
                  worst_place(second.contact), second.velocity[0], second.velocity[1], second.alternative[0],
                  second.alternative[1]);
}

// Steps that take microseconds are timed once in 16, and stand for the 15 that follow: reading the clock would take a
// third of their time.
void Simulation::count_stages() {
  constexpr double kShortStep = 20e-6;  // s
  constexpr int kShortStepsPerTiming = 16;
  constexpr long kFirstSteps = 64;  // which reserve memory, and are not like those that follow
  double sum = 0;
  for (const double seconds : report_.stage_seconds) sum += seconds;
  const bool is_short = sum < kShortStep && statistics_.steps > kFirstSteps;
  const int counts_for = is_short ? kShortStepsPerTiming : 1;
  count_seconds(report_, counts_for);
  next_timed_step_ = snapshot_.step_index + counts_for - 1;
}

void Simulation::count_seconds(const integrate::StepReport& report, int counts_for) {
  if (!report.times_stages) return;
  for (std::size_t i = 0; i < report.stage_seconds.size(); ++i) {
    statistics_.stage_seconds[i] += counts_for * report.stage_seconds[i];
  }
}

RunResult Simulation::run(std::span<Recorder* const> recorders, const std::function<bool(const Frame&)>& keep_going) {
  for (Recorder* recorder : recorders) recorder->begin(frame());
  return go_on(recorders, keep_going);
}

RunResult Simulation::go_on(std::span<Recorder* const> recorders, const std::function<bool(const Frame&)>& keep_going) {
  check_fits(snapshot_);
  RunResult result;
  while (snapshot_.step_index < step_count_) {
    if (!step()) {
      result.outcome = Outcome::failed;
      result.reason = failure();
      break;
    }
    for (Recorder* recorder : recorders) recorder->step(frame());
    if (keep_going && !keep_going(frame())) {
      result.outcome = snapshot_.step_index < step_count_ ? Outcome::interrupted : Outcome::completed;
      if (result.outcome == Outcome::interrupted) result.reason = "the run was interrupted";
      break;
    }
  }
  result.time = snapshot_.instant.state.time;
  result.steps = snapshot_.step_index;
  for (Recorder* recorder : recorders) recorder->end(frame(), result);
  return result;
}

// A block of the contact problem: contacts come first, then what acts in joints.
std::string Simulation::worst_place(int block) const {
  if (block < 0) return "none";
  if (block < static_cast<int>(report_.contacts.size())) return contact_set_.name(report_.contacts[block].key);
  return "in a joint (limit, friction or motor)";
}

// Of a scheme with sub-problems: which of them, after how many iterations, and where it is worst.
std::string Simulation::subproblem_failure(const std::string& step) const {
  const auto is_unsolved = [](const integrate::SubproblemReport& each) {
    return each.outcome != integrate::SubproblemOutcome::solved;
  };
  const auto found = std::find_if(report_.subproblems.begin(), report_.subproblems.end(), is_unsolved);
  if (found == report_.subproblems.end()) return fmt::format("{} has an unsolved sub-problem", step);
  const bool in_joint = report_.worst_joint >= 0 && report_.worst_joint < static_cast<int>(model_.joints.size());
  const std::string where = !report_.impossible.empty() || report_.worst_joint < 0
                                ? report_.impossible
                                : fmt::format("{} '{}'", in_joint ? "joint" : "velocity condition",
                                              mechanics::owner_name(model_, report_.worst_joint));
  return fmt::format(
      "{} did not solve its {} sub-problem: residual {:.3g} after {} iterations, worst at {}{}. Use a smaller "
      "time.step, or "
      "a larger integrator.tolerance",
      step, integrate::subproblem_names.at(static_cast<std::size_t>(found - report_.subproblems.begin())),
      found->residual, found->iterations, where, settings_.halvings > 0 ? ", also with halved steps" : "");
}

std::string Simulation::failure() const {
  const double from = snapshot_.instant.state.time;
  // A function of time that gives no step is told by itself.
  const bool has_step = report_.status != integrate::StepStatus::impossible || !settings_.step_function;
  const std::string step =
      has_step ? fmt::format("the step from t = {:.9g} s to {:.9g} s", from, from + step_from(settings_, from))
               : fmt::format("the step from t = {:.9g} s", from);
  switch (report_.status) {
    case integrate::StepStatus::contact_unconverged: {
      const int worst = report_.solver.worst_contact;
      const cone::SolveRemark remark = report_.solver.remark;
      if (remark == cone::SolveRemark::not_planar || remark == cone::SolveRemark::too_large) {
        return fmt::format("{} was not solved: {}. Use solver.name=auto", step, sentence(remark));
      }
      const bool newton =
          settings_.scheme == SchemeKind::moreau_jean && settings_.moreau_jean.impact == integrate::ImpactLaw::newton;
      const char* other_laws = newton ? "integrator.impact=fremond, less friction, or a smaller time.step"
                                      : "less friction, or a smaller time.step";
      if (remark == cone::SolveRemark::ray || remark == cone::SolveRemark::no_solution ||
          remark == cone::SolveRemark::no_combination) {
        return fmt::format(
            "{} found no contact impulses: {} (residual {:.3g}, worst at contact {}). Rigid bodies may jam, or be "
            "drawn "
            "in by their own friction (Painleve): try {}",
            step, sentence(remark), report_.solver.residual, worst_place(worst), other_laws);
      }
      // Far from any solution there may be none: Newton's law can ask for a rebound that a jam does not allow.
      const bool hopeless = report_.solver.residual > 1e-2;
      return fmt::format(
          "{} did not reach the contact tolerance {:g}: residual {:.3g} after {} iterations{}, worst at contact {}. {}",
          step, settings_.solver.tolerance, report_.solver.residual, report_.solver.iterations,
          scheme_->may_be_halved() && settings_.halvings > 0 && !settings_.accept_unconverged ? " of its smallest part"
                                                                                              : "",
          worst_place(worst),
          !hopeless
              ? "Allow a larger solver.tolerance (for heaps 1e-4 is usual) or more iterations (solver.max_iterations)"
              : fmt::format("There may be no solution: try {}", other_laws));
    }
    case integrate::StepStatus::impacts_go_on: {
      const bool is_moreau_jean = settings_.scheme == SchemeKind::moreau_jean;
      return fmt::format(
          "{} did not come to the end of its sequence of impacts within {} passes: {} still approaches. Allow more "
          "passes "
          "(integrator.max_passes), or take all impacts at once (integrator.impacts=simultaneous)",
          step, is_moreau_jean ? settings_.moreau_jean.max_passes : settings_.generalized_alpha.max_passes,
          is_moreau_jean ? fmt::format("contact {}", worst_place(report_.solver.worst_contact)) : report_.impossible);
    }
    case integrate::StepStatus::motion_unconverged:
      return fmt::format("{} did not solve the equations of motion within {} iterations. Use a smaller time.step", step,
                         settings_.scheme == SchemeKind::moreau_jean
                             ? settings_.moreau_jean.max_motion_iterations
                             : settings_.generalized_alpha.newton.max_iterations);
    case integrate::StepStatus::subproblem_unconverged:
      return subproblem_failure(step);
    case integrate::StepStatus::joint_friction_unconverged:
      return fmt::format(
          "{} found no friction of the joints that agrees with what they carry. A joint may jam: use less friction, a "
          "longer guide, or a smaller time.step",
          step);
    case integrate::StepStatus::limit_blocked:
      return fmt::format(
          "{} cannot stop joint '{}' at its limit: a drive or other joints hold the coordinate. Move the limit, or use "
          "a motor (which has a largest force) instead of a drive",
          step, model_.joints[report_.worst_joint].name);
    case integrate::StepStatus::joints_open:
      return fmt::format(
          "{} could not close joint '{}', which is open by {:.3g} m (angles times the size of the machine). Joints may "
          "contradict each other, a target may jump, or the machine may have reached the end of its way; if not, use a "
          "smaller time.step",
          step, model_.joints[report_.worst_joint].name, report_.joint_error);
    case integrate::StepStatus::not_finite:
      return fmt::format(
          "{} gave a position or velocity that is not finite. Check the loads and drivers at that time, or use a "
          "smaller time.step",
          step);
    case integrate::StepStatus::impossible:
      return fmt::format("{} could not be computed: {}", step, report_.impossible);
    case integrate::StepStatus::done:
      break;
  }
  return {};
}

}  // namespace ricochet::simulation
