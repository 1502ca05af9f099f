#include "ricochet/geometry/patch_reduction.hpp"

#include <algorithm>
#include <limits>

namespace ricochet::geometry {

namespace {

class Choice {
 public:
  Choice(const Overlap& overlap, int directions, double rounding, std::array<int, kMaxPatchPoints>& chosen)
      : overlap_(overlap), directions_(directions), rounding_(rounding), chosen_(chosen) {}

  int count() const { return count_; }

  // The furthest of those with gap <= highest in each direction, or all if they are few.
  void keep_outermost(double highest) {
    const auto is_meant = [&](int i) { return !overlap_.corners[i].is_flat && overlap_.corners[i].gap <= highest; };
    int meant = 0;
    for (int i = 0; i < overlap_.count; ++i) meant += is_meant(i) ? 1 : 0;
    if (meant <= directions_) {
      for (int i = 0; i < overlap_.count; ++i) {
        if (is_meant(i)) keep(i);
      }
      return;
    }
    double x = 0.61566147532565828, y = 0.78801075360672201;  // cosine and sine of 52 degrees
    const double cosine = directions_ == 4 ? 0 : 0.5;         // of the angle from one direction to the next
    const double sine = directions_ == 4 ? 1 : 0.86602540378443865;
    for (int k = 0; k < directions_; ++k) {
      int furthest = -1;
      double best = 0;
      for (int i = 0; i < overlap_.count; ++i) {
        if (!is_meant(i)) continue;
        const double reached = overlap_.corners[i].x * x + overlap_.corners[i].y * y;
        if (furthest >= 0 && reached <= best + rounding_) continue;
        best = reached;
        furthest = i;
      }
      keep(furthest);
      const double turned = cosine * x - sine * y;
      y = sine * x + cosine * y;
      x = turned;
    }
  }

  void keep_deepest() {
    int deepest = count_ > 0 ? chosen_[0] : 0;
    for (int i = 1; i < count_; ++i) {
      if (overlap_.corners[chosen_[i]].gap < overlap_.corners[deepest].gap) deepest = chosen_[i];
    }
    double least = overlap_.corners[deepest].gap;
    for (int i = 0; i < overlap_.count; ++i) {
      if (overlap_.corners[i].gap >= least - rounding_) continue;
      least = overlap_.corners[i].gap;
      deepest = i;
    }
    keep(deepest);
  }

 private:
  void keep(int corner) {
    const auto end = chosen_.begin() + count_;
    if (std::find(chosen_.begin(), end, corner) == end) chosen_[count_++] = corner;
  }

  const Overlap& overlap_;
  int directions_;
  double rounding_;
  std::array<int, kMaxPatchPoints>& chosen_;
  int count_ = 0;
};

}  // namespace

int choose_corners(const Overlap& overlap, int directions, double rounding, double touch,
                   std::array<int, kMaxPatchPoints>& chosen) {
  if (overlap.count == 0) return 0;
  Choice choice(overlap, directions, rounding, chosen);
  choice.keep_outermost(std::numeric_limits<double>::infinity());
  choice.keep_deepest();
  choice.keep_outermost(touch + rounding);
  return choice.count();
}

}  // namespace ricochet::geometry
