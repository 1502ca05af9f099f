// Nonsmooth Gauss-Seidel for islands of many bodies, which looks where something is wrong and works there.
//
// In a heap that has nearly come to rest most contacts are solved after some tens of sweeps, and the others would keep
// all of them busy for thousands. So sweeps are whole only in the beginning, and only as long as more than a tenth of
// the contacts is wrong. After that, in rounds,
//
//   - the residual of every contact that may have changed (cone/residual) is computed;
//   - bodies of contacts that miss half of the tolerance are stirred, for this and the next three rounds;
//   - contacts of stirred bodies are swept twenty times, the others not at all.
//
// What happens at the edge of the stirred bodies shows in the residuals of the next round. (If bodies did not stay
// stirred, errors would be swept from one group to the one around it and back again, hundreds of times.) Where a group
// of stirred bodies is small and has stayed for many rounds, it is solved at once by cone/body_path, with the impulses
// around it as they are: sweeps that creep have found a place where friction is decided by tiny velocities.
//
// Visits are those of cone/body_sweeps: velocities of the bodies are kept up to date, W is not looked at,
//
//   u_i = H_i v + b_i,      r_i' = solution of the single contact,       v += B H_i^T (r_i' - r_i).
//
// The map of a sweep changes from round to round, so jumps (cone/anderson) have no place here.
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/body_path.hpp"
#include "ricochet/cone/local_solver.hpp"

namespace ricochet::cone {

class FocusedSweeps {
 public:
  // A whole island. False if its contacts are not what BodyContacts takes.
  bool prepare(const ContactProblem& problem, std::span<const int> contacts);

  // Of the island that has been prepared, from its impulses, which are those of the whole problem; other islands are
  // left alone. Iterations are visits per contact, one more for each round, and Newton steps per whole island.
  SolveReport solve(const ContactProblem& problem, const ResidualScales& scales, linalg::ReusableVector& impulses,
                    const SolveOptions& options);

 private:
  using Rows = BodyContacts::Rows;

  struct Contact {
    Rows gradients[2];  // H
    Rows responses[2];  // (B H^T)^T
    int bodies[2] = {-1, -1};
    Vector3 impulse, free_velocity;
    LocalSolver local;
  };
  // Contacts of stirred bodies that touch each other, in focus_.
  struct Group {
    int begin = 0, end = 0;
  };

  double part_wrong(double tolerance) const;
  void refresh();  // v from the impulses
  static void fetch(const Contact& contact);
  Vector3 velocity(const Contact& contact) const;
  void give(const Contact& contact, const Vector3& impulse);
  void visit(Contact& contact);
  double error_of(const ResidualScales& scales, int contact) const;
  void look(const ResidualScales& scales);
  void look_again(const ResidualScales& scales);
  double worst_error();
  void find_groups(double tolerance);
  bool is_stuck(const Group& group, double tolerance) const;
  int solve_group(const ContactProblem& problem, const ResidualScales& scales, const Group& group, double tolerance,
                  int most_steps);
  double worst_of(const ResidualScales& scales, const Group& group) const;
  void write(std::span<const int> contacts, linalg::ReusableVector& impulses) const;

  BodyContacts given_;
  std::vector<Contact> contacts_;
  std::vector<Vector6> velocity_;                      // v of each body
  std::vector<int> first_contact_, contacts_of_body_;  // of each body, in that list
  std::vector<double> errors_;                         // the residual of each contact
  std::vector<int> rounds_;                            // in how many it has missed the tolerance, of late
  std::vector<int> warm_;                              // of each body: for how many rounds it is still stirred
  std::vector<int> patience_;                          // how many are enough to give it to the path
  std::vector<char> stirred_, taken_;                  // of each body and each contact
  std::vector<int> queue_;          // bodies of the group that is being found, or that are being looked at again
  std::vector<char> is_refreshed_;  // of each body: its velocity has just been added up afresh
  std::vector<char> is_unwritten_;  // of each contact: its impulse has changed since the best point was written,
  std::vector<int> unwritten_;      // and which these are
  std::vector<int> focus_;          // contacts of groups, one group after the other
  std::vector<Group> groups_;
  std::vector<Vector3> best_;
  std::vector<int> numbers_;
  linalg::ReusableVector around_, candidate_;  // as long as those of the whole problem
  BodyPath path_;
  int worst_contact_ = -1;
};

}  // namespace ricochet::cone
