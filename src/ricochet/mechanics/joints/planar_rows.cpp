#include "ricochet/mechanics/joints/planar_rows.hpp"

#include "ricochet/math/random.hpp"

namespace ricochet::mechanics {

std::array<bool, Joint::max_rows> rows_that_move_in_the_plane(const Joint& joint, const DofMap& map,
                                                              const State& state) {
  std::array<bool, Joint::max_rows> moves{};
  math::Random random(1);
  State place = state;
  Joint::Gradient gradient;
  for (int attempt = 0; attempt < 4; ++attempt) {
    joint.gradient(place, gradient);
    for (int row = 0; row < joint.rows(); ++row) {
      double in_plane = 0;
      for (int i = 0; i < joint.nodes(); ++i) {
        const int start = joint.column(i);
        in_plane += gradient.row(row).segment<2>(start).squaredNorm();
        if (joint.v_size(i) == 6) in_plane += gradient(row, start + 5) * gradient(row, start + 5);
      }
      moves[row] = moves[row] || in_plane > 1e-24 * gradient.row(row).squaredNorm();
    }
    VectorX motion = VectorX::Zero(map.v_total());
    for (int i = 0; i < joint.nodes(); ++i) {
      motion[joint.v_start(i)] = random.uniform(-1, 1);
      motion[joint.v_start(i) + 1] = random.uniform(-1, 1);
      if (joint.v_size(i) == 6) motion[joint.v_start(i) + 5] = random.uniform(-1, 1);
    }
    advance(map, state.q, motion, 1, place.q);
  }
  return moves;
}

}  // namespace ricochet::mechanics
