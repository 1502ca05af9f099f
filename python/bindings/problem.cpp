// Contact problems u = W r + b with Coulomb's law: from arrays or files, solved by any solver of cone/solver_table.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "bindings/bindings.hpp"
#include "bindings/files.hpp"
#include "ricochet/cone/solver_table.hpp"
#include "ricochet/io/problem_file.hpp"
#include "ricochet/io/problem_solve.hpp"
#include "ricochet/io/schema.hpp"

namespace ricochet::python {

namespace {

struct Problem {
  io::ProblemFile file;
  std::string name;
};

// The values that `matrix` has in block (i, j), appended to the open row; nothing if they are zero and not diagonal.
void append_dense_block(const Doubles& matrix, const std::vector<int>& offsets, int i, int j,
                        linalg::BlockSparseMatrix& to) {
  const auto at = matrix.unchecked<2>();
  bool is_zero = i != j;
  for (int k = offsets[i]; k < offsets[i + 1] && is_zero; ++k) {
    for (int l = offsets[j]; l < offsets[j + 1] && is_zero; ++l) is_zero = at(k, l) == 0;
  }
  if (is_zero) return;
  linalg::MutableBlockView block = to.append(j);
  for (int k = 0; k < block.rows(); ++k) {
    for (int l = 0; l < block.cols(); ++l) block(k, l) = at(offsets[i] + k, offsets[j] + l);
  }
}

void fill_dense(const py::object& matrix, const std::vector<int>& sizes, const std::vector<int>& offsets,
                linalg::BlockSparseMatrix& to) {
  const Doubles values = Doubles::ensure(matrix);
  if (!values || values.ndim() != 2 || values.shape(0) != offsets.back() || values.shape(1) != offsets.back()) {
    PyErr_Clear();
    throw std::invalid_argument(fmt::format(
        "W must be a matrix of {0} rows and columns, as many as b has numbers, or a dict of blocks", offsets.back()));
  }
  const int contacts = static_cast<int>(sizes.size());
  for (int i = 0; i < contacts; ++i) {
    to.begin_row(sizes[i]);
    for (int j = 0; j < contacts; ++j) append_dense_block(values, offsets, i, j, to);
  }
}

// {(i, j): block}
void fill_blocks(const py::dict& blocks, const std::vector<int>& sizes, linalg::BlockSparseMatrix& to) {
  const int contacts = static_cast<int>(sizes.size());
  std::map<std::pair<int, int>, Doubles> sorted;
  for (const auto& [key, value] : blocks) {
    const auto [i, j] = key.cast<std::pair<int, int>>();
    const Doubles block = Doubles::ensure(value);
    if (i < 0 || j < 0 || i >= contacts || j >= contacts) {
      throw std::invalid_argument(fmt::format("W has a block ({}, {}), but there are {} contacts", i, j, contacts));
    }
    if (!block || block.ndim() != 2 || block.shape(0) != sizes[i] || block.shape(1) != sizes[j]) {
      PyErr_Clear();
      throw std::invalid_argument(
          fmt::format("the block ({}, {}) of W must have {} rows and {} columns", i, j, sizes[i], sizes[j]));
    }
    sorted[{i, j}] = block;
  }
  for (int i = 0; i < contacts; ++i) {
    to.begin_row(sizes[i]);
    for (auto entry = sorted.lower_bound({i, 0}); entry != sorted.end() && entry->first.first == i; ++entry) {
      linalg::MutableBlockView block = to.append(entry->first.second);
      std::copy_n(entry->second.data(), block.size(), block.data());
    }
  }
}

std::vector<double> coefficients(const py::object& given, std::size_t contacts, const char* what) {
  if (given.is_none()) return std::vector<double>(contacts, 0);
  const Doubles values = Doubles::ensure(given);
  if (values && values.ndim() == 0) return std::vector<double>(contacts, *values.data());
  if (!values || static_cast<std::size_t>(values.size()) != contacts) {
    PyErr_Clear();
    throw std::invalid_argument(fmt::format("{} must be one number, or one for each of {} contacts", what, contacts));
  }
  return {values.data(), values.data() + values.size()};
}

// Also of NumPy, but no array of several numbers, which only claims to be one.
bool is_integer(const py::object& value) {
  return PyIndex_Check(value.ptr()) != 0 && (!py::isinstance<py::array>(value) || py::array(value).ndim() == 0);
}

// A contact of one component has no tangent: friction there is a mistake about sizes.
void require_tangents(const std::vector<int>& sizes, const std::vector<double>& mu) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != 1 || !(mu[i] > 0)) continue;
    throw std::invalid_argument(
        fmt::format("contact {} has one component, no tangent: friction needs 2 or 3 components per contact; give "
                    "sizes= or one mu per contact",
                    i));
  }
}

std::vector<int> block_sizes(const py::object& sizes, const py::object& friction, py::ssize_t numbers) {
  if (is_integer(sizes)) {
    const auto size = py::int_(sizes).cast<int>();
    if (size < 1 || numbers % size != 0) {
      throw std::invalid_argument(
          fmt::format("b has {} numbers, which do not divide among contacts of size {}", numbers, size));
    }
    return std::vector<int>(static_cast<std::size_t>(numbers / size), size);
  }
  if (!sizes.is_none()) return sizes.cast<std::vector<int>>();
  const Doubles mu = Doubles::ensure(friction);
  if (!mu || mu.ndim() == 0) {
    PyErr_Clear();
    throw std::invalid_argument("with one mu for all contacts, give their size: sizes=3, for instance");
  }
  const py::ssize_t contacts = mu.size();
  if (contacts == 0 || numbers % contacts != 0) {
    throw std::invalid_argument(
        fmt::format("b has {} numbers, which do not divide among {} contacts", numbers, contacts));
  }
  return std::vector<int>(static_cast<std::size_t>(contacts), static_cast<int>(numbers / contacts));
}

Problem make_problem(const py::object& matrix, const Doubles& b, const py::object& mu, const py::object& rolling,
                     const py::object& spinning, const py::object& sizes_given, const py::object& bilateral) {
  const std::vector<int> sizes = block_sizes(sizes_given, mu, b.size());
  std::vector<int> offsets = {0};
  for (const int size : sizes) {
    if (size < 1) throw std::invalid_argument("sizes of contacts must be positive");
    offsets.push_back(offsets.back() + size);
  }
  if (offsets.back() != b.size()) {
    throw std::invalid_argument(fmt::format("b has {} numbers, but the contacts have {}", b.size(), offsets.back()));
  }
  cone::ContactProblem problem;
  problem.delassus.reset(sizes);
  if (py::isinstance<py::dict>(matrix)) {
    fill_blocks(matrix, sizes, problem.delassus);
  } else {
    fill_dense(matrix, sizes, offsets, problem.delassus);
  }
  problem.free_velocity = Eigen::Map<const VectorX>(b.data(), b.size());
  const std::size_t contacts = sizes.size();
  const std::vector<double> slide = coefficients(mu, contacts, "mu"), roll = coefficients(rolling, contacts, "rolling"),
                            spin = coefficients(spinning, contacts, "spinning");
  require_tangents(sizes, slide);
  for (std::size_t i = 0; i < contacts; ++i) problem.friction.emplace_back(slide[i], roll[i], spin[i]);
  if (!bilateral.is_none()) {
    for (const bool is : bilateral.cast<std::vector<bool>>()) problem.bilateral.push_back(is ? 1 : 0);
  }
  cone::validate(problem);
  return {{std::move(problem), "", "", "", {}, {}}, "problem"};
}

Problem read_problem(const py::object& file) {
  const auto path = py::module_::import("os").attr("fspath")(file).cast<std::string>();
  const py::gil_scoped_release release;
  const std::lock_guard lock(files_in_use());
  return {io::read_problem(path), path};
}

void write_problem(const Problem& self, const py::object& file) {
  const auto path = py::module_::import("os").attr("fspath")(file).cast<std::string>();
  const py::gil_scoped_release release;
  const std::lock_guard lock(files_in_use());
  io::write_problem(path, self.file);
}

// The reduced form, made if need be.
cone::ContactProblem reduced(const Problem& self) {
  if (const auto* local = std::get_if<cone::ContactProblem>(&self.file.problem)) return *local;
  const auto& global = std::get<cone::GlobalContactProblem>(self.file.problem);
  cone::GlobalSystem system;
  cone::ContactProblem result;
  system.prepare(global);
  system.reduce(global, result);
  return result;
}

const std::vector<cone::Friction>& friction_of(const Problem& self) {
  return std::visit([](const auto& problem) -> const std::vector<cone::Friction>& { return problem.friction; },
                    self.file.problem);
}

py::array_t<double> dense_delassus(const Problem& self) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> dense = reduced(self).delassus.dense();
  return py::array_t<double>({dense.rows(), dense.cols()}, dense.data());
}

py::array_t<double> free_velocity(const Problem& self) {
  const cone::ContactProblem problem = reduced(self);
  return py::array_t<double>(problem.free_velocity.size(), problem.free_velocity.data());
}

py::array_t<double> friction_array(const Problem& self, double cone::Friction::*coefficient) {
  std::vector<double> values;
  for (const cone::Friction& friction : friction_of(self)) values.push_back(friction.*coefficient);
  return new_array(values, {static_cast<py::ssize_t>(values.size())});
}

io::ProblemResult solve(const Problem& problem, const std::string& solver, double tolerance, int max_iterations) {
  const cone::NamedSolver* chosen = cone::find_solver(solver);
  if (chosen == nullptr) {
    throw std::invalid_argument(fmt::format("there is no solver '{}'{}", solver,
                                            io::suggestion(solver, cone::solver_names(), "the solvers are")));
  }
  if (!(tolerance > 0 && tolerance < 1)) {
    throw std::invalid_argument(fmt::format("the tolerance must be between 0 and 1, but is {}", tolerance));
  }
  if (max_iterations < 1) throw std::invalid_argument("max_iterations must be at least 1");
  cone::SolveOptions options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  const py::gil_scoped_release release;
  return io::solve_problem(problem.name, problem.file.problem, *chosen, options);
}

template <class Values>
auto array_of(Values io::ProblemResult::*values) {
  return [values](const io::ProblemResult& self) {
    return new_array(self.*values, {static_cast<py::ssize_t>((self.*values).size())});
  };
}

}  // namespace

void bind_problem(py::module_& module) {
  using namespace py::literals;
  py::class_<Problem>(module, "Problem",
                      "Find r and u = W r + b with Coulomb's law at every contact. Components of a contact come normal "
                      "first; sizes 1, 2, 3, with rolling 5, with spinning 6.")
      .def(py::init(&make_problem), "W"_a, "b"_a, "mu"_a, py::kw_only(), "rolling"_a = py::none(),
           "spinning"_a = py::none(), "sizes"_a = py::none(), "bilateral"_a = py::none(),
           "W is a matrix, or a dict of blocks {(i, j): block}.")
      .def("write", &write_problem, "path"_a, "Writes an FCLIB file.")
      .def_property_readonly(
          "contacts", [](const Problem& self) { return io::block_count(self.file.problem); },
          "How many, bilateral blocks included.")
      .def_property_readonly(
          "dimension", [](const Problem& self) { return io::contact_dimension(self.file.problem); },
          "Components of a contact; 0 if contacts differ.")
      .def_property_readonly(
          "is_global", [](const Problem& self) { return self.file.problem.index() != 0; },
          "The file holds masses and gradients in the place of W; W and b are then made when they are asked for.")
      .def_property_readonly("W", &dense_delassus, "The Delassus matrix, dense: a new array.")
      .def_property_readonly("b", &free_velocity, "m/s, a new array.")
      .def_property_readonly("mu", [](const Problem& self) { return friction_array(self, &cone::Friction::sliding); })
      .def_property_readonly(
          "rolling", [](const Problem& self) { return friction_array(self, &cone::Friction::rolling); }, "m")
      .def_property_readonly(
          "spinning", [](const Problem& self) { return friction_array(self, &cone::Friction::spinning); }, "m")
      .def_property_readonly("title", [](const Problem& self) { return self.file.title; })
      .def("__repr__", [](const Problem& self) {
        return fmt::format("<ricochet.Problem with {} contacts>", io::block_count(self.file.problem));
      });

  py::class_<io::ProblemResult>(module, "Solution", "What a solver made of a problem.")
      .def_property_readonly("r", array_of(&io::ProblemResult::r), "Impulses of the contacts, N s.")
      .def_property_readonly("u", array_of(&io::ProblemResult::u), "Velocities of the contacts, m/s.")
      .def_property_readonly("multipliers", array_of(&io::ProblemResult::multipliers), "Of bilateral blocks.")
      .def_property_readonly("converged", &io::ProblemResult::converged)
      .def_readonly("status", &io::ProblemResult::status, "converged, not_reached or not_applicable")
      .def_readonly("message", &io::ProblemResult::message, "Why it is not applicable, or what was noticed.")
      .def_readonly("solver", &io::ProblemResult::solver)
      .def_readonly("iterations", &io::ProblemResult::iterations)
      .def_readonly("residual", &io::ProblemResult::residual, "The one that judges every solver, without unit.")
      .def_readonly("fclib_residual", &io::ProblemResult::fclib_residual, "The unscaled one.")
      .def_readonly("seconds", &io::ProblemResult::seconds)
      .def("__repr__", [](const io::ProblemResult& self) {
        return fmt::format("<ricochet.Solution by '{}': {}, residual {:.2g}>", self.solver, self.status, self.residual);
      });

  module.def("solve_problem", &solve, "problem"_a, py::kw_only(), "solver"_a = "auto", "tolerance"_a = 1e-8,
             "max_iterations"_a = cone::SolveOptions().max_iterations);
  module.def("read_problem", &read_problem, "path"_a, "A contact problem of FCLIB or Siconos.");
  module.def("solvers", &cone::solver_names, "Names of the contact solvers.");
}

}  // namespace ricochet::python
