// Which boxes may touch: the broad phase, for 1e5 boxes of which few move.
//
// Every box has an identifier (a number from 0 on) and edges along the world axes. The tree holds it enlarged by a
// margin; while the true box stays inside the enlarged one nothing is done at all, so a settled heap costs nothing
// here. `update` gives the pairs whose *enlarged* boxes overlap: a superset of the pairs whose true boxes overlap.
//
// How much larger it is depends on how the boxes got where they are. What is made of the pairs must not: look at each
// pair exactly, and keep what is within reach. A margin costs time, never results.
//
// The tree is Bullet's dynamic tree of bounding volumes (btDbvt). This room's broad_phase.cpp is the only file that
// knows Bullet. Nothing allocates once the number of pairs, of boxes that move at once, and of branches of the tree
// that a search leaves for later, has been seen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ricochet/geometry/bounds.hpp"
#include "ricochet/math/function_reference.hpp"

namespace ricochet::geometry {

class BroadPhase {
 public:
  // Boxes that may overlap, the smaller number first.
  struct Pair {
    std::int32_t first = 0;
    std::int32_t second = 0;
    friend auto operator<=>(const Pair&, const Pair&) = default;  // NOLINT(modernize-use-nullptr)
  };

  // Asked once for each pair of boxes that comes near, the smaller number first: may they make a pair at all? It must
  // give the same answer at all times.
  using Filter = std::function<bool(int, int)>;

  BroadPhase(int boxes, Filter filter);
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;
  ~BroadPhase();

  // Where a box is now (finite numbers). Enlarges it by the margin (m) if it has left the enlarged box of earlier, or
  // was not there.
  void place(int box, const Bounds& tight, double margin);
  // It makes no pairs until it is placed again.
  void remove(int box);

  // Takes note of all that happened since the last call. True if `pairs` may have changed.
  bool update();
  std::span<const Pair> pairs() const { return pairs_; }  // sorted

  // Visits the boxes that are no further from `from` than a limit (m), near ones first on the whole. `visit` gives the
  // limit from then on: whoever looks for the nearest need not see many. Enlarged boxes count, so more may be visited.
  using Visit = math::FunctionReference<double(int box)>;
  void visit_near(const Bounds& from, double limit, Visit visit) const;

  std::int64_t moves() const { return moves_; }  // boxes enlarged anew since the beginning: what the margin saves

 private:
  struct Tree;  // hides Bullet

  void find_pairs_of_moved();

  std::unique_ptr<Tree> tree_;
  Filter filter_;
  std::vector<char> has_moved_;
  std::vector<int> moved_;  // since the last update, removed ones among them
  std::vector<Pair> pairs_, found_, merged_;
  std::int64_t moves_ = 0;
  bool is_built_ = false;
};

}  // namespace ricochet::geometry
