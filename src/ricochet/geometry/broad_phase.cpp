#include "ricochet/geometry/broad_phase.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <algorithm>
#include <utility>

namespace ricochet::geometry {

namespace {

btDbvtVolume volume_of(const Bounds& box) {
  return btDbvtVolume::FromMM(btVector3(box.lower.x(), box.lower.y(), box.lower.z()),
                              btVector3(box.upper.x(), box.upper.y(), box.upper.z()));
}

bool contains(const btDbvtVolume& outer, const Bounds& inner) {
  for (int k = 0; k < 3; ++k) {
    if (!(outer.Mins()[k] <= inner.lower[k] && inner.upper[k] <= outer.Maxs()[k])) return false;
  }
  return true;
}

double distance_to(const btDbvtVolume& volume, const Bounds& box) {
  const btVector3 &lower = volume.Mins(), &upper = volume.Maxs();
  return distance({Vector3(lower[0], lower[1], lower[2]), Vector3(upper[0], upper[1], upper[2])}, box);
}

// What a query of the tree finds: leaves that overlap a volume.
struct FoundLeaves final : btDbvt::ICollide {
  std::vector<int> boxes;
  using btDbvt::ICollide::Process;
  void Process(const btDbvtNode* leaf) override { boxes.push_back(leaf->dataAsInt); }
};

}  // namespace

struct BroadPhase::Tree {
  btDbvt tree;
  std::vector<btDbvtNode*> leaves;  // of each box; null: not there
  FoundLeaves found;
  btNodeStack stack;

  // Branches that a search has yet to look at, and how far away they are: no more than one for each level of the tree
  // above the place it has come to. Nothing but the number of boxes bounds how many that are.
  struct Branch {
    const btDbvtNode* node = nullptr;
    double away = 0;  // m
  };
  std::vector<Branch> branches;

  static Branch branch(const btDbvtNode* node, const Bounds& from) { return {node, distance_to(node->volume, from)}; }

  void visit_near(const Bounds& from, double limit, Visit visit) {
    branches.clear();
    if (tree.m_root != nullptr) branches.push_back(branch(tree.m_root, from));
    while (!branches.empty()) {
      const auto [node, away] = branches.back();
      branches.pop_back();
      if (away > limit) continue;
      if (node->isleaf()) {
        limit = visit(node->dataAsInt);
        continue;
      }
      Branch near = branch(node->childs[0], from), far = branch(node->childs[1], from);
      if (far.away < near.away) std::swap(near, far);
      branches.push_back(far);
      branches.push_back(near);
    }
  }
};

BroadPhase::BroadPhase(int boxes, Filter filter) : tree_(std::make_unique<Tree>()), filter_(std::move(filter)) {
  tree_->leaves.assign(boxes, nullptr);
  has_moved_.assign(boxes, 0);
  moved_.reserve(boxes);
}

BroadPhase::~BroadPhase() = default;

void BroadPhase::place(int box, const Bounds& tight, double margin) {
  btDbvtNode*& leaf = tree_->leaves[box];
  if (leaf != nullptr && contains(leaf->volume, tight)) return;
  btDbvtVolume volume = volume_of(enlarged(tight, margin));
  if (leaf == nullptr) {
    leaf = tree_->tree.insert(volume, nullptr);
    leaf->data = nullptr;
    leaf->dataAsInt = box;
  } else {
    tree_->tree.update(leaf, volume);
  }
  ++moves_;
  if (std::exchange(has_moved_[box], char{1}) == 0) moved_.push_back(box);
}

void BroadPhase::remove(int box) {
  btDbvtNode*& leaf = tree_->leaves[box];
  if (leaf == nullptr) return;
  tree_->tree.remove(leaf);
  leaf = nullptr;
  if (std::exchange(has_moved_[box], char{1}) == 0) moved_.push_back(box);
}

// Into found_, sorted.
void BroadPhase::find_pairs_of_moved() {
  found_.clear();
  for (const int box : moved_) {
    const btDbvtNode* leaf = tree_->leaves[box];
    if (leaf == nullptr) continue;
    tree_->found.boxes.clear();
    tree_->tree.collideTVNoStackAlloc(tree_->tree.m_root, leaf->volume, tree_->stack, tree_->found);
    for (const int other : tree_->found.boxes) {
      // Two boxes that both moved find each other twice.
      if (other == box || (has_moved_[other] != 0 && other < box)) continue;
      const auto [first, second] = std::minmax(box, other);
      if (filter_(first, second)) found_.push_back({first, second});
    }
  }
  std::sort(found_.begin(), found_.end());
}

bool BroadPhase::update() {
  if (moved_.empty()) return false;
  if (!is_built_) {  // leaves were inserted in any order: a better tree for all of them
    tree_->tree.optimizeTopDown();
    is_built_ = true;
  } else {
    tree_->tree.optimizeIncremental(1 + static_cast<int>(moved_.size() / 16));
  }
  find_pairs_of_moved();
  std::erase_if(pairs_, [&](const Pair& pair) { return has_moved_[pair.first] != 0 || has_moved_[pair.second] != 0; });
  merged_.clear();
  std::merge(pairs_.begin(), pairs_.end(), found_.begin(), found_.end(), std::back_inserter(merged_));
  std::swap(pairs_, merged_);
  for (const int box : moved_) has_moved_[box] = 0;
  moved_.clear();
  return true;
}

void BroadPhase::visit_near(const Bounds& from, double limit, Visit visit) const {
  tree_->visit_near(from, limit, visit);
}

}  // namespace ricochet::geometry
