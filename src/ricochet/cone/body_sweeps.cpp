#include "ricochet/cone/body_sweeps.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "ricochet/cone/first_guess.hpp"
#include "ricochet/math/fetch.hpp"

namespace ricochet::cone {

namespace {

constexpr int kBodyComponents = 6;
constexpr double kSymmetric = 8 * std::numeric_limits<double>::epsilon();  // of M_ij against sqrt(M_ii M_jj): round-off
constexpr std::size_t kFewContacts = 8;                                    // as in cone/gauss_seidel
constexpr int kSweepsBetweenLooks = 10;
constexpr int kVisitsAhead = 2;

using Components = Eigen::Map<const Eigen::Array<double, 6, 1>, Eigen::Aligned16>;
using MutableComponents = Eigen::Map<Eigen::Array<double, 6, 1>, Eigen::Aligned16>;

// M = L D L^T (Golub & Van Loan, algorithm 4.1.1). False if M is not symmetric and positive definite.
bool factorise_definite(const Matrix6& mass, Matrix6& lower, Vector6& diagonal) {
  for (int i = 0; i < kBodyComponents; ++i) {
    for (int j = 0; j < i; ++j) {
      // Squared, so that no root is taken: every scaling by powers of two decides the same.
      const double difference = mass(i, j) - mass(j, i);
      if (!(difference * difference <= kSymmetric * kSymmetric * std::abs(mass(i, i) * mass(j, j)))) return false;
    }
  }
  lower.setIdentity();
  for (int j = 0; j < kBodyComponents; ++j) {
    diagonal[j] = mass(j, j);
    for (int k = 0; k < j; ++k) diagonal[j] -= lower(j, k) * lower(j, k) * diagonal[k];
    if (!(diagonal[j] > 0)) return false;
    for (int i = j + 1; i < kBodyComponents; ++i) {
      double sum = mass(i, j);
      for (int k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k) * diagonal[k];
      lower(i, j) = sum / diagonal[j];
    }
  }
  return true;
}

}  // namespace

// --- Preparation -----------------------------------------------------------------------------------------------------

// Nodes of different islands never share a body, so that islands can be loaded and swept in any order.
void BodySweeps::group_nodes(const GlobalContactProblem& problem) {
  constexpr int untouched = -1;
  std::vector<int>& island = component_;  // of each node, until its place is known
  island.assign(problem.nodes(), untouched);
  for (int i = 0; i < problem.contacts(); ++i) {
    for (const linalg::BlockSparseMatrix::Entry& entry : problem.gradients.row(i)) {
      if (!problem.gradients.block(i, entry).isZero(0)) island[entry.column] = islands().island_of(i);
    }
  }
  first_node_.clear();
  first_node_.reserve(problem.nodes() + 1);
  body_of_node_.resize(problem.nodes());
  int size = kBodyComponents, island_of_body = untouched;
  for (int node = 0; node < problem.nodes(); ++node) {
    const int more = problem.mass.row_size(node), mine = island[node];
    const bool stranger = mine != untouched && island_of_body != untouched && mine != island_of_body;
    if (stranger || size + more > kBodyComponents) {
      first_node_.push_back(node);
      size = 0;
      island_of_body = untouched;
    }
    if (mine != untouched) island_of_body = mine;
    body_of_node_[node] = static_cast<int>(first_node_.size()) - 1;
    component_[node] = size;
    size += more;
  }
  const std::size_t count = first_node_.size();
  first_node_.push_back(problem.nodes());
  bodies_.resize(count);
  factors_.resize(count);
  free_velocity_.resize(count);
}

void BodySweeps::factorise_body(const GlobalContactProblem& problem, int body) {
  Matrix6 mass = Matrix6::Identity();  // of components that are not there; H has zeros for them
  Vector6 momentum = Vector6::Zero();
  for (int node = first_node_[body]; node < first_node_[body + 1]; ++node) {
    const int start = component_[node], size = problem.mass.row_size(node);
    mass.block(start, start, size, size).setZero();
    for (const linalg::BlockSparseMatrix::Entry& entry : problem.mass.row(node)) {
      if (entry.column == node) mass.block(start, start, size, size) += problem.mass.block(node, entry);
    }
    momentum.segment(start, size) = problem.momentum.segment(problem.mass.row_offset(node), size);
  }
  Factors& factors = factors_[body];
  Matrix6 lower;
  Vector6 diagonal;
  factors.definite = factorise_definite(mass, lower, diagonal);
  if (factors.definite) {
    Matrix6 inverse = Matrix6::Identity();
    lower.triangularView<Eigen::UnitLower>().solveInPlace(inverse);
    const Vector6 inverse_diagonal = diagonal.cwiseInverse();
    Vector6::Map(bodies_[body].inverse_mass.data()) = inverse_diagonal;
    factors.rows = inverse.transpose();
    factors.columns = inverse_diagonal.asDiagonal() * inverse;
  } else {
    factors.rows.setIdentity();
    factors.columns = Eigen::PartialPivLU<Matrix6>(mass).inverse();
  }
  Vector6::Map(free_velocity_[body].data()) = factors.columns * momentum;
}

// The bodies of a contact, each once, in the order in which H names them.
void BodySweeps::find_couplings(const GlobalContactProblem& problem, int contact) {
  const linalg::BlockSparseMatrix& gradients = problem.gradients;
  found_.clear();
  for (const linalg::BlockSparseMatrix::Entry& entry : gradients.row(contact)) {
    const linalg::BlockView block = gradients.block(contact, entry);
    if (block.isZero(0)) continue;
    const int body = body_of_node_[entry.column];
    const bool known =
        !found_.empty() && found_.back().body == body;  // columns ascend, so nodes of a body are together
    if (!known) found_.push_back({body, {}, {}});
    for (int i = 0; i < block.rows(); ++i) {
      for (int k = 0; k < block.cols(); ++k) {
        found_.back().velocity_rows[i][component_[entry.column] + k] = block(i, k);
      }
    }
  }
  for (Coupling& coupling : found_) {
    const Factors& factors = factors_[coupling.body];
    for (int i = 0; i < gradients.row_size(contact); ++i) {
      const Vector6 row = Vector6::Map(coupling.velocity_rows[i].data());
      Vector6::Map(coupling.velocity_rows[i].data()).noalias() = factors.rows.transpose() * row;
      Vector6::Map(coupling.impulse_rows[i].data()).noalias() = factors.columns * row;
    }
  }
}

void BodySweeps::lay_out(const GlobalContactProblem& problem, int contact, bool closing) {
  find_couplings(problem, contact);
  const BlockLaw law = problem.law(contact);
  const int offset = problem.gradients.row_offset(contact);
  const double* w = problem.surface_velocity.data() + offset;
  const linalg::BlockSparseMatrix& diagonal = system_.diagonal();
  const int block_start = diagonal_entry(diagonal, contact).value_start;
  const double* block = diagonal.values().data() + block_start;
  const bool sliding = !law.bilateral && law.size == 3 && found_.size() <= 2 &&
                       std::all_of(found_.begin(), found_.end(),
                                   [&](const Coupling& coupling) { return factors_[coupling.body].definite; }) &&
                       !found_.empty();
  if (sliding) {
    SlidingContact& next = sliding_.emplace_back();
    next.contact = contact;
    next.offset = offset;
    next.scale = system_.scales().impulse(contact);
    std::copy(w, w + 3, next.surface_velocity);
    for (std::size_t k = 0; k < found_.size(); ++k) {
      next.bodies[k] = found_[k].body;
      std::copy_n(found_[k].velocity_rows.begin(), 3, (k == 0 ? next.first : next.second).begin());
    }
    if (closing) next.local = LocalSolver(block, law.size, law.friction.sliding);
  } else {
    OtherContact& next = others_.emplace_back();
    next.law = law;
    next.contact = contact;
    next.offset = offset;
    next.block_start = block_start;
    std::copy(w, w + law.size, next.surface_velocity);
    next.begin = static_cast<int>(couplings_.size());
    couplings_.insert(couplings_.end(), found_.begin(), found_.end());
    next.end = static_cast<int>(couplings_.size());
    if (closing) place_solver(law, block, next);
  }
  const int end = static_cast<int>(sliding ? sliding_.size() : others_.size());
  const bool continues = static_cast<int>(runs_.size()) > first_run_.back() && runs_.back().sliding == sliding;
  if (continues) {
    runs_.back().end = end;
  } else {
    runs_.push_back({sliding, end - 1, end});
  }
}

void BodySweeps::place_solver(const BlockLaw& law, const double* block, OtherContact& contact) {
  if (law.bilateral) {
    contact.place = static_cast<int>(bilateral_.size());
    bilateral_.emplace_back(block, law.size);
  } else if (law.size > 3) {
    contact.place = static_cast<int>(rolling_.size());
    rolling_.emplace_back(block, law);
  } else {
    contact.place = static_cast<int>(local_.size());
    local_.emplace_back(block, law.size, law.friction.sliding);
  }
}

void BodySweeps::prepare(const GlobalContactProblem& problem, linalg::ReusableVector& impulses) {
  system_.prepare(problem);
  if (!nodes_are_free_of_each_other(problem.mass)) {
    throw std::invalid_argument("body sweeps: the mass matrix couples nodes, or a node has more than 6 components");
  }
  group_nodes(problem);
  for (int body = 0; body < static_cast<int>(bodies_.size()); ++body) factorise_body(problem, body);

  const int scalars = problem.gradients.scalar_rows();
  if (impulses.size() != scalars) impulses.setZero(scalars);
  best_.resize(scalars);
  closing_.assign(problem.contacts(), 0);  // as long as if every contact were an island
  for (int i = 0; i < problem.contacts(); ++i) {
    const int offset = problem.gradients.row_offset(i);
    const double* b = system_.free_velocity().data() + offset;
    if (admit_first_guess(problem.law(i), b, impulses.data() + offset)) closing_[islands().island_of(i)] = 1;
  }
  sliding_.clear();
  others_.clear();
  couplings_.clear();
  local_.clear();
  rolling_.clear();
  bilateral_.clear();
  runs_.clear();
  first_run_.clear();
  runs_.reserve(problem.contacts());
  first_run_.reserve(problem.contacts() + 1);
  for (int island = 0; island < islands().count(); ++island) {
    first_run_.push_back(static_cast<int>(runs_.size()));
    for (const int i : islands().contacts(island)) {
      lay_out(problem, i, closing_[island] != 0);
      if (closing_[island] != 0) continue;
      impulses.segment(problem.gradients.row_offset(i), problem.gradients.row_size(i)).setZero();
    }
  }
  first_run_.push_back(static_cast<int>(runs_.size()));
}

std::span<const BodySweeps::Run> BodySweeps::runs(int island) const {
  return {runs_.data() + first_run_[island], runs_.data() + first_run_[island + 1]};
}

// --- One contact -----------------------------------------------------------------------------------------------------

inline void BodySweeps::velocity(const SlidingContact& contact, double* u) const {
  const Components a(bodies_[contact.bodies[0]].velocity.data());
  if (contact.bodies[1] < 0) {
    for (int i = 0; i < 3; ++i) u[i] = (Components(contact.first[i].data()) * a).sum() + contact.surface_velocity[i];
    return;
  }
  const Components b(bodies_[contact.bodies[1]].velocity.data());
  for (int i = 0; i < 3; ++i) {
    u[i] = (Components(contact.first[i].data()) * a + Components(contact.second[i].data()) * b).sum() +
           contact.surface_velocity[i];
  }
}

inline void BodySweeps::give(const SlidingContact& contact, const double* impulse) {
  const auto to = [&](Body& body, const std::array<Row, 3>& rows) {
    MutableComponents(body.velocity.data()) +=
        (Components(rows[0].data()) * impulse[0] + Components(rows[1].data()) * impulse[1] +
         Components(rows[2].data()) * impulse[2]) *
        Components(body.inverse_mass.data());
  };
  to(bodies_[contact.bodies[0]], contact.first);
  if (contact.bodies[1] >= 0) to(bodies_[contact.bodies[1]], contact.second);
}

void BodySweeps::free_bodies(const SlidingContact& contact) {
  for (const int body : contact.bodies) {
    if (body >= 0) bodies_[body].velocity = free_velocity_[body];
  }
}

// Contacts are read in order and come by themselves, but their bodies lie anywhere: asked for early, they are in the
// cache when the visit needs them.
inline void BodySweeps::fetch(const SlidingContact& contact) const {
  for (const int body : contact.bodies) {
    if (body < 0) continue;
    math::fetch(bodies_[body].velocity.data());
    math::fetch(&bodies_[body].inverse_mass.back());
  }
}

inline bool BodySweeps::visit(SlidingContact& contact, double tolerance) {
  double u[3], r[3], change[3];
  velocity(contact, u);
  for (int k = 0; k < 3; ++k) r[k] = contact.impulse[k];
  contact.local.solve_again(u, r);
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    change[k] = r[k] - contact.impulse[k];
    square += change[k] * change[k];
    contact.impulse[k] = r[k];
  }
  if (square > 0) give(contact, change);
  const double allowed = tolerance * contact.scale;
  return square <= allowed * allowed;
}

void BodySweeps::velocity(const OtherContact& contact, double* u) const {
  for (int i = 0; i < contact.law.size; ++i) u[i] = contact.surface_velocity[i];
  for (int c = contact.begin; c < contact.end; ++c) {
    const Row& y = bodies_[couplings_[c].body].velocity;
    for (int i = 0; i < contact.law.size; ++i) {
      const Row& row = couplings_[c].velocity_rows[i];
      double sum = 0;
      for (int k = 0; k < kBodyComponents; ++k) sum += row[k] * y[k];
      u[i] += sum;
    }
  }
}

void BodySweeps::give(const OtherContact& contact, const double* impulse) {
  for (int c = contact.begin; c < contact.end; ++c) {
    Row& y = bodies_[couplings_[c].body].velocity;
    for (int i = 0; i < contact.law.size; ++i) {
      const Row& row = couplings_[c].impulse_rows[i];
      for (int k = 0; k < kBodyComponents; ++k) y[k] += row[k] * impulse[i];
    }
  }
}

void BodySweeps::free_bodies(const OtherContact& contact) {
  for (int c = contact.begin; c < contact.end; ++c) {
    bodies_[couplings_[c].body].velocity = free_velocity_[couplings_[c].body];
  }
}

bool BodySweeps::visit(OtherContact& contact, double tolerance) {
  const int size = contact.law.size;
  double u[kLargestBlock] = {}, r[kLargestBlock] = {}, change[kLargestBlock] = {};
  velocity(contact, u);
  std::copy_n(contact.impulse, size, r);
  const double* block = system_.diagonal().values().data() + contact.block_start;
  double* b = u;  // u - W_ii r
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) b[i] -= block[i * size + j] * r[j];
  }
  if (contact.law.bilateral) {
    bilateral_[contact.place].solve(b, r);
  } else if (size > 3) {
    rolling_[contact.place].solve(b, r);
  } else {
    local_[contact.place].solve(b, r);
  }
  const ResidualScales& scales = system_.scales();
  const double* arms = scales.has_arms(contact.contact) ? scales.arms(contact.contact) : nullptr;
  double square = 0;
  for (int k = 0; k < size; ++k) {
    change[k] = r[k] - contact.impulse[k];
    const double weighted = arms == nullptr ? change[k] : change[k] / arms[k];
    square += weighted * weighted;
    contact.impulse[k] = r[k];
  }
  give(contact, change);
  const double allowed = tolerance * scales.impulse(contact.contact);
  return square <= allowed * allowed;
}

// --- Islands ---------------------------------------------------------------------------------------------------------

void BodySweeps::refresh(int island) {
  const auto each = [&](const auto& action) {
    for (const Run& run : runs(island)) {
      for (int k = run.begin; k < run.end; ++k) {
        if (run.sliding) {
          action(sliding_[k]);
        } else {
          action(others_[k]);
        }
      }
    }
  };
  each([&](const auto& contact) { free_bodies(contact); });
  each([&](const auto& contact) { give(contact, contact.impulse); });
}

void BodySweeps::load(int island, const linalg::ReusableVector& impulses) {
  for (const Run& run : runs(island)) {
    for (int k = run.begin; k < run.end; ++k) {
      if (run.sliding) {
        std::copy_n(impulses.data() + sliding_[k].offset, 3, sliding_[k].impulse);
      } else {
        std::copy_n(impulses.data() + others_[k].offset, others_[k].law.size, others_[k].impulse);
      }
    }
  }
  refresh(island);
}

void BodySweeps::store(int island, linalg::ReusableVector& impulses) const {
  for (const Run& run : runs(island)) {
    for (int k = run.begin; k < run.end; ++k) {
      if (run.sliding) {
        std::copy_n(sliding_[k].impulse, 3, impulses.data() + sliding_[k].offset);
      } else {
        std::copy_n(others_[k].impulse, others_[k].law.size, impulses.data() + others_[k].offset);
      }
    }
  }
}

bool BodySweeps::sweep(int island, double tolerance) {
  if (closing_[island] == 0) return true;  // nothing closes: its contacts have no solvers and need no impulses
  bool quiet = true;
  for (const Run& run : runs(island)) {
    if (run.sliding) {
      for (int k = run.begin; k < run.end; ++k) {
        if (k + kVisitsAhead < run.end) fetch(sliding_[k + kVisitsAhead]);
        quiet = visit(sliding_[k], tolerance) && quiet;
      }
    } else {
      for (int k = run.begin; k < run.end; ++k) quiet = visit(others_[k], tolerance) && quiet;
    }
  }
  return quiet;
}

Residual BodySweeps::residual(int island) {
  refresh(island);
  Residual worst;
  const auto look_at = [&](const auto& contact) {
    double u[kLargestBlock] = {};
    velocity(contact, u);
    const double value = contact_residual(system_.scales(), contact.contact, contact.impulse, u);
    if (worst.worst_contact < 0 || !(value <= worst.value)) worst = {value, contact.contact};
  };
  for (const Run& run : runs(island)) {
    for (int k = run.begin; k < run.end && !std::isnan(worst.value); ++k) {
      if (run.sliding) {
        look_at(sliding_[k]);
      } else {
        look_at(others_[k]);
      }
    }
  }
  return worst;
}

SolveReport BodySweeps::solve_island(int island, linalg::ReusableVector& impulses, const SolveOptions& options) {
  load(island, impulses);
  SolveReport best;
  best.status = SolveStatus::iteration_limit;
  bool looked = false;
  const auto look = [&] {  // true if converged
    const Residual now = residual(island);
    if (!looked || now.value < best.residual) {
      best.residual = now.value;
      best.worst_contact = now.worst_contact;
      looked = true;
      store(island, best_);
    }
    return now.value <= options.tolerance;
  };
  bool converged = false;
  if (closing_[island] == 0 || options.max_iterations <= 0) {
    converged = look();
  } else {
    const bool few = islands().contacts(island).size() <= kFewContacts;
    int& sweeps = best.iterations;
    while (!converged && sweeps < options.max_iterations) {
      const bool quiet = sweep(island, options.tolerance);
      ++sweeps;
      const bool due = few || sweeps == 1 || sweeps % kSweepsBetweenLooks == 0 || sweeps == options.max_iterations;
      if (quiet || due) converged = look();
    }
  }
  if (converged) best.status = SolveStatus::converged;
  for (const int i : islands().contacts(island)) {
    const int offset = system_.diagonal().row_offset(i);
    std::copy_n(best_.data() + offset, system_.diagonal().row_size(i), impulses.data() + offset);
  }
  return best;
}

SolveReport BodySweeps::solve(const GlobalContactProblem& problem, linalg::ReusableVector& impulses,
                              const SolveOptions& options) {
  prepare(problem, impulses);
  SolveReport all;
  for (int island = 0; island < islands().count(); ++island) add_island(solve_island(island, impulses, options), all);
  // The sweeps add up in another order than the judge: what is reported is his number, should they differ in the last
  // digits.
  const Residual judged = system_.residual(problem, impulses);
  all.residual = judged.value;
  all.worst_contact = judged.worst_contact;
  all.status = judged.value <= options.tolerance ? SolveStatus::converged : SolveStatus::iteration_limit;
  return all;
}

}  // namespace ricochet::cone
