#include "ricochet/mechanics/joints/nearest_placement.hpp"

#include <cmath>
#include <limits>

namespace ricochet::mechanics {

namespace {

constexpr int kMostSlides = 100;
constexpr double kShortestSlide = 1.0 / 1024;  // of a full one
// Of |t|^2/|d|^2. Squares, because roots of masses would make decisions depend on the unit of mass.
constexpr double kFlat = 1e-28;          // nothing is left to gain
constexpr double kSlopeDecides = 1e-12;  // below, the gain is lost in the rounding of f: does the slope still shrink?
constexpr double kFlatter = 0.8;

}  // namespace

void NearestPlacement::measure_motion(const DofMap& map, const VectorX& from, const VectorX& q) {
  motion_.setZero(map.v_total());
  for (int node = 0; node < map.nodes(); ++node) {
    if (map.is_generalised(node)) continue;  // has no joints, and stays
    const int start = map.v_start(node), place = map.q_start(node);
    motion_.segment<3>(start) = q.segment<3>(place) - from.segment<3>(place);
    if (!map.is_frame(node)) continue;
    const auto rotation = [&](const VectorX& of) {
      return math::Quaternion{of[place + 3], of[place + 4], of[place + 5], of[place + 6]};
    };
    motion_.segment<3>(start + 3) = math::logarithm(rotation(from).conjugate() * rotation(q));
  }
}

NearestPlacement::Result NearestPlacement::find(const Equations& equations, State& state) {
  Result result;
  if (equations.joints().rows() == 0) return result;
  const VectorX from = state.q;
  const JointProjection::Result first = projection_.project_position(equations, state);
  result.closed = first.closed;
  result.error = first.error;
  measure_motion(equations.map(), from, state.q);
  moved_squared_ = equations.mass_norm_squared(state, motion_);
  slope_squared_ = std::numeric_limits<double>::infinity();
  while (result.closed && result.slides < kMostSlides && slide(equations, from, state, result)) ++result.slides;
  result.moved = std::sqrt(moved_squared_);
  result.slope = std::isfinite(slope_squared_) ? std::sqrt(slope_squared_) : 0;
  return result;
}

// One slide and closing again; false if there is nothing to gain. `motion_` is that of the state.
bool NearestPlacement::slide(const Equations& equations, const VectorX& from, State& state, Result& result) {
  const DofMap& map = equations.map();
  if (!matrix_) matrix_ = equations.make_effective_mass();
  equations.joints().gradients(state, rows_);
  equations.assemble(state, 0, 0, rows_, *matrix_);
  equations.multiply_mass(state, motion_, descent_);
  descent_ = -descent_;
  for (int node = 0; node < map.nodes(); ++node) {
    if (!map.is_frame(node)) continue;
    const int start = map.v_start(node) + 3;
    descent_.segment<3>(start) =
        math::right_tangent_inverse(motion_.segment<3>(start)).transpose() * descent_.segment<3>(start);
  }
  matrix_->solve_in_place(descent_);
  const double slope_squared = equations.mass_norm_squared(state, descent_);
  const bool is_flatter = slope_squared < kFlatter * slope_squared_;
  const bool slope_decides = slope_squared <= kSlopeDecides * moved_squared_;
  slope_squared_ = slope_squared;
  if (!(slope_squared > kFlat * moved_squared_) || (slope_decides && !is_flatter)) return false;
  const State start = state;
  for (double part = 1; part >= kShortestSlide; part *= 0.5) {
    advance(map, start.q, descent_, part, state.q);
    const JointProjection::Result closing = projection_.project_position(equations, state);
    measure_motion(map, from, state.q);
    const double moved_squared = equations.mass_norm_squared(state, motion_);
    const bool is_nearer = moved_squared <= moved_squared_ - 0.1 * part * slope_squared;
    if (closing.closed && (is_nearer || slope_decides)) {
      moved_squared_ = moved_squared;
      result.error = closing.error;
      return true;
    }
    state = start;
  }
  measure_motion(map, from, state.q);
  return false;
}

}  // namespace ricochet::mechanics
