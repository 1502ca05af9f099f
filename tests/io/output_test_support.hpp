// What the tests of output share: a directory that disappears, files as text and tables, and frames made by hand.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "ricochet/simulation/frame.hpp"
#include "ricochet/study/case.hpp"

namespace ricochet::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ricochet-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Rows of cells; for tables without quotes.
inline std::vector<std::vector<std::string>> csv_cells(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(file_text(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

// Two bodies on a floor. The names are in the opposite order of the numbers.
//   participants: 0 zeta (frame, sphere)   1 alpha (point)   2 floor
inline model::Model floor_model() {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  model.nodes.push_back({"zeta", model::NodeKind::frame, Vector3(1, 2, 3), {}, Vector3(4, 5, 6), Vector3(7, 8, 9), {}});
  model.nodes.push_back(
      {"alpha", model::NodeKind::point, Vector3(-1, 0, 0), {}, Vector3(0.5, 0, 0), Vector3::Zero(), {}});
  model.bodies.push_back({"zeta", {0}, 2, Matrix3::Identity(), {{model::SphereShape{0.25}}}});
  model.bodies.push_back({"alpha", {1}, 3, Matrix3::Zero(), {{model::PointShape{}}}});
  model.surfaces.push_back({"floor", Vector3::Zero(), Vector3::UnitY()});
  model.contacts.push_back({"ground", {{{0}, {}}, {{1}, {}}}, {{{}, {0}}}, {0.3, 0, 0}});
  return model;
}

inline integrate::ContactRecord floor_contact(int body, const Vector3& impulse, double work_normal = 0,
                                              double work_tangential = 0) {
  integrate::ContactRecord record;
  record.key = {0, body, 0, 2, 0};
  record.point = Vector3(0.1 * body, 0, 0.5);
  record.gap = -1e-9 * (body + 1);
  record.velocity = Vector3(0, 0.125, 0);
  record.impulse = impulse;
  record.status = body == 0 ? cone::ContactStatus::stick : cone::ContactStatus::slip;
  record.work_normal = work_normal;
  record.work_tangential = work_tangential;
  return record;
}

inline study::Case floor_case(int output_every = 1) {
  study::Case result;
  result.id = "floor/variant";
  result.source_text = "ricochet: 1\nname: floor  # \xc2\xb5 = 0.3\n";
  result.overrides = {"parameters.friction=0.3"};
  result.model = floor_model();
  result.settings.end = 1;
  result.settings.step = 0.125;
  result.output_every = output_every;
  const auto add = [&](const char* name, const char* text, bool hidden = false) {
    const auto is_source = [&](std::string_view source) {
      return simulation::parse_probe_source(result.model, source).has_value();
    };
    result.probes.add(result.model, name, math::Expression::parse(text, is_source), hidden);
  };
  add("x", "zeta.position.x");
  add("hidden", "zeta.position.y", true);
  add("pushed", "contact.ground.impulse.normal");
  add("iterations", "solver.iterations");
  add("infinite", "1/(time - time)");
  return result;
}

// A run whose frames are made by hand: what a recorder gets, without a simulation.
struct HandMadeRun {
  explicit HandMadeRun(const study::Case& run_case) : model(run_case.model), step(run_case.settings.step) {}

  const model::Model& model;
  double step;
  mechanics::Equations equations{model};
  contact::ContactSet contact_set{model, equations.map()};
  mechanics::State initial_state = equations.initial_state();
  mechanics::State state = initial_state;
  simulation::Ledger ledger = {};
  integrate::StepReport report = {};
  long step_index = 0;
  long step_count = 8;

  simulation::Frame frame() const {
    return {model,  equations, contact_set,     initial_state, state,
            ledger, report,    report.contacts, step_index,    step_count};
  }
  void advance(std::vector<integrate::ContactRecord> contacts) {
    ++step_index;
    state.time = static_cast<double>(step_index) * step;
    if (state.q.size() > 0) state.q[0] += 1;
    report.contacts = std::move(contacts);
    report.solver.iterations = static_cast<int>(step_index);
  }
};

}  // namespace ricochet::test
