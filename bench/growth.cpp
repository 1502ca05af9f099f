#include "bench/growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <tuple>

#include "bench/sphere_deposit.hpp"

namespace ricochet::bench {

namespace {

constexpr double gravity = 9.81;         // m/s^2
constexpr double density = 2500;         // kg/m^3
constexpr int spheres_of_a_cube = 1000;  // in a box as wide as they are high: this gives the height of all heaps
constexpr double time_step = 1e-3;       // s
constexpr int sweeps_while_settling = 30;
constexpr double kinetic_at_rest = 1e-5;
constexpr int sizes_for_a_judgement = 16;  // the largest heap over the smallest

double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Row after row and column after column, as bodies of a grid are numbered.
void number_by_place(std::vector<DepositedSphere>& spheres) {
  double cell = 0;
  for (const DepositedSphere& sphere : spheres) cell = std::max(cell, 2 * sphere.radius);
  const auto place = [&](const DepositedSphere& sphere) {
    return std::tuple(std::floor(sphere.center.x() / cell), std::floor(sphere.center.y() / cell), sphere.center.z());
  };
  std::sort(spheres.begin(), spheres.end(),
            [&](const DepositedSphere& a, const DepositedSphere& b) { return place(a) < place(b); });
}

}  // namespace

Heap heap_of_equal_height(int spheres, int which) {
  const double width = cubic_width(spheres_of_a_cube) * std::sqrt(static_cast<double>(spheres) / spheres_of_a_cube);
  SphereDeposit deposit = deposit_spheres(spheres, static_cast<std::uint64_t>(which), width);
  number_by_place(deposit.spheres);
  Heap heap;
  heap.step = time_step;
  heap.gravity = {0, 0, -gravity};
  heap.friction = 0.3;
  heap.planes = {{{0, 0, 0}, {0, 0, 1}},
                 {{0, 0, 0}, {1, 0, 0}},
                 {{width, 0, 0}, {-1, 0, 0}},
                 {{0, 0, 0}, {0, 1, 0}},
                 {{0, width, 0}, {0, -1, 0}}};
  for (const DepositedSphere& sphere : deposit.spheres) {
    HeapBody& body = heap.bodies.emplace_back();
    body.is_ball = true;
    body.mass = density * 4.0 / 3.0 * std::numbers::pi * std::pow(sphere.radius, 3);
    body.size = {sphere.radius, 0, 0};
    body.position = sphere.center;
  }
  return heap;
}

bool Rest::lies() const { return kinetic <= kinetic_at_rest; }

GrowingHeap::GrowingHeap(int spheres, int which)
    : heap_(heap_of_equal_height(spheres, which)), model_(model_of(heap_)), run_(model_, settings()) {
  double mass = 0, radii = 0;
  for (const HeapBody& body : heap_.bodies) {
    mass += body.mass;
    radii += body.size[0];
  }
  rest_energy_ = mass * gravity * radii / static_cast<double>(heap_.bodies.size());
  settled_ = run_.snapshot();
  row_.spheres = spheres;
  row_.which = which;
}

simulation::Settings GrowingHeap::settings() const {
  simulation::Settings result;
  result.step = heap_.step;
  result.end = 1e6 * heap_.step;  // never reached: steps are asked for one by one
  result.moreau_jean.theta = 0.5;
  result.moreau_jean.impact = integrate::ImpactLaw::newton;
  result.solver.tolerance = 1e-4;
  result.accept_unconverged = true;  // they are counted
  result.threads = 1;
  return result;
}

double GrowingHeap::kinetic(const simulation::Simulation& run) const {
  return run.snapshot().ledger.kinetic / rest_energy_;
}

Rest GrowingHeap::settle(int steps, const std::function<void(const Rest&)>& tell) {
  simulation::Settings rough = settings();
  rough.solver.kind = cone::SolverKind::gauss_seidel;
  rough.solver.max_iterations = sweeps_while_settling;
  simulation::Simulation run(model_, rough);
  run.restore(settled_);
  Rest rest;
  while (rest.steps < steps) {
    if (!run.step()) throw std::runtime_error(run.failure());
    ++rest.steps;
    rest.missed += run.frame().report.status == integrate::StepStatus::done ? 0 : 1;
    rest.kinetic = kinetic(run);
    if (tell) tell(rest);
  }
  settled_ = run.snapshot();
  row_.lies = rest.lies();
  return rest;
}

GrowthRow GrowingHeap::row() const { return row_; }

void GrowingHeap::measure(int cold_steps, int steps) {
  const auto step = [&] {
    const double begin = processor_seconds();
    if (!run_.step()) throw std::runtime_error(run_.failure());
    return processor_seconds() - begin;
  };
  run_.restore(settled_);
  for (int i = 0; i < cold_steps; ++i) step();
  if (static_cast<int>(seconds_.size()) != steps) seconds_.assign(steps, std::numeric_limits<double>::infinity());
  row_ = {.spheres = row_.spheres, .which = row_.which, .lies = row_.lies};
  std::array<double, integrate::stage_names.size()> stages = {};
  double all_stages = 0;
  for (int i = 0; i < steps; ++i) {
    seconds_[i] = std::min(seconds_[i], step());
    const integrate::StepReport& report = run_.frame().report;
    row_.seconds += seconds_[i] / steps;
    row_.contacts += static_cast<double>(report.contacts.size()) / steps;
    row_.iterations += static_cast<double>(report.solver.iterations) / steps;
    row_.most_iterations = std::max(row_.most_iterations, report.solver.iterations);
    row_.missed += report.status == integrate::StepStatus::done ? 0 : 1;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      stages[k] += report.stage_seconds[k];
      all_stages += report.stage_seconds[k];
    }
  }
  row_.kinetic = kinetic(run_);
  const auto share = [&](integrate::Stage stage) { return stages[static_cast<std::size_t>(stage)] / all_stages; };
  row_.detecting = share(integrate::Stage::detect);
  row_.building = share(integrate::Stage::contact_problem);
  row_.solving = share(integrate::Stage::solve);
  row_.correcting = share(integrate::Stage::update);  // next to nothing else is in it
}

bool are_of_several_sizes(std::span<const GrowthRow> rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const GrowthRow& row) { return row.spheres != rows.front().spheres; });
}

double growth_exponent(std::span<const GrowthRow> rows) {
  const auto count = static_cast<double>(rows.size());
  double mean_x = 0, mean_y = 0, products = 0, squares = 0;
  for (const GrowthRow& row : rows) {
    mean_x += std::log(row.spheres) / count;
    mean_y += std::log(row.seconds) / count;
  }
  for (const GrowthRow& row : rows) {
    const double x = std::log(row.spheres) - mean_x;
    products += x * (std::log(row.seconds) - mean_y);
    squares += x * x;
  }
  if (!(squares > 0)) throw std::invalid_argument("an exponent needs heaps of two different numbers of spheres");
  return products / squares;
}

std::vector<std::string> growth_complaints(std::span<const GrowthRow> rows, double largest_exponent) {
  std::vector<std::string> result;
  for (const GrowthRow& row : rows) {
    if (!row.lies) result.push_back(fmt::format("heap {} of {} spheres did not come to rest", row.which, row.spheres));
    if (row.missed > 0) {
      result.push_back(
          fmt::format("{} steps of heap {} of {} spheres missed the tolerance", row.missed, row.which, row.spheres));
    }
  }
  // Between neighbouring sizes chance is larger than what is to be told.
  const auto [least, most] = std::minmax_element(
      rows.begin(), rows.end(), [](const GrowthRow& a, const GrowthRow& b) { return a.spheres < b.spheres; });
  if (rows.empty() || most->spheres < sizes_for_a_judgement * least->spheres) return result;
  const double exponent = growth_exponent(rows);
  if (!(exponent <= largest_exponent)) {
    result.push_back(
        fmt::format("the time of a step grows as n^{:.2f}, faster than n^{:.2f}", exponent, largest_exponent));
  }
  return result;
}

}  // namespace ricochet::bench
