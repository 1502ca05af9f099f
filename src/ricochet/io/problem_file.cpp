#include "ricochet/io/problem_file.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "ricochet/io/fclib_file.hpp"
#include "ricochet/io/guarded_work.hpp"
#include "ricochet/io/siconos_text.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet::io {

namespace {

bool is_hdf5(const std::filesystem::path& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::array<char, signature.size()> start = {};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  const std::string extension = path.extension().string();
  // A file whose very beginning is damaged is refused by the library in better words.
  return std::string_view(start.data(), start.size()) == signature || extension == ".hdf5" || extension == ".h5";
}

VectorX problem_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> problem_numbers(const Eigen::Ref<const VectorX>& vector) {
  return {vector.data(), vector.data() + vector.size()};
}

ScalarProblem read_guarded(const std::filesystem::path& path) {
  const std::string bytes = do_guarded(path, [&] {
    std::string result;
    simulation::ByteWriter writer(result);
    const ScalarProblem scalars = read_fclib_file(path);
    writer("problem", scalars);
    return result;
  });
  ScalarProblem scalars;
  simulation::ByteReader reader(bytes);
  reader("problem", scalars);
  return scalars;
}

// How many rows contacts, bilateral rows and nodes have.
struct PointSizes {
  std::size_t contacts = 0, bilateral = 0, nodes = 0;
};

PointSizes point_sizes(const ScalarProblem& scalars) {
  if (scalars.global) return {scalars.w.size(), scalars.b.size(), scalars.f.size()};
  return {scalars.q.size(), scalars.s.size(), 0};
}

ProblemPoint make_point(const ScalarPoint& given, const PointSizes& sizes) {
  const auto check = [](const char* name, const std::vector<double>& values, std::size_t size) {
    if (values.empty() || values.size() == size) return;
    throw std::invalid_argument(
        fmt::format("{} of a guess or solution has {} entries instead of {}", name, values.size(), size));
  };
  check("r", given.r, sizes.contacts);
  check("u", given.u, sizes.contacts);
  check("l", given.l, sizes.bilateral);
  check("v", given.v, sizes.nodes == 0 ? given.v.size() : sizes.nodes);
  ProblemPoint point;
  point.velocity = problem_vector(given.u);
  point.node_velocity = problem_vector(given.v);
  if (!given.r.empty()) {
    point.impulses = VectorX::Zero(static_cast<Eigen::Index>(sizes.contacts + sizes.bilateral));
    point.impulses.head(static_cast<Eigen::Index>(given.r.size())) = problem_vector(given.r);
    point.impulses.tail(static_cast<Eigen::Index>(given.l.size())) = problem_vector(given.l);
  }
  return point;
}

// Of a problem whose contacts come first: r, then l. Where r is given, libfclib wants the velocities, too: zeros if
// they are not known.
ScalarPoint scalar_point(const ProblemPoint& point, const PointSizes& sizes) {
  ScalarPoint scalars;
  scalars.u = problem_numbers(point.velocity);
  scalars.v = problem_numbers(point.node_velocity);
  if (point.impulses.size() > 0) {
    if (scalars.u.empty()) scalars.u.resize(sizes.contacts);
    if (scalars.v.empty()) scalars.v.resize(sizes.nodes);
    scalars.r = problem_numbers(point.impulses.head(static_cast<Eigen::Index>(sizes.contacts)));
    scalars.l = problem_numbers(point.impulses.tail(static_cast<Eigen::Index>(sizes.bilateral)));
  }
  make_point(scalars, sizes);  // complains about wrong sizes
  return scalars;
}

}  // namespace

ProblemFile read_problem(const std::filesystem::path& path) {
  const ScalarProblem scalars = is_hdf5(path) ? read_guarded(path) : read_siconos_text(path);
  try {
    ProblemFile file;
    file.problem = make_problem(scalars);
    file.title = scalars.title;
    file.description = scalars.description;
    file.math_info = scalars.math_info;
    const PointSizes sizes = point_sizes(scalars);
    if (scalars.solution) file.solution = make_point(*scalars.solution, sizes);
    for (const ScalarPoint& guess : scalars.guesses) file.guesses.push_back(make_point(guess, sizes));
    return file;
  } catch (const std::invalid_argument& error) {
    throw FileError(fmt::format("{}: {}.", path.string(), error.what()));
  }
}

void write_problem(const std::filesystem::path& path, const ProblemFile& file) {
  ScalarProblem scalars = std::visit([](const auto& problem) { return to_scalars(problem); }, file.problem);
  scalars.title = file.title;
  scalars.description = file.description;
  scalars.math_info = file.math_info;
  const PointSizes sizes = point_sizes(scalars);
  if (file.solution) scalars.solution = scalar_point(*file.solution, sizes);
  for (const ProblemPoint& guess : file.guesses) scalars.guesses.push_back(scalar_point(guess, sizes));
  write_fclib_file(path, scalars);
}

int block_count(const AnyContactProblem& problem) {
  return std::visit([](const auto& one) { return one.contacts(); }, problem);
}

int contact_dimension(const AnyContactProblem& problem) {
  return std::visit(
      [](const auto& one) {
        int dimension = 0;
        for (int i = 0; i < one.contacts(); ++i) {
          const cone::BlockLaw law = one.law(i);
          if (law.bilateral) continue;
          if (dimension != 0 && law.size != dimension) return 0;
          dimension = law.size;
        }
        return dimension;
      },
      problem);
}

}  // namespace ricochet::io
