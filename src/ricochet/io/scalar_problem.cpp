#include "ricochet/io/scalar_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ricochet::io {

namespace {

[[noreturn]] void refuse_problem(const std::string& sentence) { throw std::invalid_argument(sentence); }

void require_size(std::string_view matrix, const ScalarMatrix& given, std::size_t rows, std::size_t columns) {
  if (static_cast<std::size_t>(given.rows) == rows && static_cast<std::size_t>(given.columns) == columns) return;
  refuse_problem(fmt::format("{} is a matrix of {} x {}, but the other sizes ask for {} x {}", matrix, given.rows,
                             given.columns, rows, columns));
}

void require_entries(std::string_view matrix, const ScalarMatrix& given) {
  for (const ScalarMatrix::Entry& entry : given.entries) {
    if (entry.row < 0 || entry.row >= given.rows || entry.column < 0 || entry.column >= given.columns) {
      refuse_problem(fmt::format("{} has an entry in row {}, column {}, but it is a matrix of {} x {}", matrix,
                                 entry.row, entry.column, given.rows, given.columns));
    }
    if (!std::isfinite(entry.value)) {
      refuse_problem(
          fmt::format("{} has an entry that is not finite, in row {}, column {}", matrix, entry.row, entry.column));
    }
  }
}

void require_numbers(std::string_view vector, std::span<const double> given, std::size_t count) {
  if (given.size() != count) {
    refuse_problem(fmt::format("{} has {} entries, but the other sizes ask for {}", vector, given.size(), count));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!std::isfinite(given[i])) refuse_problem(fmt::format("entry {} of {} is not finite", i, vector));
  }
}

void require_coefficients(std::string_view name, std::span<const double> given, std::size_t contacts) {
  require_numbers(name, given, contacts);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] < 0) refuse_problem(fmt::format("{} of contact {} is negative: {}", name, i, given[i]));
  }
}

// The contacts of a problem whose velocities have `scalars` entries. Checks their number and their coefficients.
std::size_t checked_contacts(const ScalarProblem& scalars, std::size_t velocities) {
  const int dimension = scalars.dimension;
  if (dimension < 1 || dimension > cone::kLargestBlock || dimension == 4) {
    refuse_problem(fmt::format("contacts of dimension {} are unknown: 1, 2, 3, 5 and 6 are possible", dimension));
  }
  const std::size_t contacts = scalars.mu.size();
  if (contacts * static_cast<std::size_t>(dimension) != velocities) {
    refuse_problem(fmt::format("there are {} friction coefficients mu for {} rows of contacts of dimension {}",
                               contacts, velocities, dimension));
  }
  require_coefficients("mu", scalars.mu, contacts);
  require_coefficients("mu_r", scalars.mu_r, dimension > 3 ? contacts : 0);
  require_coefficients("mu_s", scalars.mu_s, dimension > 5 ? contacts : 0);
  return contacts;
}

// The sizes and laws of all blocks: contacts, then one bilateral row for every l.
struct ProblemBlocks {
  std::vector<int> sizes;
  std::vector<cone::Friction> friction;
  std::vector<char> bilateral;  // empty if there is none
};

ProblemBlocks problem_blocks(const ScalarProblem& scalars, std::size_t bilateral_rows) {
  ProblemBlocks blocks;
  const std::size_t contacts = scalars.mu.size();
  blocks.sizes.assign(contacts, scalars.dimension);
  blocks.sizes.insert(blocks.sizes.end(), bilateral_rows, 1);
  for (std::size_t i = 0; i < contacts; ++i) {
    blocks.friction.emplace_back(scalars.mu[i], scalars.mu_r.empty() ? 0.0 : scalars.mu_r[i],
                                 scalars.mu_s.empty() ? 0.0 : scalars.mu_s[i]);
  }
  blocks.friction.resize(contacts + bilateral_rows);
  if (bilateral_rows > 0) {
    blocks.bilateral.assign(contacts, 0);
    blocks.bilateral.insert(blocks.bilateral.end(), bilateral_rows, 1);
  }
  return blocks;
}

linalg::ReusableVector joined(const std::vector<double>& first, const std::vector<double>& second) {
  VectorX vector(static_cast<Eigen::Index>(first.size() + second.size()));
  std::copy(first.begin(), first.end(), vector.data());
  std::copy(second.begin(), second.end(), vector.data() + first.size());
  return vector;
}

cone::ContactProblem make_local_problem(const ScalarProblem& scalars) {
  const std::size_t velocities = scalars.q.size(), bilateral_rows = scalars.s.size();
  require_size("W", scalars.W, velocities, velocities);
  require_size("V", scalars.V, bilateral_rows > 0 ? velocities : 0, bilateral_rows);
  require_size("R", scalars.R, bilateral_rows, bilateral_rows);
  checked_contacts(scalars, velocities);
  require_entries("W", scalars.W);
  require_entries("V", scalars.V);
  require_entries("R", scalars.R);
  require_numbers("q", scalars.q, velocities);
  require_numbers("s", scalars.s, bilateral_rows);

  ScalarMatrix delassus = scalars.W;
  const int start = delassus.rows;
  delassus.rows += scalars.R.rows;
  delassus.columns += scalars.R.columns;
  delassus.place(scalars.V, 0, start);
  ScalarMatrix transposed = scalars.V;
  transposed.transpose();
  delassus.place(transposed, start, 0);
  delassus.place(scalars.R, start, start);

  ProblemBlocks blocks = problem_blocks(scalars, bilateral_rows);
  cone::ContactProblem problem;
  problem.delassus = to_blocks(std::move(delassus), blocks.sizes, blocks.sizes, true);
  problem.free_velocity = joined(scalars.q, scalars.s);
  problem.friction = std::move(blocks.friction);
  problem.bilateral = std::move(blocks.bilateral);
  cone::validate(problem);
  return problem;
}

cone::GlobalContactProblem make_global_problem(const ScalarProblem& scalars) {
  const std::size_t nodes = scalars.f.size(), velocities = scalars.w.size(), bilateral_rows = scalars.b.size();
  require_size("M", scalars.M, nodes, nodes);
  require_size("H", scalars.H, nodes, velocities);
  require_size("G", scalars.G, bilateral_rows > 0 ? nodes : 0, bilateral_rows);
  checked_contacts(scalars, velocities);
  require_entries("M", scalars.M);
  require_entries("H", scalars.H);
  require_entries("G", scalars.G);
  require_numbers("f", scalars.f, nodes);
  require_numbers("w", scalars.w, velocities);
  require_numbers("b", scalars.b, bilateral_rows);

  ScalarMatrix gradients = scalars.H;
  gradients.rows = scalars.M.rows;
  gradients.columns += scalars.G.columns;
  gradients.place(scalars.G, 0, scalars.H.columns);
  gradients.transpose();

  ProblemBlocks blocks = problem_blocks(scalars, bilateral_rows);
  const std::vector<int> node_sizes = natural_blocks(scalars.M);
  cone::GlobalContactProblem problem;
  problem.mass = to_blocks(scalars.M, node_sizes, node_sizes, true);
  problem.gradients = to_blocks(std::move(gradients), blocks.sizes, node_sizes, false);
  problem.momentum = joined(scalars.f, {});
  problem.surface_velocity = joined(scalars.w, scalars.b);
  problem.friction = std::move(blocks.friction);
  problem.bilateral = std::move(blocks.bilateral);
  cone::validate(problem);
  return problem;
}

// Where the rows of a problem go when contacts come first: its row i becomes row `place[i]` among the contacts, or
// among the bilateral rows if that is where it belongs.
struct SortedRows {
  std::vector<int> place;
  std::vector<char> bilateral;
  int contact_rows = 0;
  int bilateral_rows = 0;
};

// `Problem` has law(contact). Fills dimension and coefficients.
template <class Problem>
SortedRows sort_rows(const Problem& problem, ScalarProblem& scalars) {
  SortedRows rows;
  for (int i = 0; i < problem.contacts(); ++i) {
    const cone::BlockLaw law = problem.law(i);
    int& next = law.bilateral ? rows.bilateral_rows : rows.contact_rows;
    for (int k = 0; k < law.size; ++k) {
      rows.place.push_back(next++);
      rows.bilateral.push_back(law.bilateral ? 1 : 0);
    }
    if (law.bilateral) continue;
    if (scalars.dimension == 0) scalars.dimension = law.size;
    if (law.size != scalars.dimension) {
      refuse_problem(
          fmt::format("contact {} has {} components and others have {}: a problem file has room for one size only", i,
                      law.size, scalars.dimension));
    }
    if (law.is_coupled()) {
      refuse_problem(
          fmt::format("sliding and spinning of contact {} are coupled: no problem file has room for that", i));
    }
    scalars.mu.push_back(law.friction.sliding);
    if (law.size > 3) scalars.mu_r.push_back(law.friction.rolling);
    if (law.size > 5) scalars.mu_s.push_back(law.friction.spinning);
  }
  if (scalars.dimension == 0) scalars.dimension = 3;
  return rows;
}

void split_vector(const SortedRows& rows, const linalg::ReusableVector& both, std::vector<double>& contacts,
                  std::vector<double>& bilateral) {
  for (Eigen::Index i = 0; i < both.size(); ++i) (rows.bilateral[i] != 0 ? bilateral : contacts).push_back(both[i]);
}

}  // namespace

AnyContactProblem make_problem(const ScalarProblem& scalars) {
  if (scalars.global) return make_global_problem(scalars);
  return make_local_problem(scalars);
}

ScalarProblem to_scalars(const cone::ContactProblem& problem) {
  ScalarProblem scalars;
  const SortedRows rows = sort_rows(problem, scalars);
  split_vector(rows, problem.free_velocity, scalars.q, scalars.s);
  scalars.W.rows = scalars.W.columns = rows.contact_rows;
  if (rows.bilateral_rows > 0) {
    scalars.V.rows = rows.contact_rows;
    scalars.V.columns = scalars.R.rows = scalars.R.columns = rows.bilateral_rows;
  }
  ScalarMatrix lower = scalars.V;  // must be the transpose of V: the form stores it once
  for (const ScalarMatrix::Entry& entry : to_scalars(problem.delassus).entries) {
    const int row = rows.place[entry.row], column = rows.place[entry.column];
    if (rows.bilateral[entry.row] == 0) {
      (rows.bilateral[entry.column] == 0 ? scalars.W : scalars.V).add(row, column, entry.value);
    } else if (rows.bilateral[entry.column] == 0) {
      lower.entries.push_back({column, row, entry.value});  // transposed
    } else {
      scalars.R.add(row, column, entry.value);
    }
  }
  lower.compress();
  scalars.V.compress();
  if (lower.entries != scalars.V.entries) {
    refuse_problem(
        "how the bilateral rows act on the contacts is not the transpose of how the contacts act on them: a problem "
        "file has room for one of the two only");
  }
  return scalars;
}

ScalarProblem to_scalars(const cone::GlobalContactProblem& problem) {
  ScalarProblem scalars;
  scalars.global = true;
  const SortedRows rows = sort_rows(problem, scalars);
  scalars.M = to_scalars(problem.mass);
  scalars.f.assign(problem.momentum.data(), problem.momentum.data() + problem.momentum.size());
  split_vector(rows, problem.surface_velocity, scalars.w, scalars.b);
  scalars.H.rows = scalars.M.rows;
  scalars.H.columns = rows.contact_rows;
  if (rows.bilateral_rows > 0) {
    scalars.G.rows = scalars.M.rows;
    scalars.G.columns = rows.bilateral_rows;
  }
  for (const ScalarMatrix::Entry& entry : to_scalars(problem.gradients).entries) {
    ScalarMatrix& part = rows.bilateral[entry.row] != 0 ? scalars.G : scalars.H;
    part.add(entry.column, rows.place[entry.row], entry.value);
  }
  return scalars;
}

}  // namespace ricochet::io
