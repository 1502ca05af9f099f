// The state of a machine: time, coordinates, velocities, accelerations and element variables, and nothing else.
//
// Coordinates of a node are consecutive: a point has 3 (x, y, z); a frame has 7 (x, y, z and the quaternion w, x, y,
// z). Velocities are consecutive too: a point has 3 (world); a frame has 6 (world velocity, then body angular
// velocity). A generalised node has as many as its system has coordinates, and their rates. Eliminated components
// (fixed, planar, driven) stay in the vectors, zero or as driven: no scheme ever renumbers anything.
//
// Element variables are what elements must remember because the coordinates do not tell it. There is one kind: angles
// that are counted over whole turns. A rotation tells an angle up to 2 pi; `angles` holds the full one of some moment
// not long ago, and the angle at this state is the one within half a turn of that (`unwrapped` in joints/measure.hpp).
// A scheme copies the angles of the beginning of a step to whatever states it looks at within the step, and calls
// Equations::update_angles when the end is known. So no angle may change by half a turn or more in a step.
#pragma once

#include <algorithm>
#include <vector>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

struct State {
  double time = 0;  // s
  VectorX q;
  VectorX v;
  VectorX a;        // by the scheme: for Moreau-Jean the mean over the last step
  VectorX present;  // 1 or 0 for each node, see mechanics/presence; empty if all are there always
  VectorX angles;   // rad, with whole turns: of every torsion spring in the order of the model, then of joints

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("time", self.time);
    visitor("q", self.q);
    visitor("v", self.v);
    visitor("a", self.a);
    visitor("present", self.present);
    visitor("angles", self.angles);
  }
};

// Where the coordinates and velocities of every node are, and which velocity components are free.
class DofMap {
 public:
  explicit DofMap(const model::Model& model);

  int nodes() const { return static_cast<int>(kind_.size()); }
  bool is_frame(int node) const { return kind_[node] == model::NodeKind::frame; }
  int q_start(int node) const { return q_start_[node]; }
  int v_start(int node) const { return v_start_[node]; }
  // Coordinates of a system of the user: neither position nor rotation.
  bool is_generalised(int node) const { return kind_[node] == model::NodeKind::generalised; }
  int q_size(int node) const { return is_frame(node) ? 7 : v_sizes_[node]; }
  int v_size(int node) const { return v_sizes_[node]; }
  int q_total() const { return q_total_; }
  int v_total() const { return v_total_; }
  const std::vector<int>& v_sizes() const { return v_sizes_; }
  bool is_free(int component) const { return free_[component] != 0; }
  const std::vector<char>& free_components() const { return free_; }
  bool moves_freely(int node) const {  // some component of it
    const auto begin = free_.begin() + v_start(node);
    return std::any_of(begin, begin + v_size(node), [](char free) { return free != 0; });
  }
  // Prescribed by a driver: eliminated, but moving.
  bool is_driven(int component) const { return driven_[component] != 0; }

 private:
  std::vector<model::NodeKind> kind_;
  std::vector<int> q_start_, v_start_, v_sizes_;
  std::vector<char> free_, driven_;
  int q_total_ = 0, v_total_ = 0;
};

inline Vector3 position(const DofMap& map, const State& state, int node) {
  return state.q.segment<3>(map.q_start(node));
}

inline math::Quaternion orientation(const DofMap& map, const State& state, int node) {
  if (!map.is_frame(node)) return {};
  const int start = map.q_start(node) + 3;
  return {state.q[start], state.q[start + 1], state.q[start + 2], state.q[start + 3]};
}

// As the model places its nodes. The angles of torsion springs count from there: zero.
State initial_state(const model::Model& model, const DofMap& map);

// q_end = q_begin moved for the duration h with the constant velocity v: x + h v and R exp(h Omega~).
void advance(const DofMap& map, const VectorX& q_begin, const VectorX& v, double h, VectorX& q_end);

}  // namespace ricochet::mechanics
