#include "ricochet/geometry/patch_reduction.hpp"

#include <algorithm>

namespace ricochet::geometry {

int choose_corners(const Overlap& overlap, int directions, double rounding, std::array<int, kMaxPatchPoints>& chosen) {
  int count = 0;
  const auto keep = [&](int corner) {
    if (std::find(chosen.begin(), chosen.begin() + count, corner) == chosen.begin() + count) chosen[count++] = corner;
  };
  const auto keep_deepest = [&] {
    int deepest = count > 0 ? chosen[0] : 0;
    for (int i = 1; i < count; ++i) {
      if (overlap.corners[chosen[i]].gap < overlap.corners[deepest].gap) deepest = chosen[i];
    }
    double least = overlap.corners[deepest].gap;
    for (int i = 0; i < overlap.count; ++i) {
      if (overlap.corners[i].gap >= least - rounding) continue;
      least = overlap.corners[i].gap;
      deepest = i;
    }
    keep(deepest);
  };
  const auto true_corners = std::count_if(overlap.corners.begin(), overlap.corners.begin() + overlap.count,
                                          [](const OverlapCorner& corner) { return !corner.is_flat; });
  if (overlap.count == 0) return 0;
  if (true_corners <= directions) {
    for (int i = 0; i < overlap.count; ++i) {
      if (!overlap.corners[i].is_flat) keep(i);
    }
    keep_deepest();
    return count;
  }
  double x = 0.61566147532565828, y = 0.78801075360672201;  // cosine and sine of 52 degrees
  const double cosine = directions == 4 ? 0 : 0.5;          // of the angle from one direction to the next
  const double sine = directions == 4 ? 1 : 0.86602540378443865;
  for (int k = 0; k < directions; ++k) {
    int furthest = -1;
    double best = 0;
    for (int i = 0; i < overlap.count; ++i) {
      if (overlap.corners[i].is_flat) continue;
      const double reached = overlap.corners[i].x * x + overlap.corners[i].y * y;
      if (furthest >= 0 && reached <= best + rounding) continue;
      best = reached;
      furthest = i;
    }
    keep(furthest);
    const double turned = cosine * x - sine * y;
    y = sine * x + cosine * y;
    x = turned;
  }
  keep_deepest();
  return count;
}

}  // namespace ricochet::geometry
