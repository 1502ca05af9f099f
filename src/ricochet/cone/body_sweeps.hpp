// Nonsmooth Gauss-Seidel that never forms W: the velocities of the bodies are kept up to date instead.
//
// The iterates are those of the whole, plain sweeps of cone/gauss_seidel (in exact arithmetic), for a global problem
// whose mass couples no two nodes. A visit to contact i reads its velocity from the few bodies that it touches, solves
// it exactly, and gives the change of its impulse back to them:
//
//   u_i = H_i v + w_i,      r_i' = solution of the single contact (W_ii, u_i - W_ii r_i),
//   v += M^-1 H_i^T (r_i' - r_i)
//
// (matrix-free Gauss-Seidel: M. Jean 1999 as in cone/gauss_seidel; E. Catto, "Iterative dynamics with temporal
// coherence", 2005). The cost of a visit does not depend on how many other contacts the bodies have, and memory is a
// few hundred bytes per contact.
//
// A visit has hardly any arithmetic to hide the memory behind, so what it reads is kept small. With M = L D L^T of each
// body (L unit lower triangular, D diagonal) and y = L^T v instead of v,
//
//   u = G y + w,     y += D^-1 G^T dr,     G = H L^-T,
//
// one matrix serves both ways and the inverse of the mass is six numbers. (A factor with square roots would need none,
// but would not scale exactly with powers of two.) For bodies in their principal axes y = v and G = H. A body here is a
// run of consecutive nodes of one island with at most 6 components together: files know no bodies, and it does no harm
// if two small nodes share one. Bodies whose M is not symmetric and positive definite keep v and store M^-1 H^T beside
// H. Sliding contacts of size 3 on one or two bodies, nearly all of most problems, are visited by code of their own.
//
// Round-off adds up in y over many visits. Before the residual is looked at, y is computed afresh from the impulses.
// When that happens, islands and first guess are as in cone/gauss_seidel; no contact is skipped.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ricochet/cone/bilateral_solver.hpp"
#include "ricochet/cone/global_problem.hpp"
#include "ricochet/cone/local_solver.hpp"
#include "ricochet/cone/rolling_solver.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

class BodySweeps {
 public:
  // As NonsmoothGaussSeidel::solve. The residual of the report is GlobalSystem::residual of the impulses. Throws
  // std::invalid_argument for problems that `validate` rejects, and if M is singular or couples nodes. Does not
  // allocate once it has solved a problem of the same nodes and contacts.
  SolveReport solve(const GlobalContactProblem& problem, linalg::ReusableVector& impulses,
                    const SolveOptions& options = {});

  // The same in pieces. Prepare a problem and its first guess; load the impulses of an island; sweep over its contacts
  // any number of times; store. Between load and store the impulses live in here, with the velocities that they cause.
  void prepare(const GlobalContactProblem& problem, linalg::ReusableVector& impulses);
  GlobalSystem& system() { return system_; }
  const Islands& islands() const { return system_.scales().islands(); }
  void load(int island, const linalg::ReusableVector& impulses);
  // One visit to every contact of the island. True if no impulse changed by more than the tolerance: time to look at
  // the residual.
  bool sweep(int island, double tolerance);
  void store(int island, linalg::ReusableVector& impulses) const;
  // Of the island as it is loaded, with velocities computed afresh.
  Residual residual(int island);

 private:
  using Row = std::array<double, 6>;  // of a matrix with the components of one body as columns

  struct Body {
    alignas(16) Row velocity;      // y
    alignas(16) Row inverse_mass;  // D^-1, zero where there is no component
  };
  // What only the preparation needs of a body: G = H `rows`, and `columns` H^T is what impulses do to y.
  struct Factors {
    Matrix6 rows, columns;
    bool definite = false;  // M = L D L^T
  };
  // A sliding contact of size 3 on one or two definite bodies.
  struct SlidingContact {
    alignas(16) std::array<Row, 3> first = {}, second = {};  // G
    int bodies[2] = {-1, -1};                                // the second is -1 if there is only one
    double impulse[3] = {};
    double surface_velocity[3] = {};
    double scale = 0;  // ResidualScales::impulse
    LocalSolver local;
    int contact = 0, offset = 0;
  };
  // Any other: its bodies are couplings_[begin] ... couplings_[end - 1].
  struct OtherContact {
    BlockLaw law;
    int contact = 0, offset = 0, begin = 0, end = 0;
    int block_start = 0;  // of W_ii
    int place = 0;        // in local_, rolling_ or bilateral_
    double impulse[kLargestBlock] = {};
    double surface_velocity[kLargestBlock] = {};
  };
  struct Coupling {
    int body;
    std::array<Row, kLargestBlock> velocity_rows;  // G
    std::array<Row, kLargestBlock> impulse_rows;   // row k: the change of y by a unit of component k
  };
  // Contacts of one kind that follow each other in an island.
  struct Run {
    bool sliding;
    int begin, end;
  };

  void group_nodes(const GlobalContactProblem& problem);
  void factorise_body(const GlobalContactProblem& problem, int body);
  void find_couplings(const GlobalContactProblem& problem, int contact);
  void lay_out(const GlobalContactProblem& problem, int contact, bool closing);
  void place_solver(const BlockLaw& law, const double* block, OtherContact& contact);
  void refresh(int island);  // y from the impulses
  std::span<const Run> runs(int island) const;
  SolveReport solve_island(int island, linalg::ReusableVector& impulses, const SolveOptions& options);

  void fetch(const SlidingContact& contact) const;
  bool visit(SlidingContact& contact, double tolerance);
  bool visit(OtherContact& contact, double tolerance);
  void velocity(const SlidingContact& contact, double* u) const;
  void velocity(const OtherContact& contact, double* u) const;
  void give(const SlidingContact& contact, const double* impulse);
  void give(const OtherContact& contact, const double* impulse);
  void free_bodies(const SlidingContact& contact);
  void free_bodies(const OtherContact& contact);

  GlobalSystem system_;
  std::vector<int> first_node_;                // of each body, and the number of nodes
  std::vector<int> body_of_node_, component_;  // of each node: its body and its first component there
  std::vector<Body> bodies_;
  std::vector<Factors> factors_;
  std::vector<Row> free_velocity_;  // y of each body without impulses
  std::vector<SlidingContact> sliding_;
  std::vector<OtherContact> others_;
  std::vector<Coupling> couplings_, found_;  // found_: of the contact that is being laid out
  std::vector<LocalSolver> local_;
  std::vector<RollingSolver> rolling_;
  std::vector<BilateralSolver> bilateral_;
  std::vector<Run> runs_;
  std::vector<int> first_run_;  // of each island, and the number of runs
  std::vector<char> closing_;   // of each island: an impulse is needed somewhere
  linalg::ReusableVector best_;
};

}  // namespace ricochet::cone
