// In which order the unknowns of nodes and joints are eliminated, so that all pivots can stay on the diagonal.
//
// The system of a machine with joints,
//
//   [ matrix   G^T    ]
//   [ G      -delta 1 ],
//
// has pivots of the size of delta where the rows of a joint come before the nodes that they hold. Where they come after
// all of them the pivot is minus what the joint yields with the nodes free and the joints before it in place: it is
// small only if the row says what those joints say already, and then it is coupled with nothing. So every joint comes
// after its nodes; apart from that the order is one of minimum degree (Eigen's AMD) of the graph of nodes and joints,
// in which whole chains and trees of bodies are eliminated from their ends.
#pragma once

#include <span>
#include <vector>

namespace ricochet::linalg {

// Who is coupled with whom, in both directions or in one, each pair any number of times.
struct Coupling {
  int first = 0;
  int second = 0;
};

// Nodes are the numbers from 0 on, joints those from `nodes` on. No two joints are coupled.
std::vector<int> elimination_order(int nodes, int joints, std::span<const Coupling> couplings);

}  // namespace ricochet::linalg
