// Some contacts of a problem with the bodies that they touch: what solvers that work on bodies (cone/body_path,
// cone/focused_sweeps) have in common.
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

class BodyContacts {
 public:
  using Rows = Eigen::Matrix<double, 3, 6>;  // of a contact, the components of a body as columns; zero where there is
                                             // none

  struct Contact {
    int contact = 0;           // in the whole problem
    int offset = 0;            // of its components there
    int size = 0;              // 1, 2 or 3
    double friction = 0;       // mu
    int bodies[2] = {-1, -1};  // the second is -1 if there is only one; both if nothing can move
    Rows gradients[2];         // H
  };
  struct Body {
    int node = 0;
    Matrix6 inverse;  // B
  };

  // False if the problem does not say of which bodies it is, if a contact rolls or is bilateral, touches more than two
  // nodes, or one that is coupled with others. Does not allocate once it has seen as many contacts and bodies.
  bool prepare(const ContactProblem& problem, std::span<const int> contacts);

  const std::vector<Contact>& contacts() const { return contacts_; }
  const std::vector<Body>& bodies() const { return bodies_; }

 private:
  std::vector<Contact> contacts_;
  std::vector<Body> bodies_;
  std::vector<int> body_of_node_;
};

}  // namespace ricochet::cone
