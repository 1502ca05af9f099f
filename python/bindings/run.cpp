// case.run(): what `ricochet run` does, with forces and systems of Python if there are any.
#include <fmt/format.h>

#include <mutex>

#include "bindings/additions.hpp"
#include "bindings/files.hpp"
#include "ricochet/io/report.hpp"
#include "ricochet/io/result_directory.hpp"
#include "ricochet/io/result_recorder.hpp"
#include "ricochet/io/summary.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::python {

namespace {

// Ctrl-C and exceptions of Python end the run; the result is then written as far as it goes, and they are thrown again.
class Interruption {
 public:
  explicit Interruption(py::object progress, long every) : progress_(std::move(progress)), every_(every) {}

  bool keep_going(const simulation::Frame& frame) {
    try {
      signals_.check();
      if (progress_.is_none() || frame.step_index % every_ != 0) return true;
      const py::gil_scoped_acquire lock;
      return goes_on(progress_(frame.state.time));
    } catch (...) {
      error_ = std::current_exception();
      return false;
    }
  }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  SignalWatch signals_;
  py::object progress_;
  long every_;
  std::exception_ptr error_;
};

study::CaseResult run_into(const study::Case& run_case, const std::string& out, bool with_report,
                           Interruption& interruption) {
  io::ResultDirectory directory(out);
  io::ResultRecorder recorder(directory.partial(), run_case);
  const std::array<simulation::Recorder*, 1> recorders = {&recorder};
  study::Run run(run_case);
  study::CaseResult result =
      run.go(recorders, [&](const simulation::Frame& frame) { return interruption.keep_going(frame); });
  io::write_summary(directory.file("summary.json"),
                    {run_case, result.run, result.statistics, result.ledger, result.state_hash, result.wall_seconds,
                     recorder.probe_summaries(), result.facts});
  if (with_report) io::write_report(directory.partial());
  directory.finish();
  return result;
}

py::object run(const LoadedCase& loaded, const py::object& out, const py::iterable& forces, const py::iterable& systems,
               const py::dict& probes, int threads, bool report, bool accept_unconverged, py::object progress,
               long every) {
  if (every < 1) throw std::invalid_argument("`every` must be at least 1 step");
  const auto path = py::module_::import("os").attr("fspath")(out).cast<std::string>();
  const auto pending = std::make_shared<PendingError>();
  const study::Case run_case = with_additions(loaded, {forces, systems, probes, threads, accept_unconverged}, pending);
  Interruption interruption(std::move(progress), every);
  study::CaseResult result;
  {
    const py::gil_scoped_release release;
    const std::lock_guard lock(files_in_use());
    result = pending->unwrap([&] { return run_into(run_case, path, report, interruption); });
  }
  interruption.rethrow();
  pending->rethrow();
  if (result.run.outcome == simulation::Outcome::failed) throw StepFailure(result.run.reason);
  return py::module_::import("ricochet.results").attr("open_result")(path);
}

}  // namespace

void bind_run(py::module_& module) {
  using namespace py::literals;
  module.attr("Case").attr("run") = py::cpp_function(
      &run, py::name("run"), py::is_method(module.attr("Case")), "out"_a, py::kw_only(), "forces"_a = py::tuple(),
      "systems"_a = py::tuple(), "probes"_a = py::dict(), "threads"_a = 1, "report"_a = true,
      "accept_unconverged"_a = false, "progress"_a = py::none(), "every"_a = 100,
      "Runs to the end and writes a result directory, as `ricochet run --out` does. progress(time) is called every so "
      "many steps; an answer that is false, but not None, stops the run. Gives the Result; the result of a run that "
      "failed or was interrupted is written, too.");
}

}  // namespace ricochet::python
