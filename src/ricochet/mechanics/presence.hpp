// Bodies that are there for part of a run only: they appear with the motion that the model gives them, and vanish.
//
// An absent body stays where it will appear (or was last), at rest, without forces, weight, contacts or energy. Which
// nodes are present is part of the state (State::present, empty if none ever is absent): a body is there from the first
// step that begins at or after `appears` until the first that begins at or after `disappears`.
#pragma once

#include <vector>

#include "ricochet/mechanics/state.hpp"

namespace ricochet::mechanics {

inline bool is_present(const State& state, int node) { return state.present.size() == 0 || state.present[node] != 0; }

class Presence {
 public:
  Presence(const model::Model& model, const DofMap& map);

  bool always() const { return visits_.empty(); }

  // For the initial state: who is there at its time, and those who are not at rest.
  void set_start(State& state) const;
  // At the end of a step. True if somebody came or went: velocities have changed then.
  bool update(State& state) const;
  // Nothing acts on absent nodes.
  void clear_absent(const State& state, VectorX& force) const;

 private:
  struct Visit {
    int node = 0;
    int v_start = 0;
    int v_size = 0;
    double appears = 0;                    // s
    double disappears = 0;                 // s
    Eigen::Matrix<double, 6, 1> velocity;  // with which it appears
  };
  static bool is_there(const Visit& visit, double time);

  std::vector<Visit> visits_;
  int nodes_ = 0;
};

}  // namespace ricochet::mechanics
