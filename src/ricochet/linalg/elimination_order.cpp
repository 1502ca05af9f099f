#include "ricochet/linalg/elimination_order.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace ricochet::linalg {

namespace {

// The graph as a symmetric matrix, with the diagonal.
Eigen::SparseMatrix<double> adjacency(int size, std::span<const Coupling> couplings) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) entries.emplace_back(i, i, 1.0);
  for (const Coupling& coupling : couplings) {
    entries.emplace_back(coupling.first, coupling.second, 1.0);
    entries.emplace_back(coupling.second, coupling.first, 1.0);
  }
  Eigen::SparseMatrix<double> graph(size, size);
  graph.setFromTriplets(entries.begin(), entries.end());
  return graph;
}

}  // namespace

std::vector<int> elimination_order(int nodes, int joints, std::span<const Coupling> couplings) {
  const int size = nodes + joints;
  const Eigen::SparseMatrix<double> graph = adjacency(size, couplings);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  std::vector<int> waits_for(size, 0);  // nodes that a joint still waits for
  for (int joint = nodes; joint < size; ++joint) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(graph, joint); it; ++it) waits_for[joint] += it.index() < nodes;
  }
  std::vector<char> due(size, 0);  // a joint whose turn has come before all of its nodes
  std::vector<int> order;
  for (int place = 0; place < size; ++place) {
    const int next = permutation.indices()[place];
    if (next >= nodes && waits_for[next] > 0) {
      due[next] = 1;
      continue;
    }
    order.push_back(next);
    if (next >= nodes) continue;
    for (Eigen::SparseMatrix<double>::InnerIterator it(graph, next); it; ++it) {
      const auto joint = static_cast<int>(it.index());
      if (joint < nodes) continue;
      if (--waits_for[joint] == 0 && due[joint] != 0) order.push_back(joint);
    }
  }
  return order;
}

}  // namespace ricochet::linalg
