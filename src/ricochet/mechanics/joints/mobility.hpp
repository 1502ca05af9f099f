// What joints leave of the motion of a machine, at the start of a run: degrees of freedom, equations that say what
// others say already, and how near it is to a singular position.
//
// The velocities that the rows G of all joints allow are those with G v = 0 (drives and velocity rows included;
// contacts are not). So a machine with n free velocity components has n - rank(G) degrees of freedom. This is what
// counting (Gruebler, Kutzbach) cannot tell: a four-bar linkage in space has 3 * 6 components and 4 * 5 rows, that is
// -2, but if its hinges are parallel, 3 of the rows follow from the others and 1 degree of freedom is left.
//
// In a singular position rows that are independent elsewhere depend on each other: a parallelogram whose bars all lie
// on one line can go on as a parallelogram or as an antiparallelogram. To tell that from redundant joints, the machine
// is moved a little along a velocity that its joints allow, and its joints closed again: there it is in general
// position, and redundant joints are still redundant. A structure that is shaky (it has velocities, but cannot move) is
// told by the same means.
//
// Conditioning is the ratio of the largest to the smallest singular value of the scaled rows (linalg/row_rank) that is
// not zero in general position. Near 1 all is well; reactions and corrections of the joints lose as many digits as it
// has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/mechanics/equations.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

struct Mobility {
  struct DependentJoint {
    std::string name;
    int rows = 0;  // of its equations, how many follow from those before them in the order of the model
  };

  int components = 0;    // free velocity components of the bodies
  int rows = 0;          // equations of joints and velocity rows
  bool counted = true;   // false if there are more rows than linalg::most_sparse_rows; then nothing below is known
  int rank = 0;          // of the rows, as the machine stands at the start
  int general_rank = 0;  // and a little way off
  std::vector<DependentJoint> dependent;
  std::optional<double> conditioning;  // nothing without rows, or with more of them than linalg::most_dense_rows

  int degrees_of_freedom() const { return components - general_rank; }
  int redundant_rows() const { return rows - general_rank; }
  bool is_singular() const { return general_rank > rank; }
};

// `equations` are those of the model.
Mobility mobility(const model::Model& model, const Equations& equations);

}  // namespace ricochet::mechanics
