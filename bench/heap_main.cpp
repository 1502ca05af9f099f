// Ricochet's part in bench/peers/run boxes: writes how a scene begins as a heap, from which all simulators can start,
// runs a window of steps from a heap, and measures how deep bodies are in each other, whoever moved them.
//
//   ricochet_heap make SCENE STEP HEAP      writes how a scene (ID or ID/VARIANT) begins, to be run with this step
//   ricochet_heap window HEAP STEPS END     prints, of each step: `step` seconds contacts missed residual iterations;
//                                           and writes the heap after the last one
//   ricochet_heap depth HEAP                the greatest depth (m) of bodies in planes and in each other
//
// Steps are those of Moreau-Jean with theta = 1/2 and Newton's impact law, as in Siconos; tolerance 1e-4, one thread.
// Seconds are those of the processor.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/heap_file.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace {

using namespace ricochet;

double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

simulation::Settings settings(double step, double end) {
  simulation::Settings result;
  result.step = step;
  result.end = end;
  result.moreau_jean.theta = 0.5;
  result.moreau_jean.impact = integrate::ImpactLaw::newton;
  result.solver.tolerance = 1e-4;
  result.accept_unconverged = true;  // they are counted
  result.threads = 1;
  return result;
}

void make(const std::string& id, double step, const std::string& file) {
  const auto slash = id.find('/');
  const std::string variant = slash == std::string::npos ? "" : id.substr(slash + 1);
  const model::Model model = io::read_scene(io::shipped_scene_path(id.substr(0, slash)), {}, variant).run_case.model;
  const mechanics::DofMap map(model);
  bench::write_heap(bench::heap_of(model, mechanics::initial_state(model, map), step), file);
}

void window(const std::string& file, int steps, const std::string& end_file) {
  const bench::Heap heap = bench::read_heap(file);
  const model::Model model = bench::model_of(heap);
  simulation::Simulation run(model, settings(heap.step, steps * heap.step));
  for (int i = 0; i < steps; ++i) {
    const double begin = processor_seconds();
    if (!run.step()) throw std::runtime_error(run.failure());
    const double seconds = processor_seconds() - begin;
    const integrate::StepReport& report = run.frame().report;
    fmt::print("step {:.9f} {} {} {:.3e} {}\n", seconds, report.contacts.size(),
               report.status == integrate::StepStatus::done ? 0 : 1, report.solver.residual, report.solver.iterations);
  }
  bench::write_heap(bench::heap_of(model, run.frame().state, heap.step), end_file);
}

double depth(const std::string& file) {
  const model::Model model = bench::model_of(bench::read_heap(file));
  const mechanics::DofMap map(model);
  const contact::ContactSet contacts(model, map);
  const mechanics::State state = mechanics::initial_state(model, map);
  double gap = 0;
  for (int rule = 0; rule < static_cast<int>(model.contacts.size()); ++rule) {
    gap = std::min(gap, contacts.minimum_gap(state, rule));
  }
  return -gap;
}

int run(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  if (what == "make" && words.size() == 4) {
    make(words[1], std::stod(words[2]), words[3]);
  } else if (what == "window" && words.size() == 4) {
    window(words[1], std::stoi(words[2]), words[3]);
  } else if (what == "depth" && words.size() == 2) {
    fmt::print("{:.9g}\n", depth(words[1]));
  } else {
    fmt::print(stderr, "usage: ricochet_heap make SCENE STEP HEAP | window HEAP STEPS END | depth HEAP\n");
    return 2;
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "ricochet_heap: {}\n", error.what());
    return 1;
  }
}
