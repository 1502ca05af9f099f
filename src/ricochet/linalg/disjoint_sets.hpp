// Which things hang together: sets that grow by joining two things at a time (Tarjan's union-find).
//
// Every set is named by its smallest member, so that the result does not depend on the order of the joins. The chains
// that lead to the name are halved whenever they are walked, which keeps them short.
#pragma once

#include <vector>

namespace ricochet::linalg {

class DisjointSets {
 public:
  // Things 0 ... size - 1, each alone in its set. Keeps the memory.
  void reset(int size) {
    parent_.resize(size);
    for (int i = 0; i < size; ++i) parent_[i] = i;
  }

  int size() const { return static_cast<int>(parent_.size()); }

  // The smallest member of the set of a thing.
  int find(int thing) {
    while (parent_[thing] != thing) {
      parent_[thing] = parent_[parent_[thing]];
      thing = parent_[thing];
    }
    return thing;
  }

  void join(int first, int second) {
    first = find(first);
    second = find(second);
    if (first < second) {
      parent_[second] = first;
    } else {
      parent_[first] = second;
    }
  }

 private:
  std::vector<int> parent_;
};

}  // namespace ricochet::linalg
