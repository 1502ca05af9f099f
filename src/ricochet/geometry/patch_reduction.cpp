#include "ricochet/geometry/patch_reduction.hpp"

#include <algorithm>

namespace ricochet::geometry {

int choose_corners(const Overlap& overlap, int directions, double rounding, std::array<int, kMaxPatchPoints>& chosen) {
  int count = 0;
  if (overlap.count <= directions) {
    for (int i = 0; i < overlap.count; ++i) chosen[count++] = i;
    return count;
  }
  const auto keep = [&](int corner) {
    if (std::find(chosen.begin(), chosen.begin() + count, corner) == chosen.begin() + count) chosen[count++] = corner;
  };
  double x = 0.61566147532565828, y = 0.78801075360672201;  // cosine and sine of 52 degrees
  const double cosine = directions == 4 ? 0 : 0.5;          // of the angle from one direction to the next
  const double sine = directions == 4 ? 1 : 0.86602540378443865;
  for (int k = 0; k < directions; ++k) {
    int furthest = 0;
    double best = overlap.corners[0].x * x + overlap.corners[0].y * y;
    for (int i = 1; i < overlap.count; ++i) {
      const double reached = overlap.corners[i].x * x + overlap.corners[i].y * y;
      if (reached <= best + rounding) continue;
      best = reached;
      furthest = i;
    }
    keep(furthest);
    const double turned = cosine * x - sine * y;
    y = sine * x + cosine * y;
    x = turned;
  }
  int deepest = chosen[0];
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
  return count;
}

}  // namespace ricochet::geometry
